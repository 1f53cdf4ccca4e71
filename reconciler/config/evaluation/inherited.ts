import { isInherited, type KindDefinition } from '@deploymgmt/provider/core'
import { isNull, nodeAt, pairOf, type Node } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'

/** By field: the property of a project that it holds. */
export const OF_PROJECT: ReadonlyMap<string, 'id' | 'orgId'> = new Map([
  ['projectId', 'id'],
  ['projectIds', 'id'],
  ['orgId', 'orgId'],
])

/** Alternative fields: if one is declared, the other is not inherited. */
export const INSTEAD: Readonly<Record<string, string>> = { projectId: 'projectIds', projectIds: 'projectId' }

/** A value that is declared outside of the entry, and its place. */
export interface Inherited {
  readonly node: Node
  readonly path: Path
}

/** The value at a place with its expressions resolved; their text if they are unknown. */
export type ValueAt = (place: Inherited) => unknown

/** A manifest, with the values at its places. */
interface Manifest {
  readonly root: Node
  readonly valueAt: ValueAt
}

/**
 * The project whose name is the value of a field, and the property of it that the field needs; undefined if it names
 * none.
 */
export const meantBy = (
  root: Node,
  field: string,
  value: unknown,
): { readonly name: string; readonly part: 'id' | 'orgId' } | undefined => {
  const part = OF_PROJECT.get(field)
  return part !== undefined && isProject(root, value) ? { name: value, part } : undefined
}

/** Whether a value is the name of a project. Terraform, which stacks must also work with, only takes ids. */
export const isProject = (root: Node, value: unknown): value is string =>
  typeof value === 'string' &&
  root.source.dialect === undefined &&
  pairOf(pairOf(root, 'projects')?.value, value) !== undefined

/**
 * Where the id or the organization of a project is declared; if the project declares no organization, that of
 * `defaults` counts.
 */
export const saidOf = (
  { root, valueAt }: Manifest,
  name: string,
  part: 'id' | 'orgId',
): Inherited | undefined => {
  const own = ownOf(root, name, part)
  const fallback = own === undefined && part === 'orgId' ? defaultOf(root, part) : undefined
  if (fallback === undefined) return own
  // The default can name a project, which then has to declare its own organization.
  const named = valueAt(fallback)
  return isProject(root, named) ? ownOf(root, named, part) : fallback
}

const ownOf = (root: Node, name: string, part: string): Inherited | undefined => {
  const node = nodeAt(root, 'projects', name, part)
  return node && !isNull(node) ? { node, path: ['projects', name, part] } : undefined
}

const defaultOf = (root: Node, field: string): Inherited | undefined => {
  const node = nodeAt(root, 'defaults', field)
  return node && { node, path: ['defaults', field] }
}

/** The value that an entry inherits because it declares neither the field nor its alternative. */
export const inheritedBy = (
  manifest: Manifest,
  kind: KindDefinition,
  entry: Node,
  field: string,
): Inherited | undefined => {
  const isSaid = [field, INSTEAD[field]].some((name) => name !== undefined && pairOf(entry, name))
  if (isSaid || !isInherited(kind, field)) return undefined
  const type = kind.fields[field]?.type
  if (type?.is === 'id' && type.place === 'organization') return organizationIn(manifest)
  return defaultOf(manifest.root, field)
}

/**
 * The organization that a manifest declares for everything: in `defaults`, or as the same value in each project that
 * declares one.
 */
export const organizationIn = ({ root, valueAt }: Manifest): Inherited | undefined => {
  const said = defaultOf(root, 'orgId')
  if (said !== undefined) return said
  const projects = pairOf(root, 'projects')?.value
  const names = projects?.is === 'map' ? [...projects.pairs.keys()] : []
  const own = names.flatMap((name) => ownOf(root, name, 'orgId') ?? [])
  return new Set(own.map(valueAt)).size === 1 ? own[0] : undefined
}
