import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { stepAside } from '../plan/replaced.ts'
import { reason, type Reason } from '../reason.ts'
import { parseInstant } from '../values/compare.ts'
import type { RecordedResource } from '../values/model.ts'
import {
  spanOfLost,
  type LostWrite,
  type Settled,
  type SettleEvidence,
  type Unsettled,
} from './settle-facts.ts'

/** A creation is proven by the one event of this key that can only be its own; else a person has to look. */
export const settleCreation = (
  write: LostWrite,
  definition: KindDefinition,
  evidence: SettleEvidence,
): Settled | Unsettled => {
  const { create } = definition.establish
  if (isNone(create)) return { write, because: undefined }
  if (isNone(create.lost)) return { write, because: seenByName(definition, write, evidence.events) }
  const ours = candidates(write, definition, create.lost, evidence)
  const ids = [...ours.keys()]
  const rivals = evidence.lost.filter(
    ({ kind, method, path }) => kind === write.kind && method === 'POST' && path === write.path,
  )
  const [id] = ids
  if (id === undefined || ids.length !== 1 || rivals.length !== 1 || !evidence.complete)
    return { write, because: whyNot(ids, rivals.length, evidence.complete) }
  const at = String(ours.get(id))
  const { address, expected } = write
  const resource: RecordedResource = {
    ...expected,
    identity: { ...expected.identity, [definition.identity.key]: id },
    lastWrite: { ...spanOfLost(write), to: at },
    watermark: at,
  }
  return {
    n: write.n,
    effects: [...stepAside(definition, address, evidence.records[address]), { op: 'put', address, resource }],
    how: reason('named-by-one-event', { id }),
  }
}

const whyNot = (ids: readonly string[], open: number, complete: boolean): Reason => {
  if (!complete) return reason('events-incomplete')
  return ids.length === 0 ? reason('no-event-names-it') : reason('events-name-several', { ids, open })
}

/** Ids that events of this key say were made while the request was under way, and that nothing recorded has. */
const candidates = (
  write: LostWrite,
  { identity, fields }: KindDefinition,
  { idInEvent, types }: { readonly idInEvent: string; readonly types: RegExp },
  { records, events, client }: SettleEvidence,
): Map<string, unknown> => {
  const { expected, by = client.publicKey } = write
  const known = new Set(Object.values(records).map((record) => record.identity[identity.key]))
  const isWithin = whileUnderWay(write)
  const ours = events.filter((event) => {
    const id = event[idInEvent]
    return (
      event['publicKey'] === by &&
      typeof id === 'string' &&
      !known.has(id) &&
      types.test(String(event['eventTypeName'])) &&
      isWithin(String(event['created'])) &&
      identity.scope.every((name) => event[fields[name]?.wire ?? name] === expected.identity[name])
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
const whileUnderWay = (write: LostWrite): ((created: string) => boolean) => {
  const from = parseInstant(write.at)
  const until =
    write.tookMs === undefined ? parseInstant(spanOfLost(write).to) : from + write.tookMs + AFTERMATH_MS
  return (created) => {
    const at = parseInstant(created)
    // Events of some services are told in whole seconds.
    const hasFraction = /\.\d*[1-9]/.test(created)
    return at >= (hasFraction ? from : Math.floor(from / 1000) * 1000) && at <= until
  }
}

const seenByName = (
  { witness }: KindDefinition,
  { expected }: LostWrite,
  events: readonly Values[],
): Reason => {
  if (isNone(witness)) return reason('events-not-emitted', { because: witness.none })
  const value = expected.applied[witness.instance]
  return events.some((event) => event[witness.event] === value)
    ? reason('exists-id-unknown', { name: String(value) })
    : reason('no-event-shows-it')
}
