import type { KindDefinition } from '../core/definition.ts'
import { fillPath, isNone } from '../core/operation.ts'
import { ForbiddenError, NotFoundError } from '../errors/index.ts'
import {
  areCompared,
  compare,
  type Acquainted,
  type Compared,
  type Comparison,
  type ToCreate,
} from './judge/created.ts'
import { changedIn, type JudgeContext } from './judge/standing.ts'
import { plan, type Plan } from './plan/plan.ts'
import { wayOf } from './plan/undeclared.ts'
import type { PlannedChange } from './plan/work.ts'
import type { EngineClient } from './read/client.ts'
import { checkCredentials } from './read/credentials.ts'
import { joined, NO_EVENTS, presentAt, readEvents, readFromAt, type EventLog } from './read/events.ts'
import { observe, thingIn, type Observations } from './read/observe.ts'
import { NO_LISTS, type Lists } from './read/shared-lists.ts'
import { eventsWanted } from './read/organizations.ts'
import { belongsToOne, isReplaced } from './values/address.ts'
import { declaredIdentity, placeKey, scopeKey } from './values/identity.ts'
import type { Declaration, Entry, RecordedResource, Records } from './values/model.ts'

export interface RunInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** Whether an address is planned; an entry's own address stands for all of its instances. */
  readonly target?: (address: string) => boolean
  /** Whether an entry can stand for something that is planned, so that it is looked at; as `target` where left out. */
  readonly looksAt?: (entry: string) => boolean
  /** Drift looks at all that is recorded, a plan at what it may have to write. */
  readonly look: 'for-plan' | 'at-all'
  /** Plan as of this instant (service time), as an earlier run did; the service's present where left out. */
  readonly now?: Date
  /** See `ObserveInput.byLists`. */
  readonly byLists?: boolean
  /** See `ObserveInput.lists`. */
  readonly lists?: Lists
  /**
   * What nobody declares is looked for as well (`unmanagedOf`): by lists, of which all is kept, and by what events tell
   * beside what is documented.
   */
  readonly widely?: boolean
  /** What events tell of values is read, too; as `widely` where left out. */
  readonly whole?: boolean
  /** See `ObserveInput.allParts`. */
  readonly allParts?: boolean
  /** What is created is compared with what is known; not at all where it is left out. */
  readonly acquainted?: Acquainted
  /** Kinds whose lists prove the credentials where nothing else has; those of `definitions` where left out. */
  readonly provenBy?: readonly KindDefinition[]
  /** See `JudgeContext.sent`. */
  readonly sent?: JudgeContext['sent']
}

/** What one run has read, and the plan that follows from it. */
export interface Run extends JudgeContext {
  readonly plan: Plan
  /** As it was asked for. */
  readonly widely: boolean
  /** Where something is to be created: with what it was compared. */
  readonly compared?: Compared
  /** Whether all that is to be created was compared: something can be that nobody expected. */
  readonly isCompared: boolean
  /** Plans the declaration as it is evaluated by now, from what this run has read; sends nothing. */
  readonly planAgain: (declaration: Declaration, learnt?: Learnt) => Run
  /** The same with what is recorded by now, and the events of by now. */
  readonly lookAgain: (declaration: Declaration, records: Records) => Promise<Run>
}

/** A run that looked for what nobody declares: of what it has listed, all is there. */
export type WideRun = Run & { readonly widely: true }

export const isWide = (run: Run): run is WideRun => run.widely

/** What was learnt since a run has read: what is recorded by now, and the events that told it. */
export interface Learnt {
  readonly records: Records
  readonly log: EventLog
}

/** Reads what is needed, no more, and plans. Sends reads alone. */
export const readAndPlan = async (client: EngineClient, input: RunInput): Promise<Run> => {
  const runOf = await planner(client, input)
  const first = runOf()
  const comparison = await compare(client, input, creationsIn(first.plan.planned))
  return comparison === undefined ? first : runOf(comparison)
}

