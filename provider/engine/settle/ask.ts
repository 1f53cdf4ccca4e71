import type { KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { ConflictError, InvalidRequestError, NotFoundError } from '../../errors/index.ts'
import { wrote } from '../values/ledger.ts'
import type { WriteSpan } from '../values/model.ts'
import { fromAnswer } from '../values/wire.ts'
import { saysOver, type Sent, type WriteContext } from '../write/send.ts'
import { assertOne } from './assert-one.ts'
import { fits } from './candidates.ts'
import type { Ask, LostWrite, Provisional, Why } from './facts.ts'

/** A lost creation whose candidate is asked. */
export type Asking = Provisional & { readonly step: Ask }

/** A candidate that one of the lost creations has made; its values tell which one. */
export interface Shown {
  readonly asking: Asking
  /** Its values, with the field that was written. */
  readonly values: Values
  readonly span: WriteSpan
}

/** What a candidate's answer says about the lost creations that may have made it. */
type Answer =
  | ({ readonly says: 'ours' } & Shown)
  | { readonly says: 'another'; readonly asking: Asking }
  | { readonly says: 'nothing'; readonly asking: Asking; readonly why: Why }

/** Writes one field of a candidate with the value that the creation sent: the answer shows the other fields. */
export const askOne = async (asking: Asking, context: WriteContext): Promise<Answer> => {
  const { step: ask, address } = asking
  const { definition, expected, id, among } = ask
  const valuesOf = ({ body }: Sent) => fromAnswer(definition, body, {}).values
  const isOurs = (sent: Sent) =>
    isItself(definition, id, sent.body) && among.some((each) => hasMade(ask, each, valuesOf(sent)))
  // If only a later run records the thing, that run must not take the event of this write for somebody else's.
  const answer = await assertOne({ ...ask, address, record: expected }, context, (sent) =>
    isOurs(sent) ? [wrote(expected, sent.span)] : [],
  )
  if ('why' in answer)
    return isDenial(definition, answer.why)
      ? { asking, says: 'another' }
      : { asking, says: 'nothing', why: answer.why }
  const { sent } = answer
  return isOurs(sent)
    ? { asking, says: 'ours', values: valuesOf(sent), span: sent.span }
    : { asking, says: 'another' }
}

/** Whether a creation sent the values that an answer shows, except for the field that was written to get it. */
export const hasMade = ({ definition, field }: Ask, write: LostWrite, values: Values): boolean =>
  fits(definition, write, values, { without: field, whole: true })

const isItself = ({ identity: { keyInAnswer } }: KindDefinition, id: string, body: unknown): boolean =>
  (body as Values | undefined)?.[keyInAnswer] === id

/** Whether a refusal shows that we did not just make the candidate: it is gone, over, or takes no such value. */
const isDenial = (definition: KindDefinition, why: Why): boolean =>
  'error' in why &&
  (why.error instanceof NotFoundError ||
    why.error instanceof InvalidRequestError ||
    why.error instanceof ConflictError ||
    saysOver(definition, why.error))
