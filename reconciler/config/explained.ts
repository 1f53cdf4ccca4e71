import { declarable, options, type KindDefinition } from '@deploymgmt/provider/core'
import { formatPosition } from '@deploymgmt/provider/engine'
import { piecesOf, type Expression } from './expressions.ts'
import { childrenOf, pairOf, type MapNode, type Node } from './node.ts'
import { inheritedBy, OF_PROJECT, type Inherited, type ValueAt } from './inherited.ts'

/** One step on the way to a value: what says it, and where. */
export interface Origin {
  readonly is: 'declared' | 'defaults' | 'project' | 'variable' | 'entry' | 'command-line' | 'field-default'
  /** What is referred to: `var.day`, `projects.payments.id`. */
  readonly name?: string
  /** `FILE:LINE:COLUMN`; none of what no file says. */
  readonly at?: string
}

/** Where the values of an entry come from, by field: what stands there first, then what that refers to. */
export interface Explained {
  readonly address: string
  readonly values: readonly { readonly field: string; readonly from: readonly Origin[] }[]
}

interface Around {
  readonly root: MapNode
  readonly kinds: readonly KindDefinition[]
  /** Variables of `--var`. */
  readonly given: ReadonlyMap<string, string>
  readonly valueAt: ValueAt
}

/** Of an entry as it is written; nothing where there is none at the address. */
export const explainedIn = (around: Around, address: string): Explained | undefined => {
  const [section = '', name = ''] = address.replace(/\[.*$/s, '').split(/\.(.*)/s)
  const kind = around.kinds.find((each) => each.section === section)
  const entry = pairOf(pairOf(around.root, section)?.value, name)?.value
  if (kind === undefined || entry === undefined) return undefined
  const fields = Object.entries({ ...declarable(kind), ...options(kind) })
  const values = fields.flatMap(([field, { default: fallback }]) => {
    const own = pairOf(entry, field)?.value
    const inherited =
      own === undefined ? inheritedBy(around.root, kind, entry, field, around.valueAt) : undefined
    const node = own ?? inherited?.node
    if (node !== undefined) {
      const first =
        inherited === undefined ? { is: 'declared' as const, at: placeOf(node) } : originOf(inherited)
      return [{ field, from: [first, ...referredIn(node, field, around, new Set())] }]
    }
    return fallback === undefined ? [] : [{ field, from: [{ is: 'field-default' as const }] }]
  })
  return { address: `${section}.${name}`, values }
}

const originOf = ({ node, path }: Inherited): Origin =>
  path[0] === 'defaults'
    ? { is: 'defaults', at: placeOf(node) }
    : { is: 'project', name: path.join('.'), at: placeOf(node) }

const placeOf = ({ source, start }: Node): string => formatPosition(source.position(start))

/** What a value refers to, and what that refers to in turn. */
const referredIn = (node: Node, field: string, around: Around, seen: Set<Node>): Origin[] => {
  if (seen.has(node)) return []
  seen.add(node)
  if (node.is !== 'scalar') return childrenOf(node).flatMap((each) => referredIn(each, field, around, seen))
  const part = OF_PROJECT[field]
  const projects = pairOf(around.root, 'projects')?.value
  const named = part === undefined ? undefined : pairOf(pairOf(projects, node.text)?.value, part)?.value
  if (named !== undefined)
    return originsOf(`projects.${node.text}.${part}`, 'project', named, field, around, seen)
  return piecesOf(node.text).flatMap((piece) =>
    piece.is === 'expression' ? expressionIn(piece, field, around, seen) : [],
  )
}

const expressionIn = (
  { source, expression }: { readonly source: string; readonly expression: Expression },
  field: string,
  around: Around,
  seen: Set<Node>,
): Origin[] => {
  const { root, given } = around
  if (expression.is === 'variable') {
    if (given.has(expression.name)) return [{ is: 'command-line', name: source }]
    const declared = pairOf(pairOf(root, 'variables')?.value, expression.name)?.value
    const node = ['default', ...expression.path].reduce<Node | undefined>(
      (at, key) => pairOf(at, key)?.value,
      declared,
    )
    return originsOf(source, 'variable', node, field, around, seen)
  }
  if (expression.is === 'data') return []
  const [section, is] =
    expression.is === 'project' ? ['projects', 'project' as const] : [expression.section, 'entry' as const]
  const node = pairOf(pairOf(pairOf(root, section)?.value, expression.name)?.value, expression.field)?.value
  return originsOf(source, is, node, field, around, seen)
}

const originsOf = (
  name: string,
  is: Origin['is'],
  node: Node | undefined,
  field: string,
  around: Around,
  seen: Set<Node>,
): Origin[] => [
  { is, name, ...(node === undefined ? {} : { at: placeOf(node) }) },
  ...(node === undefined ? [] : referredIn(node, field, around, seen)),
]
