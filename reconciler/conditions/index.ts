import type { Gate } from '@deploymgmt/provider/core'
import { agents } from './agents.ts'
import { alerts } from './alerts.ts'
import { automation } from './automation.ts'
import type { Condition } from './condition.ts'

export type { Condition, Hindrance } from './condition.ts'

/** All conditions, by their names in a manifest: `deploymgmt wait` and gates use this table. */
export const CONDITIONS: Readonly<Record<Gate, Condition>> = {
  'automation-converged': automation,
  'no-open-alerts': alerts,
  'agents-active': agents,
}

/** The condition with this name for `deploymgmt wait`. */
export const conditionOf = (wait: string): Condition | undefined =>
  Object.values(CONDITIONS).find((each) => each.wait === wait)
