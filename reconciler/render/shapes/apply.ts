import { ACTIONS, type Action } from '@deploymgmt/provider/engine'
import type { ChangeStatus } from '../../apply/result.ts'
import {
  constant,
  flag,
  fromZero,
  instant,
  listOf,
  named,
  objectOf,
  optional,
  quantity,
  said,
  variantsOf,
  wordOf,
} from '../../disk/check.ts'
import type {
  ApplyEvent,
  ApplyFinished,
  ApplySettled,
  ApplyStarted,
  ApplySummary,
  BlockedThing,
  UnverifiableThing,
} from '../document/apply-events.ts'
import {
  address,
  byHand,
  evidence,
  reason,
  reasonCode,
  requestsSent,
  texts,
  version,
  warnings,
} from './common.ts'
import { error } from './failure.ts'
import { strangers } from './plan.ts'

const STATUSES: Readonly<Record<ChangeStatus, typeof fromZero>> = {
  done: fromZero,
  unsaved: fromZero,
  blocked: fromZero,
  failed: fromZero,
  unknown: fromZero,
  expired: fromZero,
  skipped: fromZero,
}
const someOf = Object.fromEntries(ACTIONS.map((action) => [action, optional(fromZero)])) as Record<
  Action,
  ReturnType<typeof optional<number>>
>
const byAction = objectOf<Partial<Record<Action, number>>>(someOf)

const action = said('What becomes of the thing.', wordOf(someOf))
const at = said('When that was, by the clock of this machine.', instant)

const started = objectOf<ApplyStarted>({
  type: said('A change has begun.', constant('started')),
  address,
  action,
  at,
})

const settled = objectOf<ApplySettled>({
  type: said('It was found out what became of a request of an earlier apply.', constant('settled')),
  address,
  reasonCode,
  reason,
  at,
})

const finished = named(
  'finished',
  objectOf<ApplyFinished>({
    type: said('A change has ended.', constant('finished')),
    address,
    action,
    status: said(
      'unsaved: done, and not recorded. unknown: a request left, and whether it took effect is not known.',
      wordOf(STATUSES),
    ),
    written: optional(said('It sent something.', constant(true))),
    notes: said('What a person should know of it.', texts),
    error: optional(said('Why it failed, or is not known.', error)),
    resolve: optional(said('Commands that say what became of it, one of which a person has to run.', texts)),
    until: optional(said('Until when it can still take effect, by the clock of the service.', instant)),
    at,
  }),
)

const summary = objectOf<ApplySummary>({
  type: said('The last event of every apply.', constant('summary')),
  formatVersion: said(version, constant(1)),
  inSync: said('No known difference is left.', flag),
  byStatus: said('How many changes ended in each way.', objectOf<ApplySummary['byStatus']>(STATUSES)),
  done: said('What was done, by action.', byAction),
  written: said('How many of those sent something, by action.', byAction),
  unchanged: said('How many were seen to be as declared.', fromZero),
  blocked: said(
    'What a person has to do.',
    listOf(objectOf<BlockedThing>({ address, reason, byHand: optional(byHand) })),
  ),
  unverifiable: said('What cannot be verified.', listOf(objectOf<UnverifiableThing>({ address, evidence }))),
  problems: said('What failed, is not known, was not recorded or was skipped.', listOf(finished)),
  warnings,
  strangers: optional(strangers),
  requestsSent,
  seconds: said('How long it took.', quantity),
  exitCode: said('What the command ends with.', fromZero),
  error: optional(said('Why the apply as a whole was refused, or could not go on.', error)),
})

/** One line of what an apply prints. */
export const applyShape = variantsOf<'type', ApplyEvent>('type', { started, settled, finished, summary })
