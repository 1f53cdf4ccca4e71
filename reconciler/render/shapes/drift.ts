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
    command: optional(said('A complete command, ready to copy.', text)),
    text: optional(said('What a person has to do or know.', text)),
    entry: optional(said('The part of the text that is to be pasted into a manifest.', text)),
    patch: optional(said('What to change in which file: a unified diff.', text)),
  }),
)

const isLate = said('For something pending: it should exist by now.', constant(true))

const resource = named(
  'resource',
  objectOf<SaidDrift>({
    address,
    kind,
    identity: optional(identity),
    what: optional(what),
    verdict: said(
      'in-sync: read, and as last applied. drifted: no longer as last applied, or an event says that it may not be. unverifiable: no endpoint shows it, and no event contradicts the record. pending: what is now declared is not applied yet.',
      wordOf(VERDICTS),
    ),
    declaredAt: optional(declaredAt),
    reasonCode: optional(reasonCode),
    reason,
    notes: optional(
      said(
        'What a plan notes about something that cannot be verified, such as invited roles; also part of reason.',
        listOf(text),
      ),
    ),
    byHand: optional(byHand),
    fields: driftedFields,
    evidence,
    actor: optional(actor),
    declared: optional(said('The declaration now says what is live.', constant('as live'))),
    allowedBy: optional(said('The setting that allows it to be missing.', text)),
    protectedFields: optional(
      said('Fields that apply does not put back while the entry says protect: true.', listOf(text)),
    ),
    movedTo: optional(
      said('The address under which it is now declared; use it with apply and plan.', address),
    ),
    isLate: optional(isLate),
    edited: optional(
      said(
        'For something that has drifted: what else is now declared differently and not applied yet.',
        objectOf<SaidEdit>({
          reasonCode: optional(reasonCode),
          reason,
          fields: driftedFields,
          isLate: optional(isLate),
        }),
      ),
    ),
    silences: optional(said('It is of a kind that silences alerts.', constant(true))),
    owns: optional(
      said('Somebody became an owner, is invited as an owner, or is no longer an owner.', constant(true)),
    ),
    turnsOff: optional(said('It was on and is now off.', constant(true))),
    likelihood: optional(said('How certain it is who did it, in words.', text)),
    orgId: optional(
      said(
        'For what is gone without a documented event: the organization whose events may show who removed it.',
        text,
      ),
    ),
    undo: optional(said('How to undo it.', wayOut)),
    keep: optional(said('How to keep it.', wayOut)),
    acceptance: optional(said('How it is accepted.', acceptance)),
    acceptanceEnded: optional(said('It was accepted until then, and counts again.', formerAcceptances)),
    acceptanceChanged: optional(said('It was accepted, but has changed again since.', formerAcceptances)),
  }),
)

const known = named(
  'known',
  objectOf<Known>({
    reason: said('Why it is known.', text),
    until: optional(said('The last day or instant on which it holds; without it, permanently.', text)),
    at: optional(said('Where it is named: FILE:LINE:COLUMN.', text)),
  }),
)

const unmanaged = objectOf<SaidUnmanaged>({
  kind,
  section: said('The name of its section of the manifest.', text),
  identity,
  what: said('What it is, in words.', text),
  seenIn: said(
    'list: it exists now. events: known from events; what has happened to it since may not be known.',
    wordOf<SaidUnmanaged['seenIn']>({ list: null, events: null }),
  ),
  silences: optional(said('It silences alerts.', constant(true))),
  endsAt: optional(said('When it ends by itself, according to events.', instant)),
  isInForce: optional(said('It silences alerts now, according to events.', constant(true))),
  owns: optional(said('It is an owner: it can take everything away from anybody.', constant(true))),
  actor: optional(actor),
  isMaker: optional(
    said(
      'The actor created it. Without this, the actor changed it, and nothing shows who created it.',
      constant(true),
    ),
  ),
  changedBy: optional(
    said('Who else has changed it, newest first, each with their newest event.', listOf(actor)),
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
  checkedAt: said('When it was checked, by the clock of the service.', instant),
  summary: said(
    'How many of each verdict, how many that have drifted are accepted, and how many are unmanaged.',
    objectOf<DriftDocument['summary']>({
      ...COUNTS,
      unmanaged: optional(
        said('Those that are not named as known; absent if the run did not look for them.', fromZero),
      ),
    }),
  ),
  resources: said('Everything that is declared or recorded.', listOf(resource)),
  patch: optional(said('All of their patches in one unified diff; absent if there are none.', text)),
  accepted: optional(said('Accepted drift. It is listed separately and does not count.', listOf(resource))),
  unmanaged: optional(
    said(
      'Things that exist and that nobody declares; absent if the run did not look for them.',
      listOf(unmanaged),
    ),
  ),
  eventsSince: optional(
    said(
      'Start of the period for which events were read to find things that nobody declares and no list shows; absent if the events of an organization were not read.',
      instant,
    ),
  ),
  unmanagedCounts: optional(said('Whether things that nobody declares fail the command.', flag)),
  toBeSettled,
  warnings,
  targeted: optional(targeted),
  requestsSent,
  exitCode: said('The exit code of the command.', fromZero),
})
