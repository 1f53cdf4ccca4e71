import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { strangersIn, type StrangersInput, type MayBeKnown } from '../judge/strangers.ts'
import { organizationsIn } from '../read/organizations.ts'
import { identityKey } from '../values/identity.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import { isInForce } from '../values/sort.ts'
import { standsFor } from '../plan/expand.ts'
import type { Observations } from '../read/observe.ts'
import type { EventThing } from './told.ts'

/** A record of another state. */
export interface RecordedThere extends RecordedResource {
  readonly address: string
  /** The name of that state; undefined if it belongs to commands that end what they begin, such as a silence. */
  readonly state?: string
}

/** What other states record, and what else they know. */
export interface Elsewhere {
  readonly records: readonly RecordedThere[]
  readonly known: readonly Made[]
  /** Which of the things in events may come from creations with an unknown outcome, here and in other states. */
  readonly mayBeKnown: MayBeKnown
}

export interface KnownElsewhere {
  /** Whether a state records a thing, or an entry in force that does not allow it. */
  readonly isRecorded: (definition: KindDefinition, identity: Identity) => boolean
  readonly isKnown: (told: EventThing) => boolean
  /** The owners that were met, once for each thing. */
  readonly met: ReadonlyMap<string, Met>
}

/**
 * Who has an existing thing: a state, at an address; a state with an entry that does not allow it; or nobody yet,
 * because a request was lost.
 */
export interface Met {
  readonly by: 'record' | 'not-allowed' | 'lost-request'
  readonly state?: string
  readonly address?: string
}

const EVER = Number.NEGATIVE_INFINITY

/** Tells which things other states have, which are no finds: those of a silence, or of another manifest. */
export const knownElsewhere = (
  definitions: readonly KindDefinition[],
  { records, known, mayBeKnown }: Elsewhere,
  seen: Pick<StrangersInput, 'declaration' | 'records' | 'client' | 'log'> & SeenThere,
): KnownElsewhere => {
  const from = new Map(organizationsIn(seen.declaration).map((org) => [org, EVER] as const))
  const { excused, contested } = strangersIn({ ...seen, definitions, known, from, mayBeKnown })
  const [recordOf, lostAs, knownAs] = [byName(records), byName([...excused, ...contested]), byName(known)]
  const met = new Map<string, Met>()
  const keys = new Map(
    records.flatMap((each) => recordedKeys(definitions, [each]).map((key) => [key, each] as const)),
  )
  const notAllowed = notAllowedBy(definitions, records, seen)
  const meet = (key: string, { state, address }: RecordedThere, by: Met['by'] = 'record'): void => {
    met.set(key, { by, address, ...(state === undefined ? {} : { state }) })
  }
  return {
    met,
    isRecorded: (definition, identity) => {
      const key = identityKey(definition, identity)
      const record = keys.get(key)
      const list = notAllowed.get(key)
      if (record !== undefined) meet(key, record)
      else if (list !== undefined) meet(key, list, 'not-allowed')
      return record !== undefined || list !== undefined
    },
    isKnown: (told) => {
      const thing = `${told.definition.kind} ${told.value}`
      const [record, isLost] = [recordOf(told), lostAs(told) !== undefined]
      if (record !== undefined) meet(thing, record)
      else if (isLost) met.set(thing, { by: 'lost-request' })
      // What is known besides is over, or was given up.
      return record !== undefined || isLost || knownAs(told) !== undefined
    },
  }
}

interface SeenThere {
  readonly observed: Observations
  readonly now: Date
}

/** Existing things that an entry in force of another state does not allow: an apply there deletes them. */
const notAllowedBy = (
  definitions: readonly KindDefinition[],
  records: readonly RecordedThere[],
  seen: SeenThere,
): ReadonlyMap<string, RecordedThere> =>
  new Map(
    records.filter(isInForce).flatMap((record) => {
      const { kind, identity, applied } = record
      const definition = definitionOf(definitions, kind)
      if (definition === undefined) return []
      return standsFor(definition, applied, identity, seen).flatMap((each) =>
        each.is === 'instance'
          ? [[identityKey(definition, { ...identity, ...each.identity }), record] as const]
          : [],
      )
    }),
  )

export const recordedKeys = (
  definitions: readonly KindDefinition[],
  records: readonly RecordedResource[],
): readonly string[] =>
  records.flatMap(({ kind, identity }) => {
    const definition = definitionOf(definitions, kind)
    return definition === undefined ? [] : [identityKey(definition, identity)]
  })

/** What can name a thing that events tell. */
export const toldNames = ({ value, key }: Pick<EventThing, 'value' | 'key'>): readonly string[] =>
  key === undefined ? [value] : [value, key]

type Known = Pick<Made, 'kind' | 'identity'> & Partial<Pick<RecordedResource, 'applied' | 'answer'>>

/** All values that are known of a thing: a text among them can name it. */
export const knownValues = ({ identity, applied = {}, answer }: Omit<Known, 'kind'>): readonly unknown[] =>
  [identity, applied, answer ?? {}].flatMap((values) => Object.values(values))

/** Finds the first of many things that one in events can be, by its names. */
export const byName = <T extends Known>(things: readonly T[]): ((told: EventThing) => T | undefined) => {
  const kinds = new Map<string, Map<unknown, T>>()
  for (const thing of things) {
    const named = kinds.get(thing.kind) ?? new Map<unknown, T>()
    kinds.set(thing.kind, named)
    for (const text of knownValues(thing)) if (!named.has(text)) named.set(text, thing)
  }
  return (told) => {
    const named = kinds.get(told.definition.kind)
    return toldNames(told)
      .map((name) => named?.get(name))
      .find((each) => each !== undefined)
  }
}
