import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleProvider } from '../../scripts/provider/bundle.ts'
import { ENTRY } from '../../scripts/provider/release.ts'
import { type Bench, NotHere } from '../row.ts'
import { costOf, type Cost, GIVEN_UP_MS } from './cost.ts'

export interface Terraform {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** @throws NotHere */
export const needTerraform = (bench: Bench): Terraform => {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore', timeout: GIVEN_UP_MS })
  } catch {
    throw new NotHere('terraform is not on PATH')
  }
  const env = { ...bench.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_INPUT: '0' }
  return { program: 'terraform', env }
}

/** Terraform makes no range of more than 1,024. */
const setOf = (things: number): string => `toset([for index in range(${String(things)}) : tostring(index)])`

/** Terraform's own resource, which asks nobody anything: as many of it, applied. Answers a plan of them. */
export const ownResource = async (
  bench: Bench,
  things: number,
  how: 'count' | 'for_each' = 'count',
): Promise<() => Promise<Cost>> => {
  const terraform = needTerraform(bench)
  const folder = join(bench.folder, `data-${how}-${String(things)}`)
  const [repeated, own, locals] =
    how === 'count'
      ? [`count = ${String(things)}`, 'count.index', '']
      : ['for_each = local.set', 'each.key', `locals {\n  set = ${setOf(things)}\n}\n`]
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'main.tf'),
    `${locals}resource "terraform_data" "all" {
  ${repeated}
  input = { id = ${own}, enabled = true }
}
`,
  )
  const run = (...words: string[]) =>
    costOf({ words: [terraform.program, ...words], cwd: folder, env: terraform.env })
  await run('init')
  await run('apply', '-auto-approve')
  return () => run('plan')
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
