import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import { parseInstant, wholeSecond } from '../../core/instant.ts'
import { foreignEvents } from '../judge/events.ts'
import { putInstead } from '../plan/replaced.ts'
import { checkCredentials } from '../read/credentials.ts'
import { LONGEST_LOOK_MS, NO_EVENTS, readEvents, readFrom, type EventLog } from '../read/events.ts'
import { eventsWanted } from '../read/organizations.ts'
import { reason } from '../reason.ts'
import { differing, valuesOf } from '../values/compare.ts'
import { put, wrote } from '../values/ledger.ts'
import type { FieldChange, RecordedResource, Records, WriteSpan } from '../values/model.ts'
import { unsureOf } from '../values/record.ts'
import { spanAfter, spanOfBoth, spanOfUnknown } from '../values/span.ts'
import { fromAnswer, writableFields, writableIn } from '../values/wire.ts'
import { fencesNear } from './fence.ts'
import { personOf } from '../judge/person.ts'
import { settleCreations } from './creation.ts'
import {
  SKEW_MS,
  openAs,
  settledAs,
  type SettleFinding,
  type LostWrite,
  type Provisional,
  type Settled,
  type SettleEvidence,
  type SettleFacts,
  type Unsettled,
} from './facts.ts'

export interface Settlement {
  readonly settled: readonly Settled[]
  /** Lost creations that an apply settles by a write of its own, with the results that are expected until then. */
  readonly provisional: readonly Provisional[]
  readonly open: readonly Unsettled[]
  /** The events that were used as evidence. */
  readonly log: EventLog
}

/**
 * Finds out what became of writes whose answers were lost. A DELETE is settled by the next read, a PATCH by sending
 * it again (its body is absolute), a POST by events that name what it made. Nothing is assumed without proof.
 */
export const settle = async (lost: readonly LostWrite[], facts: SettleFacts): Promise<Settlement> => {
  if (lost.length === 0) return { settled: [], provisional: [], open: [], log: NO_EVENTS }
  const evidence = withPersons({ ...facts, lost, ...(await eventsSince(lost, facts)) })
  const creations = lost.filter(({ method }) => method === 'POST')
  const findings = [
    ...lost.filter(({ method }) => method !== 'POST').map((write) => settleChange(write, evidence)),
    ...[...Map.groupBy(creations, ({ kind }) => kind)].flatMap(([kind, writes]) => {
      const definition = definitionOf(evidence.definitions, kind)
      return definition === undefined
        ? writes.map((write) => unknownKind(write))
        : settleCreations(writes, definition, evidence)
    }),
  ]
  return {
    settled: findings.filter((each) => each.is === 'settled'),
    provisional: findings.filter((each) => each.is === 'provisional'),
    open: findings.filter((each) => each.is === 'open'),
    log: evidence.log,
  }
}

const withPersons = (seen: Omit<SettleEvidence, 'persons'>): SettleEvidence => {
  const keys = new Set(seen.lost.map(({ by }) => by))
  const persons = [...keys].flatMap((key) => {
    const name = personOf(key, seen)
    return name === undefined ? [] : [[key, name] as const]
  })
  return { ...seen, persons: new Map(persons) }
}

const unknownKind = (write: LostWrite): Unsettled =>
  openAs(write, reason('write-of-unknown-kind', { kind: write.kind }))

const eventsSince = async (
  lost: readonly LostWrite[],
  facts: SettleFacts,
): Promise<Pick<SettleEvidence, 'log' | 'complete' | 'since'>> => {
  const { client, declaration, definitions, records } = facts
  const wanted = lost.flatMap((write) => {
    const { expected, at } = write
    const from = parseInstant(at)
    // The newest write to one of these can show that events are not late.
    const siblings = Object.values(records).filter(({ kind }) => kind === expected.kind)
    const fences = fencesNear(write, { ...facts, lost }).map(({ record }) => record)
    const newest = [siblings, fences].map((each) => newestOf(each, from - LONGEST_LOOK_MS))
    return [[expected, Math.min(from - SKEW_MS, ...newest)] as const]
  })
  const since = eventsWanted(definitions, wanted, declaration)
  if (since.size === 0) return { log: NO_EVENTS, complete: new Set(), since }
  const log = await readEvents(client, since, { tentative: true, withRaw: true })
  if (log.unproven === true)
    await checkCredentials(
      client,
      definitions,
      lost.map(({ expected }) => expected),
    )
  return { log, since, complete: new Set([...log.read].filter((place) => !log.partly.has(place))) }
}

/** From when on events tell of the newest write to these; infinity if all are too old. */
const newestOf = (records: readonly RecordedResource[], oldest: number): number => {
  const newest = records
    .map(readFrom)
    .filter((each) => each > oldest)
    .reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
  return Number.isFinite(newest) ? newest : Number.POSITIVE_INFINITY
}

const settleChange = (write: LostWrite, evidence: SettleEvidence): SettleFinding => {
  const { kind, method } = write
  const definition = definitionOf(evidence.definitions, kind)
  if (definition === undefined) return unknownKind(write)
  if (method === 'DELETE') return settledAs(write, [], reason('told-by-next-reading'))
  return settlePatch(write, definition, evidence)
}

