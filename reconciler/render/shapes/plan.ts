import { ACTIONS, type Action, type Made, type RequestShape } from '@deploymgmt/provider/engine'
import {
  constant,
  flag,
  fromZero,
  instant,
  listOf,
  mapOf,
  named,
  objectOf,
  optional,
  orNull,
  described,
  text,
  values,
  wordOf,
} from '../../disk/check.ts'
import type { Origin } from '../../config/evaluation/origin.ts'
import type {
  PlanDocument,
  ReportedChange,
  ReportedGate,
  ReportedHindrance,
  Summary,
} from '../document/plan-model.ts'
import type { ReportedNeed } from '../document/reported.ts'
import type { ReportedExplained } from '../document/explained.ts'
import type { LackingWay, ReportedLacking } from '../document/lacking.ts'
import {
  about,
  actor,
  address,
  byHand,
  declaredAt,
  evidence,
  fields,
  formerAcceptances,
  identity,
  ignored,
  kind,
  onRemove,
  reason,
  reasonCode,
  requestsSent,
  targeted,
  texts,
  toBeSettled,
  version,
  warnings,
  what,
} from './common.ts'

/** Counts of planned changes by action. */
const COUNTS = Object.fromEntries(ACTIONS.map((action) => [action, fromZero])) as Record<
  Action,
  typeof fromZero
>

const needs = listOf(
  named(
    'need',
    objectOf<ReportedNeed>({
      flag: described('The flag, such as --allow-delete.', text),
      because: described('Why apply refuses without it.', text),
      address: optional(described('What it is about, if that is one thing.', text)),
    }),
  ),
)

const request = objectOf<RequestShape>({
  method: described(
    'The method of the request.',
    wordOf<RequestShape['method']>({ GET: null, POST: null, PATCH: null, DELETE: null }),
  ),
  path: described('The path, relative to the base URL.', text),
})

const change = named(
  'change',
  objectOf<ReportedChange>({
    address,
    kind,
    what: optional(what),
    action: described('What happens to it.', wordOf(COUNTS)),
    reasonCode,
    reason,
    declaredAt: optional(declaredAt),
    before: described('Its values before; null where there is nothing.', orNull(values)),
    after: described('Its values after; null where nothing is left.', orNull(values)),
    fields,
    evidence,
    actor: optional(actor),
    requests: described('The requests that carry it out.', listOf(request)),
    byHand: optional(byHand),
    takenFrom: optional(
      described('The entry with a selector that would cover it if no entry named it by its id.', text),
    ),
    from: optional(described('Its former address.', text)),
    waitsFor: optional(described('Addresses that have to be applied first.', texts)),
    zones: optional(described('Time zones in which its instants are declared, by field.', mapOf(text))),
    awaited: optional(
      described('The fields that refer to them; until then, they contain their expressions.', texts),
    ),
    notes: optional(described('What a person should know about it.', texts)),
    needs: optional(described('Flags without which apply refuses it.', needs)),
    turnsOff: optional(described('It turns something off that is on.', constant(true))),
    onRemove: optional(onRemove),
    endsAcceptances: optional(
      described('Acceptances of drift that end when this is carried out.', formerAcceptances),
    ),
    leavesAcceptances: optional(
      described(
        'Acceptances under the address that it had, which do not apply to the new one.',
        formerAcceptances,
      ),
    ),
  }),
)

const LACKING_WAYS: Readonly<Record<LackingWay['does'], true>> = { 'leaves-out': true, allows: true }
const lacking = objectOf<ReportedLacking>({
  projects: described('Projects that lack it, by name.', texts),
  entries: described('What declares it, as `SECTION.NAME`.', texts),
  ways: described(
    'What the entries can say instead.',
    listOf(
      objectOf<LackingWay>({
        does: described('The effect.', wordOf(LACKING_WAYS)),
        edit: described('What each of the entries then says, ready to be pasted if possible.', text),
        entries: described('The entries that can say so.', texts),
      }),
    ),
  ),
})

export const strangers = described(
  'Things that this key has made and that no state records; further creations of their kind are blocked.',
  listOf(
    objectOf<Omit<Made, 'from'>>({
      kind,
      identity,
      at: described('When it was made, or a later instant.', instant),
      until: optional(described('When it ends by itself, as far as that is known.', text)),
    }),
  ),
)

const hindrance = {
  says: described('The fact, in words.', text),
  facts: described('Details.', values),
}

