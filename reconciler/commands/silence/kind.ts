import {
  fillPath,
  isNone,
  type KindDefinition,
  type Lifetime,
  type Silences,
} from '@deploymgmt/provider/core'
import type { Entry, RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'

/** A silence in terms of its own, independent of the kind. Instants are service time, ISO 8601. */
export interface Quiet {
  readonly projectId: string
  readonly types: readonly string[]
  readonly from: string
  readonly to: string
  readonly reason: string | undefined
}

interface Quieting {
  readonly kind: KindDefinition
  readonly words: Silences
  readonly lifetime: Lifetime
}

/** The kind that silences alerts, as its definition says: no command names it. Loaded on demand. */
const quieting = (): Quieting => (found ??= find())
let found: Quieting | undefined

const find = (): Quieting => {
  for (const kind of kinds) {
    const { silences: words, lifetime } = kind
    if (!isNone(words) && !isNone(lifetime)) return { kind, words, lifetime }
  }
  throw new TypeError('no kind keeps alerts quiet for a while')
}

/** The identity's field with the place. */
const placeOf = ({ identity: { scope } }: KindDefinition): string => scope[0] ?? ''

export const addressOf = (name: string): string => `${quieting().kind.section}.${name}`
export const nameIn = (address: string): string => address.slice(addressOf('').length)

/** The id from the service; undefined if it is unknown whether the window exists. */
export const idOf = ({ identity }: Pick<RecordedResource, 'identity'>): string | undefined =>
  identity[quieting().kind.identity.key]

/** The path of a project's list, whose answer tells the service's time. */
export const clockPath = (projectId: string): string => {
  const { kind, lifetime } = quieting()
  return fillPath(lifetime.timeFrom.path, { [placeOf(kind)]: projectId })
}

/** The known alert types; the service may have more. */
export const knownTypes = (): readonly string[] => {
  const { kind, words } = quieting()
  const type = kind.fields[words.types]?.type
  return type?.is === 'set' && type.of.is === 'enum' ? type.of.values : []
}

/** A silence as an entry that no manifest declares. */
export const silenceEntry = (address: string, { projectId, types, from, to, reason }: Quiet): Entry => {
  const { kind, words } = quieting()
  return {
    kind: kind.kind,
    address,
    values: {
      [placeOf(kind)]: projectId,
      [words.types]: types,
      [words.from]: from,
      [words.to]: to,
      [words.why]: reason,
    },
    onRemove: words.ending,
    protect: false,
    ignoreChanges: [],
    declaredAt: undefined,
  }
}

/** The silence of a record. */
export const quietOf = ({ identity, applied }: RecordedResource): Quiet => {
  const { kind, words } = quieting()
  const why = applied[words.why]
  return {
    projectId: identity[placeOf(kind)] ?? '',
    types: [applied[words.types]].flat().map(String),
    from: String(applied[words.from]),
    to: String(applied[words.to]),
    reason: typeof why === 'string' ? why : undefined,
  }
}
