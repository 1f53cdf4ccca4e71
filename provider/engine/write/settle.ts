import type { KindDefinition } from '../../core/definition.ts'
import { foreignEvents } from '../judge/events.ts'
import { stepAside } from '../plan/replaced.ts'
import { unsureOf } from '../plan/record.ts'
import { readEvents } from '../read/events.ts'
import { eventsWanted } from '../read/organizations.ts'
import { reason } from '../reason.ts'
import { parseInstant } from '../values/compare.ts'
import type { RecordedResource, WriteSpan } from '../values/model.ts'
import { SPAN_MARGIN_MS, spanAfter } from '../values/span.ts'
import { settleCreation } from './settle-creation.ts'
import {
  SKEW_MS,
  spanOfLost,
  type LostWrite,
  type Settled,
  type SettleEvidence,
  type SettleFacts,
  type Unsettled,
} from './settle-facts.ts'

export interface Settlement {
  readonly settled: readonly Settled[]
  readonly open: readonly Unsettled[]
}

/**
 * Finds out what became of writes whose answer was lost. A DELETE is settled by the next reading, a PATCH
 * by sending it again (its body is absolute), a POST by the one event that names what it made. Where
 * evidence does not prove it, nothing is assumed.
 */
export const settle = async (lost: readonly LostWrite[], facts: SettleFacts): Promise<Settlement> => {
  if (lost.length === 0) return { settled: [], open: [] }
  const evidence = { ...facts, lost, ...(await eventsSince(lost, facts)) }
  const results = lost.map((write) => settleOne(write, evidence))
  return {
    settled: results.flatMap((result) => ('effects' in result ? [result] : [])),
    open: results.flatMap((result) => ('write' in result ? [result] : [])),
  }
}

const eventsSince = async (
  lost: readonly LostWrite[],
  { client, declaration, definitions }: SettleFacts,
): Promise<Pick<SettleEvidence, 'events' | 'complete'>> => {
  const wanted = lost.map(({ expected, at }) => [expected, parseInstant(at) - SKEW_MS] as const)
  const since = eventsWanted(definitions, wanted, declaration)
  if (since.size === 0) return { events: [], complete: true }
  const { events, warnings } = await readEvents(client, since)
  return { events, complete: warnings.length === 0 }
}

const settleOne = (write: LostWrite, evidence: SettleEvidence): Settled | Unsettled => {
  const { kind, method, n } = write
  const definition = evidence.definitions.find((each) => each.kind === kind)
  if (definition === undefined) return { write, because: reason('write-of-unknown-kind', { kind }) }
  if (method === 'DELETE') return { n, effects: [], how: reason('told-by-next-reading') }
  return method === 'PATCH'
    ? settleChange(write, definition, evidence)
    : settleCreation(write, definition, evidence)
}

const settleChange = (
  write: LostWrite,
  definition: KindDefinition,
  evidence: SettleEvidence,
): Settled | Unsettled => {
  const { records, client } = evidence
  const { address, n, expected } = write
  const found = records[address]
  const record = found !== undefined && isOf(expected, found) ? found : undefined
  const again = { n, how: reason('can-be-sent-again') }
  const isRead = definition.observe.how === 'everything'
  const span = spanOfLost(write, client.serviceNow())
  const earlier = record?.lastWrite ?? null
  const lastWrite = spanAfter(earlier, span)
  if (!isRead) {
    const known = { ...(record ?? expected), lastWrite: spanAfter(earlier, span, SPAN_MARGIN_MS) }
    const event = changeSince(definition, known, write.at, evidence)
    if (event !== undefined) return { write, because: reason('changed-by-others', { event }) }
  }
  // An adoption that is not read back begins anew, with what it has to learn first.
  if (record === undefined && !isRead) return { ...again, effects: [], lost: { address, span } }
  const before = record ?? expected
  const resource = isRead ? { ...before, lastWrite } : afterLostChange(definition, before, write, span)
  const aside = record === undefined ? stepAside(definition, address, found) : []
  return { ...again, effects: [...aside, { op: 'put', address, resource }] }
}

/** The record of a thing one of whose writes may or may not have had its effect: its fields are asserted again. */
export const afterLostChange = (
  definition: KindDefinition,
  record: RecordedResource,
  write: Pick<LostWrite, 'expected' | 'fields'>,
  span: WriteSpan,
): RecordedResource => ({
  ...unsureOf(definition, record, write),
  lastWrite: spanAfter(record.lastWrite, span),
})

/** Whether a record is of the thing that a request was about, and not of one whose place it takes. */
const isOf = ({ identity }: RecordedResource, record: RecordedResource): boolean =>
  Object.entries(identity).every(([name, value]) => record.identity[name] === value)

/** The newest event by somebody else about the thing after the request was to leave. */
const changeSince = (
  definition: KindDefinition,
  record: RecordedResource & { readonly lastWrite: WriteSpan },
  sentAt: string,
  { events, client }: SettleEvidence,
): string | undefined => {
  const log = { events, read: new Set<string>(), warnings: [] }
  const from = Math.floor(parseInstant(sentAt) / 1000) * 1000
  const watermark = record.lastWrite.from
  return foreignEvents(definition, { ...record, watermark }, log, client.publicKey).find(
    ({ created }) => parseInstant(created) >= from,
  )?.id
}
