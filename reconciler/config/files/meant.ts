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
  pairs.size === 0 || hasKey([...pairs.keys()], parts)

const hasKey = (keys: readonly string[], parts: Parts): boolean =>
  hasExactKey(keys, parts) || misspeltIn(keys, parts) > 0

const hasExactKey = (keys: readonly string[], parts: Parts): boolean =>
  keys.some((key) => OF_STACKS.has(key) || Object.hasOwn(parts, key))

/** A manifest has few keys; to compare thousands of another tool's with each of them would take long. */
const MOST_MISSPELT = 100

/** How many keys may be meant as those of a manifest. */
const misspeltIn = (keys: readonly string[], parts: Parts): number =>
  keys.slice(0, MOST_MISSPELT).filter((key) => meaningOf(key, parts) !== undefined).length

/**
 * The same of a text that cannot be parsed: one word that is like a key says little. Values in the environment of a
 * process end at a NUL, which no manifest has. A text of nothing but comments has no other key either.
 */
export const textCanBeMeant = (text: string, parts: Parts): boolean => {
  if (text.includes('\0')) return false
  if (isEmpty(text)) return true
  const keys = rootKeysIn(text)
  return hasExactKey(keys, parts) || misspeltIn(keys, parts) > 1
}

/** A key at the beginning of a line, with what stands before it. A key without quotes needs a blank behind its colon. */
const KEY = /^\uFEFF?([ \t{,]*)(?:(["'])([\w$./-]+)\2[ \t]*:|([\w$./-]+)[ \t]*:(?=\s|$))/gm

/** The keys that are indented like the first line with something on it: others are within them. */
const rootKeysIn = (text: string): readonly string[] => {
  const indentation = indentationOf(text)
  const keys = new Set<string>()
  for (const [, before = '', , quoted, bare = ''] of text.matchAll(KEY))
    if (before.length === indentation) keys.add(quoted ?? bare)
  return [...keys]
}

const indentationOf = (text: string): number | undefined => {
  for (const [line] of text.matchAll(LINE)) {
    const plain = line.replace(/^\uFEFF/, '')
    if (EMPTY.test(plain) || /^[\s{,]*$/.test(plain)) continue
    return /^[ \t{,]*/.exec(plain)?.[0].length
  }
  return undefined
}

const LINE = /[^\r\n]+/g
/** A line without anything but a comment. */
const EMPTY = /^\s*(?:(?:---|\.\.\.|null|~)\s*)*(?:#|$)/

const isEmpty = (text: string): boolean => (text.match(LINE) ?? []).every((line) => EMPTY.test(line))

/** If nothing looks like a key with a value, the text can be anything, such as a password. */
export const isForeign = (text: string): boolean => {
  let isSaid = false
  for (const [line] of text.matchAll(LINE)) {
    if (EMPTY.test(line)) continue
    if (/[:?](?:$|[\s,}\]])|["']\s*:/.test(line)) return false
    isSaid = true
  }
  return isSaid
}

const HEADS = ['version', 'name']
const TERRAFORMS = ['terraform', 'resource']
const OF_STACKS: ReadonlySet<string> = new Set([...TERRAFORMS, '//'])

/** The known key that a key is, or was meant to be. */
const meaningOf = (key: string, parts: Parts): string | undefined =>
  Object.hasOwn(parts, key) ? key : nearest(key, Object.keys(parts))

/** Whether a section is there, in the form of a manifest, or empty. */
const isSection = (tree: MapNode, name: string, { type }: ManifestPart): boolean => {
  const value = pairOf(tree, name)?.value
  if (value === undefined || !['map', 'object'].includes(type.is)) return false
  return value.is === 'map' || (value.is === 'scalar' && value.value === null)
}
