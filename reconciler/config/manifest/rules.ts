import { fillSentence, type Finding, type KindDefinition, type Sentence } from '@deploymgmt/provider/core'
import { findingsOf, type Knowledge } from '@deploymgmt/provider/core/check'
import { broughtBy } from '../evaluation/brought.ts'
import { lacksFiles, spellingIn, type Checked } from './checked.ts'
import { isUnknownAt, type PlacedEntry } from './entries.ts'
import { locate, pairOf } from '../tree/node.ts'
import { pathText, type Path } from '../tree/path.ts'
import { OF_PROJECT } from '../evaluation/inherited.ts'
import { placeToGive } from './project-names.ts'

type Context = Pick<Checked, 'root' | 'report' | 'evaluator' | 'complete'>

/**
 * Applies the definitions' rules, and refuses two entries for the same thing. Skips what is wrong by itself, because
 * a second error about it would only mislead.
 */
export const checkRules = (entries: readonly PlacedEntry[], context: Context): void => {
  for (const placed of entries) checkEntry(placed, context)
  for (const kind of new Set(entries.map((placed) => placed.kind))) {
    const section = entries.filter((placed) => placed.kind === kind)
    checkSection(kind, section, context)
    checkIdentities(kind, section, context)
  }
}

/** If nothing is wrong so far and everything is known, fields need not be checked one by one. */
const isAllSound = ({ report, evaluator }: Context): boolean => report.isClean && !evaluator.hasUnknown
const ALL: Knowledge = { isSound: () => true, isTold: () => true }

/** A wrong or misspelt field causes no second error; errors elsewhere do not suppress one. */
const checkEntry = (placed: PlacedEntry, context: Context): void => {
  const { report } = context
  const { path, values, kind } = placed
  if (isAllSound(context)) {
    for (const finding of findingsOf(kind.rules, values, ALL)) place(placed, finding, context)
    return
  }
  const isTold = (field: string): boolean =>
    !report.wasMeant(path, field) &&
    !isUnknownAt(placed, [field], context) &&
    (values[field] !== undefined || !report.hasErrorIn([...path, field]))
  const isSound = (at: Path): boolean => isSoundAt(placed, at, context)
  for (const finding of findingsOf(kind.rules, values, { isSound, isTold })) place(placed, finding, context)
}

const isSoundAt = (placed: PlacedEntry, at: Path, context: Context): boolean => {
  const { report } = context
  const { path } = placed
  return (
    !report.hasErrorIn([...path, ...at]) &&
    !at.some((step, depth) => report.wasMeant([...path, ...at.slice(0, depth)], String(step))) &&
    !isUnknownAt(placed, at, context)
  )
}

/** The entries in which these fields are correct; a project can come from a list of them. */
const soundIn = (
  section: readonly PlacedEntry[],
  names: readonly string[],
  context: Context,
): readonly PlacedEntry[] => {
  if (isAllSound(context)) return section
  const fields = names.includes('projectId') ? [...names, 'projectIds'] : names
  return section.filter((placed) => fields.every((field) => isSoundAt(placed, [field], context)))
}

const place = ({ pair, path }: PlacedEntry, finding: Finding, context: Context): void => {
  const { root, report, evaluator } = context
  if (lacksFiles(context) && OF_PROJECT.has(finding.needs ?? '')) return
  const { node, key, depth } = locate(pair.value, finding.path)
  const at = depth === 0 ? pair.key : node.is === 'map' && key !== undefined ? key : node
  report.add(at, {
    path: [...path, ...finding.path],
    message: said(finding, context),
    also: depth === 0 ? undefined : broughtBy(evaluator, node, finding.path.slice(depth)),
    ...placeToGive(root, finding.needs),
  })
}

const said = ({ text, of = {} }: Sentence, { root }: Context): string =>
  fillSentence(text, of, spellingIn(root))

const checkSection = (kind: KindDefinition, section: readonly PlacedEntry[], context: Context): void => {
  for (const rule of kind.rules) {
    if (rule.over !== 'section') continue
    const sound = soundIn(section, rule.reads, context)
    for (const found of rule.check(sound.map(({ values }) => values))) {
      const [one, other] = [sound[found.entries[0]], sound[found.entries[1]]]
      if (one && other)
        context.report.add(one.pair.key, {
          path: one.path,
          message: said(found, context),
          also: other.pair.key,
        })
    }
  }
}

/** One thing at the service has one entry, by its identity and by other unique values. */
const checkIdentities = (
  { identity }: KindDefinition,
  section: readonly PlacedEntry[],
  context: Context,
): void => {
  for (const [places, name] of [
    [identity.scope, identity.declaredAs] as const,
    ...identity.unique.map((each) => [[], each] as const),
  ]) {
    const seen: FirstEntries = new Map()
    for (const placed of soundIn(section, [...places, name], context)) {
      const first = firstOf(seen, placed, places, name)
      if (first !== placed) reportTwice(placed, first, name, context)
    }
  }
}

/** Entries by their distinguishing values, nested within their places, so that no combined string is needed. */
type FirstEntries = Map<unknown, FirstEntries | PlacedEntry>

/** The first entry in its place with its value; the entry itself if it is that one, or has no value. */
const firstOf = (
  all: FirstEntries,
  placed: PlacedEntry,
  places: readonly string[],
  name: string,
): PlacedEntry => {
  let seen = all
  for (const each of places) {
    const at = keyOf(placed.values[each])
    const inner = (seen.get(at) as FirstEntries | undefined) ?? (new Map() as FirstEntries)
    seen.set(at, inner)
    seen = inner
  }
  const isGiven = places.every((each) => placed.values[each] !== undefined)
  const key = keyOf(placed.values[name])
  if (!isGiven || key === undefined) return placed
  const first = seen.get(key) as PlacedEntry | undefined
  if (first === undefined) seen.set(key, placed)
  return first ?? placed
}

/** Equal values have equal keys. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value

const reportTwice = (
  placed: PlacedEntry,
  first: PlacedEntry,
  name: string,
  { root, report }: Context,
): void => {
  const { dialect } = root.source
  const address = dialect === undefined ? first.entry.address : pathText(dialect.pathOf(first.path))
  const own = pairOf(placed.pair.value, name)
  const there = pairOf(first.pair.value, name)
  report.add(own?.value ?? placed.pair.key, {
    path: own === undefined ? placed.path : [...placed.path, name],
    message: `${address} declares the same ${spellingIn(root).field(name)}; one thing has one entry`,
    also: there?.value ?? first.pair.key,
  })
}
