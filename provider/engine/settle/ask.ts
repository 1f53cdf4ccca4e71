import type { KindDefinition } from '../../core/definition.ts'
import { pick, type Values } from '../../core/values.ts'
import { InvalidRequestError, NotFoundError, ConflictError, RequestError } from '../../errors/index.ts'
import { reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import { earlierWrite } from '../values/memory.ts'
import type { RecordedResource } from '../values/model.ts'
import { spanAfter } from '../values/span.ts'
import { sureOf } from '../values/sure.ts'
import { fromAnswer, sendable } from '../values/wire.ts'
import { Overtaken } from '../write/overtaken.ts'
import { put, saysOver, type Sent, type WriteContext } from '../write/send.ts'
import { assertOne, neededFor } from './assert-one.ts'
import { fits } from './candidates.ts'
import { settledAs, type Ask, type LostWrite, type Settled, type Why } from './facts.ts'

/** What a candidate's answer says about the lost creation that may have made it. */
export type Answer = { readonly write: LostWrite } & (
  | { readonly says: 'ours'; readonly settled: Settled; readonly isItsOwn: boolean }
  | { readonly says: 'another' }
  | { readonly says: 'nothing'; readonly why: Why }
)

/** Writes one field of a candidate with the value that the creation sent: the answer shows the other fields. */
export const askOne = async (
  write: LostWrite,
  ask: Ask,
  effects: Settled['effects'],
  context: WriteContext,
): Promise<Answer> => {
  const { definition, expected, field, id, among } = ask
  try {
    const needs = await neededFor(ask, write.address, expected, context)
    if (needs.length > 0) return { write, says: 'nothing', why: { needs } }
    const sent = await assertOne(ask, write.address, expected, context)
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
    // Nothing is learnt; what is known of the lost request stays true.
    if (error instanceof RequestError) return { write, says: 'nothing', why: { error } }
    throw error
  }
}

const isItself = ({ identity: { keyInAnswer } }: KindDefinition, id: string, body: unknown): boolean =>
  (body as Values | undefined)?.[keyInAnswer] === id

/** Whether a refusal shows that we did not just make the candidate: it is gone, over, or takes no such value. */
const isDenial = (definition: KindDefinition, error: unknown): boolean =>
  error instanceof NotFoundError ||
  error instanceof InvalidRequestError ||
  error instanceof ConflictError ||
  saysOver(definition, error)

/** The record of a thing whose answer has shown all fields; the next plan writes those that differ. */
const answered = (
  { definition, expected }: Ask,
  values: Values,
  { span }: Sent,
  earlier: RecordedResource['lastWrite'] = null,
): RecordedResource => {
  const sure = sureOf(expected)
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
