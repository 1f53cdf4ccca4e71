import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { reason, type Reason } from '../reason.ts'
import { keyOf } from '../values/identity.ts'
import { likenessByEnd, likenessBySilence } from '../values/likeness.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import { madeByOthers, type StrangersInput } from './strangers.ts'

/**
 * Warns of creations beside things of the same place and dates that another key made, according to events. After a
 * new key has taken over a state, an older copy of that state lacks what the old key made, and no event shows that
 * it was ours.
 */
export const alikeByOthers = (
  creations: readonly Pick<RecordedResource, 'kind' | 'identity' | 'applied'>[],
  seen: StrangersInput,
): Reason[] => {
  const { definitions } = seen
  const likeness = (thing: (typeof creations)[number]): string | undefined => {
    const definition = definitionOf(definitions, thing.kind)
    return definition === undefined ? undefined : likenessBySilence(definition, thing)
  }
  const wanted = new Set(creations.flatMap((each) => likeness(each) ?? []))
  if (wanted.size === 0) return []
  const ids = madeByOthers(seen).flatMap(({ made, latest = {} }) => {
    const key = likeness({ ...made, applied: latest })
    return key !== undefined && wanted.has(key) ? (keyOf(definitions, made) ?? []) : []
  })
  return ids.length === 0 ? [] : [reason('made-alike', { ids })]
}

/**
 * Warns of creations beside things of the same place and end that a state has known and no longer records: an old
 * commit declares again what was handed on to another state, or a copy of that state from before has come back.
 */
export const alikeForgotten = (
  creations: readonly Pick<RecordedResource, 'kind' | 'identity' | 'applied'>[],
  forgotten: readonly Made[],
  definitions: readonly KindDefinition[],
): Reason[] => {
  const likeness = (
    { kind, identity }: Pick<Made, 'kind' | 'identity'>,
    endOf: (field: string) => unknown,
  ): string | undefined => {
    const definition = definitionOf(definitions, kind)
    return definition === undefined ? undefined : likenessByEnd(definition, { identity, endOf })
  }
  const wanted = new Set(creations.flatMap((each) => likeness(each, (field) => each.applied[field]) ?? []))
  const ids = forgotten.flatMap((made) => {
    const key = likeness(made, () => made.until)
    return key !== undefined && wanted.has(key) ? (keyOf(definitions, made) ?? []) : []
  })
  return ids.length === 0 ? [] : [reason('forgotten-alike', { ids })]
}
