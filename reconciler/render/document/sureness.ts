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
    meaning: 'one event alone can be why it is as it is now, and it is about just what has changed',
  },
  medium: {
    by: 'likely by',
    word: 'likely',
    meaning: 'several events can be why, or the one that can is not about just what has changed',
  },
  low: {
    by: 'perhaps by',
    word: 'perhaps',
    meaning: 'an event is about the thing, and none tells what was changed',
  },
}

/** What the word means, behind it; nothing where there is none. */
export const likelihoodOf = (confidence: Actor['confidence']): string | undefined => {
  const { word, meaning } = SURENESS[confidence]
  return word === '' ? undefined : `${word}: ${meaning}`
}
