import { isReadable, type KindDefinition, type ReadableKind } from '../../core/definition.ts'
import { fillPath, isNone, type Operation } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { refuseAnother, answeredRead } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { listedIn, thingFrom, type Listed, type Thing } from './listed.ts'
import { readWantedParts, wantedParts } from './parts.ts'
import { NO_LISTS, type Lists } from './shared-lists.ts'
import { declaredIdentity, identityKey, placeKey, scopeKey } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'
import { isInForce } from '../values/sort.ts'

/** What one run has read. Keys are those of `identityKey` and `scopeKey`. */
export interface Observations {
  /** Things that were read one by one; `thingIn` also finds those in lists. */
  readonly things: ReadonlyMap<string, Thing | 'missing'>
  /** Complete lists, by scope. */
  readonly scopes: ReadonlyMap<string, Listed>
  /** Places that the service does not know, by `placeKey`: nothing in them exists. */
  readonly absent: ReadonlySet<string>
  /** Places with a list that may not be read, by `placeKey`, with the service's error; see `sparesRefused`. */
  readonly refused: ReadonlyMap<string, ForbiddenError>
  /** Fields with lists of their own, by thing. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, readonly unknown[]>> | 'missing'>
}

/** What was seen of a thing; undefined if it was not looked at. */
export const thingIn = (
  { things, scopes }: Pick<Observations, 'things' | 'scopes'>,
  definition: KindDefinition,
  identity: Identity,
): Thing | 'missing' | undefined =>
  (things.size === 0 ? undefined : things.get(identityKey(definition, identity))) ??
  scopes.get(scopeKey(definition, identity))?.get(identity[definition.identity.key])

/** What the list of a place shows; nothing if it was not read. */
export const thingsIn = (
  { scopes }: Pick<Observations, 'scopes'>,
  definition: KindDefinition,
  place: Identity,
): readonly Thing[] => scopes.get(scopeKey(definition, place))?.things ?? NO_THINGS
/** Always the same, because what follows from a list is kept by the list. */
const NO_THINGS: readonly Thing[] = []

/** Whether the list of a place was read. */
export const isListed = (
  { scopes }: Pick<Observations, 'scopes'>,
  definition: KindDefinition,
  place: Identity,
): boolean => scopes.has(scopeKey(definition, place))

/** Whether the service does not know a place. */
export const isAbsent = (
  { absent }: Pick<Observations, 'absent'>,
  definition: KindDefinition,
  place: Identity,
): boolean => absent.size > 0 && absent.has(placeKey(definition, place))

/** Which things of one kind a run wants to see. */
interface Wanted {
  readonly definition: ReadableKind
  readonly scope: Identity
  /** Every thing of the scope is wanted, because a selector or an only-list decides on all. */
  all: boolean
  /** By key. */
  readonly identities: Map<string, Identity>
}

interface ObserveInput {
  readonly definitions: readonly KindDefinition[]
  readonly entries: readonly Entry[]
  /** Recorded things to see besides the declared ones. */
  readonly records: readonly RecordedResource[]
  /** Places, as partial identities, of which everything is wanted, whatever is declared. */
  readonly places?: readonly Identity[]
  /** Read lists even if only one thing is wanted. */
  readonly byLists?: boolean
  /** Lists that other runs have read. */
  readonly lists?: Lists
  /** Also read undeclared fields that have lists of their own, if the key may: they show what exists. */
  readonly allParts?: boolean
  /** Keep the whole answer for things that are neither declared by id nor recorded, to show what nobody declares. */
  readonly withUnmanaged?: boolean
  /** Report a list that may not be read, instead of failing as a whole. */
  readonly sparesRefused?: boolean
}

/** Sends the fewest reads that tell what the entries and records need. If a read fails, all fail. */
export const observe = async (client: EngineClient, input: ObserveInput): Promise<Observations> => {
  const things = new Map<string, Thing | 'missing'>()
  const scopes = new Map<string, Listed>()
  const parts = new Map<string, Readonly<Record<string, readonly unknown[]>> | 'missing'>()
  const absent = new Set<string>()
  const refused = new Map<string, ForbiddenError>()
  const scopeReads = wantedByScope(input).map(async (wanted) => {
    try {
      await readScope(client, wanted, {
        things,
        scopes,
        absent,
        withUnmanaged: input.withUnmanaged ?? false,
        lists: input.lists ?? NO_LISTS,
      })
    } catch (error) {
      if (input.sparesRefused !== true || !(error instanceof ForbiddenError)) throw error
      refused.set(placeKey(wanted.definition, wanted.scope), error)
    }
  })
  const partReads = wantedParts(input).map(async (wanted) => {
    const seen = await readWantedParts(client, wanted)
    if (seen === 'no-place') absent.add(placeKey(wanted.definition, wanted.identity))
    const told = seen === 'no-place' ? 'missing' : seen
    if (told !== 'unseen') parts.set(identityKey(wanted.definition, wanted.identity), told)
  })
  await Promise.all([...scopeReads, ...partReads])
  return { things, scopes, absent, refused, parts }
}

const wantedByScope = ({
  definitions,
  entries,
  records,
  places = [],
  byLists = false,
}: ObserveInput): Wanted[] => {
  const wanted = new Map<string, Wanted>()
  for (const definition of definitions.filter(isReadable)) {
    const { expand, identity: word } = definition
    const want = (identity: Identity, what: 'all' | 'one') => {
      const key = scopeKey(definition, identity)
      let found = wanted.get(key)
      if (found === undefined) {
        found = { definition, scope: identity, all: byLists, identities: new Map() }
        wanted.set(key, found)
      }
      found.all ||= what === 'all'
      const own = identity[word.key]
      if (own !== undefined) found.identities.set(own, identity)
    }
    for (const place of places) if (word.scope.every((name) => place[name] !== undefined)) want(place, 'all')
    for (const { kind, values } of entries)
      if (kind === definition.kind)
        want(declaredIdentity(definition, values), expand.reads(values) === 'scope' ? 'all' : 'one')
    for (const record of records)
      if (record.kind === definition.kind && !isInForce(record)) want(record.identity, 'one')
  }
  return [...wanted.values()]
}

/** The collections that a reading adds to, and what it has to know besides. */
interface Found {
  readonly things: Map<string, Thing | 'missing'>
  readonly scopes: Map<string, Listed>
  readonly absent: Set<string>
  readonly withUnmanaged: boolean
  readonly lists: Lists
}

const readScope = async (client: EngineClient, wanted: Wanted, found: Found): Promise<void> => {
  const { definition, scope, all, identities } = wanted
  const { list, get } = definition.observe
  const path = fillPath(list.path, scope)
  const isWhole = (identity: Identity): boolean =>
    found.withUnmanaged && !identities.has(identity[definition.identity.key] ?? '')
  const load = async (): Promise<Listed> => listedIn(client, definition, scope, { isWhole })
  const known = found.lists.at(path, load)
  const [only, ...others] = identities.values()
  // A single thing costs one request by its own GET, whatever the project holds. From two on, the list is cheaper.
  const alone = known === undefined && !all && others.length === 0 ? only : undefined
  if (alone !== undefined && !isNone(get))
    return readAlone(client, { ...wanted, path, get, identity: alone }, found)
  const listed = await (known ?? load()).catch(absentOrThrow)
  if (listed === 'missing') {
    found.absent.add(placeKey(definition, scope))
    for (const identity of identities.values()) found.things.set(identityKey(definition, identity), 'missing')
    return
  }
  found.scopes.set(scopeKey(definition, scope), listed)
  await readUnlisted(client, wanted, listed, found)
}

interface Alone extends Pick<Wanted, 'definition' | 'scope'> {
  /** Of the list. */
  readonly path: string
  readonly get: Operation
  readonly identity: Identity
}

const readAlone = async (
  client: EngineClient,
  { definition, scope, path, get, identity }: Alone,
  { things, absent }: Found,
): Promise<void> => {
  const found = await readOne(client, definition, get.path, identity)
  things.set(identityKey(definition, identity), found)
  if (found !== 'missing') return
  // Either the place or the thing was not found, and people act on these differently.
  const place = await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 }).catch(absentOrThrow)
  if (place === 'missing') absent.add(placeKey(definition, scope))
}

