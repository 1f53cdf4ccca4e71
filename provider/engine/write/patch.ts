import type { KindDefinition, Write } from '../../core/definition.ts'
import { relyOn } from '../../core/operation.ts'
import { omit, pick, pickBy, type Values } from '../../core/values.ts'
import type { Instance } from '../values/instance.ts'
import type { Work } from '../plan/work.ts'
import { asArray, isSameName, missingFrom, same } from '../values/compare.ts'
import { moveAside, put } from '../values/ledger.ts'
import { earlierWrite } from '../values/memory.ts'
import type { RecordedResource, WriteSpan } from '../values/model.ts'
import { keepable, newRecord, withSettings } from '../values/record.ts'
import { reaches, spanAfter } from '../values/span.ts'
import { createOnlyFields, fromAnswer, toBody, writableFields, type Decoded } from '../values/wire.ts'
import { isAnsweredAsBefore, overriddenIn } from './overridden.ts'
import { having, request, serviceTime, type Send, type Sent, type WriteContext } from './send.ts'
import { sureOf } from '../values/sure.ts'

export type WriteWork = Extract<Work, { do: 'write' }>

export interface Written {
  readonly record: RecordedResource
  readonly decoded: Decoded
}

/** Sends one PATCH. `before` is the record it starts from, also after an earlier request of the same change. */
export const patch = async (
  work: WriteWork,
  names: readonly string[],
  before: RecordedResource | undefined,
  context: WriteContext,
): Promise<Written> => {
  const { aside } = work
  const { address } = work.instance
  const { start, send } = changeOf(work, names, before, context)
  const { expected } = send
  const previous = start.lastWrite ?? earlierWrite(context.ledger, start) ?? null
  const conclude = (answer: Sent): Written =>
    writtenBy(answer, work, { names, start, expected, previous, isAdoption: before === undefined })
  const away = before === undefined ? aside : undefined
  const answer = await request(send, context, (sent) => [
    ...moveAside(address, away),
    put(address, conclude(sent).record),
  ])
  return conclude(answer)
}

/** The request of a change, and the record that it starts from. */
export const changeOf = (
  { instance, seen: live, settles }: WriteWork,
  names: readonly string[],
  before: RecordedResource | undefined,
  context: Pick<WriteContext, 'client'>,
): { readonly start: RecordedResource; readonly send: Send } => {
  const { definition, desired, address, identity } = instance
  const how = relyOn(definition.write, definition.kind, 'write')
  const start = before ?? {
    ...newRecord(instance, { now: serviceTime(context) }),
    applied: {},
    adopted: live,
  }
  const seen = settles.map(({ id }) => id)
  const applied = appliedBy(instance, how, names, start)
  const expected = having({ ...withSettings(instance, start), applied }, seen)
  const body = toBody(definition.fields, names, desired)
  return { start, send: { operation: how.operation, identity, body, kept: body, names, expected, address } }
}

/** The values that count as applied once these fields are written. */
const appliedBy = (
  instance: Instance,
  { fields }: Write,
  names: readonly string[],
  { applied }: RecordedResource,
): Values => {
  const { definition, entry } = instance
  const fixed = [...createOnlyFields(definition), ...entry.ignoreChanges].filter(
    (name) => applied[name] !== undefined,
  )
  return {
    ...applied,
    ...pickBy(keepable(instance), (_, name) => !fields.includes(name) && !fixed.includes(name)),
    ...pick(instance.desired, names),
  }
}

/** What is known before a PATCH is sent. */
interface Before {
  readonly names: readonly string[]
  readonly start: RecordedResource
  readonly expected: RecordedResource
  /** The span that the new one may continue. */
  readonly previous: WriteSpan | null
  readonly isAdoption: boolean
}

