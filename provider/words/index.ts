import { leavingOut } from '../core/among.ts'
import { pastedOf, sayLeavingOut } from '../errors/places-left-out.ts'
import { asSentence, ended, fillSentence, type Spelling } from '../core/sentence.ts'
import type { Reason, ReasonCode } from '../engine/reason.ts'
import { SHARED, STEPS, type DoorSays, type DoorSteps, type Says } from './shared.ts'

export { actorText, byWhom, doneBy, whoIs } from './actor.ts'
export { sayInstant, sayMoment } from '../core/text.ts'
export { requestLines } from './request-line.ts'
export { eventsLeftUnread, fewOf, sayElements, sayUnbounded } from './shared.ts'
export { deedIn, likelihoodOf, SURENESS, wordBefore } from './sureness.ts'
export { exceptSetting, sayLeavingOut } from '../errors/places-left-out.ts'

/** What a door adds to the words that all doors share. */
export interface DoorWords {
  readonly says: { readonly [C in DoorSays]: Says<C> }
  /** What a person does if this API cannot. */
  readonly steps: { readonly [C in DoorSteps]: string | Says<C> }
}

/** The engine's reasons in the words of one door. */
export interface Words {
  readonly says: (reason: Reason) => string
  /** A sentence of its own: capitalized unless it begins with a name, and with a period. */
  readonly sentence: (reason: Reason) => string
  /** What a person does instead of a call that the API lacks. */
  readonly step: (reason: Reason) => string | undefined
  /** Both together. */
  readonly whole: (reason: Reason) => string
}

export const wordsOf = (door: DoorWords, spelling: Spelling): Words => {
  // For each code, the table has a function that takes the facts of that code; a union type cannot express this.
  const says = { ...SHARED, ...door.says } as Record<
    ReasonCode,
    (facts: unknown, spelling: Spelling) => string
  >
  const steps = { ...STEPS, ...door.steps } as Partial<
    Record<ReasonCode, string | ((facts: unknown, spelling: Spelling) => string)>
  >
  const say = (reason: Reason, as = spelling): string => says[reason.code](reason, as)
  const stepOf = (reason: Reason): string | undefined => {
    const byHand =
      'step' in reason && reason.step !== undefined
        ? fillSentence(reason.step.text, reason.step.of ?? {}, spelling)
        : undefined
    if (reason.code === 'missing') return waysOf(byHand, reason, spelling)
    if (byHand !== undefined) return byHand
    const step = steps[reason.code]
    return typeof step === 'string' ? fillSentence(step, { ...reason }, spelling) : step?.(reason, spelling)
  }
  return {
    says: (reason) => say(reason),
    sentence: (reason) => {
      const names = namesIn(reason)
      const said = say(reason, noting(names, spelling))
      return names.some((name) => said.startsWith(name)) ? ended(said) : asSentence(said)
    },
    step: stepOf,
    whole: (reason) => [say(reason), stepOf(reason)].filter((part) => part !== undefined).join('. '),
  }
}

/** A note that comes before what a person does by hand: a mistyped id is the likelier cause. */
export const isCheck = ({ code }: Reason): boolean => code === 'check-key-first'

/** What a person checks, and then does, as sentences. */
export const stepsOf = (
  words: Pick<Words, 'sentence' | 'step'>,
  reason: Reason,
  notes: readonly Reason[],
): string[] => [...notes.filter(isCheck).map(words.sentence), words.step(reason) ?? []].flat()

/** The same spelling, which also adds each spelt name to a list. */
const noting = (names: string[], { field, setting, kind, nameOf }: Spelling): Spelling => {
  const noted = (name: string): string => {
    names.push(name)
    return name
  }
  return {
    field: (name) => noted(field(name)),
    setting: (name, value) => noted(setting(name, value)),
    kind: (of) => noted(kind(of)),
    nameOf,
  }
}
/** Facts that appear in sentences as people write them, however a door spells fields. */
const namesIn = (reason: Reason): string[] => [
  ...('address' in reason && reason.address !== undefined ? [reason.address] : []),
  ...('section' in reason ? [reason.section] : []),
]

/** By hand, or by a setting of the entry: each of these ways is enough. */
const waysOf = (
  byHand: string | undefined,
  { allowedBy, among }: Pick<Reason<'missing'>, 'allowedBy' | 'among'>,
  { setting }: Spelling,
): string | undefined => {
  const left = among && leavingOut([among])
  const ways = [
    ...(byHand === undefined ? [] : [byHand.replace(/\.$/, '')]),
    ...(allowedBy === undefined ? [] : [`set ${setting(allowedBy, 'true')}`]),
    ...(left === undefined ? [] : [sayLeavingOut(left)]),
  ]
  if (ways.length === 0) return undefined
  const said = asSentence(ways.join('; or '))
  const isPasted = left !== undefined && pastedOf(left) !== undefined
  return isPasted ? said.slice(0, -1) : said
}
