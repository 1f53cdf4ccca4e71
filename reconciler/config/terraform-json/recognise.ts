import { pairOf, type Node } from '../node.ts'

/** Whether a tree is a Terraform configuration in JSON, as `cdktf synth` writes it. */
export const isTerraform = (tree: Node): boolean =>
  pairOf(tree, 'version') === undefined &&
  ['terraform', 'resource', '//'].some((name) => pairOf(tree, name) !== undefined)
