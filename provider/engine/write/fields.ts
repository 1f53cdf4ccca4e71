import { isNone } from '../../core/operation.ts'
import { pick, pickBy, type Values } from '../../core/values.ts'
import { NotFoundError } from '../../errors/index.ts'
import { asArray, elementText, formatInstant, missingFrom, narrows, same } from '../values/compare.ts'
import type { Instance } from '../plan/expand.ts'
import { needsOf, recordsAfter } from '../plan/guards.ts'
import { isAccepted } from '../judge/evidence.ts'
import { reason, type Reason, type EventSeen } from '../reason.ts'
import { lacking } from '../plan/change.ts'
import type { Need, RecordedResource, WriteSpan } from '../values/model.ts'
import { hasEnded } from '../values/lifetime.ts'
import { keepable, newRecord, withSettings } from '../plan/record.ts'
import {
  aside,
  blocked,
  done,
  expired,
  having,
  put,
  refused,
  request,
  saysOver,
  serviceTime,
  wasRefused,
  type Block,
  type Outcome,
  type Sent,
  type WriteContext,
} from './send.ts'
import {
  eventsBehind,
  isAnsweredAsBefore,
  overriddenIn,
  overwriteNeeds,
  OVERWRITE_FLAG,
} from './overridden.ts'
import { fromAnswer, toBody, type Decoded } from '../values/wire.ts'
import { earlierWrite } from '../values/memory.ts'
import { spanAfter } from '../values/span.ts'
import type { Work } from '../plan/work.ts'

type WriteWork = Extract<Work, { do: 'write' }>

/**
 * Writes fields, and looks at the answer: what was held back to be learned first is written in a second request if
 * it differs, and what someone changed unseen if that is allowed.
 */
export const write = async (work: WriteWork, context: WriteContext): Promise<Outcome> => {
  const { instance, record } = work
  const isOver = () => record !== undefined && hasEnded(instance, record.applied, serviceTime(context))
  const over = expired(reason('over-before-change'))
  if (isOver()) return over
  const needs =
    record === undefined
      ? []
      : await overwriteNeeds(instance.definition, { ...work, record, address: instance.address }, context)
  if (needs.length > 0) return refused(needs)
  return writeAndLook(work, context).catch((error: unknown) => {
    // The answer has brought the service's time: what is over by then was refused because it is over.
    if (wasRefused(error) && isOver()) return over
    // Someone may have moved its end, or an answer was lost: a service that says it is over knows.
    if (record !== undefined && saysOver(instance.definition, error))
      return endedBefore(work, record, context)
    if (error instanceof NotFoundError) return notThere(instance, record)
    throw error
  })
}

/** It is over, though what is recorded says otherwise: from now on the record says so too, and the next plan sees it. */
const endedBefore = async (
  { instance, fields }: WriteWork,
  record: RecordedResource,
  context: WriteContext,
): Promise<Outcome> => {
  const { definition, address, desired } = instance
  const { unsure: _, ...sure } = record
  const now = Math.floor(context.client.serviceNow() / 1000) * 1000
  const end = isNone(definition.lifetime) ? {} : { [definition.lifetime.endsAt]: formatInstant(now) }
  await context.ledger.effects([put(address, { ...sure, applied: { ...record.applied, ...end } })])
  const note = reason('had-ended')
  return hasEnded(instance, desired, serviceTime(context)) ? expired(note) : blocked([{ fields, note }])
}

/** The thing that should have been changed is not there, and a write cannot make it. */
const notThere = ({ definition, identity }: Instance, record: RecordedResource | undefined): Outcome => {
  const { create } = definition.establish
  const { key, declaredAs } = definition.identity
  const note = isNone(create)
    ? reason('not-found', lacking(create, identity))
    : record === undefined
      ? reason('declared-id-not-found', { field: declaredAs })
      : reason('not-found', {})
  return blocked([{ fields: [key], note }])
}

