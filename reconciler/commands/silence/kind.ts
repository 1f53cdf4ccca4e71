import {
  fillPath,
  isNone,
  type KindDefinition,
  type Lifetime,
  type Silences,
} from '@deploymgmt/provider/core'
import type { Entry, RecordedResource } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'

/** A silence in words of its own. Instants are of the service, ISO 8601. */
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

/** Which kind keeps alerts quiet, its definition says: no command names it. Commands that silence nothing need none. */
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

/** The id that the service has given it; none where nobody knows whether it is there. */
export const idOf = ({ identity }: Pick<RecordedResource, 'identity'>): string | undefined =>
  identity[quieting().kind.identity.key]

/** A list of a project, whose answer tells the service's time. */
export const clockPath = (projectId: string): string => {
  const { kind, lifetime } = quieting()
  return fillPath(lifetime.timeFrom.path, { [placeOf(kind)]: projectId })
}

/** The alert types that are known; the service may have more. */
export const knownTypes = (): readonly string[] => {
  const { kind, words } = quieting()
  const type = kind.fields[words.types]?.type
  return type?.is === 'set' && type.of.is === 'enum' ? type.of.values : []
}

/** A silence as an entry that is declared nowhere. */
export const entryOf = (address: string, { projectId, types, from, to, reason }: Quiet): Entry => {
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

/** What is recorded of one. */
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
