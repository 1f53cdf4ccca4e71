import { comparable, type KindDefinition } from '@deploymgmt/provider/core'
import type { Node, Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { attributesOf } from './attributes.ts'
import { refuse, refused, type Context } from './context.ts'
import { asWritten } from './dialect.ts'
import { mayHoldTemplate } from './expressions.ts'
import { pairsIn, renamed, scalarAt } from './nodes.ts'
import { booleanText } from './primitives.ts'

/** Arguments that Terraform accepts in every block and deploymgmt does not, with what to do instead. */
const REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    count: 'count is worked out by Terraform; make one resource for each with a loop in the program',
    for_each: 'for_each is worked out by Terraform; make one resource for each with a loop in the program',
    dynamic: 'dynamic blocks are worked out by Terraform; make them in the program',
    provisioner: 'only Terraform runs provisioners',
    connection: 'connections are for provisioners, which only Terraform runs',
  }),
)

/** Whether the name is a meta-argument of a block; unsupported ones are refused. */
export const isMetaArgument = (name: string, { key, value }: Pair, path: Path, context: Context): boolean => {
  const why = REFUSED.get(name)
  if (why !== undefined) refuse(context, key, [...path, name], why)
  if (name === 'provider') checkProvider(value, [...path, name], context)
  // The order of creation does not affect the result.
  return why !== undefined || name === 'provider' || name === 'depends_on'
}

const checkProvider = (node: Node, path: Path, context: Context): void => {
  const text = node.is === 'scalar' ? node.text : ''
  if (!/^deploymgmt(?:\.[\w-]+)?$/.test(text.replace(/^\$\{(.*)\}$/, '$1')))
    refuse(context, node, path, 'this provider is not deploymgmt')
}

const LIFECYCLE_REFUSED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    replace_triggered_by: 'nothing is replaced here; take replace_triggered_by out',
    precondition: 'conditions are worked out by Terraform; check them in the program',
    postcondition: 'conditions are worked out by Terraform; check them in the program',
  }),
)

const LIFECYCLE = ['prevent_destroy', 'ignore_changes', 'create_before_destroy']

/** `prevent_destroy` is `protect`, `ignore_changes` is `ignoreChanges`; others have no meaning or are refused. */
export const translateLifecycle = (
  kind: KindDefinition,
  { key, value }: Pair,
  entry: Path,
  context: Context,
): [string, Pair][] => {
  const path = [...entry, asWritten('lifecycle')]
  const block = value.is === 'list' && value.items.length === 1 ? value.items[0] : value
  if (block?.is !== 'map') {
    refuse(context, key, path, 'lifecycle is a mapping')
    return []
  }
  return pairsIn(block).flatMap(([name, pair]): [string, Pair][] => {
    const why = LIFECYCLE_REFUSED.get(name)
    if (why !== undefined) refuse(context, pair.key, [...path, name], why)
    if (name === 'prevent_destroy')
      return [renamed(pair, 'protect', literalBoolean(pair.value, [...path, name], context))]
    if (name === 'ignore_changes')
      return [renamed(pair, 'ignoreChanges', ignored(kind, pair.value, [...path, name], context))]
    if (why === undefined && name !== 'create_before_destroy')
      refuse(context, pair.key, [...path, name], `lifecycle has no ${name}`, {
        suggestion: context.report.nearest(name, LIFECYCLE),
        allowed: LIFECYCLE,
      })
    return []
  })
}

/** Terraform takes no reference here: it decides before it knows any value. */
const literalBoolean = (node: Node, path: Path, context: Context): Node => {
  if (node.is !== 'scalar') return node
  if (mayHoldTemplate(node.text))
    refuse(context, node, path, 'Terraform takes no reference here: write true or false')
  const text = booleanText(node.text)
  return scalarAt(node, text === undefined ? node.text : text === 'true')
}

const isAll = (node: Node | undefined): boolean => node?.is === 'scalar' && node.value === 'all'

const ignored = (kind: KindDefinition, node: Node, path: Path, context: Context): Node => {
  const names = comparable(kind)
  if (isAll(node) || (node.is === 'list' && node.items.length === 1 && isAll(node.items[0])))
    return { ...node, is: 'list', items: names.map((name) => scalarAt(node, name)) }
  if (node.is !== 'list') return node
  const attributes = attributesOf(kind)
  const allowed = [...attributes.values()].flatMap(({ key, name }) => (names.includes(key) ? [name] : []))
  const items = node.items.flatMap((item, index): Node[] => {
    const attribute = item.is === 'scalar' ? item.text : ''
    const name = attributes.get(attribute)?.key
    if (name !== undefined && names.includes(name)) return [scalarAt(item, name)]
    const suggestion = context.report.nearest(attribute, allowed)
    const message = `${attribute === '' ? 'this' : attribute} is not an attribute that is compared`
    return refused(context, item, [...path, index], message, { suggestion, allowed })
  })
  return { ...node, items }
}
