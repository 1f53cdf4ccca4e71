import { ACTIONS, type Action } from '@deploymgmt/provider/engine'
import type { ChangeStatus } from '../../apply/result.ts'
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
  onRemove,
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

const action = said('What happens to the thing.', wordOf(someOf))
const at = said('When that was, by the clock of this machine.', instant)

const started = objectOf<ApplyStarted>({
  type: said('A change has begun.', constant('started')),
  address,
  action,
  at,
})

const settled = objectOf<ApplySettled>({
  type: said('The outcome of a request of an earlier apply was found out.', constant('settled')),
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
      'unsaved: done, but not recorded. unknown: a request left, but it is not known whether it took effect.',
      wordOf(STATUSES),
    ),
    written: optional(said('It sent something.', constant(true))),
    onRemove: optional(onRemove),
    notes: said('What a person should know about it.', texts),
    error: optional(said('Why it failed, or why its outcome is unknown.', error)),
    resolve: optional(
      said('Commands that record what happened to it; a person has to run one of them.', texts),
    ),
    until: optional(said('Until when it can still take effect, by the clock of the service.', instant)),
    at,
  }),
)

const summary = objectOf<ApplySummary>({
  type: said('The last event of every apply.', constant('summary')),
  formatVersion: said(version, constant(1)),
  inSync: said('No known difference is left.', flag),
  byStatus: said('How many changes ended with each status.', objectOf<ApplySummary['byStatus']>(STATUSES)),
  done: said('What was done, by action.', byAction),
  written: said('How many of those sent something, by action.', byAction),
  released: optional(said('How many of the releases sent something, by `onRemove`.', mapOf(fromZero))),
  turnedOff: optional(
    said(
      'How many of the writes turned something off, by action, and by `onRemove` for releases.',
      mapOf(fromZero),
    ),
  ),
  unchanged: said('How many were found as declared.', fromZero),
  blocked: said(
    'What a person has to do.',
    listOf(objectOf<BlockedThing>({ address, reason, byHand: optional(byHand) })),
  ),
  unverifiable: said('What cannot be verified.', listOf(objectOf<UnverifiableThing>({ address, evidence }))),
  problems: said('What failed, has an unknown outcome, was not recorded or was skipped.', listOf(finished)),
  warnings,
  strangers: optional(strangers),
  requestsSent,
  seconds: said('How long it took.', quantity),
  exitCode: said('The exit code of the command.', fromZero),
  error: optional(said('Why the apply as a whole was refused or could not continue.', error)),
})

/** One line of the output of an apply. */
export const applyShape = variantsOf<'type', ApplyEvent>('type', { started, settled, finished, summary })
