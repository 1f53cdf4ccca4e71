import type { KindDefinition, Part } from '../../core/definition.ts'
import { fillPath, isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import { NotFoundError } from '../../errors/index.ts'
import { partOf, refuseAnother, refuseMisshapen, refuseNameless, type Asked } from './answer-shape.ts'
import type { EngineClient } from './client.ts'
import { declaredIdentity, identityKey, isComplete, placeKey, scopeKey } from '../values/identity.ts'
import type { Entry, RecordedResource } from '../values/model.ts'
import { fromAnswer } from '../values/wire.ts'

/** One thing as it was read. */
export interface Thing {
  readonly identity: Identity
  /** What its definition knows of it. */
  readonly values: Values
  /** What the answer said: all of it, or what selectors look at (see `ObserveInput.isWhole`). */
  readonly raw: Values
}

/** What one run has read. Keys are those of `identityKey` and `scopeKey`. */
export interface Observations {
  readonly things: ReadonlyMap<string, Thing | 'missing'>
  /** Complete lists, by scope. */
  readonly scopes: ReadonlyMap<string, readonly Thing[]>
  /** Places that the service does not know, by `placeKey`: nothing in them exists. */
  readonly absent: ReadonlySet<string>
  /** Fields with a list of their own, by thing. */
  readonly parts: ReadonlyMap<string, Readonly<Record<string, readonly unknown[]>> | 'missing'>
}

/** Which things of one kind a run wants to see. */
interface Wanted {
  readonly definition: KindDefinition
  readonly scope: Identity
  /** Every thing of the scope is wanted: a selector or an only-list decides on all. */
  all: boolean
  readonly identities: Map<string, Identity>
}

export interface ObserveInput {
  readonly definitions: readonly KindDefinition[]
  readonly entries: readonly Entry[]
  /** Recorded things to see besides the declared ones. */
  readonly records: readonly RecordedResource[]
  /** Places of which everything is wanted, whatever is declared: identities with what scopes the kinds. */
  readonly places?: readonly Identity[]
  /** Lists even where one thing alone is wanted: for a door that asks for its things one by one and coalesces. */
  readonly byLists?: boolean
  /** All that answers say of things is kept, for who shows what nobody declares; else what selectors look at. */
  readonly isWhole?: boolean
}

/** Sends the fewest reads that tell what the entries and records need; a failed read fails the whole. */
export const observe = async (client: EngineClient, input: ObserveInput): Promise<Observations> => {
  const things = new Map<string, Thing | 'missing'>()
  const scopes = new Map<string, readonly Thing[]>()
  const parts = new Map<string, Readonly<Record<string, readonly unknown[]>> | 'missing'>()
  const absent = new Set<string>()
  const scopeReads = wantedByScope(input).map((wanted) =>
    readScope(client, wanted, { things, scopes, absent, isWhole: input.isWhole ?? false }),
  )
  const partReads = wantedParts(input).map(async ({ definition, identity, fields }) => {
    parts.set(identityKey(definition, identity), await readParts(client, definition, identity, fields))
  })
  await Promise.all([...scopeReads, ...partReads])
  return { things, scopes, absent, parts }
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
    const found: Wanted = wanted.get(key) ?? {
      definition,
      scope: identity,
      all: byLists,
      identities: new Map(),
    }
    found.all ||= all
    if (isComplete(definition, identity)) found.identities.set(identityKey(definition, identity), identity)
    wanted.set(key, found)
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
  readonly scopes: Map<string, readonly Thing[]>
  readonly absent: Set<string>
  readonly isWhole: boolean
}

const readScope = async (
  client: EngineClient,
  { definition, scope, all, identities }: Wanted,
  { things, scopes, absent, isWhole }: Found,
): Promise<void> => {
  const { observe: how } = definition
  if (how.how !== 'everything') return
  const single = [...identities.values()]
  const path = fillPath(how.list.path, scope)
  // One thing by its own GET costs one request whatever the project holds; from two on the list is cheaper.
  if (!all && single.length === 1 && single[0] !== undefined && !isNone(how.get)) {
    const found = await readOne(client, definition, how.get.path, single[0], isWhole)
    things.set(identityKey(definition, single[0]), found)
    if (found !== 'missing') return
    // Not found is the place, or the thing: what a person does about it differs.
    const place = await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 }).catch(absentOrThrow)
    if (place === 'missing') absent.add(placeKey(definition, scope))
    return
  }
  const listed = await listedIn(client, definition, how.list.path, scope, { isWhole }).catch(absentOrThrow)
  if (listed === 'missing') {
    absent.add(placeKey(definition, scope))
    for (const identity of single) things.set(identityKey(definition, identity), 'missing')
    return
  }
  scopes.set(scopeKey(definition, scope), listed)
  for (const thing of listed) things.set(identityKey(definition, thing.identity), thing)
  await Promise.all(
    single.map(async (identity) => {
      const key = identityKey(definition, identity)
      if (things.has(key)) return
      // A list can shift while it is read, so what seems gone is asked for by name.
      const { get } = how
      things.set(
        key,
        isNone(get) ? 'missing' : await readOne(client, definition, get.path, identity, isWhole),
      )
    }),
  )
}

