import type { Values } from './values.ts'

/** A rule across the fields of one entry; returns what is wrong, and at which field. */
export type Rule =
  | {
      readonly over: 'entry'
      /** Fields that it reads: it is checked only if these are valid by themselves. */
      readonly reads: readonly string[]
      readonly check: (values: Values) => readonly Finding[]
    }
  /** About which fields are given: it is checked even if their values are wrong. */
  | {
      readonly over: 'presence'
      readonly reads: readonly string[]
      readonly check: (values: Values) => readonly Finding[]
    }
  /** About one mapping of the entry, as far as its content is valid; paths begin at the mapping. */
  | {
      readonly over: 'mapping'
      readonly field: string
      /** `isSound` says whether the value of a name, or its omission, is known and valid by itself. */
      readonly check: (mapping: Values, isSound: (name: string) => boolean) => readonly Finding[]
    }
  /** About each valid mapping of a list by itself; paths begin at the element. */
  | {
      readonly over: 'element'
      /** The path of the list in the entry. */
      readonly list: readonly string[]
      readonly check: (element: Values) => readonly Finding[]
    }
  /** Across all entries of the section whose fields are valid: indexes of the two that disagree. */
  | {
      readonly over: 'section'
      readonly reads: readonly string[]
      readonly check: (entries: readonly Values[]) => readonly Disagreement[]
    }

/** A sentence of a definition, with the values for its braces. */
export interface Sentence {
  readonly text: string
  readonly of?: Values
}

/** What is wrong with an entry, and where; each door spells the fields in it, such as `{.alertConfigId}`. */
export interface Finding extends Sentence {
  readonly path: readonly (string | number)[]
  /** The field that has to be given there. */
  readonly needs?: string
}
export interface Disagreement extends Sentence {
  readonly entries: readonly [number, number]
}
