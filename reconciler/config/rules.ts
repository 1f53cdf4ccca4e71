import {
  fillSentence,
  manifestSpelling,
  type Finding,
  type KindDefinition,
  type Sentence,
} from '@deploymgmt/provider/core'
import type { PlacedEntry } from './entries.ts'
import { locate, pairOf } from './node.ts'
import type { Report } from './report.ts'

/**
 * Applies the definitions' rules, and refuses that two entries name one thing. What is wrong in itself is left
 * out: a second error about the same would only mislead.
 */
export const checkRules = (entries: readonly PlacedEntry[], report: Report): void => {
  const known = entries.filter(({ waits }) => !waits)
  const sound = known.filter(({ path }) => !report.hasErrorIn(path))
  for (const placed of known) checkEntry(placed, report)
  const kinds = new Set(sound.map(({ kind }) => kind))
  for (const kind of kinds) {
    const section = sound.filter((placed) => placed.kind === kind)
    checkSection(kind, section, report)
    checkIdentities(kind, section, report)
  }
}

const checkEntry = (placed: PlacedEntry, report: Report): void => {
  const { path, entry, kind } = placed
  // What is wrong with a field, or misspelt, is no ground for a second error; what is wrong elsewhere hides none.
  const isDoubtful = (field: string): boolean =>
    report.hasErrorIn([...path, field]) || report.wasMeant(path, field)
  for (const rule of kind.rules)
    if (rule.over === 'entry' && !rule.reads.some(isDoubtful))
      for (const finding of rule.check(entry.values)) place(placed, finding, report)
}

const place = ({ pair, path }: PlacedEntry, finding: Finding, report: Report): void => {
  const { node, key, depth } = locate(pair.value, finding.path)
  const at = depth === 0 ? pair.key : node.is === 'map' && key !== undefined ? key : node
  report.add(at, {
    path: [...path, ...finding.path],
    message: inManifest(finding),
  })
}

const inManifest = ({ text, of = {} }: Sentence): string => fillSentence(text, of, manifestSpelling())

const checkSection = (kind: KindDefinition, section: readonly PlacedEntry[], report: Report): void => {
  const values = section.map(({ entry }) => entry.values)
  for (const rule of kind.rules)
    if (rule.over === 'section')
      for (const found of rule.check(values)) {
        const [one, other] = [section[found.entries[0]], section[found.entries[1]]]
        if (one && other)
          report.add(one.pair.key, { path: one.path, message: inManifest(found), also: other.pair.key })
      }
}

/** One thing at the service has one entry, by its identity and by what else is unique about it. */
const checkIdentities = (
  { identity }: KindDefinition,
  section: readonly PlacedEntry[],
  report: Report,
): void => {
  for (const names of [[...identity.scope, identity.declaredAs], ...identity.unique.map((name) => [name])]) {
    const seen = new Map<string, PlacedEntry>()
    for (const placed of section) {
      const values = names.map((name) => placed.entry.values[name])
      if (values.includes(undefined)) continue
      const id = JSON.stringify(values)
      const first = seen.get(id)
      if (first === undefined) seen.set(id, placed)
      else reportTwice(placed, first, names.at(-1) ?? '', report)
    }
  }
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
