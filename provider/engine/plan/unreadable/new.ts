import { partsOf } from '../../../core/definition.ts'
import { isNone } from '../../../core/operation.ts'
import type { JudgeContext } from '../../judge/standing.ts'
import { reason } from '../../reason.ts'
import { isComplete } from '../../values/identity.ts'
import type { Instance } from '../../values/instance.ts'
import { hasEnded } from '../../values/lifetime.ts'
import { newRecord } from '../../values/record.ts'
import { writableIn } from '../../values/wire.ts'
import { adoptionLacks } from '../adopting.ts'
import { blocked, changeOf, READ, requestOf, UNKNOWN } from '../change.ts'
import { planCreation } from '../creation.ts'
import type { PlannedChange } from '../work.ts'
import { expired } from './gone.ts'
import { learnNotes } from './learn.ts'

/** Nothing is recorded: the thing is created, or an existing one is adopted. */
export const planNew = (instance: Instance, context: JudgeContext): PlannedChange => {
  const { definition, identity, desired } = instance
  const { create } = definition.establish
  if (!isNone(create) && hasEnded(definition, desired, context.now))
    return expired(instance, reason('ended-before-creation'))
  if (isComplete(definition, identity) || isNone(create)) return planAdoption(instance, context)
  return planCreation(instance, reason('not-recorded'), context)
}

const planAdoption = (instance: Instance, context: JudgeContext): PlannedChange => {
  const { definition, desired, identity } = instance
  const { adopt } = definition.establish
  if (isNone(adopt))
    return blocked(instance, reason('cannot-adopt', { because: adopt.none }), { evidence: UNKNOWN })
  const lacks = adoptionLacks(definition, desired)
  if (lacks !== undefined) return blocked(instance, lacks, { evidence: UNKNOWN })
  const declared = writableIn(definition, desired)
  if (declared.length === 0 || isNone(definition.write)) {
    const because = reason('not-recorded-not-written')
    const evidence = declaresParts(instance) ? READ : UNKNOWN
    return {
      change: changeOf(instance, { action: 'adopt', reason: because, evidence }),
      work: { do: 'record', put: newRecord(instance, context) },
    }
  }
  const learnBy = adopt.learnBy.filter((name) => declared.includes(name))
  return {
    change: changeOf(instance, {
      action: 'adopt',
      reason: reason('not-recorded-never-seen'),
      fields: declared.map((path) => ({ path, before: null, after: desired[path] })),
      evidence: UNKNOWN,
      requests: [requestOf(definition.write.operation, identity)],
      ...learnNotes(learnBy, declared),
    }),
    work: { do: 'write', instance, fields: declared, learnBy, record: undefined, settles: [], seen: null },
  }
}

const declaresParts = ({ definition, desired }: Instance): boolean =>
  Object.keys(partsOf(definition)).some((name) => desired[name] !== undefined)
