import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { reason, type Reason } from '../reason.ts'
import { keyOf } from '../values/identity.ts'
import { likenessByDates, likenessBySilence } from '../values/likeness.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import { knownIds, madeByOthers, type StrangersInput } from './strangers.ts'

/** A thing to be created, as it would be recorded. */
export type ToCreate = Pick<RecordedResource, 'kind' | 'identity' | 'applied'>

/**
 * Warns of creations beside things of the same place and dates that another key made, according to events. After a
 * new key has taken over a state, an older copy of that state lacks what the old key made, and no event shows that
 * it was ours.
 */
export const alikeByOthers = (creations: readonly ToCreate[], seen: StrangersInput): Reason[] => {
  const wanted = likenessesOf(creations, seen.definitions)
  if (wanted.size === 0) return []
  const ids = madeByOthers(seen).flatMap(({ made, latest = {} }) => {
    const definition = definitionOf(seen.definitions, made.kind)
    const key = definition && likenessBySilence(definition, { ...made, applied: latest })
    return key !== undefined && wanted.has(key) ? (keyOf(seen.definitions, made) ?? []) : []
  })
  return ids.length === 0 ? [] : [reason('made-alike', { ids })]
}

type Seen = Pick<StrangersInput, 'definitions' | 'records' | 'declaration'>

/**
 * Warns of creations beside things of the same place and dates that a state has known and no longer records: an old
 * commit declares again what was handed on to another state, or a copy of that state from before has come back.
 */
export const alikeForgotten = (
  creations: readonly ToCreate[],
  forgotten: readonly Made[],
  seen: Seen,
): Reason[] => {
  const wanted = forgotten.length === 0 ? NONE : likenessesOf(creations, seen.definitions)
  if (wanted.size === 0) return []
  const ids = forgotten.flatMap((made) => {
    const definition = definitionOf(seen.definitions, made.kind)
    if (definition === undefined || !wanted.has(likenessByDates(definition, made) ?? '')) return []
    const id = keyOf(seen.definitions, made)
    // What is recorded or declared by its id is not created again by something else that is alike.
    return id === undefined || knownIds(definition, { ...seen, known: [] }).has(id) ? [] : [id]
  })
  return ids.length === 0 ? [] : [reason('forgotten-alike', { ids })]
}

const NONE: ReadonlySet<string> = new Set()

const likenessesOf = (
  creations: readonly ToCreate[],
  definitions: readonly KindDefinition[],
): ReadonlySet<string> =>
  new Set(
    creations.flatMap((each) => {
      const definition = definitionOf(definitions, each.kind)
      return (definition && likenessBySilence(definition, each)) ?? []
    }),
  )
