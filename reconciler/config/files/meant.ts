import { basename } from 'node:path'
import { nearest, type ManifestPart } from '@deploymgmt/provider/core'
import { pairOf, type MapNode, type Node } from '../tree/node.ts'

type Parts = Readonly<Record<string, ManifestPart>>

/** Every npm project has these files, so they are not reported as unread. */
const EVERYBODYS: ReadonlySet<string> = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'cdktf.json',
])
export const isEverybodys = (path: string): boolean => EVERYBODYS.has(basename(path))

/**
 * Whether a file in a folder is meant as a manifest, perhaps a wrong one: it has version 1 and a name, or it has
 * sections, and fewer unknown keys than sections and head keys. Other tools use keys such as `variables`, too.
 */
export const isMeant = (tree: Node, parts: Parts): boolean => {
  if (tree.is !== 'map') return false
  if (TERRAFORMS.some((key) => tree.pairs.has(key)) && !tree.pairs.has('version')) return true
  const keys = [...tree.pairs.keys()]
  const meanings = new Map(keys.map((key) => [meaningOf(key, parts), key]))
  const version = pairOf(tree, meanings.get('version') ?? '')?.value
  if (version?.is === 'scalar' && Number(version.value) === 1 && meanings.has('name')) return true
  const sections = Object.entries(parts).filter(([name, part]) => isSection(tree, name, part))
  const heads = HEADS.filter((name) => tree.pairs.has(name))
  const foreign = keys.filter((key) => !Object.hasOwn(parts, key))
  return sections.length > 0 && foreign.length < sections.length + heads.length
}

/** Whether a named file can be meant as a manifest: of another tool's file, none of the keys is one of a manifest. */
export const canBeMeant = ({ pairs }: MapNode, parts: Parts): boolean =>
  pairs.size === 0 ||
  [...TERRAFORMS, '//'].some((key) => pairs.has(key)) ||
  [...pairs.keys()].some((key) => meaningOf(key, parts) !== undefined)

const HEADS = ['version', 'name']
const TERRAFORMS = ['terraform', 'resource']

/** The known key that a key is, or was meant to be. */
const meaningOf = (key: string, parts: Parts): string | undefined =>
  Object.hasOwn(parts, key) ? key : nearest(key, Object.keys(parts))

/** Whether a section is there, in the form of a manifest, or empty. */
const isSection = (tree: MapNode, name: string, { type }: ManifestPart): boolean => {
  const value = pairOf(tree, name)?.value
  if (value === undefined || !['map', 'object'].includes(type.is)) return false
  return value.is === 'map' || (value.is === 'scalar' && value.value === null)
}
