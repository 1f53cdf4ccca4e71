import type { KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { identityKey } from '../values/identity.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import type { Told } from './told.ts'

/** What other states record, and what they know besides. */
export interface Elsewhere {
  readonly records: readonly RecordedResource[]
  readonly known: readonly Made[]
}

export interface KnownElsewhere {
  readonly isRecorded: (definition: KindDefinition, identity: Identity) => boolean
  readonly isKnown: (told: Told) => boolean
  /** What of the records was met. */
  readonly met: ReadonlySet<string>
}

/** What another state has is no find: a silence, or what another manifest manages. */
export const knownElsewhere = (
  definitions: readonly KindDefinition[],
  { records, known }: Elsewhere,
): KnownElsewhere => {
  const met = new Set<string>()
  const keys = recordedKeys(definitions, records)
  return {
    met,
    isRecorded: (definition, identity) => {
      const key = identityKey(definition, identity)
      if (keys.has(key)) met.add(key)
      return keys.has(key)
    },
    isKnown: ({ definition: { kind }, key, value }) => {
      const isNamed = namedBy([value, ...(key === undefined ? [] : [key])])
      const isOne = records.some((each) => each.kind === kind && isNamedIn(each, isNamed))
      if (isOne) met.add(`${kind} ${value}`)
      // What it knows besides is over, or was given up.
      return isOne || known.some((each) => each.kind === kind && isNamed(each.identity))
    },
  }
}

export const recordedKeys = (
  definitions: readonly KindDefinition[],
  records: readonly RecordedResource[],
): ReadonlySet<string> =>
  new Set(
    records.flatMap(({ kind, identity }) => {
      const definition = definitions.find((each) => each.kind === kind)
      return definition === undefined ? [] : [identityKey(definition, identity)]
    }),
  )

type IsNamed = (values: Readonly<Record<string, unknown>>) => boolean

export const namedBy =
  (names: readonly string[]): IsNamed =>
  (values) =>
    Object.values(values).some((each) => typeof each === 'string' && names.includes(each))

export const isNamedIn = ({ identity, applied, answer }: RecordedResource, isNamed: IsNamed): boolean =>
  isNamed(identity) || isNamed(applied) || isNamed(answer ?? {})
