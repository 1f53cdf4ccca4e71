import type { Part } from '../../core/definition.ts'
import { asArray, missingFrom } from '../values/compare.ts'
import { changeOf, differing, READ } from './change.ts'
import type { Instance } from './expand.ts'
import { fillSentence, identityKey } from '../values/identity.ts'
import type { FieldChange } from '../values/model.ts'
import type { PlanContext } from './context.ts'
import type { PlannedChange } from './work.ts'

/** Fields that a list of their own shows and nothing writes: a difference is for a person. */
export const planParts = (instance: Instance, context: PlanContext): PlannedChange[] | 'missing' => {
  const { definition, identity, desired, entry } = instance
  const seen = context.observed.parts.get(identityKey(definition, identity))
  if (seen === 'missing') return 'missing'
  if (seen === undefined || definition.observe.how !== 'parts') return []
  return Object.entries(definition.observe.parts).flatMap(([name, part]) => {
    if (seen[name] === undefined || entry.ignoreChanges.includes(name)) return []
    const fields = differing(definition, [name], seen, desired)
    return fields.length === 0 ? [] : [partDiffers(instance, name, part, fields, context)]
  })
}

const partDiffers = (
  instance: Instance,
  name: string,
  part: Part,
  fields: readonly FieldChange[],
  context: PlanContext,
): PlannedChange => {
  const field = instance.definition.fields[name]
  const { before, after } = fields[0] ?? { before: [], after: [] }
  const lacking = field === undefined ? [] : missingFrom(field, after, before)
  const extra = field === undefined ? [] : missingFrom(field, asArray(before), after)
  const says = [
    ...(lacking.length > 0 ? [`lacks ${lacking.map(String).join(', ')}`] : []),
    ...(extra.length > 0 ? [`also has ${extra.map(String).join(', ')}`] : []),
  ].join(' and ')
  return {
    change: changeOf(instance, {
      action: 'blocked',
      reason: `${name} ${says}; this API has no call to change it`,
      byHand: fillSentence(part.byHand, instance.identity, context.nameOf),
      before: { [name]: before },
      fields,
      evidence: READ,
    }),
    work: { do: 'keep' },
  }
}
