import { isNone, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import {
  EVENT_LAG_MS,
  foreignEvents,
  organizationsOf,
  parseInstant,
  readEvents,
  type Declaration,
  type Effect,
  type EngineClient,
  type RecordedResource,
  type Records,
} from '@deploymgmt/provider/engine'
import type { IntentDetail } from './session-ledger.ts'
import type { OpenIntent } from './state/index.ts'

/** A write of unknown outcome that evidence settles. */
export interface Settled {
  readonly n: number
  readonly effects: readonly Effect[]
  readonly how: string
}

export interface Settlement {
  readonly settled: readonly Settled[]
  /** What a person has to decide, with the evidence there is. */
  readonly open: readonly { readonly intent: OpenIntent; readonly evidence: string }[]
}

interface Facts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly client: EngineClient
}

/** Clocks and the ends of a request are seconds apart at most; an event of ours lies this close. */
const SKEW_MS = 5_000

/**
 * Finds out what became of writes whose answer was lost. A DELETE is settled by the next reading, a PATCH
 * by sending it again (its body is absolute), a POST by the one event that names what it made. Where
 * evidence does not prove it, nothing is assumed.
 */
export const settle = async (unknown: readonly OpenIntent[], facts: Facts): Promise<Settlement> => {
  if (unknown.length === 0) return { settled: [], open: [] }
  const events = await eventsSince(unknown, facts)
  const results = unknown.map((intent) => settleOne(intent, unknown, events, facts))
  return {
    settled: results.flatMap((result) => ('effects' in result ? [result] : [])),
    open: results.flatMap((result) => ('evidence' in result ? [result] : [])),
  }
}

const detailOf = (intent: OpenIntent): IntentDetail => intent.detail as IntentDetail

const eventsSince = async (
  unknown: readonly OpenIntent[],
  { client, declaration }: Facts,
): Promise<readonly Values[]> => {
  const since = new Map<string, number>()
  for (const intent of unknown) {
    const { expected, sentAt } = detailOf(intent)
    const from = parseInstant(sentAt) - SKEW_MS + EVENT_LAG_MS
    for (const orgId of organizationsOf(expected, declaration))
      since.set(orgId, Math.min(since.get(orgId) ?? Number.POSITIVE_INFINITY, from))
  }
  return since.size === 0 ? [] : (await readEvents(client, since)).events
}

type Result = Settled | { readonly intent: OpenIntent; readonly evidence: string }

const settleOne = (
  intent: OpenIntent,
  unknown: readonly OpenIntent[],
  events: readonly Values[],
  facts: Facts,
): Result => {
  const definition = facts.definitions.find(({ kind }) => kind === intent.kind)
  if (definition === undefined)
    return { intent, evidence: `the kind ${intent.kind} is not known to this version` }
  if (intent.method === 'DELETE') return { n: intent.n, effects: [], how: 'the next reading tells' }
  if (intent.method === 'PATCH') return settleChange(intent, definition, events, facts)
  return settleCreation(intent, definition, unknown, events, facts)
}

const settleChange = (
  intent: OpenIntent,
  definition: KindDefinition,
  events: readonly Values[],
  facts: Facts,
): Result => {
  const { expected, fields, sentAt } = detailOf(intent)
  const again = { n: intent.n, how: 'its body is absolute, so that it can be sent again' }
  const record = facts.records[intent.address]
  if (definition.observe.how === 'everything') return { ...again, effects: [] }
  const since: RecordedResource = {
    ...(record ?? expected),
    lastWrite: { from: sentAt, to: sentAt, sent: [fields] },
    watermark: sentAt,
  }
  const log = { events, read: new Set<string>(), warnings: [] }
  const foreign = foreignEvents(definition, since, log, facts.client.publicKey)
  if (foreign.length > 0)
    return { intent, evidence: `someone else changed it since: event ${foreign[0]?.id ?? ''}` }
  if (record === undefined) return { ...again, effects: [] }
  const unsure = [...new Set([...(record.unsure ?? []), ...fields])]
  return { ...again, effects: [{ op: 'put', address: intent.address, resource: { ...record, unsure } }] }
}

const settleCreation = (
  intent: OpenIntent,
  definition: KindDefinition,
  unknown: readonly OpenIntent[],
  events: readonly Values[],
  facts: Facts,
): Result => {
  const { create } = definition.establish
  const { expected, sentAt } = detailOf(intent)
  if (isNone(create) || isNone(create.lost))
    return { intent, evidence: isNone(create) ? '' : seenByName(definition, expected, events) }
  const { idInEvent } = create.lost
  const from = parseInstant(sentAt) - SKEW_MS
  const known = new Set(Object.values(facts.records).map(({ identity }) => identity[definition.identity.key]))
  const ours = events.filter(
    (event) =>
      event['publicKey'] === facts.client.publicKey &&
      typeof event[idInEvent] === 'string' &&
      !known.has(event[idInEvent]) &&
      parseInstant(String(event['created'])) >= from &&
      (expected.identity['projectId'] === undefined || event['groupId'] === expected.identity['projectId']),
  )
  const ids = [...new Set(ours.map((event) => String(event[idInEvent])))]
  const rivals = unknown.filter(
    (other) => other.kind === intent.kind && other.method === 'POST' && other.path === intent.path,
  )
  if (ids.length !== 1 || rivals.length !== 1)
    return {
      intent,
      evidence:
        ids.length === 0
          ? 'no event of this key names a new one'
          : `events of this key name ${ids.join(', ')}; ${rivals.length} creations are open`,
    }
  const [id = ''] = ids
  const identity = { ...expected.identity, [definition.identity.key]: id }
  const at = String(ours[0]?.['created'])
  const resource: RecordedResource = {
    ...expected,
    identity,
    lastWrite: { from: sentAt, to: at, sent: [Object.keys(expected.applied)] },
    watermark: at,
  }
  return {
    n: intent.n,
    effects: [{ op: 'put', address: intent.address, resource }],
    how: `the one event of this key names ${id}`,
  }
}

const seenByName = (
  definition: KindDefinition,
  expected: RecordedResource,
  events: readonly Values[],
): string => {
  const { witness } = definition
  if (isNone(witness)) return witness.none
  const value = expected.applied[witness.instance]
  return events.some((event) => event[witness.event] === value)
    ? `an event shows that ${String(value)} exists; its id is in no event. Find it by hand, and adopt it with --created`
    : 'no event shows it'
}
