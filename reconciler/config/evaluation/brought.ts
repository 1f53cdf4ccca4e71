import { DEEPEST } from '../tree/limits.ts'
import { locate, type Node, type ScalarNode } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'

interface Variables {
  /** The values in variable files of the variables that a text uses. */
  readonly variablesIn: (node: ScalarNode) => readonly Node[]
}

/**
 * The location of a value that a variable takes from another file: the first such variable, even if it is used
 * indirectly.
 *
 * @param within the path in the variable's value, such as an index of its list
 */
export const broughtBy = (variables: Variables, node: Node, within: Path = []): Node | undefined => {
  const found = broughtTo(variables, node, node.source, 0)
  return found && locate(found, within).node
}

const broughtTo = (
  variables: Variables,
  node: Node,
  source: Node['source'],
  depth: number,
): Node | undefined => {
  if (node.source !== source) return node
  if (node.is !== 'scalar' || depth > DEEPEST) return undefined
  for (const variable of variables.variablesIn(node)) {
    const found = broughtTo(variables, variable, source, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}
