import type { KindDefinition } from '../../core/definition.ts'
import type { Identity } from '../../core/values.ts'
import { strangersIn, type Acquaintance, type MayBeKnown } from '../judge/strangers.ts'
import { organizationsIn } from '../read/organizations.ts'
import { identityKey } from '../values/identity.ts'
import type { Made, RecordedResource } from '../values/model.ts'
import type { Told } from './told.ts'

/** What other states record, and what they know besides. */
export interface Elsewhere {
  readonly records: readonly RecordedResource[]
  readonly known: readonly Made[]
  /** Which of what events tell can be of creations of unknown outcome, here and there. */
  readonly mayBeKnown: MayBeKnown
}

export interface KnownElsewhere {
  readonly isRecorded: (definition: KindDefinition, identity: Identity) => boolean
  readonly isKnown: (told: Told) => boolean
  /** What of the records was met. */
  readonly met: ReadonlySet<string>
}

const EVER = Number.NEGATIVE_INFINITY

/** What another state has is no find: a silence, or what another manifest manages. */
export const knownElsewhere = (
  definitions: readonly KindDefinition[],
  { records, known, mayBeKnown }: Elsewhere,
  seen: Pick<Acquaintance, 'declaration' | 'records' | 'client' | 'log'>,
): KnownElsewhere => {
  const from = new Map(organizationsIn(seen.declaration).map((org) => [org, EVER] as const))
  const { excused, contested } = strangersIn({ ...seen, definitions, known, from, mayBeKnown })
  const there = [...records, ...excused, ...contested]
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
      const isOne = there.some((each) => each.kind === kind && isNamedIn(each, isNamed))
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

export const isNamedIn = (
  { identity, applied = {}, answer }: Pick<Made, 'identity'> & Partial<RecordedResource>,
  isNamed: IsNamed,
): boolean => isNamed(identity) || isNamed(applied) || isNamed(answer ?? {})
