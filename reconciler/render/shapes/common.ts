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
  described,
  text,
  wordOf,
} from '../../disk/check.ts'
import type { About } from '../document/about.ts'
import type { Acceptance, FormerAcceptance } from '../document/drift-model.ts'
import type {
  ReportedDriftedField,
  ReportedEvidence,
  ReportedField,
  ReportedIgnored,
  ReportedToSettle,
} from '../document/reported.ts'

export const texts = listOf(text)

export const address = described(
  'Its address: SECTION.NAME, followed by [KEY] if an entry stands for several things.',
  text,
)
export const kind = described('The kind of the thing, by the name of its reference page.', text)
export const what = described(
  'What it is, in words, as far as it was read and its entry does not say so: for an alert configuration, its event type, metric, threshold and matchers.',
  text,
)
export const declaredAt = described('Where it is declared: FILE:LINE:COLUMN.', text)
export const reason = described('The reason in words, which may change from version to version.', text)
export const reasonCode = described('The reason as a stable code, for scripts and policies.', text)
export const byHand = described('What a person has to do instead, because this API has no call for it.', text)
export const onRemove = described('For a release that sends something: its way.', text)
export const identity = described('What names the thing at the service, by field.', mapOf(text))
export const warnings = described('Warnings of the run.', texts)
export const ignored = described(
  'What is in sync apart from fields that its entry leaves to others.',
  listOf(
    objectOf<ReportedIgnored>({ address, fields: described('The names of the fields that differ.', texts) }),
  ),
)
export const requestsSent = described('How many requests the run sent.', fromZero)
export const version = 'The version of the format; another number means another format.'

const username = described('The user who did it.', text)
const publicKey = described('The public half of the key with which it was done.', text)
const remoteAddress = described('The address from which it was done.', text)

const event = named(
  'event',
  objectOf<EventSeen>({
    id: described('The id of the event.', text),
    eventTypeName: described('The type of the event.', text),
    created: described('When it happened.', instant),
    username: optional(username),
    publicKey: optional(publicKey),
    remoteAddress: optional(remoteAddress),
    mayBeOwn: optional(
      described('It is one of several events of the same moment, some of which are our own.', flag),
    ),
  }),
)

export const evidence = described(
  'How it is known.',
  named(
    'evidence',
    objectOf<ReportedEvidence>({
      level: described(
        'read: seen in this run. recorded: as last answered or applied, with no event about it since. suspect: an event since is about it. unknown: never seen, or the outcome of the last write is not known.',
        wordOf<ReportedEvidence['level']>({ read: null, recorded: null, suspect: null, unknown: null }),
      ),
      since: optional(described('Since when the value has been recorded.', instant)),
      events: optional(described('Later events about it by others, newest first.', listOf(event))),
      unsure: optional(described('Fields whose last write may or may not have taken effect.', texts)),
      eventsUnread: optional(
        described(
          'Not all events that could be about it were read, so finding none proves nothing.',
          constant(true),
        ),
      ),
      note: optional(described('Why it cannot be read, or why no event could be looked for.', text)),
    }),
  ),
)

export const actor = described(
  'Who caused it, as far as events show.',
  named(
    'actor',
    objectOf<Actor>({
      username: optional(username),
      publicKey: optional(publicKey),
      at: described('When the event happened.', instant),
      eventId: described('The id of the event.', text),
      eventTypeName: described('The type of the event.', text),
      remoteAddress: optional(remoteAddress),
      confidence: described(
        'high: exactly one event can explain the value, and it is about exactly what changed. medium: several could, or the only one is not about exactly that. low: there is an event about the thing, but none shows what was changed.',
        wordOf<Actor['confidence']>({ high: null, medium: null, low: null }),
      ),
    }),
  ),
)

const field = {
  path: described('The path of the field, with dots for nested fields.', text),
  before: described('Its value before; null where there is none.', anything),
  after: described('Its value after; null where there is none.', anything),
  note: optional(
    described('Why it is written although it looks as declared, or what prevents the change.', text),
  ),
  told: optional(
    described(
      'For a value that no endpoint shows: the value according to the newest event that tells it. It can be a part of the whole.',
      objectOf<ToldValue>({
        value: optional(
          described('The value that it was given; absent if events show only invitations.', anything),
        ),
        invited: optional(
          described(
            'What was added to it by that event or since, and is waiting for a person to accept it.',
            anything,
          ),
        ),
        eventTypeName: described('The type of that event.', text),
        eventId: described('Its id.', text),
        at: described('When it was.', instant),
      }),
    ),
  ),
}
const differs = 'What differs, field by field.'

export const fields = described(differs, listOf(named('field', objectOf<ReportedField>(field))))

export const driftedFields = described(
  'What differs, field by field, the gravest first.',
  listOf(
    named(
      'field',
      objectOf<ReportedDriftedField>({
        ...field,
        declared: optional(
          described('What is declared now, if that is not what was last applied.', anything),
        ),
        actor: optional(actor),
        owns: optional(
          described(
            'The change makes somebody an owner, invites somebody as an owner, or takes ownership away.',
            constant(true),
          ),
        ),
        turnsOff: optional(described('The change turned something off that was on.', constant(true))),
      }),
    ),
  ),
)

export const toBeSettled = described(
  'Requests of earlier applies whose outcome is unknown until an apply settles it.',
  listOf(
    objectOf<ReportedToSettle>({
      address,
      reasonCode,
      reason: described('How an apply settles it.', text),
    }),
  ),
)

export const about = described(
  'Which installation, seen with which key, against which manifest.',
  named(
    'about',
    objectOf<About>({
      manifest: described('The name of the manifest.', text),
      files: described('Its files.', texts),
      declared: described('How many entries they declare.', fromZero),
      baseUrl: described('The base URL of the service.', text),
      publicKey: described('The public half of the calling key.', text),
      organizations: described('Ids of the organizations that are named.', texts),
      projects: described(
        'The projects that are named, or that entries are in.',
        listOf(
          objectOf<About['projects'][number]>({
            id: described('The id of the project.', text),
            name: optional(described('Its name in the manifest.', text)),
          }),
        ),
      ),
    }),
  ),
)

export const targeted = described(
  'The addresses, as globs, to which --target limited the run; absent if there was no limit.',
  texts,
)

const accepted = {
  reason: described('Why it is accepted.', text),
  until: optional(described('The last day or instant on which it holds; without it, permanently.', text)),
  at: described('Where it is accepted: FILE:LINE:COLUMN.', text),
}
export const acceptance = named('acceptance', objectOf<Acceptance>(accepted))
export const formerAcceptances = listOf(
  named(
    'formerAcceptance',
    objectOf<FormerAcceptance>({
      ...accepted,
      fields: optional(
        described(
          'Of which of the fields it was; left out where no field says what has drifted.',
          listOf(text),
        ),
      ),
    }),
  ),
)
