import type { Verdict } from '@deploymgmt/provider/engine'
import {
  constant,
  flag,
  fromZero,
  instant,
  listOf,
  named,
  objectOf,
  optional,
  said,
  text,
  wordOf,
} from '../../disk/check.ts'
import type {
  DriftDocument,
  Known,
  SaidDrift,
  SaidEdit,
  SaidUnmanaged,
  WayOut,
} from '../document/drift-model.ts'
import {
  about,
  acceptance,
  actor,
  address,
  byHand,
  declaredAt,
  driftedFields,
  evidence,
  formerAcceptances,
  identity,
  kind,
  reason,
  reasonCode,
  requestsSent,
  targeted,
  toBeSettled,
  version,
  warnings,
  what,
} from './common.ts'

const VERDICTS: Readonly<Record<Verdict, null>> = {
  'in-sync': null,
  drifted: null,
  unverifiable: null,
  pending: null,
}
const COUNTS: Readonly<Record<Verdict | 'accepted', typeof fromZero>> = {
  'in-sync': fromZero,
  drifted: fromZero,
  unverifiable: fromZero,
  pending: fromZero,
  accepted: fromZero,
}

const wayOut = named(
  'wayOut',
  objectOf<WayOut>({
    command: optional(said('A command, to be copied whole.', text)),
    text: optional(said('What a person does, or has to know.', text)),
    patch: optional(said('What to change in which file: a unified diff.', text)),
  }),
)

const isLate = said('Of what is pending: it should be there by now.', constant(true))

const resource = named(
  'resource',
  objectOf<SaidDrift>({
    address,
    kind,
    identity: optional(identity),
    what: optional(what),
    verdict: said(
      'in-sync: read, and as last applied. drifted: no longer so, or an event says that it may not be. unverifiable: no endpoint shows it, and no event speaks against it. pending: what is declared of it by now is not applied yet.',
      wordOf(VERDICTS),
    ),
    declaredAt: optional(declaredAt),
    reasonCode: optional(reasonCode),
    reason,
    notes: optional(
      said(
        'What a plan notes of what cannot be verified, such as invited roles; reason has it too.',
        listOf(text),
      ),
    ),
    byHand: optional(byHand),
    fields: driftedFields,
    evidence,
    actor: optional(actor),
    declared: optional(said('The declaration says by now what is live.', constant('as live'))),
    allowedBy: optional(said('The setting by which what is gone need not be there.', text)),
    protectedFields: optional(
      said('Fields that apply does not put back while the entry says protect: true.', listOf(text)),
    ),
    movedTo: optional(
      said('The address under which it is declared by now: apply and plan take that.', address),
    ),
    isLate: optional(isLate),
    edited: optional(
      said(
        'Of what has drifted: what besides is declared otherwise by now, and yet to be applied.',
        objectOf<SaidEdit>({
          reasonCode: optional(reasonCode),
          reason,
          fields: driftedFields,
          isLate: optional(isLate),
        }),
      ),
    ),
    silences: optional(said('It is of a kind that keeps alerts quiet.', constant(true))),
    owns: optional(
      said('Somebody has got or lost what makes an owner, or is invited as one.', constant(true)),
    ),
    turnsOff: optional(said('It is off, and was on.', constant(true))),
    likelihood: optional(said('How sure it is who did it, in words.', text)),
    orgId: optional(
      said('Of what is gone by no documented event: whose events may tell who took it away.', text),
    ),
    undo: optional(said('How to undo it.', wayOut)),
    keep: optional(said('How to keep it.', wayOut)),
    acceptance: optional(said('As what it is accepted.', acceptance)),
    acceptanceEnded: optional(said('It was accepted until then, and counts again.', formerAcceptances)),
    acceptanceChanged: optional(said('It was accepted, and has changed once more since.', formerAcceptances)),
  }),
)

const known = named(
  'known',
  objectOf<Known>({
    reason: said('Why it is known.', text),
    until: optional(said('The last day or instant on which that holds; for ever without.', text)),
    at: optional(said('Where it is named: FILE:LINE:COLUMN.', text)),
  }),
)

const unmanaged = objectOf<SaidUnmanaged>({
  kind,
  section: said('What its section of the manifest is called.', text),
  identity,
  what: said('What it is, for a person.', text),
  seenIn: said(
    'list: it is there now. events: events tell of it, and what came of it since may not be known.',
    wordOf<SaidUnmanaged['seenIn']>({ list: null, events: null }),
  ),
  silences: optional(said('It keeps alerts quiet.', constant(true))),
  endsAt: optional(said('When it ends by itself, as events tell.', instant)),
  isInForce: optional(said('It keeps them quiet now, as far as events tell.', constant(true))),
  owns: optional(said('It owns: it may take all else away from anybody.', constant(true))),
  actor: optional(actor),
  isMaker: optional(
    said(
      'The actor has made it; without this, they have changed it, and nothing tells who made it.',
      constant(true),
    ),
  ),
  changedBy: optional(
    said('Who else has changed it, the newest first, each by their newest event.', listOf(actor)),
  ),
  declare: optional(said('How to declare it.', wayOut)),
  leave: optional(said('How to name it as known, with a reason.', wayOut)),
  ignored: optional(said('The manifest names it as known: it does not count.', known)),
  ignoredBefore: optional(said('It was named as known until then, and counts again.', known)),
})

export const driftShape = objectOf<DriftDocument>({
  formatVersion: said(version, constant(1)),
  about,
  inSync: said('No known difference is left.', flag),
  checkedAt: said('When it was looked at, by the clock of the service.', instant),
  summary: said(
    'How many of each verdict, how many that have drifted are accepted, and how many are unmanaged.',
    objectOf<DriftDocument['summary']>({
      ...COUNTS,
      unmanaged: optional(said('Those that are not named as known; left out where nobody looks.', fromZero)),
    }),
  ),
  resources: said('All that is declared or recorded.', listOf(resource)),
  patch: optional(
    said('What all their patches change, in one unified diff; left out where none has one.', text),
  ),
  accepted: optional(
    said('Drift that is accepted: it is listed apart, and does not count.', listOf(resource)),
  ),
  unmanaged: optional(
    said('What is there and nobody declares; left out where nobody looks.', listOf(unmanaged)),
  ),
  eventsSince: optional(
    said(
      'From when on events were read that tell of what nobody declares and no list shows; left out where those of an organization were not read.',
      instant,
    ),
  ),
  unmanagedCounts: optional(said('What nobody declares fails the command.', flag)),
  toBeSettled,
  warnings,
  targeted: optional(targeted),
  requestsSent,
  exitCode: said('What the command ends with.', fromZero),
})
