import {
  fillSentence,
  manifestSpelling,
  type Finding,
  type KindDefinition,
  type Sentence,
  type Values,
} from '@deploymgmt/provider/core'
import { findingsOf, type Judged } from '@deploymgmt/provider/core/check'
import { broughtBy } from './brought.ts'
import type { Checked } from './checked.ts'
import type { PlacedEntry } from './entries.ts'
import { locate, pairOf } from './node.ts'
import type { Path } from './path.ts'
import { placeToGive } from './project-names.ts'
import type { Report } from './report.ts'

type Around = Pick<Checked, 'root' | 'report' | 'evaluator'>

/**
 * Applies the definitions' rules, and refuses that two entries name one thing. What is wrong in itself is left
 * out: a second error about the same would only mislead.
 */
export const checkRules = (entries: readonly PlacedEntry[], around: Around): void => {
  for (const placed of entries) checkEntry(placed, around)
  for (const kind of new Set(entries.map((placed) => placed.kind))) {
    const section = entries.filter((placed) => placed.kind === kind)
    checkSection(kind, section, around)
    checkIdentities(kind, section, around)
  }
}

/** Where nothing is wrong so far and all is known, nothing has to be asked of any field. */
const isAllSound = ({ report, evaluator }: Around): boolean => report.isClean && !evaluator.hasUnknown
const ALL: Judged = { isSound: () => true, isTold: () => true }

/** What is wrong with a field, or misspelt, is no ground for a second error; what is wrong elsewhere hides none. */
const checkEntry = (placed: PlacedEntry, around: Around): void => {
  const { report } = around
  const { path, values, kind, isUnknown } = placed
  if (isAllSound(around)) {
    for (const finding of findingsOf(kind.rules, values, ALL)) place(placed, finding, around)
    return
  }
  const isTold = (field: string): boolean =>
    !report.wasMeant(path, field) &&
    !isUnknown([field]) &&
    (values[field] !== undefined || !report.hasErrorIn([...path, field]))
  const isSound = (at: Path): boolean => isSoundAt(placed, at, report)
  for (const finding of findingsOf(kind.rules, values, { isSound, isTold })) place(placed, finding, around)
}

const isSoundAt = ({ path, isUnknown }: PlacedEntry, at: Path, report: Report): boolean =>
  !report.hasErrorIn([...path, ...at]) && !report.wasMeant(path, String(at[0])) && !isUnknown(at)

/** The entries of which these fields are sound; a project can come from a list of them. */
const soundIn = (
  section: readonly PlacedEntry[],
  names: readonly string[],
  around: Around,
): readonly PlacedEntry[] => {
  if (isAllSound(around)) return section
  const fields = names.includes('projectId') ? [...names, 'projectIds'] : names
  return section.filter((placed) => fields.every((field) => isSoundAt(placed, [field], around.report)))
}

const place = ({ pair, path }: PlacedEntry, finding: Finding, { root, report, evaluator }: Around): void => {
  const { node, key, depth } = locate(pair.value, finding.path)
  const at = depth === 0 ? pair.key : node.is === 'map' && key !== undefined ? key : node
  report.add(at, {
    path: [...path, ...finding.path],
    message: inManifest(finding),
    also: depth === 0 ? undefined : broughtBy(evaluator, node, finding.path.slice(depth)),
    ...placeToGive(root, finding.needs),
  })
}

const inManifest = ({ text, of = {} }: Sentence): string => fillSentence(text, of, manifestSpelling())

const checkSection = (kind: KindDefinition, section: readonly PlacedEntry[], around: Around): void => {
  for (const rule of kind.rules) {
    if (rule.over !== 'section') continue
    const sound = soundIn(section, rule.reads, around)
    for (const found of rule.check(sound.map(({ values }) => values))) {
      const [one, other] = [sound[found.entries[0]], sound[found.entries[1]]]
      if (one && other)
        around.report.add(one.pair.key, { path: one.path, message: inManifest(found), also: other.pair.key })
    }
  }
}

/** One thing at the service has one entry, by its identity and by what else is unique about it. */
const checkIdentities = (
  { identity }: KindDefinition,
  section: readonly PlacedEntry[],
  around: Around,
): void => {
  for (const names of [[...identity.scope, identity.declaredAs], ...identity.unique.map((name) => [name])]) {
    const seen = new Map<string, PlacedEntry>()
    for (const placed of soundIn(section, names, around)) {
      const id = idOf(placed.values, names)
      if (id === undefined) continue
      const first = seen.get(id)
      if (first === undefined) seen.set(id, placed)
      else reportTwice(placed, first, names.at(-1) ?? '', around.report)
    }
  }
}

/** One string for equal values of some fields; nothing where one of them is not given. */
const idOf = (values: Values, names: readonly string[]): string | undefined => {
  let id = ''
  for (const name of names) {
    const value = values[name]
    if (value === undefined) return undefined
    const text = JSON.stringify(value)
    // With its length in front, so that no two can be taken for others.
    id += `${text.length}:${text}`
  }
  return id
}

const reportTwice = (placed: PlacedEntry, first: PlacedEntry, name: string, report: Report): void => {
  const own = pairOf(placed.pair.value, name)
  const there = pairOf(first.pair.value, name)
  report.add(own?.value ?? placed.pair.key, {
    path: own === undefined ? placed.path : [...placed.path, name],
    message: `${first.entry.address} declares the same ${name}; one thing has one entry`,
    also: there?.value ?? first.pair.key,
  })
}
