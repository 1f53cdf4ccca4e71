import { pick } from '../../core/values.ts'
import type { RecordedResource } from '../values/model.ts'
import { spanOfBoth } from '../values/span.ts'
import { fromAnswer } from '../values/wire.ts'
import { overriddenIn } from '../write/overridden.ts'
import { put } from '../values/ledger.ts'
import type { Sent, WriteContext } from '../write/send.ts'
import { askOne, type Asking } from './ask.ts'
import { assertOne } from './assert-one.ts'
import type { Failed, Fence, LostWrite, Provisional, Settled } from './facts.ts'
import { settleAnswers } from './settle-answers.ts'

/** Outcomes of the writes that settle lost creations. */
export interface Answers {
  readonly settled: readonly Settled[]
  /** Lost creations whose candidate turned out to be another thing, by its answer or its refusal. */
  readonly denied: readonly LostWrite[]
  /** Requests that had no success, or were not sent, with their addresses. */
  readonly failed: readonly Failed[]
}

/**
 * Asks candidates or, if there are none, sends fences. The caller has to record everything that the answers settle
 * together, because each answer is judged against all lost creations.
 * @throws what the ledger throws, once all requests have ended
 */
export const takeSteps = async (steps: readonly Provisional[], context: WriteContext): Promise<Answers> => {
  const asks = steps.filter(isAsking)
  if (asks.length === 0) return { settled: [], denied: [], failed: await sendFences(steps, context) }
  const answers = await allEnded(asks.map((each) => askOne(each, context)))
  const failed = answers.flatMap((each) =>
    each.says === 'nothing' ? [{ address: each.asking.address, why: each.why }] : [],
  )
  const ours = answers.filter((each) => each.says === 'ours')
  return {
    settled: settleAnswers(ours, context.ledger, { isWhole: failed.length === 0 }),
    denied: answers.flatMap(({ says, asking }) => (says === 'another' ? [asking.write] : [])),
    failed,
  }
}

const isAsking = (each: Provisional): each is Asking => each.step?.step === 'ask'

/** The results of all tasks; throws the first failure once none is under way any more. */
const allEnded = async <T>(tasks: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

/** Sends one fence per address: its event shows that the events of earlier writes have arrived as well. */
const sendFences = async (steps: readonly Provisional[], context: WriteContext): Promise<Failed[]> => {
  const fences = steps.flatMap(({ step }) => (step?.step === 'fence' ? [step] : []))
  const once = new Map(fences.map((fence) => [fence.address, fence]))
  const ended = await allEnded([...once.values()].map((fence) => sendFence(fence, context)))
  return ended.flatMap((failure) => failure ?? [])
}

/** Writes the current value of a field to a recorded thing. Returns why that had no success or was not sent. */
const sendFence = async (fence: Fence, context: WriteContext): Promise<Failed | undefined> => {
  const { address } = fence
  const answer = await assertOne(fence, context, (sent) => [put(address, fenced(fence, sent))])
  return 'why' in answer ? { address, why: answer.why } : undefined
}

/**
 * Differences that the answer shows in other fields are somebody else's changes. Unseen events between the last write
 * and this one still count.
 */
const fenced = ({ definition, record, field, ignored }: Fence, { body, span }: Sent): RecordedResource => {
  const answer = fromAnswer(definition, body, record.identity).values
  const theirs = { definition, desired: record.applied, entry: { ignoreChanges: ignored } }
  const overridden = overriddenIn(theirs, [field], record, answer)
  return {
    ...record,
    applied: { ...record.applied, ...pick(answer, Object.keys(overridden)) },
    answer,
    lastWrite: spanOfBoth(record.lastWrite, span),
    ...(Object.keys(overridden).length > 0 ? { overridden } : {}),
  }
}
