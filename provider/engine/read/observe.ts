import type { KindDefinition } from '../../core/definition.ts'
import { fillPath, isNone } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { refuseAnother, answeredRead } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { listedIn, thingFrom, type Listed, type Thing } from './listed.ts'
import { readWantedParts, wantedParts } from './parts.ts'
import { NO_LISTS, type Lists } from './shared-lists.ts'
import { declaredIdentity, identityKey, placeKey, scopeKey } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'

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

/** Which things of one kind a run wants to see. */
interface Wanted {
  readonly definition: KindDefinition
  readonly scope: Identity
  /** Every thing of the scope is wanted, because a selector or an only-list decides on all. */
  all: boolean
  /** By key. */
  readonly identities: Map<string, Identity>
}

export interface ObserveInput {
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
  const want = (definition: KindDefinition, identity: Identity, what: 'all' | 'one') => {
    const key = scopeKey(definition, identity)
    let found = wanted.get(key)
    if (found === undefined) {
      found = { definition, scope: identity, all: byLists, identities: new Map() }
      wanted.set(key, found)
    }
    found.all ||= what === 'all'
    const own = identity[definition.identity.key]
    if (own !== undefined) found.identities.set(own, identity)
  }
  for (const definition of definitions.filter(({ observe: how }) => how.how === 'everything')) {
    for (const place of places)
      if (definition.identity.scope.every((name) => place[name] !== undefined)) want(definition, place, 'all')
    for (const { kind, values } of entries)
      if (kind === definition.kind)
        want(
          definition,
          declaredIdentity(definition, values),
          definition.expand.reads(values) === 'scope' ? 'all' : 'one',
        )
    for (const { kind, identity, standing } of records)
      if (kind === definition.kind && standing !== true) want(definition, identity, 'one')
  }
  return [...wanted.values()]
}

/** The collections that a reading adds to. */
interface Found {
  readonly things: Map<string, Thing | 'missing'>
  readonly scopes: Map<string, Listed>
  readonly absent: Set<string>
  readonly withUnmanaged: boolean
  readonly lists: Lists
}

const readScope = async (
  client: EngineClient,
  { definition, scope, all, identities }: Wanted,
  { things, scopes, absent, withUnmanaged, lists }: Found,
): Promise<void> => {
  const { observe: how } = definition
  if (how.how !== 'everything') return
  const single = [...identities.values()]
  const path = fillPath(how.list.path, scope)
  const isWhole = (identity: Identity): boolean =>
    withUnmanaged && !identities.has(identity[definition.identity.key] ?? '')
  const load = async (): Promise<Listed> => listedIn(client, definition, how.list.path, scope, { isWhole })
  const known = lists.at(path, load)
  // A single thing costs one request by its own GET, whatever the project holds. From two on, the list is cheaper.
  if (known === undefined && !all && single.length === 1 && single[0] !== undefined && !isNone(how.get)) {
    const found = await readOne(client, definition, how.get.path, single[0])
    things.set(identityKey(definition, single[0]), found)
    if (found !== 'missing') return
    // Either the place or the thing was not found, and people act on these differently.
    const place = await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 }).catch(absentOrThrow)
    if (place === 'missing') absent.add(placeKey(definition, scope))
    return
  }
  const listed = await (known ?? load()).catch(absentOrThrow)
  if (listed === 'missing') {
    absent.add(placeKey(definition, scope))
    for (const identity of single) things.set(identityKey(definition, identity), 'missing')
    return
  }
  scopes.set(scopeKey(definition, scope), listed)
  const unlisted = [...identities].filter(([key]) => listed.get(key) === undefined)
  await Promise.all(
    unlisted.map(async ([key, identity]) => {
      // A list can shift while it is read, so a thing that seems gone is read by itself. If it exists, selectors have
      // to see it, too.
      const { get } = how
      const found = isNone(get) ? 'missing' : await readOne(client, definition, get.path, identity)
      if (found === 'missing') things.set(identityKey(definition, identity), found)
      else listed.add(key, found)
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
  refuseAnother(definition, answer.body, identity, answeredRead(path))
  return { ...thingFrom(definition, answer.body, identity, { path, isWhole: () => false }), identity }
}

const absentOrThrow = (error: unknown): 'missing' => {
  if (error instanceof NotFoundError) return 'missing'
  throw error
}
