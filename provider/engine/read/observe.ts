import type { KindDefinition } from '../../core/definition.ts'
import { fillPath, isNone } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { ForbiddenError, NotFoundError } from '../../errors/index.ts'
import { refuseAnother } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { askedFor, listedIn, thingFrom, type Listed, type Thing } from './listed.ts'
import { readWantedParts, wantedParts } from './parts.ts'
import { NO_LISTS, type Lists } from './shared-lists.ts'
import { declaredIdentity, identityKey, placeKey, scopeKey } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'

/** What one run has read. Keys are those of `identityKey` and `scopeKey`. */
export interface Observations {
  /** What was asked for by itself; `thingIn` finds what lists have shown, too. */
  readonly things: ReadonlyMap<string, Thing | 'missing'>
  /** Complete lists, by scope. */
  readonly scopes: ReadonlyMap<string, Listed>
  /** Places that the service does not know, by `placeKey`: nothing in them exists. */
  readonly absent: ReadonlySet<string>
  /** Places of which a list may not be read, by `placeKey`, with what the service said; see `sparesRefused`. */
  readonly refused: ReadonlyMap<string, ForbiddenError>
  /** Fields with a list of their own, by thing. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, readonly unknown[]>> | 'missing'>
}

/** What was seen of a thing; nothing where nothing was. */
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
  /** Every thing of the scope is wanted: a selector or an only-list decides on all. */
  all: boolean
  /** By what distinguishes them in their scope. */
  readonly identities: Map<string, Identity>
}

export interface ObserveInput {
  readonly definitions: readonly KindDefinition[]
  readonly entries: readonly Entry[]
  /** Recorded things to see besides the declared ones. */
  readonly records: readonly RecordedResource[]
  /** Places of which everything is wanted, whatever is declared: identities with what scopes the kinds. */
  readonly places?: readonly Identity[]
  /** Lists even where one thing alone is wanted. */
  readonly byLists?: boolean
  /** Lists that other runs have read. */
  readonly lists?: Lists
  /** Fields with lists of their own also where they are not declared, if the key may read them: they tell what is there. */
  readonly allParts?: boolean
  /** All is kept that answers say of what is neither declared by its id nor recorded, for who shows what nobody declares. */
  readonly widely?: boolean
  /** A list that may not be read is reported, and does not fail the whole. */
  readonly sparesRefused?: boolean
}

/** Sends the fewest reads that tell what the entries and records need; a failed read fails the whole. */
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
        widely: input.widely ?? false,
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
  const want = (definition: KindDefinition, identity: Identity, all: boolean) => {
    const key = scopeKey(definition, identity)
    let found = wanted.get(key)
    if (found === undefined) {
      found = { definition, scope: identity, all: byLists, identities: new Map() }
      wanted.set(key, found)
    }
    found.all ||= all
    const own = identity[definition.identity.key]
    if (own !== undefined) found.identities.set(own, identity)
  }
  for (const definition of definitions.filter(({ observe: how }) => how.how === 'everything')) {
    for (const place of places)
      if (definition.identity.scope.every((name) => place[name] !== undefined)) want(definition, place, true)
    for (const { kind, values } of entries)
      if (kind === definition.kind)
        want(definition, declaredIdentity(definition, values), definition.expand.reads(values) === 'scope')
    for (const { kind, identity, standing } of records)
      if (kind === definition.kind && standing !== true) want(definition, identity, false)
  }
  return [...wanted.values()]
}

/** What a reading adds to. */
interface Found {
  readonly things: Map<string, Thing | 'missing'>
  readonly scopes: Map<string, Listed>
  readonly absent: Set<string>
  readonly widely: boolean
  readonly lists: Lists
}

const readScope = async (
  client: EngineClient,
  { definition, scope, all, identities }: Wanted,
  { things, scopes, absent, widely, lists }: Found,
): Promise<void> => {
  const { observe: how } = definition
  if (how.how !== 'everything') return
  const single = [...identities.values()]
  const path = fillPath(how.list.path, scope)
  const isWhole = (identity: Identity): boolean =>
    widely && !identities.has(identity[definition.identity.key] ?? '')
  const load = async (): Promise<Listed> => listedIn(client, definition, how.list.path, scope, { isWhole })
  const known = lists.at(path, load)
  // One thing by its own GET costs one request whatever the project holds; from two on the list is cheaper.
  if (known === undefined && !all && single.length === 1 && single[0] !== undefined && !isNone(how.get)) {
    const found = await readOne(client, definition, how.get.path, single[0])
    things.set(identityKey(definition, single[0]), found)
    if (found !== 'missing') return
    // Not found is the place, or the thing: what a person does about it differs.
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
  const unlisted = single.filter((identity) => listed.get(identity[definition.identity.key]) === undefined)
  await Promise.all(
    unlisted.map(async (identity) => {
      // A list can shift while it is read, so what seems gone is asked for by name.
      const { get } = how
      things.set(
        identityKey(definition, identity),
        isNone(get) ? 'missing' : await readOne(client, definition, get.path, identity),
      )
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
  refuseAnother(definition, answer.body, identity, askedFor(path))
  return { ...thingFrom(definition, answer.body, identity, { path, isWhole: () => false }), identity }
}

const absentOrThrow = (error: unknown): 'missing' => {
  if (error instanceof NotFoundError) return 'missing'
  throw error
}
