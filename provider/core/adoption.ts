import type { Values } from './values.ts'

/** How an existing thing is written into a manifest that people maintain. */
export interface Adoption {
  /** Names for its entry, each more telling than the one before: of what is live, or of its selector. */
  readonly names: (thing: Values) => readonly string[]
  /** Selectors that match it, the broadest first; none where entries have no selector. */
  readonly selectors: (thing: Values) => readonly Values[]
  /**
   * How a selector is kept to what is there now: by which of its fields, and where answers say when a thing was
   * made. Without it, what is off has its id.
   */
  readonly bound?: { readonly made: string; readonly by: string }
  /** Whether it is switched off: that is true of this one thing, and no rule for those that are added later. */
  readonly isOff: (thing: Values) => boolean
  /**
   * What it is about, of what is live or of its selector: said beside an entry that has an id and nothing more, and
   * wherever a report names it by its id; nothing if its name says it.
   */
  readonly about: (thing: Values) => string
  /** What is off or unusual about it. */
  readonly remarks: (thing: Values) => readonly string[]
  /** What an entry of several projects means for one that is added to it: what is said behind a colon. */
  readonly whereAdded?: string
  /** How events tell of it, where no list does. */
  readonly told?: HowTold
}

/** What events tell of a thing besides the value by which the witness knows it. */
export interface HowTold {
  /** The event's fields with that value and with the id, where the thing is the one that acts. */
  readonly actor?: { readonly name: string; readonly id: string }
  /** The event's field that tells values of it by the API's names. */
  readonly values?: string
  /** Event types that mean that it is gone. */
  readonly gone?: RegExp
  /** Fields that no event may tell, with what to put there: left empty, they are refused. */
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
