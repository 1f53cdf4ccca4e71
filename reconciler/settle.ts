import type { KindDefinition } from '@deploymgmt/provider/core'
import {
  foreignEvents,
  organizationsOf,
  parseInstant,
  readEvents,
  SPAN_MARGIN_MS,
  spanAfter,
  stepAside,
  unsureOf,
  type RecordedResource,
  type WriteSpan,
} from '@deploymgmt/provider/engine'
import { settleCreation } from './settle-creation.ts'
import {
  detailOf,
  SKEW_MS,
  spanOf,
  type Evidence,
  type Facts,
  type Settled,
  type Unsettled,
} from './settle-evidence.ts'
import type { OpenIntent } from './state/index.ts'

export interface Settlement {
  readonly settled: readonly Settled[]
  readonly open: readonly Unsettled[]
}

/**
 * Finds out what became of writes whose answer was lost. A DELETE is settled by the next reading, a PATCH
 * by sending it again (its body is absolute), a POST by the one event that names what it made. Where
 * evidence does not prove it, nothing is assumed.
 */
export const settle = async (unknown: readonly OpenIntent[], facts: Facts): Promise<Settlement> => {
  if (unknown.length === 0) return { settled: [], open: [] }
  const evidence = { ...facts, unknown, ...(await eventsSince(unknown, facts)) }
  const results = unknown.map((intent) => settleOne(intent, evidence))
  return {
    settled: results.flatMap((result) => ('effects' in result ? [result] : [])),
    open: results.flatMap((result) => ('evidence' in result ? [result] : [])),
  }
}

const eventsSince = async (
  unknown: readonly OpenIntent[],
  { client, declaration }: Facts,
): Promise<Pick<Evidence, 'events' | 'complete'>> => {
  const since = new Map<string, number>()
  for (const intent of unknown) {
    const { expected, sentAt } = detailOf(intent)
    const from = parseInstant(sentAt) - SKEW_MS
    for (const orgId of organizationsOf(expected, declaration))
      since.set(orgId, Math.min(since.get(orgId) ?? Number.POSITIVE_INFINITY, from))
  }
  if (since.size === 0) return { events: [], complete: true }
  const { events, warnings } = await readEvents(client, since)
  return { events, complete: warnings.length === 0 }
}

const settleOne = (intent: OpenIntent, evidence: Evidence): Settled | Unsettled => {
  const definition = evidence.definitions.find(({ kind }) => kind === intent.kind)
  if (definition === undefined)
    return { intent, evidence: `the kind ${intent.kind} is not known to this version` }
  if (intent.method === 'DELETE') return { n: intent.n, effects: [], how: 'the next reading tells' }
  return intent.method === 'PATCH'
    ? settleChange(intent, definition, evidence)
    : settleCreation(intent, definition, evidence)
}

const settleChange = (
  intent: OpenIntent,
  definition: KindDefinition,
  evidence: Evidence,
): Settled | Unsettled => {
  const { expected, sentAt } = detailOf(intent)
  const { records, client } = evidence
  const { address, n } = intent
  const found = records[address]
  const record = found !== undefined && isOf(expected, found) ? found : undefined
  const again = { n, how: 'its body is absolute, so that it can be sent again' }
  const isRead = definition.observe.how === 'everything'
  const span = spanOf(intent, client.serviceNow())
  const earlier = record?.lastWrite ?? null
  const lastWrite = spanAfter(earlier, span)
  if (!isRead) {
    const known = { ...(record ?? expected), lastWrite: spanAfter(earlier, span, SPAN_MARGIN_MS) }
    const foreign = changeSince(definition, known, sentAt, evidence)
    if (foreign !== undefined) return { intent, evidence: `someone else changed it since: event ${foreign}` }
  }
  // An adoption that is not read back begins anew, with what it has to learn first.
  if (record === undefined && !isRead) return { ...again, effects: [], lost: { address, span } }
  const written = { ...(record ?? expected), lastWrite }
  const resource = isRead ? written : unsureOf(definition, written, detailOf(intent))
  const aside = record === undefined ? stepAside(definition, address, found) : []
  return { ...again, effects: [...aside, { op: 'put', address, resource }] }
}

/** Whether a record is of the thing that a request was about, and not of one whose place it takes. */
const isOf = ({ identity }: RecordedResource, record: RecordedResource): boolean =>
  Object.entries(identity).every(([name, value]) => record.identity[name] === value)

/** The newest event by somebody else about the thing after the request was to leave. */
const changeSince = (
  definition: KindDefinition,
  record: RecordedResource & { readonly lastWrite: WriteSpan },
  sentAt: string,
  { events, client }: Evidence,
): string | undefined => {
  const log = { events, read: new Set<string>(), warnings: [] }
  const from = Math.floor(parseInstant(sentAt) / 1000) * 1000
  const watermark = record.lastWrite.from
  return foreignEvents(definition, { ...record, watermark }, log, client.publicKey).find(
    ({ created }) => parseInstant(created) >= from,
  )?.id
}
