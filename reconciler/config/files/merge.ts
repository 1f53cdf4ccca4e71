import { ownValue, type KindDefinition, type ManifestPart } from '@deploymgmt/provider/core'
import { kindOf, pairOf, type MapNode, type Pair } from '../tree/node.ts'
import { DeclaredInFull } from './declared-in-full.ts'
import { Removals } from './removals.ts'
import { same } from './same.ts'
import type { Report } from '../tree/report.ts'
import { INSTEAD } from '../evaluation/inherited.ts'
import { HEAD, missingHead } from '../evaluation/wording.ts'
import { refuseUnknownPart, type Parts } from './unknown-part.ts'

/** The files of each `--file`: later layers override earlier ones. */
export type Layers = readonly (readonly MapNode[])[]

interface Merging {
  readonly kinds: readonly KindDefinition[]
  /** Whether every file could be parsed. */
  readonly complete: boolean
  readonly report: Report
}

/**
 * Merges files into one tree. Within a layer a thing may be declared once; supporting parts (a variable, a project,
 * a default) may be repeated if they are equal. A later layer overrides field by field.
 */
export const merge = (
  layers: Layers,
  parts: Parts,
  { kinds, complete, report }: Merging,
): MapNode | undefined => {
  const documents = layers.flat()
  const [first] = documents
  if (first === undefined) return undefined
  if (documents.length > 1) for (const document of documents) refuseHeadless(document, parts, report)
  const removals = new Removals(parts, report, complete)
  const inFull = new DeclaredInFull(kinds, report)
  let root: MapNode = { ...first, pairs: new Map() }
  for (const [index, layer] of layers.entries()) {
    const removed = layer.flatMap((document) => pairOf(document, 'remove') ?? [])
    if (removed.length > 0) root = removals.without(root, removed, index === 0)
    const own = mergeLayer({ ...first, pairs: new Map() }, layer, parts, report)
    if (index > 0) inFull.compare(root, own)
    root = index === 0 ? own : overlaid(root, own, parts, report)
  }
  return root
}

const mergeLayer = (root: MapNode, layer: readonly MapNode[], parts: Parts, report: Report): MapNode => {
  for (const document of layer)
    for (const pair of document.pairs.values()) {
      const part = ownValue(parts, pair.key.text)
      if (part === undefined) refuseUnknownPart(pair, document, parts, report)
      else if (pair.key.text === 'remove') continue
      else if (part.type.is === 'map' || part.type.is === 'object')
        mergeSection(root, pair, part, { isAlone: layer.length === 1, report })
      else mergeValue(root.pairs, pair, [], { report })
    }
  return root
}

/** The tree of earlier layers, overridden by a later one. */
const overlaid = (root: MapNode, layer: MapNode, parts: Parts, report: Report): MapNode => {
  const pairs = new Map(root.pairs)
  for (const [name, pair] of layer.pairs) {
    const there = pairs.get(name)
    const type = parts[name]?.type
    if (name === 'version') mergeValue(pairs, pair, [], { report })
    else if (type?.is === 'map')
      pairs.set(name, overPair(there, pair, type.of.is === 'object' ? overFields : later))
    else pairs.set(name, type?.is === 'object' ? overFields(there, pair) : pair)
  }
  return { ...root, pairs }
}

type Over = (there: Pair | undefined, pair: Pair) => Pair

/** Values are replaced as a whole, including lists and mappings. */
const later: Over = (_, pair) => pair

/**
 * Merges a mapping into another one. A thing keeps the place of its first declaration; a value that is no mapping
 * keeps its error.
 */
const overPair = (there: Pair | undefined, pair: Pair, each: Over): Pair => {
  if (there === undefined) return pair
  if (there.value.is !== 'map') return there
  if (pair.value.is !== 'map') return { key: there.key, value: pair.value }
  const pairs = new Map(there.value.pairs)
  for (const [name, own] of pair.value.pairs) pairs.set(name, each(pairs.get(name), own))
  return { key: there.key, value: { ...there.value, pairs } }
}

/** Merges fields: a declared field removes its alternatives from earlier files. */
const overFields: Over = (there, pair) => {
  const { key, value } = overPair(there, pair, later)
  if (value.is !== 'map' || pair.value.is !== 'map') return { key, value }
  const own = pair.value.pairs
  const left = [...value.pairs].filter(([name]) => own.has(name) || !own.has(INSTEAD[name] ?? ''))
  return { key, value: { ...value, pairs: new Map(left) } }
}

/** A file without a head may have been included by mistake. */
const refuseHeadless = (document: MapNode, parts: Parts, report: Report): void => {
  const known = Object.keys(parts)
  const meant = [...document.pairs.keys()].map((key) =>
    known.includes(key) ? key : report.nearest(key, known),
  )
  const names = HEAD.filter((name) => !meant.includes(name))
  if (names.length === 0) return
  report.add({ ...document, end: document.start + 1 }, { path: [], message: missingHead(names) })
  for (const name of names) report.noteMeant([], name)
}

const mergeSection = (
  root: MapNode,
  { key, value }: Pair,
  part: ManifestPart,
  { isAlone, report }: { readonly isAlone: boolean; readonly report: Report },
): void => {
  // A section whose entries are all commented out.
  if (value.is === 'scalar' && value.value === null) return
  if (value.is !== 'map') {
    const holds = part.type.is === 'map' ? `of each ${part.type.noun} by its name` : 'of fields'
    report.add(value, {
      path: [key.text],
      message: `${key.text} is a mapping ${holds}, not a ${kindOf(value)}`,
    })
    return
  }
  const there = root.pairs.get(key.text)?.value
  // Nothing is merged into the only file of a layer, which has no duplicate names.
  if (isAlone) {
    root.pairs.set(key.text, { key, value })
    return
  }
  const target = there?.is === 'map' ? there : { ...value, pairs: new Map<string, Pair>() }
  root.pairs.set(key.text, { key, value: target })
  const how = { report, once: part.type.is === 'map' && !['variables', 'projects'].includes(key.text) }
  for (const pair of value.pairs.values()) mergeValue(target.pairs, pair, [key.text], how)
}

/** Adds a pair; if its key is there already, it must have the same value or, with `once`, not be there at all. */
const mergeValue = (
  pairs: MapNode['pairs'],
  pair: Pair,
  path: readonly string[],
  { report, once = false }: { readonly report: Report; readonly once?: boolean },
): void => {
  const other = pairs.get(pair.key.text)
  if (other === undefined) pairs.set(pair.key.text, pair)
  else if (once || !same(other.value, pair.value))
    report.add(pair.key, {
      path: [...path, pair.key.text],
      message: once
        ? 'this address is declared twice; rename one of the two or take it out'
        : 'two files give this different values; keep one of them',
      also: other.key,
    })
}
