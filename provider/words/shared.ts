import { fillSentence, type Spelling } from '../core/sentence.ts'
import { textOf } from '../core/values.ts'
import type { ReasonCode, ReasonFacts } from '../engine/reason.ts'
import { byWhom } from './actor.ts'
import { eventsRefused } from './events-refused.ts'
import { sayInstant, sayNumber } from '../core/text.ts'

/** Reasons whose remedy differs between doors: a command, or Terraform's own way. */
export type DoorSays =
  | 'candidate-not-told'
  | 'deletes-unlisted'
  | 'strangers-there'
  | 'event-about-undeclared'
  | 'events-left-unread'
  | 'exists-id-unknown'
  | 'kept-in-answer'
  | 'nowhere-to-look'
  | 'renamed-and-edited'
  | 'target-meets-nothing'
  | 'undeclared-ended'
export type DoorSteps =
  | 'beside-strangers'
  | 'not-found'
  | 'declared-id-not-found'
  | 'place-missing'
  | 'create-only'
  | 'kept-after-removal'
  | 'ended-or-prolonged'
  | 'undeclared-protected'
  | 'undeclared-kept'

/** The sentence for a code, without a capital or a period, because it can be part of another sentence. */
export type Says<C extends ReasonCode> = (facts: ReasonFacts[C], spelling: Spelling) => string

/** What a person does, whichever door they use. */
export const STEPS: Partial<Record<ReasonCode, string>> = {
  'protected-from-deletion': 'Remove {protect: true} to allow the deletion.',
  'protected-from-narrowing': 'Remove {protect: true} to allow the write, or declare what is there.',
  'ended-and-named': 'Remove {field}, and an apply creates a new one.',
  'not-movable': 'Remove {field}, and an apply creates a new one here and then releases the old one.',
  'id-not-told': 'Find it at the service and declare it, or wait for such an event.',
  'not-shown-as-ours': 'Find it at the service and declare its id, with what adopting it needs.',
  'recorded-elsewhere': 'Remove one of the two.',
  'reference-not-told': 'Write the value itself instead of the reference.',
  'reference-not-recorded': 'Apply {address} first, or write the value itself.',
  'reference-to-several': 'Say which one, by the address that a plan shows: ${{address}[KEY].{needs}}.',
  'reference-in-circle': 'Remove one of these references, or write the value itself.',
}

/** Elements of a list, by name if names are known. */
export const sayElements = (
  elements: ReasonFacts['invited']['elements'],
  { nameOf }: Pick<Spelling, 'nameOf'>,
): string =>
  elements
    .map((each) =>
      typeof each === 'string'
        ? each
        : Object.entries(each)
            .map(([name, text]) => nameOf(name, text) ?? text)
            .join(' '),
    )
    .join('; ')

const list = (words: readonly string[]): string => words.join(', ')
/** Cuts a long list: whoever needs all of it can ask for it. */
export const fewOf = (ids: readonly string[]): string =>
  ids.length > SHOWN ? `${list(ids.slice(0, SHOWN))} and ${sayNumber(ids.length - SHOWN)} more` : list(ids)
/** Why something is released. */
const left = (ofEntry: boolean): string =>
  ofEntry ? 'its entry is there, but no longer stands for it' : 'no longer declared'

const fieldList = (names: readonly string[], { field }: Spelling): string => list(names.map(field))

const found = ({ found: what }: ReasonFacts['missing']): string =>
  what === 'no-match' ? 'nothing at the service matches the selector' : 'declared present, not found'

/** For example, how many in each project. A long list is cut, because the plan itself names them all. */
const countsByPlace = (places: ReasonFacts['changes-many']['places'], { nameOf }: Spelling): string => {
  const named = places.flatMap(({ place, count }) => {
    const names = Object.entries(place).map(([field, id]) => nameOf(field, id) ?? id)
    return names.length === 0 ? [] : [`${sayNumber(count)} in ${names.join(' ')}`]
  })
  const rest = places.slice(SHOWN).reduce((sum, { count }) => sum + count, 0)
  if (rest > 0)
    named.splice(SHOWN, Infinity, `${sayNumber(rest)} in ${sayNumber(places.length - SHOWN)} more`)
  return named.length === 0 ? '' : ` (${list(named)})`
}
const SHOWN = 10

