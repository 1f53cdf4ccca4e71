import type { Create, KindDefinition } from '../../core/definition.ts'
import { isNone, relyOn } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { AlreadyExistsError, ConflictError } from '../../errors/index.ts'
import { witnessed } from '../judge/events.ts'
import { isTooLate } from '../plan/too-late.ts'
import { malformed } from '../read/answer-shape.ts'
import { identityFromAnswer, isComplete } from '../values/identity.ts'
import { reason } from '../reason.ts'
import type { RecordedResource } from '../values/model.ts'
import { moveAside, put } from '../values/ledger.ts'
import { hasEnded } from '../values/lifetime.ts'
import { keepable, newRecord } from '../values/record.ts'
import { recordedAt } from '../values/recorded-at.ts'
import {
  done,
  expired,
  request,
  serviceTime,
  wasRefused,
  type WriteResult,
  type Send,
  type Sent,
  type SentBefore,
  type WriteContext,
} from './send.ts'
import { fromAnswer, sendable, toBody, writableIn } from '../values/wire.ts'
import type { Work } from '../plan/work.ts'
import { answeredOtherwise, invitedNow } from './fields.ts'
import { secretsFor } from './secrets.ts'

/** Creates a thing; its record holds the identity that the answer gave. */
export const create = async (
  work: Extract<Work, { do: 'create' }>,
  context: WriteContext,
): Promise<WriteResult> => {
  const { instance } = work
  const { definition, desired, address, identity } = instance
  const how = createOf(definition)
  if (hasEnded(definition, desired, serviceTime(context))) return expired(reason('over-before-creation'))
  if (isTooLate(instance, serviceTime(context))) return expired(reason('begun-before-creation'))
  const before = context.again?.get(address)
  const unfilled = creationOf(work, context)
  const { names, expected: record } = unfilled
  const creation: Creation = { ...work, how, record, before }
  const body = toBody(definition.fields, names, desired, await secretsFor(instance, context))
  const send = { ...unfilled, body, closes: before?.intents ?? [] }
  const answer = await request(
    send,
    context,
    (sent) => [...moveAside(address, work.aside), put(address, recordOf(creation, sent, context))],
    (error) => before !== undefined && refusesSecond(how, error),
  ).catch((error: unknown) => throwRefusal(error, creation, context))
  if (answer.refusal !== undefined)
    return done([reason('second-refused', { name: nameOf(definition, record) })])
  const { values } = fromAnswer(definition, answer.body, identity)
  const settled = before === undefined ? [] : [reason('not-created-before')]
  return done([...settled, ...invitedNow(instance, values), ...answeredOtherwise(instance, names, values)])
}

/** The request of a creation as it is written down: without secrets. */
export const creationOf = (
  { instance }: Extract<Work, { do: 'create' }>,
  context: Pick<WriteContext, 'client'>,
): Send => {
  const { definition, address, identity } = instance
  const how = createOf(definition)
  const names = sendable(definition.fields)
  const kept = toBody(definition.fields, names, keepable(instance))
  const expected = newRecord(instance, { now: serviceTime(context) })
  return { operation: how.operation, identity, body: kept, kept, names, expected, address }
}

const createOf = ({ kind, establish: { create: how } }: KindDefinition): Create =>
  relyOn(how, kind, 'creation')

interface Creation extends Extract<Work, { do: 'create' }> {
  readonly how: Create
  /** The record as it is before the answer. */
  readonly record: RecordedResource
  /** Earlier requests without an answer. */
  readonly before: SentBefore | undefined
}

/** The record of what was made or, if a second one was refused, of what an earlier request left there. */
const recordOf = (
  { instance: { definition, address, identity }, record, before }: Creation,
  { body, request: asked, span, refusal }: Sent,
  context: WriteContext,
): RecordedResource => {
  if (refusal !== undefined) return unproven(definition, record, before)
  const named = identityFromAnswer(definition, identity, body)
  if (!isComplete(definition, named) || isRecordedElsewhere(definition, address, named, context))
    throw malformed({ fault: 'creation-without-id', key: definition.identity.keyInAnswer }, asked)
  const { values } = fromAnswer(definition, body, named)
  return { ...record, identity: named, answer: values, lastWrite: span, watermark: span.to }
}

const nameOf = ({ witness }: KindDefinition, record: RecordedResource): string =>
  isNone(witness) ? '' : (witnessed(witness, record) ?? '')

/** Learns from the error of a creation, and throws it in the words of the kind. */
const throwRefusal = async (
  error: unknown,
  { instance: { definition, address }, how, record }: Creation,
  context: WriteContext,
): Promise<never> => {
  if (refusesSecond(how, error)) await noteRefusal(definition, context)
  if (!(error instanceof ConflictError) || how.conflict === undefined) throw error
  const name = nameOf(definition, record)
  const isOfName = ([other, each]: [string, RecordedResource]): boolean =>
    other !== address && each.kind === definition.kind && nameOf(definition, each) === name
  const other = name === '' ? undefined : Object.entries(context.ledger.records).find(isOfName)?.[0]
  throw new AlreadyExistsError(address, { where: error.where, advice: how.conflict, name, other })
}

/** Whether the service refuses to make a second thing of the same name. */
const refusesSecond = ({ lost }: Create, error: unknown): boolean =>
  !isNone(lost) && lost.by === 'name' && wasRefused(error) && error.status === lost.refusedAs

/** From now on a lost creation of the kind can be sent again, because a name exists at most once. */
const noteRefusal = ({ kind }: KindDefinition, { client, ledger }: WriteContext): Promise<void> =>
  ledger.learnt(kind, { serviceVersion: client.serviceVersion })

/**
 * Only a refusal shows that the thing is there: the lost request made it, or somebody else did before, with other
 * values.
 */
const unproven = (
  definition: KindDefinition,
  record: RecordedResource,
  before: SentBefore | undefined,
): RecordedResource => ({
  ...record,
  lastWrite: before?.span ?? null,
  watermark: before?.span.to ?? record.watermark,
  unsure: writableIn(definition, record.applied),
})

/** An id that another record has cannot be that of the new thing. */
const isRecordedElsewhere = (
  definition: KindDefinition,
  address: string,
  identity: Identity,
  { ledger }: WriteContext,
): boolean => {
  const there = recordedAt(ledger.records, { kind: definition.kind, identity })
  return there.size > (there.has(address) ? 1 : 0)
}
