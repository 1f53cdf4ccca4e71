import { isNone } from '../core/operation.ts'
import type { Values } from '../core/values.ts'
import { GuardError } from '../errors/index.ts'
import { asArray, formatInstant, missingFrom, same } from './compare.ts'
import type { Instance } from './expand.ts'
import { needsOf } from './guards.ts'
import type { RecordedResource, WriteSpan } from './model.ts'
import { hasEnded } from './plan-unreadable.ts'
import { keepable, newRecord, withSettings } from './record.ts'
import {
  aside,
  done,
  put,
  request,
  saysOver,
  serviceTime,
  wasRefused,
  type Outcome,
  type Sent,
  type WriteContext,
} from './send.ts'
import { fromAnswer, toBody, type Decoded } from './wire.ts'
import { spanAfter } from './span.ts'
import type { Work } from './work.ts'

type WriteWork = Extract<Work, { do: 'write' }>

/**
 * Writes fields, and looks at the answer: what was held back to be learned first, and what someone changed
 * unseen, is written in a second request if it differs.
 * @throws GuardError when the answer shows that a flag is needed; what was written until then is recorded.
 */
export const write = async (work: WriteWork, context: WriteContext): Promise<Outcome> => {
  const { instance, record } = work
  const isOver = () => record !== undefined && hasEnded(instance, record.applied, serviceTime(context))
  const expired: Outcome = { status: 'expired', notes: ['it ended before it could be changed'] }
  if (isOver()) return expired
  return writeAndLook(work, context).catch((error: unknown) => {
    // The answer has brought the service's time: what is over by then was refused because it is over.
    if (wasRefused(error) && isOver()) return expired
    if (record?.unsure !== undefined && saysOver(error)) return endedBefore(work, record, context)
    throw error
  })
}

/** A change whose answer was lost would have prolonged it: it had no effect, and the thing has ended since. */
const endedBefore = async (
  { instance: { definition, address } }: WriteWork,
  record: RecordedResource,
  context: WriteContext,
): Promise<Outcome> => {
  const { unsure: _, ...sure } = record
  const end = isNone(definition.lifetime)
    ? {}
    : { [definition.lifetime.endsAt]: formatInstant(context.client.serviceNow()) }
  await context.ledger.effects([put(address, { ...sure, applied: { ...record.applied, ...end } })])
  return { status: 'expired', notes: ['it had ended; the next plan tells what is left to do'] }
}

const writeAndLook = async (work: WriteWork, context: WriteContext): Promise<Outcome> => {
  const { instance, record, learnBy } = work
  const first = learnBy.length > 0 ? learnBy : work.fields
  let written = await patch(work, first, record, context)
  const left = stillDiffering(instance, work.fields, first, written.decoded)
  if (left.length > 0) {
    guard(instance, left, written.decoded, context)
    written = await patch(work, left, written.record, context, written.record.lastWrite)
  }
  const notes = [
    ...lagging(instance, written.decoded.values),
    ...answeredOtherwise(instance, work.fields, written.decoded),
  ]
  const remaining = Object.keys(written.record.leftover ?? {})
  if (remaining.length === 0) return done(notes)
  const kept = `still in the answer after its removal: ${remaining.join(', ')}; remove it by hand`
  return { status: 'blocked', notes: [...notes, kept] }
}

interface Written {
  readonly record: RecordedResource
  readonly decoded: Decoded
}

/** One PATCH. `before` is the record it starts from, `earlier` the span of a request of the same change. */
const patch = async (
  { instance, seen, displaced }: WriteWork,
  names: readonly string[],
  before: RecordedResource | undefined,
  context: WriteContext,
  earlier: WriteSpan | null = null,
): Promise<Written> => {
  const { definition, desired, address, identity } = instance
  const { write: how } = definition
  if (isNone(how)) throw new TypeError(`${definition.kind} has no write`)
  const start = before ?? {
    ...newRecord(instance, { now: serviceTime(context) }),
    applied: {},
    adopted: seen,
  }
  const applied = { ...start.applied, ...without(keepable(instance), how.fields), ...only(desired, names) }
  const expected = { ...withSettings(instance, start), applied }
  const body = toBody(definition.fields, names, desired)
  const conclude = (answer: Sent): Written => {
    const decoded = fromAnswer(definition, answer.body, identity)
    return {
      decoded,
      record: recordAfter(instance, names, {
        start,
        expected,
        decoded,
        span: spanAfter(earlier ?? start.lastWrite, answer.span),
      }),
    }
  }
  const away = before === undefined ? displaced : undefined
  const send = { operation: how.operation, identity, body, kept: body, names, expected, address }
  const answer = await request(send, context, (sent) => [
    ...aside(address, away),
    put(address, conclude(sent).record),
  ])
  return conclude(answer)
}

