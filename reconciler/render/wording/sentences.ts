import type { Actor } from '@deploymgmt/provider/engine'
import { deedIn, SURENESS, whoIs } from '@deploymgmt/provider/words'
import { showDay, showInstants, sayMoment } from '../../text/instants.ts'
import type { ReportedDrift, ReportedUnmanaged } from '../document/drift-model.ts'
import type { ReportedChange } from '../document/plan-model.ts'
import type { ReportedDriftedField, ReportedEvidence, ReportedNeed } from '../document/reported.ts'
import { shellWord } from '../../text/display.ts'
import { GLUE } from '../../text/lines.ts'
import { number } from '../../text/number.ts'
import type { Style } from '../../text/style.ts'
import { shortId } from '../../text/values.ts'

/**
 * Who changed or removed it outside, when and by which event: for one line below the fields. Of several that one actor
 * changed, between which moments.
 */
export const changedOutside = (
  changes: readonly Pick<ReportedChange, 'actor' | 'evidence' | 'reasonCode'>[],
): string[] => {
  const acted = changes.flatMap(({ actor }) => actor ?? []).toSorted((a, b) => momentOf(a) - momentOf(b))
  const [first, last] = [acted[0], acted.at(-1)]
  if (first === undefined || last === undefined) return []
  const from = first.remoteAddress === undefined ? '' : ` (${first.remoteAddress})`
  const who = `${SURENESS[first.confidence].outside(deedIn(changes[0]?.reasonCode))} ${whoIs(first)}${from}`
  const [begin, end] = [first, last].map(({ at }) => glued(sayMoment(at)))
  if (changes.length > 1) return [`${who} ${begin === end ? `on ${begin}` : `between ${begin} and ${end}`}`]
  const others = (changes[0]?.evidence.events?.length ?? 1) - 1
  const more = others > 0 ? `; ${counted(others, 'more event')} about it` : ''
  return [`${who} on ${begin}, ${glued(`event ${shortId(first.eventId)}`)}${more}`]
}

const momentOf = ({ at }: Actor): number => Date.parse(at)

/** Who made a drift, with the confidence: `likely by dana@example.com from 192.0.2.8`. */
export const likelyBy = (actor: Actor): string => byWho(actor, whoFrom)

const byWho = (actor: Actor, who: (actor: Actor) => string): string =>
  `${SURENESS[actor.confidence].by} ${who(actor)}`

const whoFrom = (actor: Actor): string =>
  `${whoIs(actor)}${actor.remoteAddress === undefined ? '' : ` from ${actor.remoteAddress}`}`

/** Who did it, when, and by which event. */
const actedBy = (actor: Actor): string => `${likelyBy(actor)}, ${sayMoment(actor.at)}, ${actor.eventTypeName}`

type Strange = Pick<ReportedUnmanaged, 'actor' | 'isMaker' | 'changedBy'>

/** What the first named actor did to an unmanaged thing, as a word before them. */
export const didOf = ({ actor, isMaker }: Strange): string =>
  isMaker === true ? 'made' : actor?.confidence === 'high' ? 'changed' : 'changed,'

/** What the other actors did, likewise. */
export const alsoDid = ({ isMaker }: Strange): string => (isMaker === true ? 'changed since by' : 'also by')

/** `made by key "a" from 192.0.2.8` and `changed since by key "b" from 192.0.2.9`, or both without the address. */
export const strangersBy = (thing: Strange, { from = true } = {}): string[] => {
  const { actor, changedBy = [] } = thing
  if (actor === undefined) return []
  const who = from ? whoFrom : whoIs
  const others = changedBy.map(who).join(' and ')
  return [`${didOf(thing)} ${byWho(actor, who)}`, ...(others === '' ? [] : [`${alsoDid(thing)} ${others}`])]
}

/** The same, with when and by which event. */
export const strangersActed = (thing: Strange): string[] => {
  const { actor, changedBy = [] } = thing
  if (actor === undefined) return []
  return [
    `${didOf(thing)} ${actedBy(actor)}`,
    ...changedBy.map(
      (each) => `${alsoDid(thing)} ${whoFrom(each)}, ${sayMoment(each.at)}, ${each.eventTypeName}`,
    ),
  ]
}

/** A description, and whether it is in force now. */
export const strangeThing = ({ what, isInForce }: Pick<ReportedUnmanaged, 'what' | 'isInForce'>): string =>
  `${isInForce === true ? 'in force now: ' : ''}${showInstants(what)}`

