import { isInherited, type KindDefinition } from '@deploymgmt/provider/core'
import { pairOf, type Node } from './node.ts'
import type { Path } from './path.ts'

/** What of a project each field holds. */
export const OF_PROJECT: Readonly<Record<string, 'id' | 'orgId'>> = {
  projectId: 'id',
  projectIds: 'id',
  orgId: 'orgId',
}

/** Fields that stand in place of each other: what is said of one leaves no room for the other. */
export const INSTEAD: Readonly<Record<string, string>> = { projectId: 'projectIds', projectIds: 'projectId' }

/** What stands elsewhere than in an entry, and where. */
export interface Inherited {
  readonly node: Node
  readonly path: Path
}

/** What an entry takes from elsewhere, for it says nothing itself of the field, or of what stands in its place. */
export const inheritedBy = (
  root: Node,
  kind: KindDefinition,
  entry: Node,
  field: string,
): Inherited | undefined => {
  const isSaid = [field, INSTEAD[field]].some((name) => name !== undefined && pairOf(entry, name))
  if (isSaid || !isInherited(kind, field)) return undefined
  const type = kind.fields[field]?.type
  if (type?.is === 'id' && type.place === 'organization') return organizationIn(root)
  const node = pairOf(pairOf(root, 'defaults')?.value, field)?.value
  return node && { node, path: ['defaults', field] }
}

/** The organization that a manifest says of all: in `defaults`, or alike for each project that says one. */
export const organizationIn = (root: Node): Inherited | undefined => {
  const said = pairOf(pairOf(root, 'defaults')?.value, 'orgId')?.value
  if (said !== undefined) return { node: said, path: ['defaults', 'orgId'] }
  const projects = pairOf(root, 'projects')?.value
  const own = [...(projects?.is === 'map' ? projects.pairs : [])].flatMap(
    ([name, { value }]): Inherited[] => {
      const node = pairOf(value, 'orgId')?.value
      return node === undefined ? [] : [{ node, path: ['projects', name, 'orgId'] }]
    },
  )
  const texts = new Set(own.map(({ node }) => (node.is === 'scalar' ? node.text : node)))
  return texts.size === 1 ? own[0] : undefined
}
