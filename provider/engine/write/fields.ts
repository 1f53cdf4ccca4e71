import { isReadable } from '../../core/definition.ts'
import { formatInstant, wholeSecond } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { pick, type Values } from '../../core/values.ts'
import { NotFoundError } from '../../errors/index.ts'
import { asArray, elementOf, narrows, same } from '../values/compare.ts'
import { needsOf, recordsAfter } from '../plan/guards.ts'
import { isAccepted } from '../judge/evidence.ts'
import { lacking, reason, type Reason, type EventSeen } from '../reason.ts'
import type { Instance } from '../values/instance.ts'
import type { Need, RecordedResource } from '../values/model.ts'
import { isComplete } from '../values/identity.ts'
import { put } from '../values/ledger.ts'
import { hasEnded } from '../values/lifetime.ts'
import {
  blockedWrite,
  done,
  expired,
  having,
  notAllowed,
  saysOver,
  serviceTime,
  wasRefused,
  type BlockedFields,
  type WriteResult,
  type WriteContext,
} from './send.ts'
import { eventsBehind, overriddenIn, overwriteNeeds, OVERWRITE_FLAG } from './overridden.ts'
import { createOnlyFields, type Decoded } from '../values/wire.ts'
import { laggingIn, withdrawn } from '../values/lagging.ts'
import { patch, type Written, type WriteWork } from './patch.ts'
import { sureOf } from '../values/sure.ts'

/**
 * Writes fields and looks at the answer. A second request writes fields that were held back to be compared with it,
 * if they differ, and fields that somebody changed unseen, if that is allowed.
 */
export const write = async (work: WriteWork, context: WriteContext): Promise<WriteResult> => {
  const { instance, record } = work
  const isOver = () =>
    record !== undefined && hasEnded(instance.definition, record.applied, serviceTime(context))
  const over = expired(reason('over-before-change'))
  if (isOver()) return over
  const needs =
    record === undefined
      ? []
      : await overwriteNeeds(instance.definition, { ...work, record, address: instance.address }, context)
  if (needs.length > 0) return notAllowed(needs)
  return writeAndLook(work, context).catch((error: unknown) => {
    // The answer brought the service's time: a thing that is over by then was refused because it is over.
    if (wasRefused(error) && isOver()) return over
    // Somebody may have moved its end, or an answer was lost: a service that says that it is over knows.
    if (record !== undefined && saysOver(instance.definition, error))
      return endedBefore(work, record, context)
    if (error instanceof NotFoundError && !isAboutSent(work, error))
      return notThere(instance, record, context)
    throw error
  })
}

/**
 * Records that a thing is over although its record says otherwise, so that the next plan sees it. Events that were
 * told before cannot have prolonged it.
 */
const endedBefore = async (
  { instance, fields, settles }: WriteWork,
  record: RecordedResource,
  context: WriteContext,
): Promise<WriteResult> => {
  const { definition, address, desired } = instance
  // An earlier request of the same change may have been answered in the meantime.
  const sure = sureOf(context.ledger.records[address] ?? record)
  const now = wholeSecond(context.client.serviceNow())
  const end = isNone(definition.lifetime) ? {} : { [definition.lifetime.endsAt]: formatInstant(now) }
  const ended = { ...sure, applied: { ...sure.applied, ...end } }
  const told = settles.map(({ id }) => id)
  await context.ledger.effects([put(address, having(ended, told))])
  const note = reason('had-ended')
  return hasEnded(instance.definition, desired, serviceTime(context))
    ? expired(note)
    : blockedWrite([{ fields, note }])
}

/** Whether the service says that what a body names is not there, and not the thing that the path names. */
const isAboutSent = ({ instance, fields }: WriteWork, { parameters }: NotFoundError): boolean => {
  const { identity, desired } = instance
  const sent = JSON.stringify(pick(desired, fields))
  const named = new Set(Object.values(identity))
  return parameters.some((each) => !named.has(each) && sent.includes(JSON.stringify(each)))
}

/** The outcome if the thing to change is not there: a write cannot make it. */
const notThere = async (
  { definition, identity, address, entry }: Instance,
  record: RecordedResource | undefined,
  context: WriteContext,
): Promise<WriteResult> => {
  const kept = context.ledger.records[address]
  // Things that are read are looked for in their list. If the record has no id yet, the id that was not found says
  // nothing about it.
  if (!isReadable(definition) && kept !== undefined && isComplete(definition, kept.identity)) {
    const notFoundAt = formatInstant(context.client.serviceNow())
    await context.ledger.effects([put(address, { ...kept, notFoundAt })])
  }
  const { create } = definition.establish
  const { key, declaredAs } = definition.identity
  const note = isNone(create)
    ? reason('not-found', lacking(create, identity))
    : record === undefined
      ? reason('declared-id-not-found', { field: declaredAs })
      : reason('not-found', {})
  // What a selector stands for has no declared id that could be wrong.
  const isChecked = isNone(create) && entry.values[declaredAs] !== undefined
  return blockedWrite([{ fields: [key], note }], isChecked ? [reason('check-key-first', { key })] : [])
}

/** The fields of the first request. */
export const firstFields = ({ learnBy, fields }: WriteWork): readonly string[] =>
  learnBy.length > 0 ? learnBy : fields