/** Who changed which field, unless one actor changed all of them. */
export const ownActors = (fields: readonly ReportedDriftedField[]): [string, Actor][] =>
  fields.flatMap(({ path, actor }) => (actor === undefined ? [] : [[path, actor]]))

/** Who made a drift, when and by which event, or why nobody is named; one text per paragraph. */
export const driftedBy = (drift: Omit<ReportedDrift, 'verdict'>): string[] => {
  const { actor, fields, evidence } = drift
  if (actor === undefined) {
    const each = ownActors(fields).map(([path, own]) => `${path} ${actedBy(own)}`)
    return each.length === 0 ? nobodySentence(evidence, drift) : each
  }
  const others = (evidence.events?.length ?? 1) - 1
  const more = others > 0 ? `, and ${counted(others, 'more event')}` : ''
  return [`${actedBy(actor)}${more}`]
}

/** The same regardless of when: what one actor made shares it. */
export const whoAlike = (drift: ReportedDrift): string[] =>
  drift.actor === undefined ? driftedBy(drift) : [likelyBy(drift.actor)]

/** The text if nobody is named: who caused the events, or that there are none. */
export const nobodySentence = (
  evidence: ReportedEvidence,
  { reasonCode, orgId = 'ID' }: Pick<ReportedDrift, 'reasonCode' | 'orgId'> = {},
): string[] => {
  if (evidence.level === 'suspect')
    return evidence.events === undefined ? [] : [evidenceWords(evidence, undefined)]
  if (reasonCode === 'not-as-applied' && evidence.note !== undefined) return [evidence.note]
  if (reasonCode === 'not-as-applied') return ['no event shows who changed it']
  if (reasonCode !== 'gone-at-service') return []
  if (evidence.events !== undefined) return [evidenceWords({ ...evidence, level: 'suspect' }, undefined)]
  if (evidence.eventsUnread === true) return evidence.note === undefined ? [] : [evidence.note]
  // Undocumented events may be about it, in unknown words; a person has to judge them.
  return [
    `no documented event shows who removed it; another event may: deploymgmt get organization_events --org-id ${shellWord(orgId)}`,
  ]
}

/** Why a thing cannot be verified, and how old its recorded value is. */
export const unverifiableSentence = (evidence: ReportedEvidence): string =>
  withNote(`cannot be verified; ${evidenceWords(evidence, evidence.since)}`, evidence)

/** What is known without a reading, with the earliest day among the things that share the text. */
export const evidenceWords = (
  { level, events, unsure }: ReportedEvidence,
  since: string | undefined,
  { isOldest = false } = {},
): string => {
  const day = since === undefined ? undefined : `on ${showDay(since)}${isOldest ? ' or later' : ''}`
  const newest = events?.[0]
  if (level === 'suspect' && events !== undefined && newest !== undefined) {
    const count = counted(events.length, 'event')
    const [who, ...others] = [...new Set(events.map(whoIs))]
    const by =
      others.length === 0 ? `the newest by ${who}` : `by ${[who, ...others].join(' and ')}, the newest`
    return `${count} about it after the last write, ${by} on ${glued(sayMoment(newest.created))} (${newest.eventTypeName})`
  }
  if (level === 'recorded') return day === undefined ? 'as recorded' : `as recorded ${day}`
  if (unsure !== undefined) return day === undefined ? 'written before' : `last written ${day}`
  return day === undefined ? 'its values were never seen' : `recorded ${day}, its values were never seen`
}

const glued = (text: string): string => text.replaceAll(' ', GLUE)

/** A fragment, followed by the notes on the evidence. */
export const withNote = (fragment: string, { note }: ReportedEvidence): string =>
  note === undefined ? `${fragment}.` : `${fragment}. ${note}`

/** Refused readings, with each reason once per place. */
export const unreadable = (
  refused: readonly Readonly<Record<'source' | 'of' | 'message', string>>[],
): string[] =>
  [...Map.groupBy(refused, ({ of, message }) => `${of}: ${message}`)].map(([reason, readings]) => {
    const sources = new Set(readings.map(({ source }) => source))
    return `not readable: ${[...sources].join(', ')} of ${reason}`
  })

/** What takes a flag, and whether an apply was given it. */
export const sayNeed = ({ flag, because }: ReportedNeed, { allowed }: Pick<Style, 'allowed'>): string =>
  `${allowed?.has(flag) === true ? 'allowed by' : 'needs'} ${flag}: ${because}`

export const counted = (count: number, noun: string): string =>
  `${number(count)} ${noun}${count === 1 ? '' : 's'}`