const gate = named(
  'gate',
  objectOf<ReportedGate>({
    projectId: described('The project that is checked.', text),
    project: optional(described('The name that the manifest gives it.', text)),
    gate: described('The condition, by its name in the manifest.', text),
    goal: described('What is true when the gate is open.', text),
    open: described('Whether the gate is open; apply refuses to change a project with a closed gate.', flag),
    hindrances: described('What closes it.', listOf(objectOf<ReportedHindrance>(hindrance))),
    excepted: optional(
      described(
        'What would close it if there were no exception.',
        listOf(
          objectOf<NonNullable<ReportedGate['excepted']>[number]>({
            ...hindrance,
            reason: described('The reason for the exception.', text),
            until: optional(described('The last day or instant on which the exception holds.', text)),
          }),
        ),
      ),
    ),
    ended: optional(
      described(
        'Exceptions that have expired.',
        listOf(
          objectOf<NonNullable<ReportedGate['ended']>[number]>({
            name: described('What the exception named.', text),
            until: described('The last day or instant on which it held.', text),
          }),
        ),
      ),
    ),
    unmatched: optional(
      described(
        'If the gate is closed: exceptions that match nothing that was found.',
        listOf(
          objectOf<NonNullable<ReportedGate['unmatched']>[number]>({
            name: described('What the exception names.', text),
            declaredAt,
            meant: optional(described('The most similar name that was found.', text)),
          }),
        ),
      ),
    ),
    byHand: optional(byHand),
    declaredAt,
  }),
)

const ORIGINS: Readonly<Record<Origin['is'], true>> = {
  declared: true,
  defaults: true,
  project: true,
  variable: true,
  entry: true,
  'command-line': true,
  environment: true,
  'field-default': true,
}
const origin = named(
  'origin',
  objectOf<Origin>({
    is: described('Where the value comes from.', wordOf(ORIGINS)),
    name: optional(described('What is referred to, such as var.day.', text)),
    at: optional(described('Where that is: FILE:LINE:COLUMN.', text)),
    beside: optional(described('It is referred to next to the one before, not by it.', constant(true))),
    excluded: optional(described('A project that is left out.', constant(true))),
  }),
)

const parts = {
  formatVersion: described(version, constant(1)),
  about,
  inSync: described('No known difference is left.', flag),
  summary: described(
    'How many of each action, and how many cannot be verified; the latter are not part of any action.',
    objectOf<Summary>({ ...COUNTS, unverifiable: fromZero }),
  ),
  changes: described(
    'The changes. What is in sync is included only with --all; what cannot be verified is always included. An address can have several, such as what is adopted or renamed, and then what else is written or blocked of it.',
    listOf(change),
  ),
  needs: optional(described('Flags without which apply refuses the plan as a whole.', needs)),
  toBeSettled: optional(toBeSettled),
  warnings,
  ignored: optional(ignored),
  lacking: optional(
    described(
      'What is blocked for the same reason, listed once, with what the entries can say instead.',
      listOf(lacking),
    ),
  ),
  strangers: optional(strangers),
  gates: optional(described('The gates of the projects that the plan changes.', listOf(gate))),
  explained: optional(
    described(
      'With --explain: where the values of an entry, or of one of the things that it stands for, come from.',
      objectOf<ReportedExplained>({
        address,
        what: optional(what),
        project: optional(described('For one of several things: its project, by name if it has one.', text)),
        projects: optional(described('For an entry of several projects: these projects, by name.', texts)),
        except: optional(described('The projects that it leaves out.', texts)),
        takesFrom: optional(
          described('Entries with selectors that would cover what this one names by its id.', texts),
        ),
        leavesTo: optional(
          described('Entries that take something out of this selection by naming its id.', texts),
        ),
        values: described(
          'Each field that has a value.',
          listOf(
            objectOf<ReportedExplained['values'][number]>({
              field: described('Its name.', text),
              from: described('What sets the value, followed by what that refers to.', listOf(origin)),
            }),
          ),
        ),
      }),
    ),
  ),
  targeted: optional(targeted),
  requestsSent,
}

/** The form in a saved plan, which cannot contain its own digest. */
export const keptPlanShape = objectOf<Omit<PlanDocument, 'saved'>>(parts)

export const planShape = objectOf<PlanDocument>({
  ...parts,
  saved: optional(
    described(
      'The file that the plan was saved to.',
      objectOf<NonNullable<PlanDocument['saved']>>({
        file: described('Its name, as it was given.', text),
        sha256: described(
          'The digest of the file, in hexadecimal digits: what an approval is tied to.',
          text,
        ),
      }),
    ),
  ),
})
