import { isNull, pairOf, type MapNode, type Node, type Pair, type ScalarNode } from '../tree/node.ts'

/** A scalar with the position of another node, for findings. */
export const scalarAt = (node: Node, value: string | number | boolean): ScalarNode => ({
  is: 'scalar',
  source: node.source,
  start: node.start,
  end: node.end,
  value,
  text: String(value),
})

/** A mapping with the position of another node. A null, which a local can stand for, omits a value. */
export const mapAt = (node: Node, pairs: readonly (readonly [string, Pair])[]): MapNode => ({
  is: 'map',
  source: node.source,
  start: node.start,
  end: node.end,
  pairs: new Map(pairs.filter(([, { value }]) => !isNull(value))),
})

/** The pair under another name; the key keeps its position. */
export const renamed = ({ key }: Pair, name: string, value: Node): [string, Pair] => [
  name,
  { key: scalarAt(key, name), value },
]

/** The effective pairs: JSON's null omits a value, and `//` is a comment. */
export const pairsIn = (node: Node | undefined): [string, Pair][] =>
  node?.is === 'map' ? [...node.pairs].filter(([name, { value }]) => name !== '//' && !isNull(value)) : []

/** Whether a tree is a Terraform configuration in JSON, as `cdktf synth` writes it. */
export const isTerraform = (tree: Node): boolean =>
  pairOf(tree, 'version') === undefined &&
  ['terraform', 'resource', '//'].some((name) => pairOf(tree, name) !== undefined)
