import { isNone, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import { parseInstant, stepAside, type RecordedResource } from '@deploymgmt/provider/engine'
import { detailOf, spanOf, type Evidence, type Settled, type Unsettled } from './settle-evidence.ts'
import type { OpenIntent } from './state/index.ts'

/** The words by which an event type says that something has come to be; a change of a thing proves no creation. */
const CREATION = /ADDED|CREATED/

/** A creation is proven by the one event of this key that can only be its own; else a person has to look. */
export const settleCreation = (
  intent: OpenIntent,
  definition: KindDefinition,
  evidence: Evidence,
): Settled | Unsettled => {
  const { create } = definition.establish
  const { expected } = detailOf(intent)
  const { address } = intent
  if (isNone(create) || isNone(create.lost))
    return { intent, evidence: isNone(create) ? '' : seenByName(definition, expected, evidence.events) }
  const ours = candidates(intent, definition, create.lost.idInEvent, evidence)
  const ids = [...ours.keys()]
  const rivals = evidence.unknown.filter(
    (other) => other.kind === intent.kind && other.method === 'POST' && other.path === intent.path,
  )
  const [id] = ids
  if (id === undefined || ids.length !== 1 || rivals.length !== 1 || !evidence.complete)
    return { intent, evidence: whyNot(ids, rivals.length, evidence.complete) }
  const at = String(ours.get(id))
  const resource: RecordedResource = {
    ...expected,
    identity: { ...expected.identity, [definition.identity.key]: id },
    lastWrite: { ...spanOf(intent, Number.POSITIVE_INFINITY), to: at },
    watermark: at,
  }
  return {
    n: intent.n,
    effects: [...stepAside(definition, address, evidence.records[address]), { op: 'put', address, resource }],
    how: `the one event of this key names ${id}`,
  }
}

const whyNot = (ids: readonly string[], rivals: number, complete: boolean): string => {
  if (!complete) return 'not all events could be read'
  return ids.length === 0
    ? 'no event of this key names a new one'
    : `events of this key name ${ids.join(', ')}; ${rivals === 1 ? 'one creation is' : `${rivals} creations are`} open`
}

/** Ids that events of this key say were made while the request was under way, and that nothing recorded has. */
const candidates = (
  intent: OpenIntent,
  { identity }: KindDefinition,
  idInEvent: string,
  { records, events, client }: Evidence,
): Map<string, unknown> => {
  const { expected, by = client.publicKey } = detailOf(intent)
  const known = new Set(Object.values(records).map((record) => record.identity[identity.key]))
  const isWithin = whileUnderWay(intent)
  const ours = events.filter((event) => {
    const id = event[idInEvent]
    return (
      event['publicKey'] === by &&
      typeof id === 'string' &&
      !known.has(id) &&
      CREATION.test(String(event['eventTypeName'])) &&
      isWithin(String(event['created'])) &&
      (expected.identity['projectId'] === undefined || event['groupId'] === expected.identity['projectId'])
    )
  })
  return new Map(ours.map((event) => [String(event[idInEvent]), event['created']]))
}

/** After it was given up, a request can still be worked on for as long as this. */
const AFTERMATH_MS = 2_000

/**
 * Whether an event can be the request's own. An id that is adopted wrongly is a window of someone else's that a
 * later removal would end, so that the bounds are as narrow as they are known: not before the request left, and
 * not after it was given up. What falls out of them is for a person to look at.
 */
const whileUnderWay = (intent: OpenIntent): ((created: string) => boolean) => {
  const from = parseInstant(detailOf(intent).sentAt)
  const { to } = spanOf(intent, Number.POSITIVE_INFINITY)
  const took = intent.errorAt === undefined ? undefined : Date.parse(intent.errorAt) - Date.parse(intent.at)
  const until = took === undefined ? parseInstant(to) : from + took + AFTERMATH_MS
  return (created) => {
    const at = parseInstant(created)
    // Events of some services are told in whole seconds.
    const hasFraction = /\.\d*[1-9]/.test(created)
    return at >= (hasFraction ? from : Math.floor(from / 1000) * 1000) && at <= until
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
