import { putInstead } from '../plan/replaced.ts'
import { reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import type { Ledger } from '../values/ledger.ts'
import { earlierWrite } from '../values/memory.ts'
import type { RecordedResource } from '../values/model.ts'
import { sureOf } from '../values/sure.ts'
import { sendable } from '../values/wire.ts'
import { hasMade, type Shown } from './ask.ts'
import { sendAlike } from './candidates.ts'
import { settledAs, type LostWrite, type Settled } from './facts.ts'

/**
 * What the answers of candidates settle, judged together: pairs are made before anything is known, so that a candidate
 * may have been made by the creation that another one was asked for, or by one for which no candidate is there.
 * @param isWhole whether every candidate has answered; one without an answer may belong to any creation, except one
 * whose own candidate has answered
 */
export const settleAnswers = (
  answers: readonly Shown[],
  ledger: Ledger,
  { isWhole }: { readonly isWhole: boolean },
): Settled[] =>
  [...Map.groupBy(answers, ({ asking }) => asking.step.among).values()].flatMap((together) =>
    [...makersOf(together, isWhole ? roundsOf(together) : [isOwnMade])].map(([shown, maker]) =>
      settledBy(shown, maker, ledger),
    ),
  )

/** The creation that each candidate is recorded for: its own if the answer fits, else one that it fits, else its own. */
const makersOf = (answers: readonly Shown[], rounds: readonly Suits[]): ReadonlyMap<Shown, LostWrite> => {
  const makers = new Map<Shown, LostWrite>()
  const left = new Set([...answers.map(({ asking }) => asking.write), ...answers.flatMap(unpaired)])
  for (const suits of rounds)
    for (const shown of answers) {
      const maker = makers.has(shown) ? undefined : [...left].find((each) => suits(shown, each))
      if (maker === undefined) continue
      makers.set(shown, maker)
      left.delete(maker)
    }
  return makers
}

/**
 * What is still under way writes a value of its own pair once more, so each keeps its pair, unless that could leave it a
 * field that its creation did not send: that waits.
 */
const roundsOf = (answers: readonly Shown[]): readonly Suits[] => {
  const isAlike = answers.every(({ asking: { step } }) => sendAlike(step.definition, step.among))
  if (answers.some(({ asking }) => asking.step.isUnderWay)) return isAlike ? [isOwn] : [isOwnMade]
  return [isOwnMade, isMade, isOwn, isOfAny]
}

/** Creations without a candidate. If all sent the same fields, each candidate can become what it was expected to be. */
const unpaired = ({ asking: { step } }: Shown): readonly LostWrite[] =>
  sendAlike(step.definition, step.among) ? [] : step.unpaired

type Suits = (shown: Shown, maker: LostWrite) => boolean
const isOwn: Suits = ({ asking }, maker) => asking.write === maker
const isMade: Suits = ({ asking, values }, maker) => hasMade(asking.step, maker, values)
const isOwnMade: Suits = (shown, maker) => isOwn(shown, maker) && isMade(shown, maker)
const isOfAny: Suits = ({ asking: { step } }, maker) => !step.unpaired.includes(maker)

const settledBy = (shown: Shown, maker: LostWrite, ledger: Ledger): Settled => {
  const { address, expected } = maker
  const { definition, id, expected: asked } = shown.asking.step
  const how = isMade(shown, maker)
    ? reason('answered-as-created', { id })
    : reason('answered-as-another', { id })
  const record = recordOf(shown, { ...expected, identity: asked.identity }, ledger)
  return settledAs(maker, putInstead(definition, address, record, ledger.records), how)
}

/**
 * The record of a thing whose answer has shown all fields. What the creation sent was agreed to: where the answer has
 * other values, it is sent again.
 */
const recordOf = (
  { asking: { step }, values, span }: Shown,
  expected: RecordedResource,
  ledger: Ledger,
): RecordedResource => {
  const { definition } = step
  const others = differing(definition, sendable(definition.fields), values, expected.applied)
  return {
    ...sureOf(expected),
    ...(others.length === 0 ? {} : { unsure: others.map(({ path }) => path) }),
    answer: values,
    // What was asked is known as a write to a thing without a record: it counts once, since it leaves one event.
    lastWrite: earlierWrite(ledger, expected) ?? span,
    watermark: span.to,
  }
}