const writtenBy = (
  answer: Sent,
  { instance, settles }: WriteWork,
  { names, start, expected, previous, isAdoption }: Before,
): Written => {
  const { definition, identity, desired } = instance
  const decoded = fromAnswer(definition, answer.body, identity)
  const joined = spanAfter(previous, answer.span)
  // What others did before an adoption is part of what was adopted, even if a request of ours was lost before that.
  const span = isAdoption && joined !== answer.span ? { ...joined, from: answer.span.from } : joined
  const told = (name: string) =>
    names.includes(name) ||
    (decoded.values[name] !== undefined && definition.fields[name]?.lags !== true) ||
    // A field that nobody declares is not compared: its possible change is no doubt about what is declared.
    (desired[name] === undefined && start.applied[name] === undefined)
  // A write answers an event only if each field that the event may have changed was sent, or shown.
  const answered = settles.filter(({ fields }) => fields.every(told)).map(({ id }) => id)
  // Otherwise events that were accepted right before this write would count as later than it.
  const isKept = span !== answer.span || reaches(start.watermark, answer.span)
  const known = [...(isKept ? (start.acknowledged ?? []) : []), ...answered]
  const applied = { ...expected.applied, ...learnt(instance, names, start, decoded.values) }
  return {
    decoded,
    record: recordAfter(instance, names, {
      start,
      expected: { ...expected, applied },
      decoded,
      span,
      answeredAt: answer.span.to,
      acknowledged: [...new Set(known)],
    }),
  }
}

const recordAfter = (
  instance: Instance,
  names: readonly string[],
  facts: {
    start: RecordedResource
    expected: RecordedResource
    decoded: Decoded
    span: WriteSpan
    answeredAt: string
    acknowledged: readonly string[]
  },
): RecordedResource => {
  const { start, expected, decoded, span, answeredAt, acknowledged } = facts
  const kept = omit(sureOf(expected), 'leftover', 'acknowledged', 'beside', 'overridden', 'notFoundAt')
  const leftover = leftovers(instance, names, start, decoded.values)
  // A change that a person accepted unseen counts as overridden once an answer shows it.
  const overridden = overriddenIn(instance, names, start, decoded.values)
  return {
    ...kept,
    answer: decoded.values,
    adopted: start.adopted ?? (start.lastWrite === null ? decoded.values : null),
    lastWrite: span,
    watermark: answeredAt,
    ...(acknowledged.length > 0 ? { acknowledged } : {}),
    ...(Object.keys(decoded.beside).length > 0 ? { beside: decoded.beside } : {}),
    ...(Object.keys(leftover).length > 0 ? { leftover } : {}),
    ...(Object.keys(overridden).length > 0 ? { overridden } : {}),
  }
}

/**
 * What an answer shows of fields that were not sent: those that are declared or were applied as they are, and fields
 * that only a creation sets, if they were not known or name another thing. So a difference left by a guard or a
 * failure is planned again, and what others have written to a field that is left to them is not taken for ours once it
 * is declared again.
 */
const learnt = (
  { definition, desired }: Instance,
  sent: readonly string[],
  start: RecordedResource,
  answer: Values,
): Values => {
  const shown = writableFields(definition).filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.lags || sent.includes(name)) return false
    return (desired[name] ?? start.applied[name]) !== undefined && answer[name] !== undefined
  })
  const asDeclared = (name: string): boolean => same(definition.fields[name], answer[name], desired[name])
  const told = createOnlyFields(definition).filter(
    (name) =>
      (start.applied[name] === undefined || namesAnother(definition, name, start, answer)) &&
      desired[name] !== undefined &&
      answer[name] !== undefined,
  )
  const isItsOwnForm = (name: string): boolean =>
    start.applied[name] !== undefined && isAnsweredAsBefore(definition, name, start, answer)
  const spelt = Object.fromEntries(
    shown
      .filter((name) => asDeclared(name) || !isItsOwnForm(name))
      .map((name) => [name, asDeclared(name) ? desired[name] : answer[name]]),
  )
  return { ...spelt, ...pick(answer, told) }
}

/** Whether an answer shows another name than the record: its id is that of another thing, or the thing was renamed. */
const namesAnother = (
  { identity }: KindDefinition,
  name: string,
  { applied }: RecordedResource,
  answer: Values,
): boolean => identity.unique.includes(name) && !isSameName(answer[name], applied[name])

/** Elements that were recorded, are no longer declared, and are still in the answer. */
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