const settlePatch = (
  write: LostWrite,
  definition: KindDefinition,
  evidence: SettleEvidence,
): SettleFinding => {
  const { records, client } = evidence
  const { expected } = write
  const isRead = isReadable(definition)
  // Its body is absolute.
  const again = (effects: Settled['effects']) =>
    settledAs(write, effects, isRead ? reason('told-by-next-reading') : reason('can-be-sent-again'))
  const span = spanOfUnknown(write, client.serviceNow())
  // The request asked a candidate, which is asked again.
  const id = expected.identity[definition.identity.key]
  if (id !== undefined && evidence.lost.some(({ bound }) => bound?.id === id))
    return again([wrote(expected, span)])
  const record = recordOf(write, records)
  if (!isRead) {
    // Foreign events that the plan knew of happened before this write.
    const acknowledged = [...(record?.acknowledged ?? []), ...(expected.acknowledged ?? [])]
    const lastWrite = spanAfter(record?.lastWrite ?? null, span)
    const known = { ...(record ?? expected), acknowledged, lastWrite }
    const event = changeSince(definition, known, write.at, evidence)
    if (event !== undefined) return openAs(write, reason('changed-by-others', { event }))
  }
  return again(effectsOfLostChange(definition, write, records, span))
}

/** What to record of a thing if one of its writes may or may not have taken effect within a span. */
export const effectsOfLostChange = (
  definition: KindDefinition,
  write: LostWrite,
  records: Records,
  span: WriteSpan,
): Settled['effects'] => {
  const { address, expected } = write
  const record = recordOf(write, records)
  const isRead = isReadable(definition)
  // An adoption of a thing that cannot be read starts again, with the fields that it has to learn first.
  if (record === undefined && !isRead) return [wrote(expected, span)]
  const before = record ?? expected
  const resource = isRead
    ? withLost(before, sentOtherwise(definition, write, record), span)
    : afterLostChange(definition, before, write, span)
  return record === undefined ? putInstead(definition, address, resource, records) : [put(address, resource)]
}

/** Keeps the values before and after a lost write: if a read shows one of them, nobody else has set it. */
const withLost = (
  record: RecordedResource,
  fields: readonly FieldChange[],
  span: WriteSpan,
): RecordedResource => {
  const written = { ...record, lastWrite: spanAfter(record.lastWrite, span) }
  if (fields.length === 0) return written
  const unsure = [...new Set([...(record.unsure ?? []), ...fields.map(({ path }) => path)])]
  const [before, sent] = [valuesOf(fields, 'before'), valuesOf(fields, 'after')]
  return { ...written, unsure, lost: [...(record.lost ?? []), before, sent] }
}

/** Fields that were sent with another value than was last applied, or seen before an adoption. */
const sentOtherwise = (
  definition: KindDefinition,
  { body, expected }: LostWrite,
  record: RecordedResource | undefined,
): readonly FieldChange[] => {
  const sent = fromAnswer(definition, body, expected.identity).values
  const before = record?.applied ?? expected.adopted ?? {}
  return differing(definition, writableFields(definition), before, sent)
}

const recordOf = ({ address, expected }: LostWrite, records: Records): RecordedResource | undefined => {
  const found = records[address]
  return found !== undefined && isOf(expected, found) ? found : undefined
}

/** The record of a thing after a write of unknown outcome: its fields are asserted again. */
export const afterLostChange = (
  definition: KindDefinition,
  record: RecordedResource,
  write: Pick<LostWrite, 'expected' | 'fields'>,
  span: WriteSpan,
): RecordedResource => {
  // What was known of others then still counts about fields that were not sent: no answer has shown these.
  const join = leavesDoubt(definition, record, write) ? spanOfBoth : spanAfter
  return { ...unsureOf(definition, record, write), lastWrite: join(record.lastWrite, span) }
}

/** Whether events were known before the write that may be about fields that it did not send. */
const leavesDoubt = (
  definition: KindDefinition,
  { acknowledged = [], applied }: RecordedResource,
  { expected, fields }: Pick<LostWrite, 'expected' | 'fields'>,
): boolean =>
  expected.acknowledged?.some((id) => !acknowledged.includes(id)) === true &&
  writableIn(definition, applied).some((name) => !fields.includes(name))

/** Whether a record is of the thing that a request was about, and not of one that it replaces. */
const isOf = ({ identity }: RecordedResource, record: RecordedResource): boolean =>
  Object.entries(identity).every(([name, value]) => record.identity[name] === value)

/** Id of the newest event by somebody else about the thing, since the request was about to be sent. */
const changeSince = (
  definition: KindDefinition,
  record: RecordedResource & { readonly lastWrite: WriteSpan },
  sentAt: string,
  { log: { events }, client }: SettleEvidence,
): string | undefined => {
  const log = { ...NO_EVENTS, events }
  const from = wholeSecond(parseInstant(sentAt))
  const watermark = record.lastWrite.from
  return foreignEvents(definition, { ...record, watermark }, log, client.publicKey).find(
    ({ created }) => parseInstant(created) >= from,
  )?.id
}
