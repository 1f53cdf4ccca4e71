import { RequestError } from '../../errors/index.ts'
import { pick } from '../../core/values.ts'
import type { RecordedResource } from '../values/model.ts'
import { spanAfter } from '../values/span.ts'
import { fromAnswer } from '../values/wire.ts'
import { overriddenIn } from '../write/overridden.ts'
import { Overtaken } from '../write/overtaken.ts'
import { put, type Sent, type WriteContext } from '../write/send.ts'
import { assertOne, neededFor } from './assert-one.ts'
import type { Failed, Fence } from './facts.ts'

/**
 * Writes the current value of a field to a recorded thing.
 * @returns why that had no success or was not sent; undefined on success
 */
export const sendFence = async (fence: Fence, context: WriteContext): Promise<Failed | undefined> => {
  const { address, record } = fence
  try {
    const needs = await neededFor(fence, address, record, context)
    if (needs.length > 0) return { address, why: { needs } }
    await assertOne(fence, address, record, context, (sent) => [put(address, fenced(fence, sent))])
    return undefined
  } catch (error) {
    if (error instanceof Overtaken) return { address, why: { needs: error.missing } }
    // A failed fence proves nothing; what is known of the lost request stays true.
    if (error instanceof RequestError) return { address, why: { error } }
    throw error
  }
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
    lastWrite: spanAfter(record.lastWrite, span, Number.POSITIVE_INFINITY),
    ...(Object.keys(overridden).length > 0 ? { overridden } : {}),
  }
}
