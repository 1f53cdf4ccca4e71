import { isNull, pairOf, type Node, type Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { PROVIDER_ATTRIBUTES } from './attributes.ts'
import { refuse, type Context } from './context.ts'
import { wholeVariable } from './expressions.ts'
import { mapAt, pairsIn, scalarAt } from './nodes.ts'
import { translateValue } from './values.ts'

/** Top-level blocks that are not supported, with what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    module: 'modules are put together by Terraform; declare what the module declares in this stack',
    moved:
      'moved blocks are for Terraform’s state; here a new name is noticed, or give it with deploymgmt state mv',
    import: 'import blocks are for Terraform’s state; here what exists is adopted by the id that is declared',
    removed:
      'removed blocks are for Terraform’s state; here on_remove says what a removal does, and deploymgmt state forget drops a record',
    check: 'checks are worked out by Terraform; check in the program',
    ephemeral: 'only Terraform opens ephemeral resources',
    action: 'only Terraform runs actions',
  }),
)
const TAKEN = ['//', 'terraform', 'provider', 'resource', 'data', 'variable', 'locals', 'output']

/**
 * Blocks that are mappings of mappings. Terraform also accepts lists of them, which this code would not look into.
 */
const LABELLED = ['resource', 'data', 'provider', 'variable', 'output']

export const checkBlocks = (context: Context): void => {
  for (const [name, pair] of context.document.pairs) {
    const { key } = pair
    if (LABELLED.includes(name)) checkLabels(name, pair, context)
    if (name === 'locals' && pair.value.is !== 'map')
      refuse(context, pair.value, [name], 'locals is one mapping here, of each local by its name')
    if (TAKEN.includes(name)) continue
    refuse(context, key, [name], REFUSED.get(name) ?? `a Terraform configuration has no ${name}`, {
      suggestion: REFUSED.get(name) === undefined ? context.report.nearest(name, TAKEN) : undefined,
    })
  }
}

const checkLabels = (name: string, { value }: Pair, context: Context): void => {
  if (value.is !== 'map')
    return refuse(
      context,
      value,
      [name],
      `${name} is one mapping here; put what a list of them holds into it`,
    )
  if (name !== 'resource' && name !== 'data') return
  for (const [type, { value: block }] of value.pairs)
    if (type !== '//' && block.is !== 'map')
      refuse(context, block, [name, type], `${type} is one mapping here, of each block by its name`)
}

/** The service in the provider block, as far as it must agree with the environment. */
export interface ProviderBlock {
  readonly baseUrl: ProviderValue
  readonly publicKey: ProviderValue
  readonly orgId: ProviderValue
  /** Projects in the manifest's form, by name. */
  readonly projects: readonly (readonly [string, Pair])[]
}
export interface ProviderValue {
  readonly node: Node | undefined
  readonly path: Path
}

/** Terraform itself also accepts an alias. */
const ATTRIBUTES = [...PROVIDER_ATTRIBUTES.keys(), 'alias']
const PATH: Path = ['provider', 'deploymgmt']

export const translateProvider = (context: Context): ProviderBlock => {
  const all = pairOf(context.document, 'provider')?.value
  for (const [name, { key }] of pairsIn(all))
    if (name !== 'deploymgmt')
      refuse(context, key, ['provider', name], `${name} is another provider; deploymgmt takes only its own`)
  const own = pairOf(all, 'deploymgmt')?.value
  const blocks = own === undefined ? [] : own.is === 'list' ? own.items : [own]
  const [first, second] = blocks
  if (second !== undefined)
    refuse(context, second, [...PATH, 1], 'a stack is about one service here: make a stack for each')
  const path = own?.is === 'list' ? [...PATH, 0] : PATH
  for (const [name, pair] of pairsIn(first)) checkProviderAttribute(name, pair, path, context)
  const given = (key: string): ProviderValue => {
    const found = pairsIn(first).find(([name]) => PROVIDER_ATTRIBUTES.get(name)?.key === key)
    return { node: found?.[1].value, path: [...path, found?.[0] ?? key] }
  }
  const translated = (key: string, is: 'string' | 'id' = 'string'): ProviderValue => {
    const { node, path: at } = given(key)
    const value = node && translateValue(node, { is }, at, context)
    return { node: value && isNull(value) ? undefined : value, path: at }
  }
  const key = given('publicKey')
  // A key from a variable comes from the environment; a literal one must be the key that is used.
  const isLiteral = key.node?.is === 'scalar' && !key.node.text.includes('${')
  return {
    baseUrl: translated('baseUrl'),
    orgId: translated('orgId', 'id'),
    projects: projectsOf(given('projects'), context),
    publicKey: isLiteral ? key : { ...key, node: undefined },
  }
}

const projectsOf = ({ node, path }: ProviderValue, context: Context): [string, Pair][] => {
  const all = node && translateValue(node, undefined, path, context)
  if (all === undefined || isNull(all)) return []
  if (all.is !== 'map') refuse(context, all, path, 'projects is a mapping here, of each id by its name')
  return pairsIn(all).flatMap(([name, pair]): [string, Pair][] => {
    if (isEmpty(pair.value)) return []
    const value = mapAt(pair.value, [['id', { key: scalarAt(pair.key, 'id'), value: pair.value }]])
    return [[name, { key: pair.key, value }]]
  })
}

/** An empty text counts as omitted, as in Terraform. */
const isEmpty = (node: Node): boolean => node.is === 'scalar' && (node.value === '' || node.value === null)

const checkProviderAttribute = (name: string, { key, value }: Pair, path: Path, context: Context): void => {
  const at = [...path, name]
  if (!ATTRIBUTES.includes(name))
    return refuse(context, key, at, `the provider has no attribute ${name}`, {
      suggestion: context.report.nearest(name, ATTRIBUTES),
      allowed: ATTRIBUTES,
    })
  if (PROVIDER_ATTRIBUTES.get(name)?.sensitive !== true || isEmpty(value)) return
  const variable = value.is === 'scalar' ? wholeVariable(value.text) : undefined
  if (variable !== undefined) {
    context.secret.add(variable)
    return
  }
  value.source.hidden.push({ start: value.start, end: value.end })
  refuse(
    context,
    value,
    at,
    'a secret in a synthesized file is no longer secret: take it out, and set DEPLOYMGMT_PRIVATE_KEY or DEPLOYMGMT_PRIVATE_KEY_FILE',
  )
}

const SETTINGS = ['backend', 'cloud', 'required_version', 'required_providers']

/** Where Terraform keeps its state does not matter here; other required providers do. */
export const checkSettings = (context: Context): void => {
  const node = pairOf(context.document, 'terraform')?.value
  for (const block of node?.is === 'list' ? node.items : [node])
    for (const [name, pair] of pairsIn(block)) {
      if (!SETTINGS.includes(name))
        refuse(context, pair.key, ['terraform', name], `${name} is only for Terraform`)
      if (name === 'required_providers') checkRequired(pair.value, context)
    }
}

const checkRequired = (node: Node, context: Context): void => {
  for (const block of node.is === 'list' ? node.items : [node])
    for (const [name, { key, value }] of pairsIn(block)) {
      const source = pairOf(value, 'source')?.value
      const ours = source?.is === 'scalar' ? /^(?:[^/]+\/)?deploymgmt\/deploymgmt$/.test(source.text) : false
      if (!ours || name !== 'deploymgmt')
        refuse(
          context,
          key,
          ['terraform', 'required_providers', name],
          `${name} is another provider; deploymgmt takes only its own`,
        )
    }
}
