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
  described,
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

const action = described('What happens to the thing.', wordOf(someOf))
const at = described('When that was, by the clock of this machine.', instant)

const started = objectOf<ApplyStarted>({
  type: described('A change has begun.', constant('started')),
  address,
  action,
  at,
})

const settled = objectOf<ApplySettled>({
  type: described('The outcome of a request of an earlier apply was found out.', constant('settled')),
  address,
  reasonCode,
  reason,
  at,
})

const finished = named(
  'finished',
  objectOf<ApplyFinished>({
    type: described('A change has ended.', constant('finished')),
    address,
    action,
    status: described(
      'unsaved: done, but not recorded. unknown: a request left, but it is not known whether it took effect.',
      wordOf(STATUSES),
    ),
    written: optional(described('It sent something.', constant(true))),
    onRemove: optional(onRemove),
    notes: described('What a person should know about it.', texts),
    error: optional(described('Why it failed, or why its outcome is unknown.', error)),
    resolve: optional(
      described('Commands that record what happened to it; a person has to run one of them.', texts),
    ),
    until: optional(described('Until when it can still take effect, by the clock of the service.', instant)),
    at,
  }),
)

const summary = objectOf<ApplySummary>({
  type: described('The last event of every apply.', constant('summary')),
  formatVersion: described(version, constant(1)),
  inSync: described('No known difference is left.', flag),
  byStatus: described(
    'How many changes ended with each status.',
    objectOf<ApplySummary['byStatus']>(STATUSES),
  ),
  done: described('What was done, by action.', byAction),
  written: described('How many of those sent something, by action.', byAction),
  released: optional(described('How many of the releases sent something, by `onRemove`.', mapOf(fromZero))),
  turnedOff: optional(
    described(
      'How many of the writes turned something off, by action, and by `onRemove` for releases.',
      mapOf(fromZero),
    ),
  ),
  unchanged: described('How many were found as declared.', fromZero),
  blocked: described(
    'What a person has to do.',
    listOf(objectOf<BlockedThing>({ address, reason, byHand: optional(byHand) })),
  ),
  unverifiable: described(
    'What cannot be verified.',
    listOf(objectOf<UnverifiableThing>({ address, evidence })),
  ),
  problems: described(
    'What failed, has an unknown outcome, was not recorded or was skipped.',
    listOf(finished),
  ),
  warnings,
  strangers: optional(strangers),
  requestsSent,
  seconds: described('How long it took.', quantity),
  exitCode: described('The exit code of the command.', fromZero),
  error: optional(described('Why the apply as a whole was refused or could not continue.', error)),
})

/** One line of the output of an apply. */
export const applyShape = variantsOf<'type', ApplyEvent>('type', { started, settled, finished, summary })
