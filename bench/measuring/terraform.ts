import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleProvider } from '../../scripts/provider/bundle.ts'
import { ENTRY } from '../../scripts/provider/release.ts'
import { type Bench, NotHere } from '../row.ts'
import { costOf, type Cost, GIVEN_UP_MS } from './cost.ts'

/** How a resource's instances are told apart. */
export type Repeated = 'count' | 'for_each'

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

const beginOwn = async (bench: Bench, things: number, how: Repeated) => {
  const { program, env } = needTerraform(bench)
  const folder = join(bench.folder, `data-${how}-${String(things)}`)
  await mkdir(folder, { recursive: true })
  const run = (...words: string[]) => costOf({ words: [program, ...words], cwd: folder, env })
  const configure = (count: number): Promise<void> => writeFile(join(folder, 'main.tf'), ownOf(count, how))
  await configure(1)
  await run('init')
  return { folder, run, configure }
}

/**
 * Terraform's own resource, which asks nobody anything: a plan of so many new ones. One of as many that are in a state
 * takes Terraform ten times as long, by the square of their number.
 */
export const ownAnew = async (bench: Bench, things: number): Promise<() => Promise<Cost>> => {
  const { run, configure } = await beginOwn(bench, things, 'count')
  await configure(things)
  return () => run('plan')
}

/** As many of it in a state: a plan of them, which changes nothing. */
export const ownResource = async (
  bench: Bench,
  things: number,
  how: Repeated = 'count',
): Promise<() => Promise<Cost>> => {
  const { folder, run, configure } = await beginOwn(bench, things, how)
  await run('apply', '-auto-approve')
  await multiply(join(folder, 'terraform.tfstate'), blocksOf(things), ({ attributes, ...one }, index) => {
    const id = how === 'count' ? index : String(index)
    const value = { id, enabled: true }
    const { input, output } = attributes as Record<'input' | 'output', object>
    return {
      ...one,
      index_key: id,
      attributes: {
        ...attributes,
        id: randomUUID(),
        input: { ...input, value },
        output: { ...output, value },
      },
    }
  })
  await configure(things)
  return () => run('plan', '-detailed-exitcode')
}

/** Terraform makes no range of more than 1,024. */
const ownOf = (things: number, how: Repeated): string =>
  how === 'count'
    ? `resource "terraform_data" "all_0" {
  count = ${String(things)}
  input = { id = count.index, enabled = true }
}
`
    : `locals {
  set = toset([for index in range(${String(things)}) : tostring(index)])
}
resource "terraform_data" "all_0" {
  for_each = local.set
  input    = { id = each.key, enabled = true }
}
`

/**
 * Makes many of the one instance in a state. Terraform writes its whole state after each resource, so that applying
 * thousands would take longer than all that is measured.
 */
export const multiply = async (
  path: string,
  blocks: readonly Block[],
  make: (one: Instance, thing: number, index: number) => Instance,
): Promise<void> => {
  const state = JSON.parse(await readFile(path, 'utf8')) as State
  const [resource] = state.resources
  const [one] = resource?.instances ?? []
  if (resource === undefined || one === undefined) throw new Error('nothing was applied')
  const resources = blocks.map(({ name, first, size }) => ({
    ...resource,
    name,
    instances: Array.from({ length: size }, (_, index) => make(one, first + index, index)),
  }))
  await writeFile(path, JSON.stringify({ ...state, serial: state.serial + 1, resources }))
}

/** A resource of a configuration that stands for so many things, from the first one on. */
export interface Block {
  readonly name: string
  readonly first: number
  readonly size: number
}

/**
 * So many things in blocks of equal size; the last one may have less. For each instance Terraform copies all of the
 * block, so that the time of one large block is Terraform's.
 */
export const blocksOf = (things: number, inEach: number = things): readonly Block[] =>
  Array.from({ length: Math.ceil(things / inEach) }, (_, block) => {
    const first = block * inEach
    return { name: `all_${block}`, first, size: Math.min(inEach, things - first) }
  })

/** What matters here of Terraform's state. */
interface State {
  readonly serial: number
  readonly resources: readonly { readonly name: string; readonly instances: readonly Instance[] }[]
}
export interface Instance {
  readonly index_key: string | number
  readonly private?: string
  readonly attributes: object
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