const writeAndLook = async (work: WriteWork, context: WriteContext): Promise<Outcome> => {
  const { instance, record, learnBy } = work
  const first = learnBy.length > 0 ? learnBy : work.fields
  let written = await patch(work, first, record, context)
  const others = record === undefined ? {} : overriddenIn(instance, first, record, written.decoded.values)
  const changed = Object.keys(others).filter((name) => !work.fields.includes(name))
  const accepted = record !== undefined && isAccepted(record) ? changed : []
  const overridden = changed.filter((name) => !accepted.includes(name))
  const differing = [...stillDiffering(instance, work.fields, first, written.decoded), ...overridden]
  const kept = differing.filter((name) => isProtected(instance, name, written.decoded.values))
  const left = differing.filter((name) => !kept.includes(name))
  const over = left.filter((name) => overridden.includes(name))
  if (left.length > 0) {
    const events =
      over.length === 0 ? [] : await eventsBehind(instance.definition, record, written.record, context)
    const needs = missingFlags(instance, { left, over, events }, written.decoded, context)
    if (needs.length > 0) return refused(needs)
    written = await patch(work, left, written.record, context, written.record.lastWrite)
  }
  const sent = work.fields.filter((name) => !kept.includes(name))
  const notes = [
    ...lagging(instance, written.decoded.values),
    ...neverDeclared(instance, written),
    ...answeredOtherwise(instance, sent, written.decoded.values),
    ...(over.length > 0 ? [reason('overwritten', { fields: over })] : []),
  ]
  const blocks = [
    ...blockOf(accepted, (fields) => reason('accepted-differs', { fields })),
    ...blocksAfter(instance, kept, written),
  ]
  return blocks.length === 0 ? done(notes) : blocked(blocks, notes)
}

/** What is left for a person, now that the answer is known. */
const blocksAfter = (
  { definition, desired, entry }: Instance,
  kept: readonly string[],
  { record }: Written,
): Block[] => {
  const leftover = Object.entries(record.leftover ?? {}).map(([field, values]) => ({
    field,
    elements: asArray(values).map(elementText(definition.fields[field])),
  }))
  const frozen = createOnly(definition).filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || desired[name] === undefined || entry.ignoreChanges.includes(name)) return false
    return !same(field, record.applied[name], desired[name])
  })
  return [
    blockOf(kept, (fields) => reason('protected-from-narrowing', { fields })),
    blockOf(frozen, (fields) => reason('create-only-differs', { fields })),
    blockOf(
      leftover.map(({ field }) => field),
      (fields) => reason('kept-in-answer', { fields, kept: leftover }),
    ),
  ].flat()
}

const blockOf = (fields: readonly string[], noteOf: (fields: readonly string[]) => Reason): Block[] =>
  fields.length === 0 ? [] : [{ fields, note: noteOf(fields) }]

const isProtected = ({ definition, entry, desired }: Instance, name: string, seen: Values): boolean => {
  const field = definition.fields[name]
  return entry.protect && field !== undefined && narrows(field, seen[name], desired[name])
}

/** Fields that the creation alone takes, save secrets, which nothing keeps. */
const createOnly = ({ fields }: Instance['definition']): string[] =>
  Object.keys(fields).filter(
    (name) => fields[name]?.change === 'create-only' && fields[name]?.type.is !== 'secret',
  )

interface Written {
  readonly record: RecordedResource
  readonly decoded: Decoded
}

