import type { Actor } from '@deploymgmt/provider/engine'

interface Sureness {
  /** Before a name. */
  readonly by: string
  /** The same as a word of its own; nothing where it is as sure as it gets. */
  readonly word: string
  readonly meaning: string
}

/** How sure it is who did it, in the words of all formats, from the surest on. An event shows an act, and seldom its values. */
export const SURENESS: Readonly<Record<Actor['confidence'], Sureness>> = {
  high: {
    by: 'by',
    word: '',
    meaning: 'exactly one event can explain the current value, and it is about exactly what changed',
  },
  medium: {
    by: 'likely by',
    word: 'likely',
    meaning: 'several events could explain it, or the only one is not about exactly what changed',
  },
  low: {
    by: 'perhaps by',
    word: 'perhaps',
    meaning: 'there is an event about it, but none shows what was changed',
  },
}

/** What the word means, behind it; nothing where there is none. */
export const likelihoodOf = (confidence: Actor['confidence']): string | undefined => {
  const { word, meaning } = SURENESS[confidence]
  return word === '' ? undefined : `${word}: ${meaning}`
}
