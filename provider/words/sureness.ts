import type { Actor, ReasonCode } from '../engine/index.ts'

interface Sureness {
  /** To be put before a name. */
  readonly by: string
  /** The same as a separate word; empty for the highest confidence. */
  readonly word: string
  /** To be put before a name, for what was done to a managed thing: `changed`, `removed`. */
  readonly outside: (done: string) => string
  readonly meaning: string
}

/**
 * How certain an actor is, in the words of all doors and formats, the most certain first. An event shows an act, but
 * seldom its values.
 */
export const SURENESS: Readonly<Record<Actor['confidence'], Sureness>> = {
  high: {
    by: 'by',
    word: '',
    outside: (done) => `${done} outside by`,
    meaning: 'exactly one event can explain the current value, and it is about exactly what changed',
  },
  medium: {
    by: 'likely by',
    word: 'likely',
    outside: (done) => `${done} outside, likely by`,
    meaning: 'several events could explain it, or the only one is not about exactly what changed',
  },
  low: {
    by: 'perhaps by',
    word: 'perhaps',
    outside: (done) => `perhaps ${done} outside by`,
    meaning: 'there is an event about it, but none shows what was changed',
  },
}

/** The word, to be put before a name; empty for the highest confidence. */
export const wordBefore = (confidence: Actor['confidence']): string => {
  const { word } = SURENESS[confidence]
  return word === '' ? '' : `${word} `
}

/** The explanation of the word; undefined if there is none. */
export const likelihoodOf = (confidence: Actor['confidence']): string | undefined => {
  const { word, meaning } = SURENESS[confidence]
  return word === '' ? undefined : `${word}: ${meaning}`
}

/** What an actor has done, by the reason of the change that names them. */
export const deedIn = (reasonCode: string | undefined): 'changed' | 'removed' =>
  reasonCode !== undefined && REMOVED.has(reasonCode) ? 'removed' : 'changed'

const REMOVED: ReadonlySet<string> = new Set<ReasonCode>(['missing', 'not-found', 'told-gone'])
