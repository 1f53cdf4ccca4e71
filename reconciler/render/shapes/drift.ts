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
  described,
  text,
  wordOf,
} from '../../disk/check.ts'
import type {
  DriftDocument,
  Known,
  ReportedDrift,
  ReportedEdit,
  ReportedUnmanaged,
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
  ignored,
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
    command: optional(described('A complete command, ready to copy.', text)),
    text: optional(described('What a person has to do or know.', text)),
    entry: optional(described('The part of the text that is to be pasted into a manifest.', text)),
    patch: optional(described('What to change in which file: a unified diff.', text)),
  }),
)

const isLate = described('For something pending: it should exist by now.', constant(true))

const resource = named(
  'resource',
  objectOf<ReportedDrift>({
    address,
    kind,
    identity: optional(identity),
    what: optional(what),
    verdict: described(
      'in-sync: read, and as last applied. drifted: no longer as last applied, or an event says that it may not be. unverifiable: no endpoint shows it, and no event contradicts the record. pending: what is now declared is not applied yet.',
      wordOf(VERDICTS),
    ),
    declaredAt: optional(declaredAt),
    reasonCode: optional(reasonCode),
    reason,
    notes: optional(
      described(
        'What a plan notes about something that cannot be verified, such as invited roles; also part of reason.',
        listOf(text),
      ),
    ),
    byHand: optional(byHand),
    fields: driftedFields,
    evidence,
    actor: optional(actor),
    declared: optional(described('The declaration now says what is live.', constant('as live'))),
    allowedBy: optional(described('The setting that allows it to be missing.', text)),
    protectedFields: optional(
      described('Fields that apply does not put back while the entry says protect: true.', listOf(text)),
    ),
    movedTo: optional(
      described('The address under which it is now declared; use it with apply and plan.', address),
    ),
    isLate: optional(isLate),
    edited: optional(
      described(
        'For something that has drifted: what else is now declared differently and not applied yet.',
        objectOf<ReportedEdit>({
          reasonCode: optional(reasonCode),
          reason,
          fields: driftedFields,
          isLate: optional(isLate),
        }),
      ),
    ),
    silences: optional(described('It is of a kind that silences alerts.', constant(true))),
    owns: optional(
      described(
        'Somebody became an owner, is invited as an owner, or is no longer an owner.',
        constant(true),
      ),
    ),
    turnsOff: optional(described('It was on and is now off.', constant(true))),
    likelihood: optional(described('How certain it is who did it, in words.', text)),
    orgId: optional(
      described(
        'For what is gone without a documented event: the organization whose events may show who removed it.',
        text,
      ),
    ),
    undo: optional(described('How to undo it.', wayOut)),
    keep: optional(described('How to keep it.', wayOut)),
    acceptance: optional(described('How it is accepted.', acceptance)),
    acceptanceEnded: optional(described('It was accepted until then, and counts again.', formerAcceptances)),
    acceptanceChanged: optional(
      described('It was accepted, but has changed again since.', formerAcceptances),
    ),
  }),
)

const known = named(
  'known',
  objectOf<Known>({
    reason: described('Why it is known.', text),
    until: optional(described('The last day or instant on which it holds; without it, permanently.', text)),
    at: optional(described('Where it is named: FILE:LINE:COLUMN.', text)),
  }),
)

const unmanaged = objectOf<ReportedUnmanaged>({
  kind,
  section: described('The name of its section of the manifest.', text),
  identity,
  what: described('What it is, in words.', text),
  seenIn: described(
    'list: it exists now. events: known from events; what has happened to it since may not be known.',
    wordOf<ReportedUnmanaged['seenIn']>({ list: null, events: null }),
  ),
  silences: optional(described('It silences alerts.', constant(true))),
  endsAt: optional(described('When it ends by itself, according to events.', instant)),
  isInForce: optional(described('It silences alerts now, according to events.', constant(true))),
  owns: optional(described('It is an owner: it can take everything away from anybody.', constant(true))),
  actor: optional(actor),
  isMaker: optional(
    described(
      'The actor created it. Without this, the actor changed it, and nothing shows who created it.',
      constant(true),
    ),
  ),
  changedBy: optional(
    described('Who else has changed it, newest first, each with their newest event.', listOf(actor)),
  ),
  declare: optional(described('How to declare it.', wayOut)),
  leave: optional(described('How to name it as known, with a reason.', wayOut)),
  ignored: optional(described('The manifest names it as known: it does not count.', known)),
  ignoredBefore: optional(described('It was named as known until then, and counts again.', known)),
})

export const driftShape = objectOf<DriftDocument>({
  formatVersion: described(version, constant(1)),
  about,
  inSync: described('No known difference is left.', flag),
  checkedAt: described('When it was checked, by the clock of the service.', instant),
  summary: described(
    'How many of each verdict, how many that have drifted are accepted, and how many are unmanaged.',
    objectOf<DriftDocument['summary']>({
      ...COUNTS,
      unmanaged: optional(
        described('Those that are not named as known; absent if the run did not look for them.', fromZero),
      ),
    }),
  ),
  resources: described('Everything that is declared or recorded.', listOf(resource)),
  patch: optional(described('All of their patches in one unified diff; absent if there are none.', text)),
  accepted: optional(
    described('Accepted drift. It is listed separately and does not count.', listOf(resource)),
  ),
  unmanaged: optional(
    described(
      'Things that exist and that nobody declares; absent if the run did not look for them.',
      listOf(unmanaged),
    ),
  ),
  eventsSince: optional(
    described(
      'Start of the period for which events were read to find things that nobody declares and no list shows; absent if the events of an organization were not read.',
      instant,
    ),
  ),
  unmanagedCounts: optional(described('Whether things that nobody declares fail the command.', flag)),
  toBeSettled,
  warnings,
  ignored: optional(ignored),
  targeted: optional(targeted),
  requestsSent,
  exitCode: described('The exit code of the command.', fromZero),
})