/** Reads, and answers how to plan from it. */
const planner = async (client: EngineClient, input: RunInput): Promise<(comparison?: Comparison) => Run> => {
  const split = splitByTarget(input, input.declaration)
  const { declaration } = split
  const { observed: seen, log: early } = await read(client, input, split)
  const absent = await learnTime(client, input.definitions, declaration)
  const observed = absent === undefined ? seen : { ...seen, absent: new Set([...seen.absent, absent]) }
  const now = input.now ?? new Date(client.serviceNow())
  const runOf = (whole: Declaration, known: Learnt, comparison?: Comparison): Run => {
    const { declaration: looked, others } = splitByTarget(input, whole)
    const { definitions, target } = input
    const { records, log } = known
    const compared = comparison?.(whole, records)
    const { strangers = [], notes = [] } = compared ?? {}
    const sent = input.sent === undefined ? {} : { sent: input.sent }
    const own = { ownKey: client.publicKey, strangers, ...sent }
    const context: JudgeContext = { declaration: looked, observed, log, now, ...own }
    const wanted = target === undefined ? {} : { target }
    const made = plan({ ...context, definitions, records, others, notes, ...wanted })
    const isCompared = areCompared(creationsIn(made.planned), compared, { definitions, declaration: whole })
    const planAgain: Run['planAgain'] = (again, learnt) =>
      runOf(again, learnt === undefined ? known : { ...learnt, log: joined(log, learnt.log) }, comparison)
    const lookAgain: Run['lookAgain'] = async (again, later) =>
      planAgain(again, { records: later, log: await lookAt(client, { ...input, records: later }, again) })
    const more = compared === undefined ? {} : { compared }
    const { widely = false } = input
    return { ...context, ...more, widely, isCompared, plan: made, planAgain, lookAgain }
  }
  return (comparison) => runOf(input.declaration, { records: input.records, log: early }, comparison)
}

const creationsIn = (planned: readonly PlannedChange[]): ToCreate[] =>
  planned.flatMap(({ work }) => {
    if (work.do !== 'create') return []
    const { definition, identity, desired } = work.instance
    return [{ kind: definition.kind, identity, applied: desired }]
  })

/** The entries that a run looks at, and those it leaves alone. */
const splitByTarget = (input: RunInput, whole: Declaration) => {
  const { target, looksAt = target } = input
  const takers = kindsLeft(input, whole)
  const isLooked = ({ address, kind }: Entry): boolean => (looksAt?.(address) ?? true) || takers.has(kind)
  const others = whole.entries.filter((entry) => !isLooked(entry))
  return { declaration: { ...whole, entries: whole.entries.filter(isLooked) }, others }
}

/** Kinds of what is to be let go of: an entry that is not planned may have it under another name. */
const kindsLeft = ({ target, records, look }: RunInput, { entries }: Declaration): ReadonlySet<string> => {
  if (target === undefined || look !== 'for-plan') return new Set()
  const isDeclared = belongsToOne(entries.map(({ address }) => address))
  const left = Object.entries(records).filter(
    ([address]) => target(address) && !isDeclared(address) && !isReplaced(address),
  )
  return new Set(left.map(([, { kind }]) => kind))
}

const read = async (
  client: EngineClient,
  input: RunInput,
  { declaration, others }: ReturnType<typeof splitByTarget>,
): Promise<Pick<Run, 'observed' | 'log'>> => {
  const { definitions, look, widely = false, byLists = widely, lists = NO_LISTS, allParts = false } = input
  const { whole = widely } = input
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]))
  const kept = keptIn(input)
  const unseen = unseenIn(kept, input)
  const wanted =
    look === 'at-all' ? kept : kept.filter((record) => needsLook(byKind.get(record.kind), record))
  const since = sinceOf(client, input, declaration)
  await presentAt(client, since(unseen).keys())
  // By the time of the service, which only that has told.
  const early = widely ? asFarAs(since(Object.values(input.records)), since(unseen)) : since(unseen)
  const mayClaim = claiming(byKind, look === 'at-all' ? [] : wanted)
  const entries = [...declaration.entries, ...others.filter(mayClaim)]
  const [observed, log] = await Promise.all([
    observe(client, { definitions, entries, records: wanted, byLists, widely, lists, allParts }),
    unseen.length === 0 ? NO_EVENTS : readEvents(client, early, { tentative: true, whole }),
  ])
  const { things, scopes, parts } = observed
  // Where no organization is known, and the time is, nothing at all was asked for.
  const isUnproven =
    early.size === 0 ? look === 'at-all' && client.skewMs !== undefined : log.unproven === true
  if (isUnproven && things.size + scopes.size + parts.size === 0)
    await checkCredentials(client, input.provenBy ?? definitions, unseen)
  const changed = kept.filter((record) => hasChanged(byKind.get(record.kind), record, observed))
  const late = await readMissing(client, since(changed), early, whole)
  return { observed, log: joined(log, late) }
}

/**
 * Where nobody declares something, what is recorded tells how far back to look: what only events tell of must not narrow
 * that, or each window that is declared would hide what was reported until then.
 */
const asFarAs = (
  back: ReadonlyMap<string, number>,
  wanted: ReadonlyMap<string, number>,
): ReadonlyMap<string, number> =>
  new Map([...wanted].map(([org, from]) => [org, Math.min(from, back.get(org) ?? from)]))

