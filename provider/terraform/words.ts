import type { Problem } from '../core/check/index.ts'
import {
  asSentence,
  allowWords,
  configurationSpelling,
  fillSentence,
  importFormat,
  importForms,
  isNone,
  OVERWRITE,
  textOf,
  wordOfFlag,
  type KindDefinition,
  type Values,
} from '../core/index.ts'
import type { Actor, Change, EventSeen, Need, Reason, RecordedResource } from '../engine/index.ts'
import {
  AlreadyExistsError,
  ArgumentError,
  ConflictError,
  DeploymgmtError,
  EntryRefusedError,
  InsecureUrlError,
  RateLimitedError,
  TlsError,
  type ArgumentWords,
} from '../errors/index.ts'
import { attributeName } from './codec/names.ts'
import type { Plain } from './codec/plain.ts'
import type { Text } from './diagnostics.ts'
import { wordsOf as valueWords } from './value-words.ts'
import { actorText, byWhom, fewOf, sayElements, wordsOf, type DoorWords } from '../words/index.ts'

/** All that this door says to a person. */

const FORGET = 'terraform state rm forgets it here'
const GONE_PERHAPS = 'Check it at the service; terraform state rm forgets a thing that is gone.'

const DOOR: DoorWords = {
  says: {
    'candidate-not-told': ({ id }) =>
      `an event names ${id}, and no answer of it shows whether it is the one. Look at it, and import it if it is`,
    'event-about-undeclared': () => `an event is about attributes that are not configured here`,
    'exists-id-unknown': ({ name, ids }) =>
      ids.length === 0
        ? `an event shows that ${name} exists; its id is in no event. Find it by hand, and import it`
        : `an event shows that ${name} exists, and that its id is ${ids.join(' or ')}. Look at it, and import it`,
    'nowhere-to-look': () => `events could not be read: set org_id in the provider's configuration`,
    'strangers-there': ({ ids }) => `events say that this key made ${fewOf(ids)}, and nobody knows of it`,
    'target-meets-nothing': ({ glob }) => `${glob} matches nothing that is configured or recorded`,
    'kept-in-answer': ({ kept }, spelling) =>
      `still in the answer after its removal: ${kept.map(({ field, elements }) => `${attributeName(field)}: ${sayElements(elements, spelling)}`).join(', ')}. By hand: remove it at the service, then apply again`,
  },
  steps: {
    'not-found': GONE_PERHAPS,
    'beside-strangers': `Import each, or let it end.`,
    'declared-id-not-found': 'Check its id; terraform state rm forgets what was imported and is gone.',
    'place-missing': 'Check the id; or take the resource out if the place is gone.',
    'create-only': `By hand: change it at the service; or put the old value back.`,
    'kept-after-removal': 'By hand: remove it at the service, then apply again; or configure it again.',
    'ended-or-prolonged': `Look at it at the service. Destroying the resource ends it; ${FORGET} and leaves it as it is.`,
    'undeclared-protected': `Configure it again without protect and apply; ${FORGET}.`,
    'undeclared-kept': `By hand: remove it at the service; ${FORGET}.`,
  },
}

/** The engine's reasons as diagnostics say them. */
export const words = wordsOf(DOOR, configurationSpelling)

// Failures

/** What a person does, by the code of an error, where this door has it by another name than the command. */
const REMEDIES: ReadonlyMap<string, string> = new Map([
  [ConflictError.code, 'Import what exists by its id, or change the configuration.'],
  [EntryRefusedError.code, 'Change the configuration as the message says; nothing was sent.'],
  [InsecureUrlError.code, 'Use https.'],
  [RateLimitedError.code, 'Wait and run again, with a lower concurrency.'],
])

const remedyFor = (error: DeploymgmtError): string => {
  if (error instanceof AlreadyExistsError) return inThisDoor(error.advice)
  if (error instanceof TlsError && error.fault === 'not-spoken')
    return 'Check host and port of the base URL: the service has to be reached over https.'
  return REMEDIES.get(error.code) ?? error.hint
}

