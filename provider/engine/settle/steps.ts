import type { WriteContext } from '../write/send.ts'
import { askOne } from './ask.ts'
import type { Ask, Failed, LostWrite, Pending, Settled } from './facts.ts'
import { sendFence } from './send-fence.ts'

/** The outcome of the writes that asked about lost creations. */
export interface Answers {
  readonly settled: readonly Settled[]
  /** Their candidate has answered as another thing would, or was refused. */
  readonly denied: readonly LostWrite[]
  /** What was sent without success, or not at all, by place. */
  readonly failed: readonly Failed[]
}

/**
 * Asks candidates or, if there are none, sends something that changes nothing. What their answers settle is to be written
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
    // A candidate that has not answered yet may belong to any creation, except one whose own candidate has answered.
    settled: answers.flatMap((each) =>
      each.says === 'ours' && (failed.length === 0 || each.isItsOwn) ? [each.settled] : [],
    ),
    denied: answers.flatMap(({ says, write }) => (says === 'another' ? [write] : [])),
    failed,
  }
}

/** The results of all of them; the first failure is thrown once nothing is under way any more. */
const allEnded = async <T>(tasks: readonly Promise<T>[]): Promise<T[]> => {
  await Promise.allSettled(tasks)
  return Promise.all(tasks)
}

/** One for each place: its event shows that those of earlier writes are there as well. */
const sendFences = async (pending: readonly Pending[], context: WriteContext): Promise<Failed[]> => {
  const fences = pending.flatMap(({ step }) => (step?.step === 'fence' ? [step] : []))
  const once = new Map(fences.map((fence) => [fence.address, fence]))
  const ended = await allEnded([...once.values()].map((fence) => sendFence(fence, context)))
  return ended.flatMap((failure) => failure ?? [])
}
