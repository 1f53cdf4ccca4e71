import type { KindDefinition, LostById } from '../../core/definition.ts'
import { earlierWrite } from '../values/memory.ts'
import { spanAfter, spanOfUnknown } from '../values/span.ts'
import { isNone } from '../../core/operation.ts'
import { putInstead } from '../plan/replaced.ts'
import { reason } from '../reason.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { RecordedResource } from '../values/model.ts'
import { recordedAt } from '../values/recorded-at.ts'
import type { Asking } from './ask.ts'
import {
  candidatesOf,
  madeByPersons,
  fits,
  isWithin,
  sendAlike,
  tellsTrue,
  type Candidate,
} from './candidates.ts'
import { settleNamed } from './named.ts'
import { unnamed } from './unnamed.ts'
import {
  reachOf,
  openAs,
  provisionalAs,
  settledAs,
  whyUnseen,
  type Bound,
  type SettleFinding,
  type LostWrite,
  type Settled,
  type SettleEvidence,
} from './facts.ts'
import { writableIn } from '../values/wire.ts'

/**
 * Settles lost creations of one kind. Those of one place whose times overlap are settled together, because any of
 * them may have made what events name: things of one place are interchangeable once all fields are written.
 */
export const settleCreations = (
  writes: readonly LostWrite[],
  definition: KindDefinition,
  evidence: SettleEvidence,
): SettleFinding[] => {
  const { create } = definition.establish
  if (isNone(create)) return writes.map((write) => openAs(write))
  const { lost } = create
  if (isNone(lost))
    return writes.map((write) => openAs(write, reason('events-not-emitted', { because: lost.none })))
  if (lost.by === 'name')
    return [...Map.groupBy(writes, ({ address }) => address).values()].flatMap((sent) =>
      settleNamed(sent, definition, lost, evidence),
    )
  return poolsOf(writes).flatMap((pool) => settlePool({ writes: pool, definition, how: lost, evidence }))
}

/** Groups of requests to one path by one key that can have taken effect at the same time. */
const poolsOf = (writes: readonly LostWrite[]): LostWrite[][] => {
  const pools: LostWrite[][] = []
  for (const writesThere of Map.groupBy(writes, ({ path, by }) => JSON.stringify([path, by])).values()) {
    let until = Number.NEGATIVE_INFINITY
    for (const write of writesThere.toSorted((a, b) => reachOf(a).from - reachOf(b).from)) {
      const reach = reachOf(write)
      if (reach.from <= until) pools.at(-1)?.push(write)
      else pools.push([write])
      until = Math.max(until, reach.until)
    }
  }
  return pools
}

/** Lost creations that are settled together. */
interface Pool {
  readonly writes: readonly LostWrite[]
  readonly definition: KindDefinition
  readonly how: LostById
  readonly evidence: SettleEvidence
}

const settlePool = (pool: Pool): SettleFinding[] => {
  const { over = [], bound = [], free = [] } = Object.groupBy(pool.writes, (write) => stageOf(pool, write))
  const again = bound.map((write) => ofBound(pool, write, write.bound?.id ?? ''))
  return withUnpaired([
    ...over.map((write) => settledAs(write, [], reason('over-meanwhile'))),
    ...again,
    ...(free.length === 0 ? [] : ofFree(pool, { free, over, asks: again.some(isAsk) })),
  ])
}

/** Adds to each ask the lost creations that have no ask of their own. */
const withUnpaired = (findings: readonly SettleFinding[]): SettleFinding[] => {
  const unpaired = findings.flatMap((each) => (each.is === 'settled' || isAsk(each) ? [] : [each.write]))
  return findings.map((each) => (isAsk(each) ? { ...each, step: { ...each.step, unpaired } } : each))
}

const isAsk = (finding: SettleFinding): finding is Asking =>
  finding.is === 'provisional' && finding.step?.step === 'ask'

const stageOf = (pool: Pool, write: LostWrite): 'over' | 'bound' | 'free' => {
  const now = new Date(pool.evidence.client.serviceNow())
  if (hasEnded(pool.definition, write.expected.applied, now)) return 'over'
  return write.bound === undefined || isTaken(pool, write, write.bound) ? 'free' : 'bound'
}

/** Whether an answer has shown that another creation made what this one was bound to: it is recorded for that one. */
const isTaken = (
  { definition: { identity }, evidence: { records } }: Pool,
  { address, kind, expected }: LostWrite,
  { id, denied = false }: Bound,
): boolean => {
  const there = recordedAt(records, { kind, identity: { ...expected.identity, [identity.key]: id } })
  return !denied && there.size > 0 && !there.has(address)
}

interface Free {
  readonly free: readonly LostWrite[]
  /** Others of the pool, whose things would be over by now. */
  readonly over: readonly LostWrite[]
  /** Whether an earlier run has paired others of the pool, which are asked. */
  readonly asks: boolean
}