/** One PATCH. `before` is the record it starts from, `earlier` the span of a request of the same change. */
const patch = async (
  { instance, seen: live, displaced, settles = [] }: WriteWork,
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
    adopted: live,
  }
  const fixed = createOnly(definition).filter((name) => start.applied[name] !== undefined)
  const applied = {
    ...start.applied,
    ...pickBy(keepable(instance), (_, name) => !how.fields.includes(name) && !fixed.includes(name)),
    ...pick(desired, names),
  }
  const seen = settles.map(({ id }) => id)
  const expected = having({ ...withSettings(instance, start), applied }, seen)
  const body = toBody(definition.fields, names, desired)
  const previous = earlier ?? start.lastWrite ?? earlierWrite(context.ledger, start) ?? null
  const conclude = (answer: Sent): Written => {
    const decoded = fromAnswer(definition, answer.body, identity)
    const span = spanAfter(previous, answer.span)
    const told = (name: string) =>
      names.includes(name) ||
      (decoded.values[name] !== undefined && definition.fields[name]?.lags !== true) ||
      // What nobody declares is not compared: that it may have changed is no doubt about what is declared.
      (desired[name] === undefined && start.applied[name] === undefined)
    // An event is answered by a write only if each field that it can have changed was sent, or shown.
    const answered = settles.filter(({ fields }) => fields.every(told)).map(({ id }) => id)
    const known = [...(span === answer.span ? [] : (start.acknowledged ?? [])), ...answered]
    return {
      decoded,
      record: recordAfter(instance, names, {
        start,
        expected: { ...expected, applied: { ...applied, ...learnt(instance, names, start, decoded.values) } },
        decoded,
        span,
        answeredAt: answer.span.to,
        acknowledged: [...new Set(known)],
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
  const { leftover: _, acknowledged: __, beside: ___, unsure: ____, overridden: _____, ...kept } = expected
  const leftover = leftovers(instance, names, start, decoded.values)
  const overridden = isAccepted(start) ? {} : overriddenIn(instance, names, start, decoded.values)
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
 * What an answer tells of fields that were not sent: declared ones, as they are, so that a difference which a
 * guard or a failure leaves behind is planned again; and what only a creation sets.
 */
const learnt = (
  { definition, desired }: Instance,
  sent: readonly string[],
  start: RecordedResource,
  answer: Values,
): Values => {
  const fields = isNone(definition.write) ? [] : definition.write.fields
  const shown = fields.filter((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.lags || sent.includes(name)) return false
    return desired[name] !== undefined && answer[name] !== undefined
  })
  const asDeclared = (name: string): boolean => {
    const field = definition.fields[name]
    return field !== undefined && same(field, answer[name], desired[name])
  }
  const told = createOnly(definition).filter(
    (name) => start.applied[name] === undefined && desired[name] !== undefined && answer[name] !== undefined,
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

/** Fields that were held back until the answer to the others was there, and that it shows to differ. */
const stillDiffering = (
  { definition, desired }: Instance,
  wanted: readonly string[],
  sent: readonly string[],
  { values }: Decoded,
): string[] =>
  wanted.filter((name) => {
    const field = definition.fields[name]
    return field !== undefined && !sent.includes(name) && !same(field, values[name], desired[name])
  })

/** What is to be written once an answer is known. */
interface Remaining {
  readonly left: readonly string[]
  /** What of it somebody else has changed, unseen by the plan. */
  readonly over: readonly string[]
  readonly events: readonly EventSeen[]
}

/** Flags that nobody has given, and that the answer shows to be needed. */
const missingFlags = (
  instance: Instance,
  { left, over, events }: Remaining,
  { values, beside }: Decoded,
  { ledger, client, definitions, allowed, planned = [] }: WriteContext,
): Need[] => {
  const { definition, address, identity, desired } = instance
  const held = { definition, address, identity, before: [values], after: pick(desired, left), beside }
  const { records } = ledger
  const after = recordsAfter(records, planned)
  const changed = { flag: OVERWRITE_FLAG, because: reason('changed-meanwhile', { fields: over, events }) }
  const guarded = needsOf(held, { definitions, records, after, ownKey: client.publicKey })
  const needs = [...(over.length > 0 ? [changed] : []), ...guarded]
  const { allow = [] } = instance.entry
  return needs
    .filter(({ flag }) => !allowed.has(flag) && !allow.includes(flag))
    .map((need) => ({ ...need, address }))
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
export const lagging = ({ definition, desired }: Instance, answer: Values): Reason[] =>
  Object.entries(definition.fields).flatMap(([name, field]) => {
    if (!field.lags || desired[name] === undefined) return []
    const count = missingFrom(field, desired[name], answer[name]).length
    return count === 0 ? [] : [reason('invited-now', { count, field: name })]
  })

/** What the answer has beside what is declared, and what no removal of ours left there. */
const neverDeclared = ({ definition, desired }: Instance, { record, decoded }: Written): Reason[] =>
  Object.entries(definition.fields).flatMap(([name, field]) => {
    if (!field.lags || desired[name] === undefined) return []
    const ours = [...asArray(desired[name]), ...asArray(record.leftover?.[name])]
    const others = missingFrom(field, decoded.values[name], ours)
    return others.length === 0 ? [] : [reason('never-declared', { elements: others.map(elementText(field)) })]
  })

/** Fields that the service took and then answered otherwise; said, because a next plan would ask again. */
export const answeredOtherwise = (
  { definition, desired }: Instance,
  names: readonly string[],
  values: Values,
): Reason[] =>
  names.flatMap((name) => {
    const field = definition.fields[name]
    if (field === undefined || field.lags || values[name] === undefined) return []
    return same(field, values[name], desired[name]) ? [] : [reason('answered-otherwise', { field: name })]
  })
