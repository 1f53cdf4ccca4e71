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
  said,
  text,
  values,
  wordOf,
} from '../../disk/check.ts'
import type { Origin } from '../../config/evaluation/origin.ts'
import type { PlanDocument, SaidChange, SaidGate, SaidHindrance, Summary } from '../document/plan-model.ts'
import type { SaidNeed } from '../document/said.ts'
import type { SaidExplained } from '../document/explained.ts'
import type { LackingWay, SaidLacking } from '../document/lacking.ts'
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
    objectOf<SaidNeed>({
      flag: said('The flag, such as --allow-delete.', text),
      because: said('Why apply refuses without it.', text),
      address: optional(said('What it is about, if that is one thing.', text)),
    }),
  ),
)

const request = objectOf<RequestShape>({
  method: said(
    'The method of the request.',
    wordOf<RequestShape['method']>({ GET: null, POST: null, PATCH: null, DELETE: null }),
  ),
  path: said('The path, relative to the base URL.', text),
})

const change = named(
  'change',
  objectOf<SaidChange>({
    address,
    kind,
    what: optional(what),
    action: said('What happens to it.', wordOf(COUNTS)),
    reasonCode: optional(reasonCode),
    reason,
    declaredAt: optional(declaredAt),
    before: said('Its values before; null where there is nothing.', orNull(values)),
    after: said('Its values after; null where nothing is left.', orNull(values)),
    fields,
    evidence,
    actor: optional(actor),
    requests: said('The requests that carry it out.', listOf(request)),
    byHand: optional(byHand),
    takenFrom: optional(
      said('The entry with a selector that would cover it if no entry named it by its id.', text),
    ),
    from: optional(said('Its former address.', text)),
    waitsFor: optional(said('Addresses that have to be applied first.', texts)),
    zones: optional(said('Time zones in which its instants are declared, by field.', mapOf(text))),
    awaited: optional(
      said('The fields that refer to them; until then, they contain their expressions.', texts),
    ),
    notes: optional(said('What a person should know about it.', texts)),
    needs: optional(said('Flags without which apply refuses it.', needs)),
    turnsOff: optional(said('It turns something off that is on.', constant(true))),
    onRemove: optional(onRemove),
    endsAcceptances: optional(
      said('Acceptances of drift that end when this is carried out.', formerAcceptances),
    ),
  }),
)

const LACKING_WAYS: Readonly<Record<LackingWay['does'], true>> = { 'leaves-out': true, allows: true }
const lacking = objectOf<SaidLacking>({
  projects: said('Projects that lack it, by name.', texts),
  entries: said('What declares it, as `SECTION.NAME`.', texts),
  ways: said(
    'What the entries can say instead.',
    listOf(
      objectOf<LackingWay>({
        does: said('The effect.', wordOf(LACKING_WAYS)),
        edit: said('What each of the entries then says, ready to be pasted if possible.', text),
        entries: said('The entries that can say so.', texts),
      }),
    ),
  ),
})

export const strangers = said(
  'Things that this key has made and that no state records; further creations of their kind are blocked.',
  listOf(
    objectOf<Made>({
      kind,
      identity,
      at: said('When it was made, or a later instant.', instant),
      until: optional(said('When it ends by itself, as far as that is known.', text)),
    }),
  ),
)

const hindrance = {
  says: said('The fact, in words.', text),
  facts: said('Details.', values),
}

const gate = named(
  'gate',
  objectOf<SaidGate>({
    projectId: said('The project that is checked.', text),
    project: optional(said('The name that the manifest gives it.', text)),
    gate: said('The condition, by its name in the manifest.', text),
    goal: said('What is true when the gate is open.', text),
    open: said('Whether the gate is open; apply refuses to change a project with a closed gate.', flag),
    hindrances: said('What closes it.', listOf(objectOf<SaidHindrance>(hindrance))),
    excepted: optional(
      said(
        'What would close it if there were no exception.',
        listOf(
          objectOf<NonNullable<SaidGate['excepted']>[number]>({
            ...hindrance,
            reason: said('The reason for the exception.', text),
            until: optional(said('The last day or instant on which the exception holds.', text)),
          }),
        ),
      ),
    ),
    ended: optional(
      said(
        'Exceptions that have expired.',
        listOf(
          objectOf<NonNullable<SaidGate['ended']>[number]>({
            name: said('What the exception named.', text),
            until: said('The last day or instant on which it held.', text),
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
    is: said('Where the value comes from.', wordOf(ORIGINS)),
    name: optional(said('What is referred to, such as var.day.', text)),
    at: optional(said('Where that is: FILE:LINE:COLUMN.', text)),
    beside: optional(said('It is referred to next to the one before, not by it.', constant(true))),
    excluded: optional(said('A project that is left out.', constant(true))),
  }),
)

const parts = {
  formatVersion: said(version, constant(1)),
  about: optional(about),
  inSync: said('No known difference is left.', flag),
  summary: said(
    'How many of each action, and how many cannot be verified; the latter are not part of any action.',
    objectOf<Summary>({ ...COUNTS, unverifiable: fromZero }),
  ),
  changes: said(
    'The changes. What is in sync is included only with --all; what cannot be verified is always included.',
    listOf(change),
  ),
  needs: optional(said('Flags without which apply refuses the plan as a whole.', needs)),
  toBeSettled: optional(toBeSettled),
  warnings,
  lacking: optional(
    said(
      'What is blocked for the same reason, listed once, with what the entries can say instead.',
      listOf(lacking),
    ),
  ),
  strangers: optional(strangers),
  gates: optional(said('The gates of the projects that the plan changes.', listOf(gate))),
  explained: optional(
    said(
      'With --explain: where the values of an entry, or of one of the things that it stands for, come from.',
      objectOf<SaidExplained>({
        address,
        what: optional(what),
        project: optional(said('For one of several things: its project, by name if it has one.', text)),
        projects: optional(said('For an entry of several projects: these projects, by name.', texts)),
        except: optional(said('The projects that it leaves out.', texts)),
        takesFrom: optional(
          said('Entries with selectors that would cover what this one names by its id.', texts),
        ),
        leavesTo: optional(
          said('Entries that take something out of this selection by naming its id.', texts),
        ),
        values: said(
          'Each field that has a value.',
          listOf(
            objectOf<SaidExplained['values'][number]>({
              field: said('Its name.', text),
              from: said('What sets the value, followed by what that refers to.', listOf(origin)),
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
    said(
      'The file that the plan was saved to.',
      objectOf<NonNullable<PlanDocument['saved']>>({
        file: said('Its name, as it was given.', text),
        sha256: said('The digest of the file, in hexadecimal digits: what an approval is tied to.', text),
      }),
    ),
  ),
})
