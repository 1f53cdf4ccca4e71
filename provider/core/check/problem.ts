import type { FieldType } from '../field.ts'

type EnumFacts = { readonly value: string; readonly values: readonly string[]; readonly noun: string }

/** Everything that can be wrong with a value, by its code, with what a sentence about it needs. */
export interface Facts {
  /** A value of another type, which includes null. */
  readonly 'wrong-type': { readonly type: FieldType; readonly value: unknown }
  readonly 'unknown-key': { readonly name: string; readonly known: readonly string[] }
  /** `toCreate`: not needed if the entry names an existing thing. */
  readonly 'missing-key': { readonly name: string; readonly toCreate: boolean }
  readonly 'not-a-name': { readonly name: string }
  readonly 'not-an-id': { readonly value: string; readonly atMost: number }
  /** It can be an id, but no known id looks like it. */
  readonly 'unusual-id': { readonly value: string }
  /** `meant`: as the service writes it, so that its events and lists have it. */
  readonly 'id-in-capitals': { readonly value: string; readonly meant: string }
  readonly 'not-an-enum-value': EnumFacts
  /** The set is open, so the value is accepted. */
  readonly 'not-a-known-word': EnumFacts
  /** `meant`: the nearest text that is an instant. */
  readonly 'not-an-instant': {
    readonly value: string
    readonly meant: string | undefined
    /** The part that does not exist, although its form is correct. */
    readonly nowhere: 'day' | 'time' | undefined
  }
  readonly 'not-an-address': { readonly value: string }
  readonly 'cidr-part-above-255': { readonly value: string }
  readonly 'cidr-leading-zero': { readonly value: string; readonly meant: string }
  readonly 'cidr-length': { readonly value: string; readonly atMost: number }
  readonly 'cidr-host-bits': { readonly value: string; readonly network: string }
  /** It contains half of a surrogate pair, which no file and no request can hold. */
  readonly 'not-well-formed': { readonly value: string }
  /** Lengths are in characters, as JSON Schema counts them. */
  readonly 'too-short': {
    readonly length: number
    readonly atLeast: number
    readonly atMost: number | undefined
  }
  readonly 'too-long': {
    readonly length: number
    readonly atMost: number
    readonly atLeast: number | undefined
  }
  readonly 'too-small': { readonly value: number; readonly atLeast: number }
  readonly 'too-few': { readonly length: number; readonly atLeast: number; readonly of: FieldType }
  /** `first`: the index of the equal element before it. */
  readonly 'listed-twice': { readonly value: unknown; readonly first: number }
  /** The end of a period that is before its beginning. */
  readonly 'out-of-order': { readonly value: string; readonly from: string }
}

export type ProblemCode = keyof Facts

/** A path within a value: names of fields and indexes of elements. */
export type Within = readonly (string | number)[]

/** One problem of a value. Doors locate and word it. */
export type Problem = {
  readonly [C in ProblemCode]: { readonly within: Within; readonly code: C; readonly facts: Facts[C] }
}[ProblemCode]

/** A problem without its path. */
export type UnplacedProblem = {
  readonly [C in ProblemCode]: { readonly code: C; readonly facts: Facts[C] }
}[ProblemCode]

/** Whether the value is accepted all the same, and the problem is a warning. */
export const isAdvice = ({ code }: Problem): boolean =>
  code === 'not-a-known-word' || code === 'listed-twice' || code === 'unusual-id'