const share = (count: number, total: number): string =>
  count === total ? `all ${sayNumber(total)}` : `${sayNumber(count)} of ${sayNumber(total)}`

/** A definition's sentence, with its fields as the door spells them. */
const says = (sentence: string, spelling: Spelling): string => fillSentence(sentence, {}, spelling)
const saysBecause = ({ because }: { readonly because: string }, spelling: Spelling): string =>
  says(because, spelling)

/** Adds the reason, if the definition gives one. */
const followed = (fragment: string, because: string | undefined, spelling: Spelling): string =>
  because === undefined ? fragment : `${fragment}; ${says(because, spelling)}`

export const eventsLeftUnread: Says<'events-left-unread'> = ({ org, count }) =>
  `organization ${org}: ${sayNumber(count)} older events were not read; what they show is missing from this report`

export const SHARED: { readonly [C in Exclude<ReasonCode, DoorSays>]: Says<C> } = {
  'not-recorded': () => 'declared, not recorded',
  'not-recorded-as-declared': () => 'declared, not recorded; the live values are as declared',
  'not-recorded-differs': () => 'declared, not recorded; the live values differ',
  'not-recorded-never-seen': () => 'declared, not recorded; its values have never been seen',
  'not-recorded-not-written': () => 'declared, not recorded; none of its fields is written',

  'as-declared': () => 'the live values are as declared',
  'as-declared-but-ignored': ({ fields }, spelling) =>
    `the live values are as declared, apart from ${fieldList(fields, spelling)}, which ${spelling.field('ignoreChanges')} names`,
  'as-declared-where-compared': ({ fields }, spelling) =>
    `the live values are as declared; ${fieldList(fields, spelling)}, which ${spelling.field('ignoreChanges')} names, ${fields.length === 1 ? 'was' : 'were'} not compared`,
  'as-last-applied': () => 'as last applied; cannot be verified',
  'live-differs': () => 'the live values differ from the declared ones',
  'declared-differs': () => 'the declared values differ from those last applied',
  'settings-differ': () => 'the declared settings differ from the recorded ones; nothing is sent for it',
  'asserted-after-event': () =>
    'an event since the last write is about it; the declared values are written again',
  'told-gone': () =>
    'an event says that it was deleted: if so, an apply does not find it, and creates nothing in its place',
  'asserted-after-lost-answer': () =>
    'the outcome of its last write is not known; the declared values are written again',
  'in-force': () => 'in force',
  moved: ({ from }) => `was ${from}`,
  'declared-as': ({ address }) => `now declared as ${address}`,
  'means-another': ({ key = 'another thing' }) => `its entry now means ${key}`,

  missing: (facts, spelling) => followed(found(facts), facts.because, spelling),
  'missing-allowed': ({ found: what, by, forgotten }, { field }) =>
    `${what === 'no-match' ? 'nothing at the service matches the selector' : 'not found'}, which ${field(by)} allows${forgotten ? '; forgotten' : ''}`,
  'place-missing': ({ place }) =>
    `the project or organization it is declared for was not found at the service: ${list(Object.values(place))}`,
  'not-found': (facts, spelling) => followed('not found at the service', facts.because, spelling),
  'declared-id-not-found': () => 'not found at the service',
  'not-movable': ({ field }, spelling) =>
    `${spelling.field(field)} names what is recorded in another place, and this API has no call to move it`,
  'absent-as-declared': () => 'declared absent, and is absent',
  'must-be-absent': () => 'declared absent',
  'not-listed': () => 'not among the types that are allowed here',
  'cannot-delete': saysBecause,
  'key-not-deletable': ({ endpoint, key }) =>
    `endpoint ${endpoint} does not list ${key}, so this API cannot delete it`,
  'cannot-write': saysBecause,
  'recorded-elsewhere': ({ address }) => `it is already recorded at ${address}`,
  'cannot-adopt': saysBecause,
  'beside-strangers': ({ ids }) =>
    `not created: this key made ${ids.length === 1 ? 'one that is not recorded, and this' : `${ids.length} that are not recorded, and one of them`} could be the same`,
  'adoption-requires': ({ field, because }, spelling) =>
    `adopting needs ${spelling.setting(field, 'true')}, because ${says(because, spelling)}`,
  'protected-from-deletion': (_, { setting }) =>
    `protected: declared with ${setting('protect', 'true')}, so nothing removes it`,
  'protected-from-narrowing': ({ fields }, spelling) =>
    `protected: ${fieldList(fields, spelling)} would be narrowed, and the entry says ${spelling.setting('protect', 'true')}`,
  'create-only': ({ fields }, spelling) =>
    `${fieldList(fields, spelling)} can only be given at creation; this API has no call to change it`,
  withheld: ({ fields }, spelling) =>
    `${fieldList(fields, spelling)} would change too, and is not written: the id may be that of somebody else`,
  'kept-after-removal': ({ fields }, spelling) =>
    `the service kept what was removed from ${fieldList(fields, spelling)}`,
  'part-differs': ({ field, lacking, extra }, spelling) =>
    `${spelling.field(field)} ${[
      ...(lacking.length > 0 ? [`lacks ${list(lacking)}`] : []),
      ...(extra.length > 0 ? [`also has ${list(extra)}`] : []),
    ].join(' and ')}; this API has no call to change it`,

  ended: () => 'it has ended; nothing can change it',
  'ended-before-creation': () => 'declared, never recorded and already over: check its dates',
  'ended-and-moved': () => 'it has ended, and its dates were moved into the future: a new one is created',
  'ended-and-named': ({ field }, spelling) =>
    `it has ended, and ${spelling.field(field)} names it: nothing can change its dates`,
  'ended-or-prolonged': () =>
    'it should have ended, and an event since the last write is about it: it may have been prolonged',

  'undeclared-forgotten': () => 'no longer declared: nothing is sent',
  'id-forgotten': ({ field, id }, spelling) =>
    `its ${spelling.field(field)} is ${id}; note it down, because nothing can find it again`,
  'undeclared-left': ({ keeps, ofEntry }, { field, setting }) =>
    keeps === undefined
      ? `${left(ofEntry)}: nothing is sent, and it stays at the service as it is`
      : `${left(ofEntry)}: nothing is sent, and it keeps its ${field(keeps.field)}; to take them away, first declare it again with ${setting('onRemove', keeps.onRemove)} and apply`,
  'undeclared-released': ({ onRemove, ofEntry, isProlonged, isOverruled }, { setting }) =>
    `${ofEntry && isProlonged ? 'it should be over, but a later event may have prolonged it' : left(ofEntry)}${isOverruled ? '' : `; ${setting('onRemove', onRemove)}`}`,
  'should-have-ended': ({ days }) =>
    `it should have ended; nobody can tell whether somebody prolonged it, so it stays recorded until ${days} days after its end`,
  'undeclared-declared-elsewhere': ({ address }) => `now declared as ${address}; nothing is sent`,
  'undeclared-nothing-to-restore': ({ ofEntry }) => `${left(ofEntry)}; there is nothing to put back`,
  'undeclared-gone': ({ ofEntry }) => `${left(ofEntry)}, and gone at the service`,
  'gone-forgotten': () => 'gone at the service; forgotten',
  'undeclared-changed-since': ({ ofEntry }) =>
    `${left(ofEntry)}; not restored, because somebody has changed it after the last write`,
  'undeclared-not-written': ({ fields, ofEntry }, spelling) =>
    `${left(ofEntry)}; not restored, because no write of ${fieldList(fields, spelling)} is recorded, and somebody else may have set what is there`,
  'undeclared-protected': (_, { setting }) =>
    `protected: it was declared with ${setting('protect', 'true')}, so nothing removes or narrows it`,
  'undeclared-held': ({ address }) =>
    `its entry no longer has it, and it stays for as long as ${address} is blocked`,
  'undeclared-kept': ({ onRemove, field, ofEntry }, spelling) =>
    `${left(ofEntry)}; ${spelling.setting('onRemove', onRemove)} was sent, and the service kept ${spelling.field(field)}`,

  'reference-not-told': ({ field, address, needs }, spelling) =>
    `${spelling.field(field)} refers to the ${spelling.field(needs)} of ${address}, which the service has not returned`,
  'reference-not-recorded': ({ field, address }, spelling) =>
    `${spelling.field(field)} refers to ${address}, which is not recorded and not applied by this plan`,
  'reference-to-several': ({ field, address, needs }, spelling) =>
    `${spelling.field(field)} refers to the ${spelling.field(needs)} of ${address}, which stands for several things`,
  'reference-in-circle': ({ field, addresses, more }, spelling) =>
    `${spelling.field(field)} refers to ${addresses.join(', which refers to ')}${more === 0 ? '' : `, and so on to ${more} more`}, in a circle`,
  'known-once-applied': ({ fields, addresses }, spelling) =>
    `${fieldList(fields, spelling)}: known once ${addresses.join(' and ')} ${addresses.length === 1 ? 'is' : 'are'} applied, in the same run`,

  'added-too-late': ({ by }, { field }) =>
    `the selector has ${field(by)}, so nothing that is added from now on can match it`,
  'check-key-first': ({ key }, { field }) =>
    `check ${field(key)} first; whatever is added by hand gets an id of its own, which then has to be declared`,
  'deletion-is-final': () => 'a deletion cannot be undone',
  'release-does': ({ summary }, spelling) => says(summary, spelling),
  'sent-first': ({ fields, later }, spelling) =>
    `${fieldList(fields, spelling)} is sent first, without ${fieldList(later, spelling)}: the answer shows whether ${fieldList(later, spelling)} must change`,
  invited: ({ elements }, spelling) =>
    `invited, not accepted when last seen: ${sayElements(elements, spelling)}`,
  'never-declared': ({ elements }, spelling) =>
    `also has what is not declared: ${sayElements(elements, spelling)}`,
  'perhaps-still-invited': ({ elements }, spelling) =>
    `taken away before it was accepted, and its invitation may still stand, which no answer shows: ${sayElements(elements, spelling)}. Look at the service: the person could still accept it`,
  'may-have-changed': () => 'may have been changed outside; no endpoint shows it',
  'may-be-gone': () => 'may be gone; no endpoint shows it',
  'may-be-as-accepted': () => 'may be as it was changed outside and accepted; no endpoint shows it',
  'outcome-unknown': () => 'the outcome of its last write is not known',
  'still-in-answer': () => 'still in the answer after its removal',

  unreadable: saysBecause,
  'not-shown': ({ fields }, spelling) => `the service does not show ${fieldList(fields, spelling)}`,
  'events-not-emitted': saysBecause,
  'events-unread': () => 'the events that could show it were not read',
  'events-partly-read': () => 'not all events since then were read',
  'events-accepted': ({ until }) =>
    `everything until ${sayInstant(until)} was accepted; no event about it since`,
  'no-event-since': () => 'no event about it since',
  'no-event-since-but-near': ({ count }) =>
    `no event about it since, but ${count === 1 ? 'one' : sayNumber(count)} attributed to that write, which may come from the same key elsewhere`,
  'no-event-visible': () => 'no events visible',
  'last-write-unknown': ({ fields }, spelling) =>
    `the outcome of the last write to ${fieldList(fields, spelling)} is not known`,
  'id-not-told': ({ field, because }, spelling) =>
    `its ${spelling.field(field)} is not known, so it cannot be changed: ${says(because, spelling)}`,
  'not-shown-as-ours': ({ field }, spelling) =>
    `the service refuses a second one, so it exists, but no event shows that it is ours; its ${spelling.field(field)} is not known, so it cannot be changed`,
  'not-looked-at': () => 'it was not read, because forgetting it does not depend on that',

  'would-lose-others': saysBecause,
  'could-take-away': ({ field, value, key, learnBy }, spelling) =>
    `its ${spelling.field(field)} were never seen, and it may be the calling key "${key}": the write could take ${value} away from it${learnBy.length === 0 ? '' : `; if ${fieldList(learnBy, spelling)} is declared, it is sent first, and its answer shows them`}`,
  'caller-unknown': ({ value }) => `nothing shows which key is calling, and this one loses ${value}`,
  'caller-loses': ({ value }) => `the calling key would lose its own ${value}`,
  'last-holder': ({ value, scope }) =>
    `it is the last known holder of ${value} in ${scope}, and would lose it`,
  'changed-meanwhile': ({ fields, events }, spelling) =>
    `the answer shows that somebody else has changed ${fieldList(fields, spelling)}, which the plan did not show${byWhom(events)}`,
  'changed-since-plan': ({ events }) =>
    `somebody else has changed it since the plan was made${byWhom(events)}`,
  'removes-many': ({ removed, total, kind }, spelling) =>
    `would remove ${share(removed, total)} recorded ${spelling.kind(kind)}, more than 30 %`,
  'changes-many': ({ field, changed, unseen, total, places, kind }, spelling) =>
    `would change ${unseen > 0 ? 'or overwrite unseen ' : ''}${spelling.field(field)} of ${share(changed, total)} ${spelling.kind(kind)}${countsByPlace(places, spelling)}, more than 30 %`,

  'events-shifted': ({ org }) =>
    `organization ${org}: its events changed while they were read, and are left out of this report`,
  'events-not-compared': ({ org }) =>
    `organization ${org}: what this key made before cannot be compared with what is recorded; something may be created a second time`,
  'project-without-events': ({ org, projects, at }, { nameOf, field }) =>
    `no event of organization ${org} is about ${projects.length === 1 ? 'project' : 'projects'} ${fewOf(projects.map((id) => nameOf('projectId', id) ?? id))}, though this key wrote there at ${sayInstant(at)}; check ${projects.length === 1 ? 'its' : 'their'} ${field('orgId')}`,
  'made-by-persons': ({ ids }) =>
    `events name ${fewOf(ids)} as made, and none shows whether it was by this key or the person who owns it; if it was, something may be created a second time`,
  'made-alike': ({ ids }) =>
    `events say that another key made ${fewOf(ids)}, in the same project and at the same dates as what is created here. If that was an earlier key of this state, restore the newest state, or declare ${ids.length === 1 ? 'it by its id: otherwise it is there twice' : 'them by their ids: otherwise they are there twice'}`,
  'forgotten-alike': ({ ids }) =>
    `${fewOf(ids)} ${ids.length === 1 ? 'was recorded or disowned before, and ends' : 'were recorded or disowned before, and end'} in the same project at the same time as what is created here. If another state has ${ids.length === 1 ? 'it' : 'them'} now, apply nothing from here; if ${ids.length === 1 ? 'it is' : 'they are'} meant, declare ${ids.length === 1 ? 'it by its id: otherwise it is there twice' : 'them by their ids: otherwise they are there twice'}`,
  'events-refused': (facts) =>
    `organization ${facts.org}: ${eventsRefused(facts)}. This weakens the evidence about things that no endpoint shows`,
  'unmanaged-not-listed': ({ section, place, status }, { nameOf }) =>
    `${section} of ${list(Object.entries(place).map(([field, id]) => nameOf(field, id) ?? id))} cannot be listed (${status}): those that nobody declares are missing from this report`,
  'unmanaged-not-shown': ({ org, sections }) =>
    `organization ${org}: events do not show even the writes to what is recorded there, so undeclared ${list(sections)} may be missing from this report. Either the service has no such events, or the projects declared there are of another organization`,
  'unmanaged-not-told-apart': ({ section, address, field }, spelling) =>
    `events name ${section} by ${spelling.field(field)}, which is not known of ${address}: those that nobody declares are missing from this report`,
  'unmanaged-end-untold': ({ ids }) =>
    `events name ${fewOf(ids)}, which nobody declares, and none shows whether ${ids.length === 1 ? 'it is' : 'they are'} over`,
  'unmanaged-or-lost': ({ ids }) =>
    `events name ${fewOf(ids)}: some may come from creations whose outcome is unknown, and nobody declares the others. Which is which is not known until those creations are settled`,
  'own-key-elsewhere': ({ key, count }) =>
    `key "${key}" is the calling key, and ${count === 1 ? 'one of the events shown comes' : `${sayNumber(count)} of the events shown come`} from no write that the state records: either the key is also used elsewhere, or the machines of the service disagree about the time by more than two seconds`,
  'kind-unknown': ({ address, kind }) =>
    `${address} is recorded as a ${kind}, a kind that this version does not know; it is left as it is`,
  'created-beside-named': ({ address, twins }) =>
    `${address} would create again what ${fewOf(twins)} ${twins.length === 1 ? 'declares by its id' : 'declare by their ids'}. If they are the same, remove ${address} until an apply has recorded ${twins.length === 1 ? 'that one' : 'those'}, and then put it back in place of ${twins.length === 1 ? 'it' : 'them'}`,

  'over-before-creation': () => 'it was over before it could be created',
  'begun-before-creation': () => 'it began before it could be created',
  'over-before-change': () => 'it ended before it could be changed',
  'had-ended': () => 'it had ended; the next plan tells what is left to do',
  'nothing-left-to-do': () => 'there was nothing left to do',
  'gone-when-released': () => 'not found at the service, so nothing was changed there',
  'waits-for-replacement': () => 'waits for what replaces it',
  'invited-now': ({ count, field }, spelling) =>
    `${count} of its ${spelling.field(field)} invited, which the person has yet to accept`,
  'create-only-differs': ({ field, has }, spelling) =>
    `${spelling.field(field)} differs, and this API has no call to change it${has === undefined ? '' : `: the service has ${textOf(has)}`}`,
  'answered-otherwise': ({ field }, spelling) =>
    `the service accepted ${spelling.field(field)}, but answers with another value`,
  'accepted-differs': ({ fields }, spelling) =>
    `somebody else has changed ${fieldList(fields, spelling)}, which was accepted: it is left as it is, and the next plan shows it`,
  overwritten: ({ fields }, spelling) =>
    `somebody else had changed ${fieldList(fields, spelling)}; what is declared was written over it`,
  'remains-after-release': ({ fields }, spelling) =>
    `${fieldList(fields, spelling)} remain at the service; remove them by hand`,
  'not-begun': () => 'not begun',
  'not-sent': () => 'not sent: nothing can be recorded any more',
  interrupted: () => 'not sent: the run was interrupted',
  'interrupted-between': () => 'not sent in full: the run was interrupted; the next apply sends the rest',
  'answer-unsaved': () => 'the service has answered, but the answer could not be recorded',
  'created-unsaved': ({ id }) =>
    `the service has created it with the id ${id}, but that could not be recorded`,
  unsaved: () => 'nothing had to be sent, but this could not be recorded',
  'held-back': () => 'waits until the outcome of a creation of its kind is known',
  'refers-to-not-applied': ({ addresses }) =>
    `refers to ${addresses.join(' and ')}, which ${addresses.length === 1 ? 'was' : 'were'} not applied`,
  'other-than-shown': () => 'what has to be done is no longer what was shown; plan again',

  'as-applied': () => 'the live values are as last applied',
  'as-applied-but-ignored': ({ fields }, spelling) =>
    `the live values are as last applied, apart from ${fieldList(fields, spelling)}, which ${spelling.field('ignoreChanges')} names`,
  'occurrences-left-out': ({ address, times, zone }) =>
    `${address}: nothing occurs at ${fewOf(times.map((each) => each.replace('T', ' ').replace(/:00$/, '')))}: clocks in ${zone} skip that time`,
  'not-as-applied': () => 'the live values are not those last applied',
  'back-again': () => 'declared absent, but it is back',
  'gone-at-service': (facts, spelling) => followed('it is gone at the service', facts.because, spelling),
  'event-since': () =>
    'an event since the last write is about it; its values are unknown until it is applied again or accepted',
  'nobody-told': () => 'changed outside, and no event shows who did it',
  'told-and-accepted': ({ until }) =>
    `everything until ${sayInstant(until)} was accepted, and no event since then tells of a change`,
  'no-endpoint-shows-it': () => 'no endpoint shows it',
  'ended-by-itself': () => 'it has ended',
  'occurrence-missing': () => 'it starts within its horizon, but does not exist',
  'left-undone-since': ({ since }) => `late: an apply on ${sayInstant(since)} did not do it`,
  'nothing-applied-since': ({ since }) =>
    `late: no apply of everything declared has recorded anything since ${sayInstant(since)}`,

  'write-of-unknown-kind': ({ kind }) => `the kind ${kind} is not known to this version`,
  'told-by-next-reading': () => 'what is there now shows whether its last change took effect',
  'can-be-sent-again': () => 'no answer shows whether its last change took effect',
  'answered-as-created': ({ id }) => `an event names ${id}, and its answer has the values of this creation`,
  'answered-as-another': ({ id }) =>
    `an event names ${id}, and its answer has the values of another lost creation; this one's are written over them`,
  'made-with-own-key': ({ id }) =>
    `an event names ${id}, and nothing else uses the key; all fields are written to it`,
  'to-be-asked': ({ id, field }, spelling) =>
    `an event names ${id}; apply writes ${spelling.field(field)} to it, and its answer shows whether it is the one`,
  'to-be-sent-again': ({ name }) =>
    `no event shows it, and this service refuses a name that exists: ${name} is sent again, and the answer will show`,
  'second-refused': ({ name }) =>
    `the service refuses a second ${name}: the request whose answer was lost created it, unless somebody else had created it before`,
  'not-created-before': () => 'the request whose answer was lost had not created it',
  'created-id-unknown': ({ name }) =>
    `an event shows that ${name} was created; its id is learnt from the first event that it causes`,
  'not-created': () => 'there are events of later writes, and none names it: it was not created',
  'to-be-made-sure': () => 'no event names it; the event of a later write will show whether it was created',
  'over-meanwhile': () => 'it is over now, whether or not it was created',
  'candidate-cannot-be-asked': ({ id }) =>
    `an event of this key names ${id}, but no field was sent that could be written again to check it`,
  'candidate-is-another': ({ id }) =>
    `an event of this key names ${id}, which does not answer as the one that was to be created`,
  'can-still-happen': ({ until }) =>
    `no event names it yet, and the request could still take effect until ${sayInstant(until)}`,
  'events-name-others': ({ ids }) =>
    `the only new ones that events of this key name are ${list(ids)}, and their events show other values: it is none of them`,
  'events-name-persons': ({ ids }) =>
    `events name ${list(ids)} as new, and none shows whether this key or the person who owns it made ${ids.length === 1 ? 'it' : 'them'}`,
  'changed-by-others': ({ event }) => `somebody else has changed it since: event ${event}`,
  'events-incomplete': () => 'not all events could be read',
  'no-event-names-it': () => 'no event of this key names a new one',
  'sent-with-another-key': ({ key }) =>
    `no event names it; it was sent with the key ${key}, and no write with another key shows whether that key’s events are late`,
  'events-name-several': ({ ids, open }) =>
    `events of this key name ${list(ids)}; ${open === 1 ? 'one creation is' : `${open} creations are`} open`,
  'no-event-shows-it': () => 'no event shows it',
}

/** That one of these arguments of a list has to be given where each plan reads it again. */
export const sayUnbounded = (names: readonly string[]): string =>
  `${names.join(' or ')} is required: otherwise each plan would read everything ever recorded`
