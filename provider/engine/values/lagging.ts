import type { Values } from '../../core/values.ts'
import type { Element } from '../reason.ts'
import { asArray, elementOf, missingFrom } from './compare.ts'
import type { Instance } from './instance.ts'

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