const writeAndLook = async (work: WriteWork, context: WriteContext): Promise<WriteResult> => {
  const { instance, record } = work
  const first = firstFields(work)
  let written = await patch(work, first, record, context)
  const others = record === undefined ? {} : overriddenIn(instance, first, record, written.decoded.values)
  const changed = Object.keys(others).filter((name) => !work.fields.includes(name))
  const accepted = record !== undefined && isAccepted(record) ? changed : []
  const overridden = changed.filter((name) => !accepted.includes(name))
  const differing = [...stillDiffering(instance, work.fields, first, written.decoded), ...overridden]
  const kept = differing.filter((name) => isProtected(instance, name, written.decoded.values))
  // The write itself may have ended the thing, and nothing in it can be changed any more.
  const isOver = hasEnded(instance.definition, written.record.applied, serviceTime(context))
  const left = isOver ? [] : differing.filter((name) => !kept.includes(name))
  const over = left.filter((name) => overridden.includes(name))
  if (left.length > 0) {
    const events =
      over.length === 0 ? [] : await eventsBehind(instance.definition, record, written.record, context)
    const needs = missingFlags(instance, { left, over, events, others }, written.decoded, context)
    if (needs.length > 0) return notAllowed(needs)
    written = await patch(work, left, written.record, context)
  }
  const sent = work.fields.filter((name) => !kept.includes(name))
  const notes = [
    ...invitedNow(instance, written.decoded.values),
    ...neverDeclared(instance, written),
    ...(record === undefined ? [] : withdrawn(instance, sent, record, written.decoded.values)),
    ...answeredOtherwise(instance, sent, written.decoded.values),
    ...(over.length > 0 ? [reason('overwritten', { fields: over })] : []),
  ]
  const blocks = [
    ...blockOf(accepted, (fields) => reason('accepted-differs', { fields })),
    ...blocksAfter(instance, kept, written),
  ]
  return blocks.length === 0 ? done(notes) : blockedWrite(blocks, notes)
}

/** What is left for a person to do, now that the answer is known. */
const blocksAfter = (
  { definition, desired, entry }: Instance,
  kept: readonly string[],
  { record }: Written,
): BlockedFields[] => {
  const leftover = Object.entries(record.leftover ?? {}).map(([field, values]) => ({
    field,
    elements: asArray(values).map(elementOf(definition.fields[field])),
  }))
  const frozen = createOnlyFields(definition).filter((name) => {
    if (desired[name] === undefined || entry.ignoreChanges.includes(name)) return false
    return !same(definition.fields[name], record.applied[name], desired[name])
  })
  return [
    blockOf(kept, (fields) => reason('protected-from-narrowing', { fields })),
    frozen.map((field) => ({
      fields: [field],
      note: reason('create-only-differs', { field, has: record.applied[field] }),
    })),
    blockOf(
      leftover.map(({ field }) => field),
      (fields) => reason('kept-in-answer', { fields, kept: leftover }),
    ),
  ].flat()
}

const blockOf = (fields: readonly string[], noteOf: (fields: readonly string[]) => Reason): BlockedFields[] =>
  fields.length === 0 ? [] : [{ fields, note: noteOf(fields) }]

const isProtected = ({ definition, entry, desired }: Instance, name: string, seen: Values): boolean => {
  const field = definition.fields[name]
  return entry.protect && field !== undefined && narrows(field, seen[name], desired[name])
}

/** Fields that were held back until the answer to the others was there, and that differ from it. */
const stillDiffering = (
  { definition, desired }: Instance,
  wanted: readonly string[],
  sent: readonly string[],
  { values }: Decoded,
): string[] =>
  wanted.filter((name) => !sent.includes(name) && !same(definition.fields[name], values[name], desired[name]))

/** What remains to be written once an answer is known. */
interface Remaining {
  readonly left: readonly string[]
  /** Those of `left` that somebody else has changed, unseen by the plan. */
  readonly over: readonly string[]
  readonly events: readonly EventSeen[]
  /** What we had applied to all fields that somebody else has changed. */
  readonly others: Values
}

/** Flags that the answer shows to be needed, and that nobody has given. */
const missingFlags = (
  instance: Instance,
  { left, over, events, others }: Remaining,
  { values, beside }: Decoded,
  { ledger, client, definitions, allowed, planned = [] }: WriteContext,
): Need[] => {
  const { definition, address, identity, desired } = instance
  const held = {
    definition,
    address,
    identity,
    before: [values],
    after: pick(desired, left),
    beside,
    ours: others,
  }
  const { records } = ledger
  const changed = { flag: OVERWRITE_FLAG, because: reason('changed-meanwhile', { fields: over, events }) }
  const guarded = needsOf(held, {
    definitions,
    records,
    // Computed on demand: only a write that takes a guarded value away needs it.
    get after() {
      return recordsAfter(records, planned)
    },
    ownKey: client.publicKey,
    // The look at events right before the write has shown what others did since the plan.
    isDoubted: (_, record) => isAccepted(record),
  })
  const needs = [...(over.length > 0 ? [changed] : []), ...guarded]
  const { allow = [] } = instance.entry
  return needs
    .filter(({ flag }) => !allowed.has(flag) && !allow.includes(flag))
    .map((need) => ({ ...need, address }))
}

/** Notes how many elements are written and still invited. */
export const invitedNow = (instance: Instance, answer: Values): Reason[] =>
  laggingIn(instance, answer).flatMap(({ name, invited }) =>
    invited.length === 0 ? [] : [reason('invited-now', { count: invited.length, field: name })],
  )

const neverDeclared = (instance: Instance, { record, decoded }: Written): Reason[] =>
  laggingIn(instance, decoded.values, record.leftover).flatMap(({ others }) =>
    others.length === 0 ? [] : [reason('never-declared', { elements: others })],
  )

/** Notes fields that the service accepted but answered with other values, because the next plan would ask again. */
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
