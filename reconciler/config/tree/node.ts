import { formatPosition } from '@deploymgmt/provider/engine'
import type { Path } from './path.ts'
import type { Source } from './source.ts'

/** A node of a parsed document, with its position; `start` and `end` are offsets in `source`. */
export type Node = ScalarNode | ListNode | MapNode

interface Place {
  readonly source: Source
  readonly start: number
  readonly end: number
}

export interface ScalarNode extends Place {
  readonly is: 'scalar'
  readonly value: string | number | boolean | null
  /** The decoded text; for a plain scalar, what the user typed. */
  readonly text: string
}
export interface ListNode extends Place {
  readonly is: 'list'
  readonly items: readonly Node[]
}
export interface MapNode extends Place {
  readonly is: 'map'
  readonly pairs: Map<string, Pair>
}
export interface Pair {
  readonly key: ScalarNode
  readonly value: Node
}

/** The pair of a mapping by name; undefined if the node is no mapping. */
export const pairOf = (node: Node | undefined, name: string): Pair | undefined =>
  node?.is === 'map' ? node.pairs.get(name) : undefined

/** The node at these names, each in the mapping of the one before; undefined if one of them is not there. */
export const nodeAt = (node: Node | undefined, ...names: readonly string[]): Node | undefined =>
  names.reduce((at, name) => pairOf(at, name)?.value, node)

/** Where a node begins, as `FILE:LINE:COLUMN`. */
export const positionOf = ({ source, start }: Place): string => formatPosition(source.position(start))

/** The values of a list or of a mapping; a scalar has none. */
export const childrenOf = (node: Node): readonly Node[] => {
  if (node.is === 'list') return node.items
  return node.is === 'map' ? [...node.pairs.values()].map(({ value }) => value) : []
}

/** The node at a path, with the key that leads to it; as far as the path exists. */
export const locate = (
  root: Node,
  path: Path,
): { node: Node; key: ScalarNode | undefined; depth: number } => {
  let node = root
  let key: ScalarNode | undefined
  let depth = 0
  for (const step of path) {
    const pair = pairOf(node, String(step))
    const next = node.is === 'list' ? node.items[Number(step)] : pair?.value
    if (next === undefined) break
    key = pair?.key
    node = next
    depth += 1
  }
  return { node, key, depth }
}

/** Whether the node is empty or `null`. */
export const isNull = (node: Node): boolean => node.is === 'scalar' && node.value === null

/**
 * The text of a list with this scalar as its only item, in the quotes that the file gives it, which JSON needs.
 * Undefined if it would be read as something else there, or is long.
 */
export const asOnlyItem = ({ source, start, end }: ScalarNode): string | undefined => {
  const written = source.text.slice(start, end)
  return written.length <= LONGEST && /^(?:"[^\n]*"|'[^\n]*'|[^"',[\]{}#|>\n]+)$/.test(written)
    ? `[${written}]`
    : undefined
}
const LONGEST = 62

/** The type of a node, in words. */
export const kindOf = (node: Node): string => {
  if (node.is === 'list') return 'list'
  if (node.is === 'map') return 'mapping'
  if (node.value === null) return 'empty value'
  return typeof node.value
}
