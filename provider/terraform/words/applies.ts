import { OVERWRITE, textOf, wordOfFlag, type KindDefinition, type Values } from '../../core/index.ts'
import type { EventSeen, Need, Reason, RecordedResource } from '../../engine/index.ts'
import { byWhom, stepsOf } from '../../words/index.ts'
import type { Plain } from '../codec/plain.ts'
import type { Text } from '../diagnostics.ts'
import { words } from './engine.ts'
import { attributeName } from '../codec/names.ts'
import { calledBy, names, WITH_OWN_KEY } from './spelled.ts'
import { shown } from './plans.ts'
import { toldValue } from './readings.ts'

/** Messages of an apply. */

export const UNTAINT = 'Run terraform untaint on it, and plan again: Terraform still remembers what it was.'

/** The configuration gives what a guard needs: this door has no flags. */
export const guarded = ({ flag, because }: Need): Text => ({
  summary: `DM-GUARD: refused: ${words.says(because)}`,
  detail: `If this is intended, set allow = ["${wordOfFlag(flag)}"].`,
})
/** Terraform shows no sign of it: the plan of an adoption has no values from before. */
export const allowedFromCaller = ({ flag, because }: Need): Text => ({
  summary: `allowed: ${words.says(because)}`,
  detail: `allow = ["${wordOfFlag(flag)}"] lets the apply do it. What this provider sends afterwards may be refused.`,
})
export const guardedDestroy = ({ flag, because }: Need): Text => ({
  summary: `DM-GUARD: refused: ${words.says(because)}`,
  detail: `A destroy reads allow from the state. If this is intended, set allow = ["${wordOfFlag(flag)}"], apply that, and destroy it then.`,
})
/** A field that somebody changed, with its value as far as that is known. */
export interface ChangedField {
  readonly name: string
  /** What the state had, and what a read shows now. */
  readonly read?: { readonly was: unknown; readonly is: unknown }
  /** What an event says that it was given. */
  readonly told?: unknown
  /** An event may be about it, or about another field. */
  readonly perhaps?: boolean
}
/** What somebody changed, and by which events that is known, newest first. */
interface ChangedSince {
  readonly changed: readonly ChangedField[] | 'there again'
  readonly events: readonly EventSeen[]
  /** The provider's. */
  readonly ownKey: string
}
export const stale = (definition: KindDefinition, identity: Values, since: ChangedSince): Text =>
  changedSince(definition, identity, since, {
    // A plan without a refresh is made from what was read long before.
    when: 'since the read that the plan was made from',
    step: `Nothing was sent. Plan again and review the plan, or set allow = ["${OVERWRITE}"] to apply what is configured anyway.`,
  })
const changedSince = (
  definition: KindDefinition,
  identity: Values,
  { changed, events, ownKey }: ChangedSince,
  { when, step }: { readonly when: string; readonly step: string },
): Text => {
  const [newest] = events
  const isOwnKey = newest?.publicKey === ownKey && newest.mayBeOwn !== true
  const it = calledBy(definition, identity)
  const what = changed === 'there again' ? 'it is there again' : changesText(definition, changed)
  return {
    summary: `DM-PLAN-STALE: ${isOwnKey ? `${it} was changed` : `somebody else changed ${it}`} ${when}: ${what}${byWhom(events)}`,
    detail: isOwnKey ? `${WITH_OWN_KEY} ${step}` : step,
  }
}
const changesText = ({ fields }: KindDefinition, changed: readonly ChangedField[]): string => {
  const { sure = [], perhaps = [] } = Object.groupBy(changed, (each) =>
    each.perhaps === true ? 'perhaps' : 'sure',
  )
  const said = sure.map(({ name, read, told }) => {
    if (read !== undefined) return `${attributeName(name)} ${shown(read.was)} -> ${shown(read.is)}`
    return told === undefined
      ? attributeName(name)
      : `${attributeName(name)} ${toldValue(fields[name], told)}`
  })
  const doubted = perhaps.length === 0 ? [] : [`perhaps ${names(perhaps.map(({ name }) => name))}`]
  return [...said, ...doubted].join(', ')
}
export const ENDED_SINCE: Text = {
  summary: 'it has ended since it was read, and only a new one could be made',
  detail: 'Plan again.',
}
export const inStateTainted = ({ summary, detail = '' }: Text): Text => ({
  summary,
  detail: `${detail}\nIt is in the state, tainted, with what it was before. ${UNTAINT}`.trim(),
})
/** A write that was sent several times. */
export const stillNotDone = ({ summary, detail = '' }: Text, times: number): Text => ({
  summary,
  detail:
    `${detail}\nIt was sent ${times} times; what was read afterwards shows that it still has to be done. Apply again.`.trim(),
})
/** The same for a thing that no endpoint shows: no read can say whether the write was done. */
export const perhapsDone = ({ summary, detail = '' }: Text, times: number): Text => ({
  summary,
  detail:
    `${detail}\nIt was sent ${times} times and may have been carried out, which no endpoint shows. No event tells of a change by anybody else, so you can apply again.`.trim(),
})
export const notSentAgain = (because: Reason | undefined): Text => ({
  summary: because === undefined ? 'it is not sent again' : `it is not sent again: ${words.says(because)}`,
  detail: 'Plan again and review the plan.',
})
export const changedMeanwhile = (definition: KindDefinition, identity: Values, since: ChangedSince): Text =>
  changedSince(definition, identity, since, {
    when: 'while it was written',
    step: 'It is not sent again. Plan again and review the plan.',
  })
