import type { JudgeContext, Standing } from '../../judge/standing.ts'
import { reason } from '../../reason.ts'
import { isComplete } from '../../values/identity.ts'
import { blocked } from '../change.ts'
import type { Instance } from '../expand.ts'
import { isRenewed } from '../renewed.ts'
import type { PlannedChange } from '../work.ts'
import { expired } from './gone.ts'
import { planCreation } from './new.ts'

/** Plans a thing that, by its last write, has ended. A later event may say otherwise. */
export const planOver = (instance: Instance, standing: Standing, context: JudgeContext): PlannedChange => {
  const { definition, identity } = instance
  const { record, evidence } = standing
  if (!isRenewed(instance, record, context.now))
    return evidence.level === 'suspect'
      ? prolonged(instance, standing)
      : expired(instance, reason('ended'), evidence)
  // A new thing would get another id than the entry declares.
  if (isComplete(definition, identity)) {
    const because = reason('ended-and-named', { field: definition.identity.declaredAs })
    return blocked(instance, because, { before: record.applied, evidence })
  }
  return planCreation(instance, reason('ended-and-moved'), context)
}

/** The thing should be over, but someone has changed it since: it may go on, and its end is unknown. */
const prolonged = (instance: Instance, { record, evidence, actor: actorOf }: Standing): PlannedChange => {
  const actor = actorOf([])
  return blocked(instance, reason('ended-or-prolonged'), {
    before: record.applied,
    evidence,
    ...(actor === undefined ? {} : { actor }),
  })
}
