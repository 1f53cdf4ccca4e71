import { reason, type Reason } from '../../reason.ts'
import { asArray, elementOf, missingFrom } from '../../values/compare.ts'
import type { Instance } from '../../values/instance.ts'
import type { RecordedResource } from '../../values/model.ts'
import type { Values } from '../../../core/values.ts'

/**
 * Elements that a write of these fields takes away and that no answer has shown: an invitation that nobody has
 * accepted. No answer shows that it is gone, either.
 */
export const withdrawn = (
  { definition, desired }: Pick<Instance, 'definition' | 'desired'>,
  names: readonly string[],
  { applied, answer }: Pick<RecordedResource, 'applied' | 'answer'>,
  now: Values = {},
): Reason[] =>
  names.flatMap((name) => {
    const field = definition.fields[name]
    if (field?.lags !== true || desired[name] === undefined || answer?.[name] === undefined) return []
    const shown = [...asArray(answer[name]), ...asArray(now[name])]
    const unseen = missingFrom(field, missingFrom(field, applied[name], desired[name]), shown)
    return unseen.length === 0
      ? []
      : [reason('perhaps-still-invited', { elements: unseen.map(elementOf(field)) })]
  })
