import { isNone } from '../../../core/operation.ts'
import type { JudgeContext, Standing } from '../../judge/standing.ts'
import { reason } from '../../reason.ts'
import { differing } from '../../values/compare.ts'
import { hasEnded } from '../../values/lifetime.ts'
import { blocked } from '../change.ts'
import type { Instance } from '../expand.ts'
import type { PlannedChange } from '../work.ts'
import { expired } from './gone.ts'
import { planCreation } from './new.ts'

/** It has ended by itself, as far as is known: what was last written says so, and an event may say otherwise. */
export const planOver = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange => {
  const { definition, desired } = instance
  const { record, evidence } = standing
  const isDesiredOver = hasEnded(instance, desired, context.now)
  if (evidence.level === 'suspect' && isDesiredOver) return prolonged(instance, standing)
  const { lifetime } = definition
  const dates = isNone(lifetime) ? [] : lifetime.dates
  const isMoved = differing(definition, dates, record.applied, desired).length > 0
  return isMoved && !isDesiredOver
    ? planCreation(instance, reason('ended-and-moved'), context)
    : expired(instance, reason('ended'), evidence)
}

/** It should be over, and someone has changed it since: it may go on, and nothing here knows until when. */
const prolonged = (instance: Instance, { record, evidence, actor: actorOf }: Standing): PlannedChange => {
  const actor = actorOf([])
  return blocked(instance, reason('ended-or-prolonged'), {
    before: record.applied,
    evidence,
    ...(actor === undefined ? {} : { actor }),
  })
}
