import { reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import type { Ledger } from '../values/ledger.ts'
import { earlierWrite } from '../values/memory.ts'
import type { RecordedResource } from '../values/model.ts'
import { spanAfter } from '../values/span.ts'
import { sureOf } from '../values/sure.ts'
import { sendable } from '../values/wire.ts'
import { put } from '../write/send.ts'
import { hasMade, type Asking, type Shown } from './ask.ts'
import { settledAs, type Ask, type Settled } from './facts.ts'

/**
 * What the answers of candidates settle, judged together: pairs are made before anything is known, so that a candidate
 * may have been made by the creation that another one was asked for.
 * @param isWhole whether every candidate has answered; one without an answer may belong to any creation, except one
 * whose own candidate has answered
 */
export const settleAnswers = (answers: readonly Shown[], ledger: Ledger, isWhole: boolean): Settled[] =>
  [...Map.groupBy(answers, ({ asking }) => asking.step.among).values()].flatMap((together) =>
    [...makersOf(together, isWhole)].map(([shown, maker]) => settledBy(shown, maker, ledger)),
  )

/** The creation that each candidate is recorded for: its own if the answer fits, else one that it fits, else its own. */
const makersOf = (answers: readonly Shown[], isWhole: boolean): ReadonlyMap<Shown, Asking> => {
  const rounds = isWhole ? roundsOf(answers) : [isOwnMade]
  const makers = new Map<Shown, Asking>()
  const left = new Set(answers.map(({ asking }) => asking))
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
  if (!answers.some(({ asking }) => asking.step.isUnderWay)) return [isOwnMade, isMade, isOwn, isAny]
  return answers.every(({ asking }) => isAlike(asking.step)) ? [isOwn] : [isOwnMade]
}

/** Whether all creations sent the same fields: then whatever one of them sent can be written over. */
const isAlike = ({ definition, among }: Ask): boolean => {
  const names = sendable(definition.fields)
  const sent = among.map(({ expected: { applied } }) => names.filter((name) => applied[name] !== undefined))
  return new Set(sent.map(String)).size === 1
}

type Suits = (shown: Shown, maker: Asking) => boolean
const isOwn: Suits = ({ asking }, maker) => asking === maker
const isMade: Suits = ({ asking, values }, maker) => hasMade(asking.step, maker.write, values)
const isOwnMade: Suits = (shown, maker) => isOwn(shown, maker) && isMade(shown, maker)
const isAny: Suits = () => true

const settledBy = (shown: Shown, maker: Asking, ledger: Ledger): Settled => {
  const { step, write, effects } = maker
  const { id } = shown.asking.step
  const expected = { ...step.expected, identity: shown.asking.step.expected.identity }
  const aside = effects.filter(({ op }) => op === 'move')
  const how = isMade(shown, maker)
    ? reason('answered-as-created', { id })
    : reason('answered-as-another', { id })
  return settledAs(write, [...aside, put(write.address, recordOf(shown, expected, ledger))], how)
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
    lastWrite: spanAfter(earlierWrite(ledger, expected) ?? null, span),
    watermark: span.to,
  }
}
