import type { Values } from '../../core/values.ts'
import { reason, type Element, type Reason } from '../reason.ts'
import { asArray, elementOf, missingFrom } from './compare.ts'
import type { Instance } from './instance.ts'
import type { RecordedResource } from './model.ts'

/** How a field that may lag was answered, compared with what is declared. */
interface Lagging {
  readonly name: string
  /** Declared, but not in the answer yet: invitations. */
  readonly invited: readonly Element[]
  /** In the answer, but neither declared nor left there by a removal of ours. */
  readonly others: readonly Element[]
}

/** @param leftover elements that a removal of ours has left, by field */
export const laggingIn = (
  { definition, desired }: Pick<Instance, 'definition' | 'desired'>,
  answer: Values,
  leftover: Values = {},
): readonly Lagging[] =>
  Object.entries(definition.fields).flatMap(([name, field]): Lagging[] => {
    if (!field.lags || desired[name] === undefined) return []
    const ours = [...asArray(desired[name]), ...asArray(leftover[name])]
    const invited = missingFrom(field, desired[name], answer[name])
    const others = missingFrom(field, answer[name], ours)
    return [{ name, invited: invited.map(elementOf(field)), others: others.map(elementOf(field)) }]
  })

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
