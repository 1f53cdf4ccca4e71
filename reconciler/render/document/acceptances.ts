import { countBy, endOf, omit } from '@deploymgmt/provider/core'
import type { Acceptance, DriftDocument, FormerAcceptance, ReportedDrift } from './drift-model.ts'
import type { ReportedDriftedField } from './reported.ts'
import { withFields } from './worst-first.ts'
import { nameOfAccepted, nearestAddress, type Accepted } from '../../config/lists/accepted-drift.ts'

export interface AcceptFacts {
  readonly accepted: readonly Accepted[]
  /** Service time. */
  readonly now: Date
  /** Whether this run reads an address. */
  readonly looksAt: (address: string) => boolean
  /** Whether two values of a kind's field are equivalent. */
  readonly areSame: (kind: string, field: string, one: unknown, other: unknown) => boolean
}

/** Why an acceptance no longer applies; empty if it applies. */
type Over = readonly ('ended' | 'changed')[]

/** A drift, split into its accepted and its remaining parts. */
interface Parted {
  readonly left: ReportedDrift | undefined
  readonly accepted: readonly ReportedDrift[]
}

type Found = Omit<DriftDocument, 'exitCode'>

/** A report with accepted drift listed separately; accepted drift is not in sync, and does not count. */
export const withAccepted = (found: Found, facts: AcceptFacts): Found => {
  if (facts.accepted.length === 0) return found
  const { resources, accepted } = partAccepted(found.resources, facts)
  const { drifted = 0, pending = 0 } = countBy(resources, ({ verdict }) => verdict)
  return {
    ...found,
    summary: { ...found.summary, drifted, pending, accepted: accepted.length },
    resources,
    ...(accepted.length === 0 ? {} : { accepted }),
    warnings: [...found.warnings, ...spentOf(facts, found.resources).map(sayingSpent(found.resources))],
  }
}

const sayingSpent = (resources: readonly ReportedDrift[]): ((entry: Accepted) => string) => {
  const addresses = new Set(resources.flatMap(addressesOf))
  const renamed = new Map(resources.map(({ address, movedTo }) => [address, movedTo]))
  return (entry) => {
    const now = renamed.get(entry.address)
    // A plan says so, too: what is accepted would not be found under the old address once it has drifted again.
    if (now !== undefined)
      return `${nameOfAccepted(entry)} has not drifted, and is now declared as ${now}: at ${entry.at}, write that address, or remove what is accepted of it`
    if (addresses.has(entry.address))
      return `${nameOfAccepted(entry)} has not drifted: what is accepted of it at ${entry.at} can be removed`
    const meant = nearestAddress(entry.address, [...addresses])
    const advice =
      meant === undefined
        ? 'if it was renamed, write its new address there; if another manifest has it now, name that manifest there as "manifest"; otherwise remove it'
        : `did you mean ${meant}?`
    return `${entry.address} is neither declared nor recorded, and accepted at ${entry.at}; ${advice}`
  }
}

/** A renamed thing is accepted under its new name, too, so that file and manifest can be edited together. */
const addressesOf = ({ address, movedTo }: ReportedDrift): readonly string[] =>
  movedTo === undefined ? [address] : [address, movedTo]

/** Removes what is accepted from the drift, field by field. */
const partAccepted = (resources: readonly ReportedDrift[], facts: AcceptFacts) => {
  const byAddress = Map.groupBy(facts.accepted, ({ address }) => address)
  const parted = resources.map((each): Parted => {
    const own = addressesOf(each).flatMap((address) => byAddress.get(address) ?? [])
    return own.length === 0 || each.verdict !== 'drifted'
      ? { left: each, accepted: [] }
      : withEdited(part(each, own, facts), each)
  })
  return {
    resources: parted.flatMap(({ left }) => left ?? []),
    accepted: parted.flatMap(({ accepted }) => accepted),
  }
}

/** A drift that is accepted as a whole may still have unapplied edits. */
const withEdited = ({ left, accepted }: Parted, drift: ReportedDrift): Parted => ({
  left: left ?? pendingOf(drift),
  accepted: accepted.map(withoutEdit),
})

const withoutEdit = (drift: ReportedDrift): ReportedDrift => omit(drift, 'edited')

const withoutDrift = (drift: ReportedDrift): ReportedDrift =>
  omit(drift, 'actor', 'owns', 'turnsOff', 'silences', 'byHand', 'notes', 'protectedFields')

/** Without its drift. */
const pendingOf = ({ edited, ...drift }: ReportedDrift): ReportedDrift | undefined => {
  if (edited === undefined) return undefined
  return { ...withoutDrift(drift), verdict: 'pending', ...edited }
}

const part = (drift: ReportedDrift, own: readonly Accepted[], facts: AcceptFacts): Parted => {
  const whole = own.find(({ field }) => field === undefined)
  if (drift.fields.length === 0) {
    if (whole === undefined) return { left: drift, accepted: [] }
    const stands = standsWhole(whole, drift, facts)
    return stands.length === 0
      ? { left: undefined, accepted: [{ ...drift, acceptance: acceptanceOf(whole) }] }
      : { left: { ...drift, ...formerOf([{ entry: whole, stands }]) }, accepted: [] }
  }
  const judged = drift.fields.map((field) => {
    const entry = own.find((each) => each.field === field.path) ?? whole
    return { field, entry, stands: entry === undefined ? undefined : standsField(entry, field, drift, facts) }
  })
  const holding = judged.filter(({ stands }) => stands?.length === 0)
  const open = judged.filter(({ stands }) => stands?.length !== 0)
  const fieldsOf = (of: typeof judged): ReportedDriftedField[] => of.map(({ field }) => field)
  return {
    left: open.length === 0 ? undefined : { ...withFields(drift, fieldsOf(open)), ...formerOf(open) },
    accepted: [...Map.groupBy(holding, ({ entry }) => entry)].flatMap(([entry, of]) =>
      entry === undefined ? [] : [{ ...withFields(drift, fieldsOf(of)), acceptance: acceptanceOf(entry) }],
    ),
  }
}

