import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { isNone, relyOn } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import {
  AuthRejectedError,
  InvalidRequestError,
  NotFoundError,
  RateLimitedError,
} from '../../errors/index.ts'
import { asArray } from '../values/compare.ts'
import { reason } from '../reason.ts'
import { moveAside, put, type Effect } from '../values/ledger.ts'
import type { RecordedResource } from '../values/model.ts'
import { newRecord } from '../values/record.ts'
import { spanAfter } from '../values/span.ts'
import { scopeKey } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import { isInForce } from '../values/sort.ts'
import { withdrawn } from '../values/lagging.ts'
import {
  blockedWrite,
  done,
  expired,
  having,
  notAllowed,
  request,
  saysOver,
  serviceTime,
  waits,
  wasRefused,
  type WriteResult,
  type Send,
  type Sent,
  type WriteContext,
} from './send.ts'
import { overwriteNeeds } from './overridden.ts'
import { fromAnswer, toBody } from '../values/wire.ts'
import type { Work } from '../plan/work.ts'
import { sureOf } from '../values/sure.ts'

type Deletion = Extract<Work, { do: 'delete' }>

/** Deletes a thing that must not exist; one that is already gone counts as deleted. */
export const remove = async (work: Deletion, context: WriteContext): Promise<WriteResult> => {
  const { address, provenance } = work.instance
  const send = removalOf(work, context)
  // The record of an only-list remembers what was deleted because the list does not name it.
  const effects: Effect[] =
    provenance === 'unlisted'
      ? dropped(address, context)
      : [...moveAside(address, work.aside), put(address, send.expected)]
  // Other deletions may have been answered meanwhile.
  await request(send, context, () => [...effects, ...withoutLeft(work, context)], isGone)
  return done()
}

/** The request of a deletion. */
export const removalOf = ({ instance, identity }: Deletion, context: Pick<WriteContext, 'client'>): Send => {
  const { definition, address } = instance
  const expected = newRecord(instance, { now: serviceTime(context) })
  const { operation } = relyOn(definition.absence, definition.kind, 'deletion')
  return { operation, identity, body: undefined, kept: undefined, names: [], expected, address }
}

/** The records of only-lists that were put in force while the thing was there: it is gone, and may not come back. */
const withoutLeft = (
  { instance: { definition }, identity }: Deletion,
  { ledger }: Pick<WriteContext, 'ledger'>,
): Effect[] => {
  const { expand, identity: word } = definition
  const [by, key] = [expand.members?.by ?? '', identity[word.key]]
  return Object.entries(ledger.records).flatMap(([address, record]) => {
    const { leftover, ...kept } = record
    const left = asArray(leftover?.[by])
    if (!isInForce(record) || record.kind !== definition.kind || !left.includes(key)) return []
    if (scopeKey(definition, record.identity) !== scopeKey(definition, identity)) return []
    const others = left.filter((each) => each !== key)
    return [put(address, others.length === 0 ? kept : { ...kept, leftover: { [by]: others } })]
  })
}

/** The record of an only-list can have moved aside, and then nothing is recorded at the address. */
const dropped = (address: string, { ledger }: WriteContext): Effect[] =>
  ledger.records[address] === undefined ? [] : [{ op: 'drop', address }]

type Releasing = Extract<Work, { do: 'release' }>

/** Sends the last body of a thing that nothing declares any more, and drops its record. */
export const release = async (
  address: string,
  work: Releasing,
  context: WriteContext,
): Promise<WriteResult> => {
  const { record, way, instead = [] } = work
  const { records } = context.ledger
  if ([address, ...instead].some((each) => records[each] === undefined)) return waits
  const definition = definitionOf(context.definitions, record.kind)
  if (definition === undefined) throw new TypeError(`no kind is called ${record.kind}`)
  const values = way.body(record, serviceTime(context))
  const isOver = () => hasEnded(definition, record.applied, serviceTime(context))
  if (values === undefined || isOver()) return dropExpired(address, context)
  const needs = await overwriteNeeds(definition, { address, record, fields: Object.keys(values) }, context)
  if (needs.length > 0) return notAllowed(needs)
  const send = (last: Values) => sendLast({ address, definition, work, values: last }, context)
  return send(values).catch((error: unknown) => {
    if (way.again === undefined || !(error instanceof InvalidRequestError)) throw error
    // A future instant may have passed when the request arrived; the answer brought the service's time.
    const now = serviceTime(context)
    if (!way.again.where(values, now)) throw error
    const later = way.again.body(record, now)
    return later === undefined
      ? dropExpired(address, context, asEnded(definition, { address, record, values }))
      : send(later)
  })
}

