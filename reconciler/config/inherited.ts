import { isInherited, type KindDefinition } from '@deploymgmt/provider/core'
import { pairOf, type Node, type Pair } from './node.ts'

/** Fields that stand in place of each other: what is said of one leaves no room for the other. */
export const INSTEAD: Readonly<Record<string, string>> = { projectId: 'projectIds', projectIds: 'projectId' }

/** What an entry takes from `defaults`, for it says nothing itself of the field, or of what stands in its place. */
export const inheritedPair = (
  root: Node,
  kind: KindDefinition,
  entry: Node,
  field: string,
): Pair | undefined => {
  const isSaid = [field, INSTEAD[field]].some((name) => name !== undefined && pairOf(entry, name))
  return isSaid || !isInherited(kind, field) ? undefined : pairOf(pairOf(root, 'defaults')?.value, field)
}