const standsWhole = (entry: Accepted, drift: ReportedDrift, { now }: AcceptFacts): Over =>
  overOf(entry, now, entry.is !== drift.reasonCode || hasNewEvents(entry, drift))

const overOf = (entry: Accepted, now: Date, isChanged: boolean): Over => [
  ...(hasEnded(entry, now) ? (['ended'] as const) : []),
  ...(isChanged ? (['changed'] as const) : []),
]

/** Why an acceptance does not apply to the live value of a field, which is in `after`. */
export const standsField = (
  entry: Accepted,
  { path, after }: Pick<ReportedDriftedField, 'path' | 'after'>,
  drift: Pick<ReportedDrift, 'kind' | 'evidence'>,
  { now, areSame }: Pick<AcceptFacts, 'now' | 'areSame'>,
): Over => {
  const isKnown = !isInDoubt(drift, after)
  const isSame =
    !isKnown || (Object.hasOwn(entry.values, path) && areSame(drift.kind, path, entry.values[path], after))
  return overOf(entry, now, !isSame || hasNewEvents(entry, drift))
}

/** No endpoint shows the live value: only events are about it. */
const isInDoubt = ({ evidence }: Pick<ReportedDrift, 'evidence'>, after: unknown): boolean =>
  evidence.level === 'suspect' && after === null

/** A value that was read needs no event; if nothing can be read, another event means another change. */
const hasNewEvents = ({ events }: Accepted, { evidence }: Pick<ReportedDrift, 'evidence'>): boolean =>
  evidence.level === 'suspect' && (evidence.events ?? []).some(({ id }) => !events.includes(id))

const hasEnded = ({ until }: Accepted, now: Date): boolean =>
  until !== undefined && now.getTime() > (endOf(until) ?? 0)

export const acceptanceOf = ({
  reason,
  until,
  at,
}: Pick<Accepted, 'reason' | 'until' | 'at'>): Acceptance => ({
  reason,
  ...(until === undefined ? {} : { until }),
  at,
})

interface Judged {
  /** Undefined if there are no fields. */
  readonly field?: ReportedDriftedField
  readonly entry: Accepted | undefined
  readonly stands: Over | undefined
}

/** How these were accepted, by why that no longer applies. */
const formerOf = (
  judged: readonly Judged[],
): Pick<ReportedDrift, 'acceptanceEnded' | 'acceptanceChanged'> => {
  const [ended, changed] = [formerBy('ended', judged), formerBy('changed', judged)]
  return {
    ...(ended.length === 0 ? {} : { acceptanceEnded: ended }),
    ...(changed.length === 0 ? {} : { acceptanceChanged: changed }),
  }
}

const formerBy = (why: Over[number], judged: readonly Judged[]): FormerAcceptance[] =>
  [
    ...Map.groupBy(judged, ({ entry, stands }) => (stands?.includes(why) === true ? entry : undefined)),
  ].flatMap(([entry, of]) => {
    const fields = of.flatMap(({ field }) => field?.path ?? [])
    return entry === undefined ? [] : [{ ...acceptanceOf(entry), ...(fields.length === 0 ? {} : { fields }) }]
  })

/** The content of an acceptance of a drift, for one of its fields or for all. */
export const whatToAccept = (
  drift: ReportedDrift,
  field?: string,
): Pick<Accepted, 'values' | 'events' | 'is'> => {
  const { fields, evidence, reasonCode } = drift
  const meant = fields.filter(({ path }) => field === undefined || path === field)
  const known = meant.filter(({ after }) => !isInDoubt(drift, after))
  return {
    values: Object.fromEntries(known.map(({ path, after }) => [path, after])),
    events: evidence.level === 'suspect' ? (evidence.events ?? []).map(({ id }) => id) : [],
    ...(fields.length > 0 || reasonCode === undefined ? {} : { is: reasonCode }),
  }
}

const mayHaveDrifted = ({ verdict, evidence }: ReportedDrift): boolean =>
  // An edit is pending, whatever events would say.
  evidence.eventsUnread === true || (verdict === 'unverifiable' && evidence.level !== 'recorded')

/** Acceptances that are not needed any more: what they accept has not drifted. */
const spentOf = (
  { accepted, looksAt }: Pick<AcceptFacts, 'accepted' | 'looksAt'>,
  resources: readonly ReportedDrift[],
): Accepted[] => {
  const byAddress = new Map(
    resources.flatMap((each) => addressesOf(each).map((address) => [address, each] as const)),
  )
  return accepted.filter(({ address, field }) => {
    const drift = byAddress.get(address)
    // Things outside the target, or unverifiable because no event could be read, may well have drifted.
    if (!looksAt(address) || (drift !== undefined && mayHaveDrifted(drift))) return false
    if (drift?.verdict !== 'drifted') return true
    return field !== undefined && !drift.fields.some(({ path }) => path === field)
  })
}