interface Last {
  readonly address: string
  readonly definition: KindDefinition
  readonly work: Releasing
  readonly values: Values
}

/**
 * Sends a last body.
 * @throws RequestError
 */
const sendLast = async (
  { address, definition, work, values }: Last,
  context: WriteContext,
): Promise<WriteResult> => {
  const { record } = work
  const { operation } = relyOn(definition.write, record.kind, 'write')
  const names = Object.keys(values)
  const body = toBody(definition.fields, names, values)
  const expected = having(record, work.settles)
  const send = { operation, identity: record.identity, body, kept: body, names, expected, address }
  const remaining = (sent: Sent) => remainder(definition, work, values, sent)
  const ended = asEnded(definition, { address, record, values })
  const effectsOf = (sent: Sent): Effect[] => {
    const left = remaining(sent)
    if (left !== undefined) return [put(address, left)]
    return [...ended, { op: 'drop', address, lastWrite: spanAfter(record.lastWrite, sent.span) }]
  }
  const answer = await request(send, context, effectsOf, isGone).catch((error: unknown) => {
    const isOver = () => hasEnded(definition, record.applied, serviceTime(context))
    // The answer brought the service's time: a thing that is over by then was refused because it is over. And if the
    // service says that it is over, a release whose answer was lost has taken effect.
    if (saysOver(definition, error) || (wasRefused(error) && isOver())) return undefined
    if (wasDoneBefore(definition, record, names, context) && isUnexplained(error)) return undefined
    throw error
  })
  if (answer === undefined) return dropExpired(address, context, ended)
  if (answer.refusal !== undefined) return done([reason('gone-when-released')])
  const left = remaining(answer)
  if (left !== undefined) {
    const fields = Object.keys(left.leftover ?? {})
    return blockedWrite([{ fields, note: reason('remains-after-release', { fields }) }])
  }
  return done([...withdrawn({ definition, desired: values }, names, record), ...work.notes])
}

/** What stays known of a thing that ends by itself has the end that the release gave it. */
const asEnded = (
  { lifetime }: KindDefinition,
  { address, record, values }: { address: string; record: RecordedResource; values: Values },
): Effect[] =>
  isNone(lifetime) ? [] : [put(address, { ...record, applied: { ...record.applied, ...values } })]

/** Whether an earlier release whose answer was lost has taken effect, as our own event shows. */
const wasDoneBefore = (
  definition: KindDefinition,
  record: RecordedResource,
  names: readonly string[],
  { watch }: WriteContext,
): boolean =>
  names.every((name) => record.unsure?.includes(name)) && watch?.showsLastWrite(definition, record) === true

/**
 * Whether a refusal has no error code: a service that gives one would say that the thing is over. Wrong credentials,
 * and requests that come too fast, do not refuse the release itself.
 */
const isUnexplained = (error: unknown): boolean =>
  wasRefused(error) &&
  error.serviceErrorCode === undefined &&
  !(error instanceof AuthRejectedError || error instanceof RateLimitedError)

const dropExpired = async (
  address: string,
  { ledger }: WriteContext,
  first: readonly Effect[] = [],
): Promise<WriteResult> => {
  await ledger.effects([...first, { op: 'drop', address }])
  return expired(reason('nothing-left-to-do'))
}

/** The record of what remains although it should be empty; undefined if nothing does. */
const remainder = (
  definition: KindDefinition,
  { record, way }: Releasing,
  values: Values,
  answer: Sent,
): RecordedResource | undefined => {
  if (way.empties === undefined) return undefined
  const answered = fromAnswer(definition, answer.body, record.identity).values
  const remaining = asArray(answered[way.empties])
  if (remaining.length === 0) return undefined
  return {
    ...sureOf(record),
    applied: { ...record.applied, ...values },
    answer: answered,
    leftover: { [way.empties]: remaining },
    lastWrite: answer.span,
    watermark: answer.span.to,
  }
}

const isGone = (error: unknown): boolean => error instanceof NotFoundError