/** All things of one kind in one place. */
export const listedIn = async (
  client: EngineClient,
  definition: KindDefinition,
  template: string,
  scope: Identity,
  { isWhole = true, ...options }: { readonly tentative?: boolean; readonly isWhole?: boolean } = {},
): Promise<Thing[]> => {
  const path = fillPath(template, scope)
  const { results } = await client.list(path, {}, { keyOf: keyIn(definition), ...options })
  return results.map((raw) => {
    refuseNameless(definition, raw, asked(path))
    return thingFrom(definition, raw, scope, { path, isWhole })
  })
}

const keyIn =
  ({ identity }: KindDefinition) =>
  (item: unknown): string | undefined => {
    const key = (item as Values | null)?.[identity.keyInAnswer]
    return typeof key === 'string' ? key : undefined
  }

const asked = (path: string): Asked => ({ method: 'GET', path, status: 200, outcome: 'refused' })

const thingFrom = (
  definition: KindDefinition,
  raw: unknown,
  scope: Identity,
  { path, isWhole }: { readonly path: string; readonly isWhole: boolean },
): Thing => {
  const { key } = definition.identity
  const told = keyIn(definition)(raw) ?? ''
  const identity = { ...pick(scope, definition.identity.scope), [key]: told }
  refuseMisshapen(definition, raw, identity, asked(path))
  const { values } = fromAnswer(definition, raw, identity)
  return { identity, values, raw: isWhole ? (raw as Values) : pick(raw as Values, definition.expand.looksAt) }
}

const pick = <V>(values: Readonly<Record<string, V>>, names: readonly string[]): Record<string, V> => {
  const picked: Record<string, V> = {}
  for (const name of names) if (values[name] !== undefined) picked[name] = values[name]
  return picked
}

const readOne = async (
  client: EngineClient,
  definition: KindDefinition,
  template: string,
  identity: Identity,
  isWhole: boolean,
): Promise<Thing | 'missing'> => {
  const path = fillPath(template, identity)
  const answer = await client.get(path).catch(absentOrThrow)
  if (answer === 'missing') return answer
  refuseAnother(definition, answer.body, identity, asked(path))
  return { ...thingFrom(definition, answer.body, identity, { path, isWhole }), identity }
}

const absentOrThrow = (error: unknown): 'missing' => {
  if (error instanceof NotFoundError) return 'missing'
  throw error
}

interface WantedParts {
  readonly definition: KindDefinition
  readonly identity: Identity
  readonly fields: readonly (readonly [string, Part])[]
}

const wantedParts = ({ definitions, entries }: ObserveInput): WantedParts[] =>
  definitions.flatMap((definition): WantedParts[] => {
    const { observe: how } = definition
    if (how.how !== 'parts') return []
    return entries
      .filter(({ kind }) => kind === definition.kind)
      .map(({ values }) => ({
        definition,
        identity: declaredIdentity(definition, values),
        fields: Object.entries(how.parts).filter(([name]) => values[name] !== undefined),
      }))
      .filter(({ fields }) => fields.length > 0)
  })

/** The fields of one thing that lists of their own show. */
export const readParts = async (
  client: EngineClient,
  definition: KindDefinition,
  identity: Identity,
  fields: WantedParts['fields'],
): Promise<Readonly<Record<string, readonly unknown[]>> | 'missing'> => {
  const read = fields.map(async ([name, part]) => {
    const path = fillPath(part.list.path, identity)
    const page = await client.list(path, {}, { keyOf: () => undefined }).catch(absentOrThrow)
    if (page === 'missing') return page
    const items = page.results.map((raw) => partOf(definition, [name, part], raw, asked(path)))
    return [name, items] as const
  })
  const lists = await Promise.all(read)
  return lists.some((list) => list === 'missing')
    ? 'missing'
    : Object.fromEntries(lists.filter((list) => list !== 'missing'))
}
