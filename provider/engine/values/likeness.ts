import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import { canonical } from './compare.ts'
import { identityKey } from './identity.ts'
import type { Made, RecordedResource } from './model.ts'
import type { Sort } from './sort.ts'

/*
 * A likeness is a text that two descriptions of one thing share: two entries, an entry and a record, or the records of
 * two states. It proves nothing by itself, because two things can be alike.
 */

interface Described<I> {
  readonly definition: KindDefinition
  readonly identity: I
  readonly sort: Sort
}

export const likenessByIdentity = ({ definition, identity, sort }: Described<Identity>): string =>
  JSON.stringify(['identity', sort, identityKey(definition, identity)])

/** By the place and these values; undefined if one of them is not known, or if nothing is compared. */
export const likenessByValues = (
  { definition: { kind, fields, identity: word }, identity, sort }: Described<Values>,
  names: readonly string[],
  values: Values,
): string | undefined => {
  const place = [kind, sort, ...word.scope.map((name) => identity[name])]
  // What is in force is a rule of its place, which has one.
  if (sort === 'in-force') return word.scope.length > 0 ? JSON.stringify(['values', ...place]) : undefined
  if (names.length === 0 || names.some((name) => values[name] === undefined)) return undefined
  const told = names.map((name) => {
    const field = fields[name]
    return [name, field === undefined ? null : canonical(field.type, values[name])]
  })
  return JSON.stringify(['values', ...place, ...told])
}

/** Shared by all things of one place that suppress alerts at the same time; undefined for other kinds. */
export const likenessBySilence = (
  definition: KindDefinition,
  { identity, applied }: Pick<RecordedResource, 'identity' | 'applied'>,
): string | undefined => {
  const { silences } = definition
  return isNone(silences)
    ? undefined
    : likenessByValues({ definition, identity, sort: 'present' }, [silences.from, silences.to], applied)
}

/** The same for a thing of which only its dates are known. */
export const likenessByDates = (
  definition: KindDefinition,
  { identity, from, until }: Made,
): string | undefined => {
  const { silences } = definition
  return isNone(silences)
    ? undefined
    : likenessBySilence(definition, { identity, applied: { [silences.from]: from, [silences.to]: until } })
}
