import { basename } from 'node:path'
import { nearest, type ManifestPart } from '@deploymgmt/provider/core'
import { pairOf, type MapNode, type Node } from '../tree/node.ts'

type Parts = Readonly<Record<string, ManifestPart>>

/** Every project of npm has them, so that nobody need be told that they are no manifests. */
const EVERYBODYS: ReadonlySet<string> = new Set([
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'cdktf.json',
])
export const isEverybodys = (path: string): boolean => EVERYBODYS.has(basename(path))

/**
 * Whether a file that was found in a folder is meant as a manifest, also as a wrong one: it says version 1 and a name,
 * or has sections, and what it says besides does not outweigh them. Other tools have keys of the same names too, such
 * as `variables`.
 */
export const isMeant = (tree: Node, parts: Parts): boolean => {
  if (tree.is !== 'map') return false
  if (['terraform', 'resource'].some((key) => tree.pairs.has(key)) && !tree.pairs.has('version')) return true
  const keys = [...tree.pairs.keys()]
  const meanings = new Map(keys.map((key) => [meaningOf(key, parts), key]))
  const version = pairOf(tree, meanings.get('version') ?? '')?.value
  if (version?.is === 'scalar' && Number(version.value) === 1 && meanings.has('name')) return true
  const sections = Object.entries(parts).filter(([name, part]) => isSection(tree, name, part))
  const heads = HEADS.filter((name) => tree.pairs.has(name))
  const foreign = keys.filter((key) => !Object.hasOwn(parts, key))
  return sections.length > 0 && foreign.length < sections.length + heads.length
}

const HEADS = ['version', 'name']

/** What a key is, or was meant to be. */
const meaningOf = (key: string, parts: Parts): string | undefined =>
  Object.hasOwn(parts, key) ? key : nearest(key, Object.keys(parts))

/** Whether a section stands there as a manifest has it, or empty. */
const isSection = (tree: MapNode, name: string, { type }: ManifestPart): boolean => {
  const value = pairOf(tree, name)?.value
  if (value === undefined || !['map', 'object'].includes(type.is)) return false
  return value.is === 'map' || (value.is === 'scalar' && value.value === null)
}
