import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleProvider } from '../../scripts/provider/bundle.ts'
import { ENTRY } from '../../scripts/provider/release.ts'
import { type Bench, NotHere } from '../row.ts'
import { costOf, type Cost, GIVEN_UP_MS } from './cost.ts'

/** How a resource gets several instances. */
export type Repeated = 'count' | 'for_each'

/** `alone`: a block for each instance. */
type Declared = Repeated | 'alone'

export interface Terraform {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** @throws NotHere if there is no Terraform */
export const needTerraform = (bench: Bench): Terraform => {
  try {
    execFileSync('terraform', ['version'], { stdio: 'ignore', timeout: GIVEN_UP_MS })
  } catch {
    throw new NotHere('terraform is not on PATH')
  }
  const env = { ...bench.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_INPUT: '0' }
  return { program: 'terraform', env }
}

/**
 * A plan of so many of Terraform's own resource, which asks no service, with a state that needs no change. All of them
 * are in one block, unless each is `alone`.
 */
export const ownResource = async (
  bench: Bench,
  things: number,
  how: Declared,
): Promise<() => Promise<Cost>> => {
  const { program, env } = needTerraform(bench)
  const folder = join(bench.folder, `data-${how}-${String(things)}`)
  await mkdir(folder, { recursive: true })
  const run = (...words: string[]) => costOf({ words: [program, ...words], cwd: folder, env })
  const configure = (blocks: readonly Block[]): Promise<void> =>
    writeFile(join(folder, 'main.tf'), blocks.map((block) => ownOf(block, how)).join(''))
  await configure(blocksOf(1))
  await run('init')
  await run('apply', '-auto-approve')
  const blocks = blocksOf(things, how === 'alone' ? 1 : things)
  await multiply(join(folder, 'terraform.tfstate'), blocks, ({ attributes, ...one }, _, index) => {
    const id = how === 'for_each' ? String(index) : index
    const value = { id, enabled: true }
    const { input, output } = attributes as Record<'input' | 'output', object>
    return {
      ...one,
      ...(how === 'alone' ? {} : { index_key: id }),
      attributes: {
        ...attributes,
        id: randomUUID(),
        input: { ...input, value },
        output: { ...output, value },
      },
    }
  })
  await configure(blocks)
  return () => run('plan', '-detailed-exitcode')
}

/** A block; Terraform's `range` has at most 1,024 elements. */
const ownOf = ({ name, size }: Block, how: Declared): string => FORMS[how](name, String(size))

const FORMS: Readonly<Record<Declared, (name: string, size: string) => string>> = {
  alone: (name) => `resource "terraform_data" "${name}" {
  input = { id = 0, enabled = true }
}
`,
  count: (name, size) => `resource "terraform_data" "${name}" {
  count = ${size}
  input = { id = count.index, enabled = true }
}
`,
  for_each: (name, size) => `locals {
  ${name} = toset([for index in range(${size}) : tostring(index)])
}
resource "terraform_data" "${name}" {
  for_each = local.${name}
  input    = { id = each.key, enabled = true }
}
`,
}

/**
 * Makes many of the one instance in a state. Terraform writes its whole state after each resource, so applying
 * thousands would take longer than everything that is measured.
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

/** A block of a configuration that stands for so many things, from the first one on. */
export interface Block {
  readonly name: string
  readonly first: number
  readonly size: number
}

/**
 * Distributes things over blocks of equal size; the last one may be smaller. Terraform copies the whole block for each
 * of its instances, so most of the time of a large block is Terraform's.
 */
export const blocksOf = (things: number, inEach: number = things): readonly Block[] =>
  Array.from({ length: Math.ceil(things / inEach) }, (_, block) => {
    const first = block * inEach
    return { name: `all_${block}`, first, size: Math.min(inEach, things - first) }
  })

/** The parts of Terraform's state that matter here. */
interface State {
  readonly serial: number
  readonly resources: readonly { readonly name: string; readonly instances: readonly Instance[] }[]
}
export interface Instance {
  readonly index_key?: string | number
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

/** Settings with which Terraform uses that provider. */
export const overriding = async (bench: Bench): Promise<string> => {
  const folder = join(await bundledProvider(bench), '..')
  const settings = join(bench.folder, 'terraform.rc')
  await writeFile(
    settings,
    `provider_installation {\n  dev_overrides {\n    "registry.terraform.io/deploymgmt/deploymgmt" = ${JSON.stringify(folder)}\n  }\n  direct {}\n}\n`,
  )
  return settings
}
