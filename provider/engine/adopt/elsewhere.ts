import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { strangersIn, type Acquaintance, type MayBeKnown } from '../judge/strangers.ts'
import { organizationsIn } from '../read/organizations.ts'
import { identityKey } from '../values/identity.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import type { EventThing } from './told.ts'

/** A record of another state. */
interface RecordedThere extends RecordedResource {
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
  readonly isRecorded: (definition: KindDefinition, identity: Identity) => boolean
  readonly isKnown: (told: EventThing) => boolean
  /** The owners that were met, once for each thing. */
  readonly met: ReadonlyMap<string, Met>
}

/** Who has an existing thing: a state, at an address; or nobody yet, because a request was lost. */
export interface Met {
  readonly by: 'record' | 'lost-request'
  readonly state?: string
  readonly address?: string
}

const EVER = Number.NEGATIVE_INFINITY

/** Tells which things other states have, which are no finds: those of a silence, or of another manifest. */
export const knownElsewhere = (
  definitions: readonly KindDefinition[],
  { records, known, mayBeKnown }: Elsewhere,
  seen: Pick<Acquaintance, 'declaration' | 'records' | 'client' | 'log'>,
): KnownElsewhere => {
  const from = new Map(organizationsIn(seen.declaration).map((org) => [org, EVER] as const))
  const { excused, contested } = strangersIn({ ...seen, definitions, known, from, mayBeKnown })
  const lost = [...excused, ...contested]
  const met = new Map<string, Met>()
  const keys = new Map(
    records.flatMap((each) => recordedKeys(definitions, [each]).map((key) => [key, each] as const)),
  )
  const meet = (key: string, { state, address }: RecordedThere): void => {
    met.set(key, { by: 'record', address, ...(state === undefined ? {} : { state }) })
  }
  return {
    met,
    isRecorded: (definition, identity) => {
      const key = identityKey(definition, identity)
      const record = keys.get(key)
      if (record !== undefined) meet(key, record)
      return record !== undefined
    },
    isKnown: ({ definition: { kind }, key, value }) => {
      const isNamed = namedBy([value, ...(key === undefined ? [] : [key])])
      const record = records.find((each) => each.kind === kind && isNamedIn(each, isNamed))
      const isLost = lost.some((each) => each.kind === kind && isNamedIn(each, isNamed))
      if (record !== undefined) meet(`${kind} ${value}`, record)
      else if (isLost) met.set(`${kind} ${value}`, { by: 'lost-request' })
      // What is known besides is over, or was given up.
      const isOver = known.some((each) => each.kind === kind && isNamed(each.identity))
      return record !== undefined || isLost || isOver
    },
  }
}

export const recordedKeys = (
  definitions: readonly KindDefinition[],
  records: readonly RecordedResource[],
): readonly string[] =>
  records.flatMap(({ kind, identity }) => {
    const definition = definitionOf(definitions, kind)
    return definition === undefined ? [] : [identityKey(definition, identity)]
  })

type IsNamed = (values: Readonly<Record<string, unknown>>) => boolean

export const namedBy =
  (names: readonly string[]): IsNamed =>
  (values) =>
    Object.values(values).some((each) => typeof each === 'string' && names.includes(each))

export const isNamedIn = (
  { identity, applied = {}, answer }: Pick<Made, 'identity'> & Partial<RecordedResource>,
  isNamed: IsNamed,
): boolean => isNamed(identity) || isNamed(applied) || isNamed(answer ?? {})
