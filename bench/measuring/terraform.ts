import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleProvider } from '../../scripts/provider/bundle.ts'
import { ENTRY } from '../../scripts/provider/release.ts'
import { type Bench, NotHere } from '../row.ts'

export interface Terraform {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** @throws NotHere */
export const needTerraform = (bench: Bench): Terraform => {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore' })
  } catch {
    throw new NotHere('terraform is not on PATH')
  }
  const env = { ...bench.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_INPUT: '0' }
  return { program: 'terraform', env }
}

/** The provider as it is released, in a folder of its own. */
export const bundledProvider = (bench: Bench): Promise<string> =>
  bench.once('provider', async () => {
    const bundle = join(bench.folder, 'provider', 'terraform-provider-deploymgmt.cjs')
    await bundleProvider(ENTRY, bundle)
    return bundle
  })

/** Terraform's settings by which it takes that provider. */
export const overriding = async (bench: Bench): Promise<string> => {
  const folder = join(await bundledProvider(bench), '..')
  const settings = join(bench.folder, 'terraform.rc')
  await writeFile(
    settings,
    `provider_installation {\n  dev_overrides {\n    "registry.terraform.io/deploymgmt/deploymgmt" = ${JSON.stringify(folder)}\n  }\n  direct {}\n}\n`,
  )
  return settings
}
