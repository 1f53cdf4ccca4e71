import type { KindDefinition, LostCreation } from '../../core/definition.ts'
import { formatInstant } from '../../core/instant.ts'
import { reason, type Reason } from '../reason.ts'
import { eventsAreLate, fenceFor, isOfAnotherKey } from './fence.ts'
import {
  openAs,
  provisionalAs,
  reachOf,
  settledAs,
  type SettleFinding,
  type LostWrite,
  type SettleEvidence,
} from './facts.ts'

interface Unnamed {
  readonly definition: KindDefinition
  readonly how: LostCreation
  /** Whether the step of another creation of the same place tells as much. */
  readonly asks?: boolean
  /** Why it may have been made after all, whatever a step shows. */
  readonly doubt?: Reason | undefined
  /** The reason given if nothing can show that events are not late. */
  readonly unproven: Reason
}

/** Settles a creation that no event names: once there are events of later writes, it was not made. */
export const unnamed = (
  write: LostWrite,
  { definition, how, asks = false, doubt, unproven }: Unnamed,
  evidence: SettleEvidence,
): SettleFinding => {
  const { until } = reachOf(write)
  if (evidence.client.serviceNow() <= until)
    return openAs(write, reason('can-still-happen', { until: formatInstant(until) }))
  if (!eventsAreLate(definition, how, write, evidence)) return settledAs(write, [], reason('not-created'))
  if (doubt !== undefined) return openAs(write, doubt)
  const fence = fenceFor(definition, how, write, evidence)
  if (fence !== undefined || asks) return provisionalAs(write, [], reason('to-be-made-sure'), fence)
  return openAs(
    write,
    isOfAnotherKey(write, evidence) ? reason('sent-with-another-key', { key: write.by }) : unproven,
  )
}
