import type { Values } from './values.ts'

/** How an existing thing is written into a manifest that people maintain. */
export interface Adoption {
  /** Names for its entry, each more specific than the one before; takes live values, or a selector. */
  readonly names: (thing: Values) => readonly string[]
  /** Selectors that match it, the broadest first; empty if entries have no selector. */
  readonly selectors: (thing: Values) => readonly Values[]
  /**
   * How a selector is limited to what exists now: the selector's field for it (`by`), and the answer's field that
   * says when a thing was made. Without it, an entry names things that are off by their ids.
   */
  readonly bound?: { readonly made: string; readonly by: string }
  /** Whether it is switched off: that is true of this one thing, and no rule for those that are added later. */
  readonly isOff: (thing: Values) => boolean
  /**
   * What it is about; takes live values, or a selector. Shown beside an entry that has only an id, and wherever a
   * report names the thing by its id; empty if its name says it.
   */
  readonly about: (thing: Values) => string
  /** What is off or unusual about it. */
  readonly remarks: (thing: Values) => readonly string[]
  /** What an entry for several projects means for a project that is added to it; shown after a colon. */
  readonly whereAdded?: string
  /** How events tell of it, if no list does. */
  readonly told?: HowTold
}

/** What events tell of a thing in addition to the value by which the witness knows it. */
export interface HowTold {
  /** The event's fields with that value and with the id, if the thing is the actor. */
  readonly actor?: { readonly name: string; readonly id: string }
  /** The event's field with values of the thing, by the API's names. */
  readonly values?: string
  /** Fields that events may not tell, with what to put there: left empty, they are refused. */
  readonly open: Readonly<Record<string, string>>
}

/** For a kind whose things differ only in their names. */
export const plainly = (names: Adoption['names']): Omit<Adoption, 'told'> => ({
  names,
  selectors: () => [],
  isOff: () => false,
  about: () => '',
  remarks: () => [],
})
