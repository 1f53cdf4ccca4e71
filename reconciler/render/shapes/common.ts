import type { Actor, EventSeen, ToldValue } from '@deploymgmt/provider/engine'
import {
  anything,
  constant,
  flag,
  fromZero,
  instant,
  listOf,
  mapOf,
  named,
  objectOf,
  optional,
  said,
  text,
  wordOf,
} from '../../disk/check.ts'
import type { About } from '../document/about.ts'
import type { Acceptance, FormerAcceptance } from '../document/drift-model.ts'
import type { SaidDriftedField, SaidEvidence, SaidField, SaidToSettle } from '../document/said.ts'

export const texts = listOf(text)

export const address = said(
  'What it is called: SECTION.NAME, with [KEY] behind it where an entry stands for several.',
  text,
)
export const kind = said('The kind of the thing, by the name of its reference page.', text)
export const what = said(
  'What it is, for a person, as far as it was read and its entry does not say it: of an alert configuration its event type, metric, threshold and matchers.',
  text,
)
export const declaredAt = said('Where it is declared: FILE:LINE:COLUMN.', text)
export const reason = said('Why, in words, which may change from version to version.', text)
export const reasonCode = said('Why, as a code that stays, for scripts and policies.', text)
export const byHand = said('What a person does instead, since this API has no call for it.', text)
export const identity = said('What names the thing at the service, by field.', mapOf(text))
export const warnings = said('What the run has to warn of.', texts)
export const requestsSent = said('How many requests the run sent.', fromZero)
export const version = 'The version of the form; another number means another form.'

const username = said('The user who did it.', text)
const publicKey = said('The public half of the key with which it was done.', text)
const remoteAddress = said('From where it was done.', text)

const event = named(
  'event',
  objectOf<EventSeen>({
    id: said('The id of the event.', text),
    eventTypeName: said('The type of the event.', text),
    created: said('When it happened.', instant),
    username: optional(username),
    publicKey: optional(publicKey),
    remoteAddress: optional(remoteAddress),
    mayBeOwn: optional(said('One of several of the same moment of which some are our own.', flag)),
  }),
)

export const evidence = said(
  'By what it is known.',
  named(
    'evidence',
    objectOf<SaidEvidence>({
      level: said(
        'read: seen in this run. recorded: as last answered or applied, with no event about it since. suspect: an event since is about it. unknown: never seen, or the outcome of the last write is not known.',
        wordOf<SaidEvidence['level']>({ read: null, recorded: null, suspect: null, unknown: null }),
      ),
      since: optional(said('Since when the recorded value stands.', instant)),
      events: optional(said('Later events about it by others, newest first.', listOf(event))),
      unsure: optional(said('Fields whose last write may or may not have had its effect.', texts)),
      eventsUnread: optional(
        said('Not all events that could speak of it were read: that none does says nothing.', constant(true)),
      ),
      note: optional(said('Why it cannot be read, or why no event could be looked for.', text)),
    }),
  ),
)

export const actor = said(
  'Who caused it, as far as events tell.',
  named(
    'actor',
    objectOf<Actor>({
      username: optional(username),
      publicKey: optional(publicKey),
      at: said('When the event happened.', instant),
      eventId: said('The id of the event.', text),
      eventTypeName: said('The type of the event.', text),
      remoteAddress: optional(remoteAddress),
      confidence: said(
        'high: exactly one event can explain the value, and it is about exactly what changed. medium: several could, or the only one is not about exactly that. low: there is an event about the thing, but none shows what was changed.',
        wordOf<Actor['confidence']>({ high: null, medium: null, low: null }),
      ),
    }),
  ),
)

const field = {
  path: said('The field, with dots where it is within another.', text),
  before: said('Its value before; null where there is none.', anything),
  after: said('Its value after; null where there is none.', anything),
  note: optional(said('Why it is written though it looks as declared, or what stands against it.', text)),
}
const differs = 'What differs, field by field.'

export const fields = said(differs, listOf(named('field', objectOf<SaidField>(field))))

export const driftedFields = said(
  'What differs, field by field, the gravest first.',
  listOf(
    named(
      'field',
      objectOf<SaidDriftedField>({
        ...field,
        declared: optional(
          said('What is declared by now, where that is not what was last applied.', anything),
        ),
        told: optional(
          said(
            'Of what no endpoint shows: what the newest event that tells of it says it was given. It can be a part of it.',
            objectOf<ToldValue>({
              value: optional(
                said('What it was given; not there where events tell only of invitations.', anything),
              ),
              invited: optional(
                said(
                  'What was added to it by that event or since, and waits for a person to accept it.',
                  anything,
                ),
              ),
              eventTypeName: said('The type of that event.', text),
              eventId: said('Its id.', text),
              at: said('When it was.', instant),
            }),
          ),
        ),
        actor: optional(actor),
        owns: optional(
          said('By it somebody has got or lost what makes an owner, or is invited as one.', constant(true)),
        ),
        turnsOff: optional(said('By it something is off that was on.', constant(true))),
      }),
    ),
  ),
)

export const toBeSettled = said(
  'Requests of earlier applies whose outcome is unknown until an apply has settled it.',
  listOf(
    objectOf<SaidToSettle>({
      address,
      reasonCode,
      reason: said('What an apply settles it by.', text),
    }),
  ),
)

export const about = said(
  'Which installation, seen with which key, against which manifest.',
  named(
    'about',
    objectOf<About>({
      manifest: said('The name of the manifest.', text),
      files: said('Its files.', texts),
      declared: said('How many entries they declare.', fromZero),
      baseUrl: said('The base URL of the service.', text),
      publicKey: said('The public half of the calling key.', text),
      organizations: said('Ids of the organizations that are named.', texts),
      projects: said(
        'The projects that are named, or that entries are in.',
        listOf(
          objectOf<About['projects'][number]>({
            id: said('The id of the project.', text),
            name: optional(said('Its name in the manifest.', text)),
          }),
        ),
      ),
    }),
  ),
)

export const targeted = said(
  'The addresses, as globs, to which --target limited the run; left out where all were looked at.',
  texts,
)

const accepted = {
  reason: said('Why it is accepted.', text),
  until: optional(said('The last day or instant on which that holds; for ever without.', text)),
  at: said('Where it is accepted: FILE:LINE:COLUMN.', text),
}
export const acceptance = named('acceptance', objectOf<Acceptance>(accepted))
export const formerAcceptances = listOf(
  named(
    'formerAcceptance',
    objectOf<FormerAcceptance>({
      ...accepted,
      fields: optional(
        said('Of which of the fields it was; left out where no field says what has drifted.', listOf(text)),
      ),
    }),
  ),
)
