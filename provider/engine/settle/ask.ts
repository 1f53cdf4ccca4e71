import type { KindDefinition } from '../../core/definition.ts'
import { isNone, type Operation } from '../../core/operation.ts'
import { pick, type Values } from '../../core/values.ts'
import { InvalidRequestError, NotFoundError, ConflictError, RequestError } from '../../errors/index.ts'
import { reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { earlierWrite } from '../values/memory.ts'
import type { Need, RecordedResource } from '../values/model.ts'
import { spanAfter } from '../values/span.ts'
import { fromAnswer, sendable, toBody } from '../values/wire.ts'
import { fits } from './candidates.ts'
import { overriddenIn, overwriteNeeds } from '../write/overridden.ts'
import { Overtaken } from '../write/overtaken.ts'
import { put, request, saysOver, type Sent, type WriteContext } from '../write/send.ts'
import { settledAs, type Ask, type Fence, type LostWrite, type Pending, type Settled } from './facts.ts'

/** What became of the writes that lost creations were asked with. */
export interface Answers {
  readonly settled: readonly Settled[]
  /** Their candidate has answered as another thing would, or was refused. */
  readonly denied: readonly LostWrite[]
  /** What was sent in vain, or not at all, by where that was for. */
  readonly failed: readonly Failed[]
}

export interface Failed {
  readonly address: string
  readonly why: Why
}

/** The answer, or the flags that are missing since somebody else has acted. */
type Why = { readonly error: RequestError } | { readonly needs: readonly Need[] }

type Answer = { readonly write: LostWrite } & (
  | { readonly says: 'ours'; readonly settled: Settled; readonly isItsOwn: boolean }
  | { readonly says: 'another' }
  | { readonly says: 'nothing'; readonly why: Why }
)

/**
 * Asks candidates, or sends what changes nothing where there are none. What their answers settle is to be written
 * down at once: each answer is judged by all of them.
 * @throws what the ledger throws, once all requests have ended
 */
export const takeSteps = async (pending: readonly Pending[], context: WriteContext): Promise<Answers> => {
  const asks = pending.filter(({ step }) => step?.step === 'ask')
  if (asks.length === 0) return { settled: [], denied: [], failed: await sendFences(pending, context) }
  const answers = await allEnded(
    asks.map(({ write, step, effects }) => askOne(write, step as Ask, effects, context)),
  )
  const failed = answers.flatMap((each) =>
    each.says === 'nothing' ? [{ address: each.write.address, why: each.why }] : [],
  )
  return {
    // A candidate that has not answered yet can be of any creation but of one whose own has answered.
    settled: answers.flatMap((each) =>
      each.says === 'ours' && (failed.length === 0 || each.isItsOwn) ? [each.settled] : [],
    ),
    denied: answers.flatMap(({ says, write }) => (says === 'another' ? [write] : [])),
    failed,
  }
}

/** What all of them came to; the first failure is thrown when nothing is under way any more. */
const allEnded = async <T>(tasks: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

const askOne = async (
  write: LostWrite,
  ask: Ask,
  effects: Settled['effects'],
  context: WriteContext,
): Promise<Answer> => {
  const { definition, expected, field, id, among } = ask
  try {
    const needs = await overwriteNeeds(definition, overwriting(write.address, expected, field), context)
    if (needs.length > 0) return { write, says: 'nothing', why: { needs } }
    const sent = await send(ask, write.address, expected, context)
    const { values } = fromAnswer(definition, sent.body, {})
    const isOf = (each: LostWrite) => fits(definition, each, values, { without: field, whole: true })
    if (!isItself(definition, id, sent.body) || !among.some(isOf)) return { write, says: 'another' }
    const resource = answered(ask, values, sent, earlierWrite(context.ledger, expected))
    const aside = effects.filter(({ op }) => op === 'move')
    const how = reason('answered-as-created', { id })
    const settled = settledAs(write, [...aside, put(write.address, resource)], how)
    return { write, says: 'ours', settled, isItsOwn: isOf(write) }
  } catch (error) {
    if (isDenial(definition, error)) return { write, says: 'another' }
    if (error instanceof Overtaken) return { write, says: 'nothing', why: { needs: error.missing } }
    // Nothing is learnt, and what is said of the lost request stays true.
    if (error instanceof RequestError) return { write, says: 'nothing', why: { error } }
    throw error
  }
}

const overwriting = (address: string, record: RecordedResource, field: string) =>
  ({ address, record, fields: [field] }) as const

const isItself = ({ identity: { keyInAnswer } }: KindDefinition, id: string, body: unknown): boolean =>
  (body as Values | undefined)?.[keyInAnswer] === id

/** It is gone, over, or takes no such value: nothing that we made a moment ago. */
const isDenial = (definition: KindDefinition, error: unknown): boolean =>
  error instanceof NotFoundError ||
  error instanceof InvalidRequestError ||
  error instanceof ConflictError ||
  saysOver(definition, error)

/** The record of a thing that has shown all of its fields; those that differ are what the next plan writes. */
const answered = (
  { definition, expected }: Ask,
  values: Values,
  { span }: Sent,
  earlier: RecordedResource['lastWrite'] = null,
): RecordedResource => {
  const { unsure: _, ...sure } = expected
  const others = differing(definition, sendable(definition.fields), values, expected.applied)
  const applied = {
    ...sure.applied,
    ...pick(
      values,
      others.map(({ path }) => path),
    ),
  }
  return { ...sure, applied, answer: values, lastWrite: spanAfter(earlier, span), watermark: span.to }
}

/** One for each place: its event shows that those of earlier writes are there as well. */
const sendFences = async (pending: readonly Pending[], context: WriteContext): Promise<Failed[]> => {
  const fences = pending.flatMap(({ step }) => (step?.step === 'fence' ? [step] : []))
  const once = new Map(fences.map((fence) => [fence.address, fence]))
  const ended = await allEnded([...once.values()].map((fence) => sendFence(fence, context)))
  return ended.flatMap((failure) => failure ?? [])
}

const sendFence = async (fence: Fence, context: WriteContext): Promise<Failed | undefined> => {
  const { definition, address, record, field } = fence
  try {
    const needs = await overwriteNeeds(definition, overwriting(address, record, field), context)
    if (needs.length > 0) return { address, why: { needs } }
    await send(fence, address, record, context, (sent) => [put(address, fenced(fence, sent))])
    return undefined
  } catch (error) {
    if (error instanceof Overtaken) return { address, why: { needs: error.missing } }
    // It proves nothing then; what is said of the lost request stays true.
    if (error instanceof RequestError) return { address, why: { error } }
    throw error
  }
}

/**
 * What its answer shows of other fields is another's doing. Events that nobody has looked at, between the last
 * write and this one, still count.
 */
const fenced = ({ definition, record, field, ignored }: Fence, { body, span }: Sent): RecordedResource => {
  const answer = fromAnswer(definition, body, record.identity).values
  const theirs = { definition, desired: record.applied, entry: { ignoreChanges: ignored } }
  const overridden = overriddenIn(theirs, [field], record, answer)
  return {
    ...record,
    applied: { ...record.applied, ...pick(answer, Object.keys(overridden)) },
    answer,
    lastWrite: spanAfter(record.lastWrite, span, Number.POSITIVE_INFINITY),
    ...(Object.keys(overridden).length > 0 ? { overridden } : {}),
  }
}

const send = (
  { definition, field }: Pick<Ask, 'definition' | 'field'>,
  address: string,
  record: RecordedResource,
  context: WriteContext,
  conclude: Parameters<typeof request>[2] = () => [],
): Promise<Sent> => {
  const body = toBody(definition.fields, [field], record.applied)
  const operation = writeOf(definition)
  const { identity } = record
  const names = [field]
  return request(
    { address, operation, identity, body, kept: body, names, expected: record },
    context,
    conclude,
  )
}

const writeOf = ({ write, kind }: KindDefinition): Operation => {
  if (isNone(write)) throw new TypeError(`${kind} has no write`)
  return write.operation
}