/** The events of things that no endpoint shows. */
const lookAt = (client: EngineClient, input: RunInput, whole: Declaration): Promise<EventLog> => {
  const { declaration } = splitByTarget(input, whole)
  return readEvents(client, sinceOf(client, input, declaration)(unseenIn(keptIn(input), input)))
}

/** What is recorded of all that is planned. */
const keptIn = ({ records, target }: RunInput): RecordedResource[] =>
  target === undefined
    ? Object.values(records)
    : Object.entries(records)
        .filter(([address]) => target(address))
        .map(([, record]) => record)

const unseenIn = (
  kept: readonly RecordedResource[],
  { definitions }: Pick<RunInput, 'definitions'>,
): RecordedResource[] =>
  kept.filter((record) =>
    needsEvents(
      definitions.find(({ kind }) => kind === record.kind),
      record,
    ),
  )

/** From when on the events of each organization are wanted for some records. */
const sinceOf =
  (client: EngineClient, { definitions }: Pick<RunInput, 'definitions'>, declaration: Declaration) =>
  (of: readonly RecordedResource[]): Map<string, number> =>
    eventsWanted(
      definitions,
      of.map((record) => [record, readFromAt(record, client.serviceNow())]),
      declaration,
    )

/**
 * What ends by itself is judged by the service's time, which every answer tells. Where nothing had to be read,
 * one small reading tells it; that it is refused does no harm. Answers the place where it is not known to the service.
 */
const learnTime = async (
  client: EngineClient,
  definitions: readonly KindDefinition[],
  { entries }: Declaration,
): Promise<string | undefined> => {
  if (client.skewMs !== undefined) return undefined
  for (const definition of definitions) {
    const { lifetime, kind } = definition
    const entry = entries.find((each) => each.kind === kind)
    if (isNone(lifetime) || entry === undefined) continue
    const place = declaredIdentity(definition, entry.values)
    const path = fillPath(lifetime.timeFrom.path, place)
    try {
      await client.list(path, { itemsPerPage: 1 }, { maxPages: 1 })
    } catch (error) {
      if (error instanceof NotFoundError) return placeKey(definition, place)
      if (!(error instanceof ForbiddenError)) throw error
    }
    return undefined
  }
  return undefined
}

/** Things that no endpoint shows are judged by events in every run. */
const needsEvents = (definition: KindDefinition | undefined, record: RecordedResource): boolean =>
  definition !== undefined &&
  definition.observe.how !== 'everything' &&
  !isNone(definition.witness) &&
  record.absent !== true

/** A release that depends on live values needs them, even when nothing declares the thing any more. */
const needsLook = (definition: KindDefinition | undefined, record: RecordedResource): boolean => {
  if (definition === undefined || definition.observe.how !== 'everything') return false
  const way = wayOf(definition, record)
  return way.way === 'send' && way.ifUntouched === true
}

/** Whether an entry that is not planned may stand for what is to be let go of: the list of its place tells. */
const claiming = (
  byKind: ReadonlyMap<string, KindDefinition>,
  released: readonly RecordedResource[],
): ((entry: Entry) => boolean) => {
  const keyIn = ({ kind, identity }: Pick<RecordedResource, 'kind' | 'identity'>): string => {
    const definition = byKind.get(kind)
    return definition === undefined ? '' : scopeKey(definition, identity)
  }
  const places = new Set(released.map(keyIn))
  return ({ kind, values }) => {
    const definition = byKind.get(kind)
    return (
      definition !== undefined &&
      definition.expand.reads(values) === 'scope' &&
      places.has(scopeKey(definition, declaredIdentity(definition, values)))
    )
  }
}

/** Readable things need events only where live is not what was last applied: to name who changed it. */
const hasChanged = (
  definition: KindDefinition | undefined,
  record: RecordedResource,
  observed: Observations,
): boolean => {
  if (definition === undefined || isNone(definition.witness) || isNone(definition.write)) return false
  const live = thingIn(observed, definition, record.identity) ?? 'unseen'
  return changedIn(definition, record, { live, parts: 'unseen' }).length > 0
}

/** Organizations that the first reading did not cover, or not from early enough on. */
const readMissing = async (
  client: EngineClient,
  wanted: ReadonlyMap<string, number>,
  had: ReadonlyMap<string, number>,
  whole: boolean,
): Promise<EventLog> => {
  const missing = [...wanted].filter(([orgId, from]) => from < (had.get(orgId) ?? Number.POSITIVE_INFINITY))
  return missing.length === 0 ? NO_EVENTS : readEvents(client, new Map(missing), { whole })
}