/** A list can shift while it is read, so a thing that seems gone is read by itself. If it exists, selectors see it, too. */
const readUnlisted = async (
  client: EngineClient,
  { definition, identities }: Wanted,
  listed: Listed,
  { things }: Found,
): Promise<void> => {
  const { get } = definition.observe
  const unlisted = [...identities].filter(([key]) => listed.get(key) === undefined)
  await Promise.all(
    unlisted.map(async ([key, identity]) => {
      const thing = isNone(get) ? 'missing' : await readOne(client, definition, get.path, identity)
      if (thing === 'missing') things.set(identityKey(definition, identity), thing)
      else listed.add(key, thing)
    }),
  )
}

const readOne = async (
  client: EngineClient,
  definition: KindDefinition,
  template: string,
  identity: Identity,
): Promise<Thing | 'missing'> => {
  const path = fillPath(template, identity)
  const answer = await client.get(path).catch(absentOrThrow)
  if (answer === 'missing') return answer
  const request = answeredRead(client, path)
  refuseAnother(definition, answer.body, identity, request)
  return { ...thingFrom(definition, answer.body, identity, { request, isWhole: () => false }), identity }
}

const absentOrThrow = (error: unknown): 'missing' => {
  if (error instanceof NotFoundError) return 'missing'
  throw error
}