const ofFree = (pool: Pool, { free, over, asks }: Free): SettleFinding[] => {
  const { writes, definition, how, evidence } = pool
  const unseen = whyUnseen(definition, free, evidence)
  if (unseen !== undefined) return free.map((write) => openAs(write, unseen))
  const all = candidatesOf(definition, how, writes, evidence)
  // Values in an event can rule a thing out. More is concluded only if other events tell values truly.
  const possible = all.filter(({ told }) => free.some((write) => fits(definition, write, told)))
  const pairs = pairUp(definition, free, possible)
  if (pairs.size < possible.length) {
    const ids = possible.map(({ id }) => id)
    return free.map((write) => openAs(write, reason('events-name-several', { ids, open: free.length })))
  }
  const others = tellsTrue(definition, how, evidence)
    ? []
    : all.filter(({ told }) => ![...free, ...over].some((write) => fits(definition, write, told)))
  const paired = new Map([...pairs].map(([write, candidate]) => [write, ofPaired(pool, write, candidate)]))
  const isAsked = asks || [...paired.values()].some(isAsk)
  const ids = others.map(({ id }) => id)
  return free.map((write) => paired.get(write) ?? ofUnpaired(pool, write, ids, isAsked))
}

const ofUnpaired = (
  pool: Pool,
  write: LostWrite,
  others: readonly string[],
  asks: boolean,
): SettleFinding => {
  if (others.length > 0) return openAs(write, reason('events-name-others', { ids: others }))
  const { definition, how, evidence } = pool
  const made = madeByPersons(write, definition, how, evidence)
  const doubt = made.length === 0 ? undefined : reason('events-name-persons', { ids: made })
  const unproven = reason('no-event-names-it')
  const found = unnamed(write, { definition, how, asks, doubt, unproven }, evidence)
  // A candidate that is asked may turn out to be its own.
  return found.is === 'settled' && asks && !sendAlike(definition, pool.writes)
    ? provisionalAs(write, [], reason('to-be-made-sure'), undefined)
    : found
}

const ofPaired = (pool: Pool, write: LostWrite, { id, told }: Candidate): SettleFinding => {
  const { declaration, persons } = pool.evidence
  // A person also does other things in the web interface, under the same name.
  const isOfPerson = persons.has(write.by)
  const able = pool.writes.filter((each) => fits(pool.definition, each, told))
  const isSure = declaration.ownsKey === true && !isOfPerson && sendAlike(pool.definition, able)
  return isSure ? taken(pool, write, id) : asked(pool, write, id)
}

const ofBound = (pool: Pool, write: LostWrite, id: string): SettleFinding => {
  const { records } = pool.evidence
  const { key } = pool.definition.identity
  if (write.bound?.denied === true) return openAs(write, reason('candidate-is-another', { id }))
  // It was recorded, but the command was killed before the intent was closed.
  if (Object.values(records).some(({ kind, identity }) => kind === write.kind && identity[key] === id))
    return settledAs(write, [], reason('answered-as-created', { id }))
  return asked(pool, write, id)
}

/** Nothing else uses the key: what events name is ours, whichever creation made it. All fields can be written over. */
const taken = (pool: Pool, write: LostWrite, id: string): SettleFinding =>
  settledAs(write, effectsOf(pool, write, recordOf(pool, write, id)), reason('made-with-own-key', { id }))

const asked = (pool: Pool, write: LostWrite, id: string): SettleFinding => {
  const expected = recordOf(pool, write, id)
  // A field that all of them set: if another one made the thing, its own value can be written over this one, but a
  // field that it never had could not be removed.
  const field = pool.how.asks.find((name) =>
    pool.writes.every((each) => each.expected.applied[name] !== undefined),
  )
  if (field === undefined) return openAs(write, reason('candidate-cannot-be-asked', { id }))
  const step = {
    step: 'ask',
    definition: pool.definition,
    id,
    field,
    expected,
    among: pool.writes,
    unpaired: [],
    isUnderWay: isUnderWay(pool, id),
  } as const
  return provisionalAs(write, effectsOf(pool, write, expected), reason('to-be-asked', { id, field }), step)
}

const isUnderWay = ({ definition, evidence: { lost, client } }: Pool, id: string): boolean =>
  lost.some(
    (write) =>
      write.method !== 'POST' &&
      write.expected.identity[definition.identity.key] === id &&
      reachOf(write).until >= client.serviceNow(),
  )

/** None of its values counts as known: the next plan asserts every field. */
const recordOf = (pool: Pool, write: LostWrite, id: string): RecordedResource => {
  const { expected } = write
  const identity = { ...expected.identity, [pool.definition.identity.key]: id }
  const sent = spanOfUnknown(write, pool.evidence.client.serviceNow())
  const wrote = earlierWrite(pool.evidence, { kind: expected.kind, identity })
  const lastWrite = wrote === undefined ? sent : spanAfter(sent, wrote)
  const unsure = writableIn(pool.definition, expected.applied)
  return { ...expected, identity, lastWrite, watermark: lastWrite.to, unsure }
}

const effectsOf = (pool: Pool, { address }: LostWrite, resource: RecordedResource): Settled['effects'] =>
  putInstead(pool.definition, address, resource, pool.evidence.records)

/** Pairs each candidate with the matching creation that has the least time left for another candidate. */
const pairUp = (
  definition: KindDefinition,
  writes: readonly LostWrite[],
  candidates: readonly Candidate[],
): ReadonlyMap<LostWrite, Candidate> => {
  const pairs = new Map<LostWrite, Candidate>()
  for (const candidate of candidates) {
    const [first] = writes
      .filter(
        (write) =>
          !pairs.has(write) && isWithin(write, candidate.at) && fits(definition, write, candidate.told),
      )
      .toSorted((a, b) => reachOf(a).until - reachOf(b).until || a.n - b.n)
    if (first !== undefined) pairs.set(first, candidate)
  }
  return pairs
}
