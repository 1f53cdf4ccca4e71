import { DEEPEST } from '../tree/limits.ts'
import { locate, type Node, type ScalarNode } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'

interface Variables {
  /** What the variables within a text are by their files. */
  readonly variablesIn: (node: ScalarNode) => readonly Node[]
}

/**
 * Where a value itself stands, if a variable brings it from another file: the first one that does, also by way of
 * others.
 *
 * @param within where it is in what the variable has, such as an index of its list
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
