import type { JudgeContext, Standing } from '../../judge/standing.ts'
import { reason } from '../../reason.ts'
import { isComplete } from '../../values/identity.ts'
import { blocked } from '../change.ts'
import type { Instance } from '../expand.ts'
import { isRenewed } from '../renewed.ts'
import type { PlannedChange } from '../work.ts'
import { expired } from './gone.ts'
import { planCreation } from './new.ts'

/** It has ended by itself, as far as is known: what was last written says so, and an event may say otherwise. */
export const planOver = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange => {
  const { definition, identity } = instance
  const { record, evidence } = standing
  if (!isRenewed(instance, record, context.now))
    return evidence.level === 'suspect'
      ? prolonged(instance, standing)
      : expired(instance, reason('ended'), evidence)
  // Another one would have another id than the entry says.
  if (isComplete(definition, identity)) {
    const because = reason('ended-and-named', { field: definition.identity.declaredAs })
    return blocked(instance, because, { before: record.applied, evidence })
  }
  return planCreation(instance, reason('ended-and-moved'), context)
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