/** What a failure says; one that is no error of ours is a defect, and says so. */
export const failed = (error: unknown): Text => {
  if (!(error instanceof DeploymgmtError))
    return {
      summary: 'DM-INTERNAL: a defect of the provider',
      detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  return {
    summary: `${error.code}: ${error.message}`,
    detail: [error.where ?? '', remedyFor(error)].filter((text) => text !== '').join('\n'),
  }
}

/** For all but the first of those that one cause stands in the way of. */
export const asBefore = (code: string): Text => ({
  summary: `${code}: not done, for the reason that is given in full once`,
})

/** What is wrong with the arguments of a data source. */
export const ARGUMENTS: ArgumentWords<Problem> = {
  says: (problem) => `${attributeName(String(problem.within[0]))}: ${valueWords(problem).summary}`,
  hint: ArgumentError.remedy,
}

/** A definition's sentence as this door spells it. */
export const inThisDoor = (sentence: string, values: Values = {}): string =>
  fillSentence(sentence, values, configurationSpelling)

/** A resource as a person calls it: what it is, and its id. */
export const called = ({ title }: KindDefinition, values: Values): string =>
  `${title} ${textOf(values['id'])}`
const calledBy = ({ title, identity: { key } }: KindDefinition, identity: Values): string =>
  `${title} ${textOf(identity[key] ?? '')}`
const names = (keys: readonly string[]): string => keys.map(attributeName).join(', ')
export const absenceOf = ({ absence }: KindDefinition): string =>
  isNone(absence) ? asSentence(inThisDoor(absence.none)) : ''
export const unreadableBecause = ({ observe }: KindDefinition): string =>
  'reason' in observe ? asSentence(inThisDoor(observe.reason)) : ''

// The provider and its configuration

export const notConfigured = (detail: string): Text => ({
  summary: 'DM-SETTING-MISSING: the provider is not configured',
  detail,
})
export const NEVER_CONFIGURED = 'ConfigureProvider was not called.'
export const notKnownYet = (keys: readonly string[]): string =>
  `${names(keys)} is not known yet; what it depends on has to be applied first.`
export const noWholeNumber = (key: string, least: number, most: number): Text => ({
  summary:
    most === Number.MAX_SAFE_INTEGER
      ? `${attributeName(key)} has to be a whole number above ${least - 1}`
      : `${attributeName(key)} has to be a whole number from ${least} to ${most}`,
})
export const BASE_URL_PLACE = ' in base_url or there'

export const noOrganization = (definition: KindDefinition): Text => ({
  summary: 'the provider has no org_id: changes from outside cannot be noticed',
  detail: `${definition.title}: ${unreadableBecause(definition)} Only an organization’s events tell of such a change. Give the provider the org_id of the organization. This stands for every such resource.`,
})

// What is configured

export const cannotBeSet = (key: string, summary: string): Text => ({
  summary: `${attributeName(key)} cannot be set: it is read from the service`,
  detail: summary,
})
export const unbounded = (bounds: readonly (readonly [key: string, summary: string])[]): Text => ({
  summary: `${bounds.map(([key]) => attributeName(key)).join(' or ')} is required: else everything ever recorded is read, in each plan`,
  detail: bounds.map(([key, summary]) => `${attributeName(key)}: ${summary}`).join('\n'),
})
export const nothingToAllow = (definition: KindDefinition, word: string | null): Text => ({
  summary: word === null ? 'allow: it has no value at this place' : `"${word}" is nothing to allow`,
  detail: `There are: ${allowWords(definition).join(', ')}.`,
})
export const NO_WRITE_ONLY: Text = {
  summary: 'this Terraform has no write-only attributes',
  detail: 'Terraform 1.11 or later keeps a write-only value out of its state; an older one would store it.',
}
/** Terraform shows the attribute alone, so that a place within is said; an element has no name to be called by. */
export const placed = (path: readonly (string | number)[], message: string): string => {
  const within = path.filter((part) => typeof part === 'string')
  return within.length < 2 ? message : `${within.map(attributeName).join('.')}: ${message}`
}
export const noImportId = (definition: KindDefinition, id: string): Text => ({
  summary: `"${id}" is not an import id of this resource`,
  detail: `It is ${importedBy(definition)}`,
})
/** What is wrong with one part of it, with what the whole has to be. */
export const wrongImportId = (definition: KindDefinition, { summary, detail }: Text): Text => ({
  summary,
  detail: [detail ?? [], `The import id is ${importedBy(definition)}`].flat().join('\n'),
})
const importedBy = (definition: KindDefinition): string =>
  `${importFormat(definition)}; ${importForms(definition)}.`

// What a plan says

/** Terraform shows no address of what is out of the configuration, so that the detail says what is meant. */
export const destroyDoes = (definition: KindDefinition, values: Values, way: string): Text => ({
  summary: `${definition.title}: destroy does what on_remove = "${way}" says`,
  detail:
    `${called(definition, values)}. ${definition.release[way]?.summary ?? ''} ${absenceOf(definition)}`.trim(),
})
export const destroySendsNothing = (definition: KindDefinition, values: Values): Text => ({
  summary: `${definition.title}: it has ended; a destroy sends nothing`,
  detail: `${called(definition, values)}.`,
})
export const needed = (key: string, to: 'manage' | 'create', summary: string): Text => ({
  summary: `${attributeName(key)} is needed to ${to} it`,
  detail: summary,
})
export const neededToAdopt = (key: string, because: string): Text => ({
  summary: `adopting needs ${attributeName(key)} = true`,
  detail: `For ${because}.`,
})
export const noLongerDeclared = (key: string): Text => ({
  summary: `${attributeName(key)} is no longer declared: nothing is sent, and the service keeps what it has`,
  detail: 'It is neither compared nor written from now on, whatever the plan shows of it.',
})
export const noLongerCompared = (key: string): Text => ({
  summary: `${attributeName(key)} is no longer declared: it is compared no more, and the service keeps it as it is`,
  detail: 'No call of this API changes it, whatever the plan shows of it.',
})
export const creationAlone = (key: string): Text => ({
  summary: `${attributeName(key)} can be given by the creation alone`,
  detail: 'This API has no call to change it. Put the old value back, or change it by hand at the service.',
})
export const hasEnded = ({ title }: KindDefinition): Text => ({
  summary: `${title}: it has ended; nothing can change it`,
  detail: 'Nothing is sent.',
})
export const notFound = ({ title, establish }: KindDefinition, values: Values): Text => {
  const { none, byHand = '' } = isNone(establish.create) ? establish.create : { none: '' }
  return { summary: `${title}: not found; ${none}`, detail: inThisDoor(byHand, values) }
}
/** Why something is blocked, what a person does instead, and what they should know of it. */
export const said = (reason: Reason, notes: readonly Reason[] = []): Text => ({
  summary: words.says(reason),
  detail: stepAndNotes(reason, notes),
})
const stepAndNotes = (reason: Reason, notes: readonly Reason[]): string =>
  [words.step(reason) ?? [], ...notes.map(words.sentence)].flat().join('\n')
/** What is planned, and comes to nothing. */
export const nothingSent = (reason: Reason): Text => ({
  summary: words.says(reason),
  detail: 'Nothing is sent.',
})
export const willBeDeleted = (
  definition: KindDefinition,
  before: Values | null,
  { reason, notes }: { readonly reason: Reason; readonly notes?: readonly Reason[] },
): Text => ({
  // What it is called in the configuration: the paths of requests say nothing to a reader of it.
  summary: `${definition.title} ${textOf(before?.[definition.identity.key])} will be deleted: ${words.says(reason)}`,
  detail: notes?.map(words.says).join('\n'),
})
/** What an apply changes of what a selector stands for, by id. */
export const willBeWritten = (
  { title, identity: { key } }: KindDefinition,
  changes: readonly Pick<Change, 'before' | 'fields' | 'what'>[],
): Text => {
  const lines = changes.map(({ before, fields, what }) => {
    const values = fields.map(({ path, before: was, after }) => `${path} ${shown(was)} -> ${shown(after)}`)
    return `${textOf(before?.[key])}${what === undefined ? '' : ` (${what})`}: ${values.join(', ')}`
  })
  const count = changes.length
  return {
    summary: `${title}: the selector stands for ${count === 1 ? 'one' : String(count)} that the apply changes`,
    detail: [...lines.slice(0, MOST), ...(count > MOST ? [`and ${count - MOST} more`] : [])].join('\n'),
  }
}
/** Lines of one diagnostic at most. */
const MOST = 50
const shown = (value: unknown): string =>
  value === null || value === undefined ? '(not set)' : textOf(value)

// What a reading says. Terraform shows warnings of one summary as one, so that ids stand in the detail.

export const blockedNow = (
  definition: KindDefinition,
  state: Values,
  { reason, notes = [] }: Pick<Change, 'reason' | 'notes'>,
): Text => ({
  summary: `${definition.title}: ${words.says(reason)}`,
  detail: `${called(definition, state)}. ${stepAndNotes(reason, notes)}`.trim(),
})

interface Outside {
  readonly fields: readonly string[]
  readonly actor: Actor | undefined
}
export const changedOutside = (
  definition: KindDefinition,
  state: Values,
  { fields, actor }: Outside,
): Text => ({
  summary: `${definition.title}: ${names(fields)} changed outside of Terraform`,
  detail: outsideBy(definition, state, actor),
})
/** No endpoint shows the values, and what an event is about can be one of the fields or all: none is called changed. */
export const perhapsChangedOutside = (
  definition: KindDefinition,
  state: Values,
  { fields, actor }: Outside,
): Text => ({
  summary: `${definition.title}: ${names(fields)} may have been changed outside of Terraform`,
  detail: `${outsideBy(definition, state, actor)} No endpoint shows the values, so that the state has none; the next apply asserts what is configured, but for what ignore_changes names.`,
})
const outsideBy = (definition: KindDefinition, state: Values, actor: Actor | undefined): string => {
  const told =
    actor === undefined
      ? 'Events do not tell by whom.'
      : `Event ${actor.eventId} (${actor.eventTypeName}) by ${actorText(actor)} at ${actor.at}.`
  return `${called(definition, state)}. ${told}`
}
export const knownByIdAlone = (definition: KindDefinition, state: Values): Text => ({
  summary: `${definition.title}: known by its id alone`,
  detail: `${called(definition, state)}. ${unreadableBecause(definition)} The next apply writes what is configured; the rest stays unknown.`,
})

// What an apply says

export const UNTAINT =
  'Use terraform untaint on it, and plan again: that brings back what Terraform remembers.'

/** What has to be asked for is asked for in the configuration: there is no flag in this door. */
export const guarded = ({ flag, because }: Need): Text => ({
  summary: `DM-GUARD: refused: ${words.says(because)}`,
  detail: `If that is what you want: allow = ["${wordOfFlag(flag)}"].`,
})
export const stale = (
  definition: KindDefinition,
  identity: Values,
  changed: readonly string[] | 'there again',
  events: readonly EventSeen[],
): Text => {
  const what = changed === 'there again' ? 'it is there again' : names(changed)
  return {
    summary: `DM-PLAN-STALE: someone else changed ${calledBy(definition, identity)} after the plan was made: ${what}${byWhom(events)}`,
    detail: `Nothing was sent. Plan again and look; or apply with allow = ["${OVERWRITE}"] what is configured all the same.`,
  }
}
export const ENDED_SINCE: Text = {
  summary: 'it has ended since it was read, and only a new one could be made',
  detail: 'Plan again.',
}
export const inStateTainted = ({ summary, detail = '' }: Text): Text => ({
  summary,
  detail: `${detail}\nIt is in the state, with what it was before, and tainted. ${UNTAINT}`.trim(),
})
/** A write that was sent again and again. */
export const stillNotDone = ({ summary, detail = '' }: Text, times: number): Text => ({
  summary,
  detail:
    `${detail}\nIt was sent ${times} times; what was read afterwards says that it is still to be done.`.trim(),
})
/** The same of what no endpoint shows: nothing that was read can say whether it was done. */
export const perhapsDone = ({ summary, detail = '' }: Text, times: number): Text => ({
  summary,
  detail:
    `${detail}\nIt was sent ${times} times, and may have been carried out: no endpoint shows it. No event of anyone else speaks against sending it again: apply again.`.trim(),
})
export const notSentAgain = (because: Reason | undefined): Text => ({
  summary: because === undefined ? 'it is not sent again' : `it is not sent again: ${words.says(because)}`,
  detail: 'Plan again and look.',
})
export const changedMeanwhile = (
  definition: KindDefinition,
  identity: Values,
  fields: readonly string[],
  events: readonly EventSeen[],
): Text => ({
  summary: `DM-PLAN-STALE: someone else changed ${calledBy(definition, identity)} while it was written: ${names(fields)}${byWhom(events)}`,
  detail: 'It is not sent again. Plan again and look.',
})
/** Something about one thing: as yet it may have no id, and a name that no other one has. */
export const noted = (definition: KindDefinition, { values }: Plain, note: Reason): Text => {
  const { title, identity } = definition
  const name = values['id'] ?? values[identity.unique[0] ?? '']
  const which = name === undefined ? '' : `${title} ${textOf(name)}. `
  return { summary: `${title}: ${words.says(note)}`, detail: `${which}${words.step(note) ?? ''}`.trim() }
}
export const perhapsCreated = ({ summary, detail = '' }: Text): Text => ({
  summary,
  detail: `${detail}\nIt may have been created. Look for it in the organization's events before the next apply, which would create another one; if it is there, use terraform import.`,
})
/** With what was found out about it. */
export const withReason = (
  { summary, detail = '' }: Text,
  { title }: KindDefinition,
  because: Reason,
): Text => ({
  summary,
  detail: `${detail}\nEvents: ${title}: ${words.whole(because)}.`,
})
/** A thing that was made, and whose id nobody has told. */
export const idUnknown = (definition: KindDefinition, values: Values, because: Reason): Text => ({
  summary: `${definition.title}: ${words.says(because)}`,
  detail:
    `${definition.title} ${textOf(values[definition.identity.unique[0] ?? ''])}. ${words.step(because) ?? ''}`.trim(),
})
export const leftToAnother = (
  definition: KindDefinition,
  { identity, onRemove }: RecordedResource,
): Text => ({
  summary: `${definition.title}: left as it is, for another resource has taken it over in the same apply`,
  detail: `${calledBy(definition, identity)}. on_remove = "${onRemove}" would undo what that one has just written.`,
})
