import { entryOf, isUnverifiable } from '@deploymgmt/provider/engine'
import { groupBy } from '../../text/group-by.ts'
import { startOf } from '../document/field-type.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import { acceptedSentences } from './acceptances.ts'
import { unsigned } from './findings.ts'
import { occurrenceOf } from './occurrences.ts'
import { likelyBy, nobodySentence, unverifiableSentence } from './sentences.ts'

/**
 * Changes that do the same for the same reason, in the order of the first of each: every format tells them together.
 * What they undo is by the same actor, at any time; occurrences of a rule differ in time and place.
 */
export const alikeChanges = (changes: readonly ReportedChange[]): ReportedChange[][] =>
  groupBy(changes, likeness)

/** Occurrences of a rule that do the same, because they only repeat each other, and every other change by itself. */
export const alikeOccurrences = (changes: readonly ReportedChange[]): ReportedChange[][] =>
  groupBy(changes, (change) => (occurrenceOf(change) === undefined ? change : likeness(change)))

/** The first of changes that are told as one, as if it stood for all: what was renamed was at the old entry. */
export const asOne = (alike: readonly ReportedChange[]): ReportedChange | undefined => {
  const [first] = alike
  if (first?.from === undefined || alike.length === 1) return first
  return { ...first, from: entryOf(first.from), reason: sharedReason(first) }
}

/** Each of several was at an address of its own, but all of one entry were at the same entry. */
export const sharedReason = ({ reason, from }: Pick<ReportedChange, 'reason' | 'from'>): string =>
  from === undefined ? reason : reason.replace(from, () => entryOf(from))

const likeness = (change: ReportedChange): string => JSON.stringify([effectOf(change), whyOf(change)])

const effectOf = (change: ReportedChange): readonly unknown[] => {
  const { action, kind, zones, requests } = change
  const { entry, length, lengthBefore, alike = change.fields } = occurrenceOf(change) ?? {}
  return [
    [action, kind, requests.map(({ method }) => method)],
    [entry, length, lengthBefore],
    alike.map(unsigned),
    // The same instants are told in another way in another zone, or after another start.
    [zones, alike.map(({ path }) => startOf(path, change))],
  ]
}

const whyOf = (change: ReportedChange): readonly unknown[] => {
  const { byHand, actor, evidence, notes, needs = [] } = change
  return [
    [sharedReason(change), byHand, notes, needs.map(({ flag, because }) => [flag, because])],
    actor === undefined ? nobodySentence(evidence) : likelyBy(actor),
    isUnverifiable(change)
      ? unverifiableSentence(evidence)
      : [evidence.level, evidence.note, evidence.unsure],
    acceptedSentences(change),
  ]
}