const recordAfter = (
  instance: Instance,
  names: readonly string[],
  facts: { start: RecordedResource; expected: RecordedResource; decoded: Decoded; span: WriteSpan },
): RecordedResource => {
  const { start, expected, decoded, span } = facts
  const { leftover: _, acknowledged: __, beside: ___, unsure: ____, ...kept } = expected
  const leftover = leftovers(instance, names, start, decoded.values)
  return {
    ...kept,
    answer: decoded.values,
    adopted: start.adopted ?? (start.lastWrite === null ? decoded.values : null),
    lastWrite: span,
    watermark: span.to,
    ...(Object.keys(decoded.beside).length > 0 ? { beside: decoded.beside } : {}),
    ...(Object.keys(leftover).length > 0 ? { leftover } : {}),
  }
}

const without = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
const only = (values: Values, names: readonly string[]): Values =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** Fields held back, and declared fields that the answer shows to be different though nobody here sent them. */
const stillDiffering = (
  { definition, desired, entry }: Instance,
  wanted: readonly string[],
  sent: readonly string[],
  { values }: Decoded,
): string[] => {
  const fields = isNone(definition.write) ? [] : definition.write.fields
  return fields.filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || sent.includes(name) || desired[name] === undefined) return false
    if (
      !wanted.includes(name) &&
      (field.lags || values[name] === undefined || entry.ignoreChanges.includes(name))
    )
      return false
    return !same(field, values[name], desired[name])
  })
}

const guard = (
  instance: Instance,
  names: readonly string[],
  { values, beside }: Decoded,
  { ledger, client, definitions, allowed }: WriteContext,
): void => {
  const { definition, address, identity, desired } = instance
  const held = { definition, address, identity, before: values, after: only(desired, names), beside }
  const needs = needsOf(held, { definitions, records: ledger.records, ownKey: client.publicKey })
  const missing = needs.filter(({ flag }) => !allowed.has(flag))
  if (missing.length > 0) throw new GuardError(missing.map((need) => ({ ...need, address })))
}

/** What was recorded, is no longer declared, and is still in the answer. */
const leftovers = (
  { definition, desired }: Instance,
  names: readonly string[],
  before: RecordedResource,
  answer: Values,
): Values => {
  const found = names.flatMap((name) => {
    const field = definition.fields[name]
    if (field === undefined || !field.lags || answer[name] === undefined) return []
    const ours = [...asArray(before.applied[name]), ...asArray(before.leftover?.[name])]
    const removed = missingFrom(field, ours, desired[name])
    const kept = removed.filter((item) => missingFrom(field, [item], answer[name]).length === 0)
    return kept.length === 0 ? [] : [[name, kept] as const]
  })
  return Object.fromEntries(found)
}

/** Invitations: declared, written, and not in the answer yet. */
export const lagging = ({ definition, desired }: Instance, answer: Values): string[] =>
  Object.entries(definition.fields).flatMap(([name, field]) => {
    if (!field.lags || desired[name] === undefined) return []
    const waiting = missingFrom(field, desired[name], answer[name]).length
    return waiting === 0 ? [] : [`${waiting} of its ${name} invited, to be accepted by the person`]
  })

/** Fields that the service took and then answered otherwise; said, because a next plan would ask again. */
const answeredOtherwise = (
  { definition, desired }: Instance,
  names: readonly string[],
  { values }: Decoded,
): string[] =>
  names.flatMap((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.lags || values[name] === undefined) return []
    return same(field, values[name], desired[name])
      ? []
      : [`the service took ${name} and answers another value for it`]
  })
