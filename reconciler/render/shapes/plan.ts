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

/** How often each action is planned. */
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
      address: optional(said('What it is about, where that is one thing.', text)),
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
    action: said('What becomes of it.', wordOf(COUNTS)),
    reasonCode: optional(reasonCode),
    reason,
    declaredAt: optional(declaredAt),
    before: said('Its values before; null where there is nothing.', orNull(values)),
    after: said('Its values after; null where nothing is left.', orNull(values)),
    fields,
    evidence,
    actor: optional(actor),
    requests: said('What carrying it out sends.', listOf(request)),
    byHand: optional(byHand),
    takenFrom: optional(
      said('The entry by selector that would stand for it, did no entry name it by its id.', text),
    ),
    from: optional(said('The address that it had.', text)),
    waitsFor: optional(said('Addresses that are applied first.', texts)),
    zones: optional(said('Time zones in which its instants are declared, by field.', mapOf(text))),
    awaited: optional(said('The fields that refer to them; until then they hold their expressions.', texts)),
    notes: optional(said('What a person should know of it.', texts)),
    needs: optional(said('Flags without which apply refuses it.', needs)),
    turnsOff: optional(said('It switches something off that is on.', constant(true))),
    endsAcceptances: optional(
      said('It was accepted as it is; carrying this out ends that.', formerAcceptances),
    ),
  }),
)

const LACKING_WAYS: Readonly<Record<LackingWay['does'], true>> = { 'leaves-out': true, allows: true }
const lacking = objectOf<SaidLacking>({
  projects: said('Those that have nothing of it, by name.', texts),
  entries: said('What declares it, as `SECTION.NAME`.', texts),
  ways: said(
    'What the entries can say instead.',
    listOf(
      objectOf<LackingWay>({
        does: said('What comes of it.', wordOf(LACKING_WAYS)),
        edit: said('What stands in each of the entries then, to be pasted where it can be.', text),
        entries: said('Those that can say so.', texts),
      }),
    ),
  ),
})

export const strangers = said(
  'What this key has made and nobody knows; creations beside it are blocked.',
  listOf(
    objectOf<Made>({
      kind,
      identity,
      at: said('When it was made, or an instant after that.', instant),
      until: optional(said('When it ends by itself, as far as that is known.', text)),
    }),
  ),
)

const hindrance = {
  says: said('What is so.', text),
  facts: said('What is known of it.', values),
}

const gate = named(
  'gate',
  objectOf<SaidGate>({
    projectId: said('The project of which it is asked.', text),
    project: optional(said('The name that the manifest gives it.', text)),
    gate: said('What has to hold, as the manifest calls it.', text),
    goal: said('What holds where it is open.', text),
    open: said('Whether it holds; apply refuses to change a project with a closed gate.', flag),
    hindrances: said('What closes it.', listOf(objectOf<SaidHindrance>(hindrance))),
    excepted: optional(
      said(
        'What would close it, but for an exception.',
        listOf(
          objectOf<NonNullable<SaidGate['excepted']>[number]>({
            ...hindrance,
            reason: said('Why it may be so.', text),
            until: optional(said('The last day or instant on which the exception holds.', text)),
          }),
        ),
      ),
    ),
    ended: optional(
      said(
        'Exceptions that hold no more.',
        listOf(
          objectOf<NonNullable<SaidGate['ended']>[number]>({
            name: said('What it named.', text),
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
    is: said('What says it.', wordOf(ORIGINS)),
    name: optional(said('What is referred to, such as var.day.', text)),
    at: optional(said('Where that stands: FILE:LINE:COLUMN.', text)),
    beside: optional(said('It is referred to beside the one before, and not by it.', constant(true))),
    excluded: optional(said('A project that is left out.', constant(true))),
  }),
)

const parts = {
  formatVersion: said(version, constant(1)),
  about: optional(about),
  inSync: said('No known difference is left.', flag),
  summary: said(
    'How many of each action, and how many cannot be verified; these count in no action.',
    objectOf<Summary>({ ...COUNTS, unverifiable: fromZero }),
  ),
  changes: said(
    'What is in sync is left out without --all; what cannot be verified never is.',
    listOf(change),
  ),
  needs: optional(said('Flags without which apply refuses the plan as a whole.', needs)),
  toBeSettled: optional(toBeSettled),
  warnings,
  lacking: optional(
    said('What is blocked alike: told once, with what several entries can say instead.', listOf(lacking)),
  ),
  strangers: optional(strangers),
  gates: optional(said('What is asked of the projects that it changes.', listOf(gate))),
  explained: optional(
    said(
      'Where the values of an entry come from, or of one of the things that it stands for, with --explain.',
      objectOf<SaidExplained>({
        address,
        what: optional(what),
        project: optional(said('Of one of several: its project, by name where it has one.', text)),
        projects: optional(said('Of an entry of several projects: those, by name.', texts)),
        except: optional(said('The projects that it leaves out.', texts)),
        takesFrom: optional(
          said('Entries by selector that would stand for what this one names by its id.', texts),
        ),
        leavesTo: optional(said('Entries by id that take something out of what this one selects.', texts)),
        values: said(
          'Each field that has a value.',
          listOf(
            objectOf<SaidExplained['values'][number]>({
              field: said('Its name.', text),
              from: said('What says it first, and then what that refers to.', listOf(origin)),
            }),
          ),
        ),
      }),
    ),
  ),
  targeted: optional(targeted),
  requestsSent,
}

/** As it is kept in a saved plan, which cannot know its own digest. */
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
