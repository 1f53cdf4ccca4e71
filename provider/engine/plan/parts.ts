import type { Part } from '../../core/definition.ts'
import type { JudgeContext } from '../judge/standing.ts'
import { reason } from '../reason.ts'
import { asArray, differing, missingFrom } from '../values/compare.ts'
import { identityKey } from '../values/identity.ts'
import type { FieldChange } from '../values/model.ts'
import { blocked } from './change.ts'
import type { Instance } from './expand.ts'
import type { PlannedChange } from './work.ts'

/** Plans the fields that have lists of their own and that no call writes: a person has to resolve a difference. */
export const planParts = (instance: Instance, context: JudgeContext): PlannedChange[] | 'missing' => {
  const { definition, identity, desired, entry } = instance
  const seen = context.observed.parts.get(identityKey(definition, identity))
  if (seen === 'missing') return 'missing'
  if (seen === undefined || definition.observe.how !== 'parts') return []
  return Object.entries(definition.observe.parts).flatMap(([name, part]) => {
    if (seen[name] === undefined || entry.ignoreChanges.includes(name)) return []
    const [field] = differing(definition, [name], seen, desired)
    return field === undefined ? [] : [partDiffers(instance, part, field)]
  })
}

const partDiffers = (instance: Instance, part: Part, change: FieldChange): PlannedChange => {
  const { definition, identity } = instance
  const { path, before, after } = change
  const field = definition.fields[path]
  const because = reason('part-differs', {
    field: path,
    lacking: field === undefined ? [] : missingFrom(field, after, before).map(String),
    extra: field === undefined ? [] : missingFrom(field, asArray(before), after).map(String),
    step: { text: part.byHand, of: identity },
  })
  return blocked(instance, because, { before: { [path]: before }, fields: [change] })
}