/**
 * A note about one thing, which may not have an id or a unique name yet. `key` says which one it is if the resource
 * stands for several, and `checks` what a person has to check first.
 */
export const noted = (
  definition: KindDefinition,
  { values }: Plain,
  note: Reason,
  { key, checks = [] }: { readonly key?: unknown; readonly checks?: readonly Reason[] } = {},
): Text => {
  const { title, identity } = definition
  const name = values['id'] ?? values[identity.key] ?? values[identity.unique[0] ?? ''] ?? key
  const which = name === undefined ? [] : [`${title} ${textOf(name)}.`]
  return {
    summary: `${title}: ${words.says(note)}`,
    detail: [...which, ...stepsOf(words, note, checks)].join(' '),
  }
}
export const perhapsCreated = ({ summary, detail = '' }: Text): Text => ({
  summary,
  detail: `${detail}\nIt may have been created. Look for it in the organization's events before the next apply, which would create another one; if it is there, use terraform import.`,
})
/** Adds what was found out about a lost creation. */
export const withReason = (
  { summary, detail = '' }: Text,
  { title }: KindDefinition,
  because: Reason,
): Text => ({
  summary,
  detail: `${detail}\nEvents: ${title}: ${words.whole(because)}.`,
})
/** Events do not tell apart what one key creates for two states, so a person may have to compare them. */
export const takenOver = ({ title }: KindDefinition, how: Reason): Text => ({
  summary: `${title}: the answer to its creation was lost; ${words.says(how)}`,
  detail: `It is in the state. If another state or provider alias uses the same API key and creates the same ${title.toLowerCase()}, check that it does not have this id too.`,
})
/** A thing that was created, but whose id is unknown. */
export const idUnknown = (definition: KindDefinition, values: Values, because: Reason): Text => ({
  summary: `${definition.title}: ${words.says(because)}`,
  detail:
    `${definition.title} ${textOf(values[definition.identity.unique[0] ?? ''])}. ${words.step(because) ?? ''}`.trim(),
})
/** Terraform merges warnings with the same summary, so the summary has the id, too. */
export const leftAsItIs = (definition: KindDefinition, identity: Values, because: Reason): Text => ({
  summary: `${calledBy(definition, identity)}: ${words.says(because)}`,
  detail: 'Nothing was sent: it stays as it is at the service.',
})
export const leftToAnother = (
  definition: KindDefinition,
  { identity, onRemove }: RecordedResource,
  putsBack: boolean,
): Text => ({
  summary: `${definition.title}: left as it is, because another resource has taken it over in the same apply`,
  detail: [
    `${calledBy(definition, identity)}. on_remove = "${onRemove}" would undo what that resource has just written.`,
    // The new one has adopted what the old one made of it.
    putsBack
      ? 'Destroyed later, that resource goes back to what it found, and not to what was there before this one.'
      : [],
  ]
    .flat()
    .join(' '),
})
