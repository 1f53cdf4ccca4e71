import { isInherited, type KindDefinition } from '@deploymgmt/provider/core'
import { isNull, pairOf, type Node } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'

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

/** The value of what stands there, with its expressions resolved; their text where they are not known. */
export type ValueAt = (place: Inherited) => unknown

/** The project that the value of a field names, and what of it the field means; nothing where it names none. */
export const meantBy = (
  root: Node,
  field: string,
  value: unknown,
): { readonly name: string; readonly part: 'id' | 'orgId' } | undefined => {
  const part = Object.hasOwn(OF_PROJECT, field) ? OF_PROJECT[field] : undefined
  return part !== undefined && isProject(root, value) ? { name: value, part } : undefined
}

/** Whether a value is a project's name. Terraform, for which a stack is written as well, takes ids alone. */
export const isProject = (root: Node, value: unknown): value is string =>
  typeof value === 'string' &&
  root.source.dialect === undefined &&
  pairOf(pairOf(root, 'projects')?.value, value) !== undefined

/** Where the id or the organization of a project is said; the latter is that of `defaults` where it says none. */
export const saidOf = (
  root: Node,
  name: string,
  part: 'id' | 'orgId',
  valueAt: ValueAt,
): Inherited | undefined => {
  const own = ownOf(root, name, part)
  const fallback = own === undefined && part === 'orgId' ? defaultOf(root, part) : undefined
  if (fallback === undefined) return own
  // The default can be the organization of the project that it names, which then has to say its own.
  const named = valueAt(fallback)
  return isProject(root, named) ? ownOf(root, named, part) : fallback
}

const ownOf = (root: Node, name: string, part: string): Inherited | undefined => {
  const node = pairOf(pairOf(pairOf(root, 'projects')?.value, name)?.value, part)?.value
  return node && !isNull(node) ? { node, path: ['projects', name, part] } : undefined
}

const defaultOf = (root: Node, field: string): Inherited | undefined => {
  const node = pairOf(pairOf(root, 'defaults')?.value, field)?.value
  return node && { node, path: ['defaults', field] }
}

/** What an entry takes from elsewhere, for it says nothing itself of the field, or of what stands in its place. */
export const inheritedBy = (
  root: Node,
  kind: KindDefinition,
  entry: Node,
  field: string,
  valueAt: ValueAt,
): Inherited | undefined => {
  const isSaid = [field, INSTEAD[field]].some((name) => name !== undefined && pairOf(entry, name))
  if (isSaid || !isInherited(kind, field)) return undefined
  const type = kind.fields[field]?.type
  if (type?.is === 'id' && type.place === 'organization') return organizationIn(root, valueAt)
  return defaultOf(root, field)
}

/** The organization that a manifest says of all: in `defaults`, or alike for each project that says one. */
export const organizationIn = (root: Node, valueAt: ValueAt): Inherited | undefined => {
  const said = defaultOf(root, 'orgId')
  if (said !== undefined) return said
  const projects = pairOf(root, 'projects')?.value
  const names = projects?.is === 'map' ? [...projects.pairs.keys()] : []
  const own = names.flatMap((name) => ownOf(root, name, 'orgId') ?? [])
  return new Set(own.map(valueAt)).size === 1 ? own[0] : undefined
}
