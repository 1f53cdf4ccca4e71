import { Field, integer, string, type Decode, type Fields, type FieldType, type ValuesOf } from './field.ts'
import type { Operation } from './operation.ts'
import { mapValues, type Values } from './values.ts'

/** Whether an answer is one thing or a list envelope. */
export type Shape = 'one' | 'list'

/** Everything about one data source. The engine reads these words and names no data source. */
export interface DataSourceDefinition<S extends Shape = Shape> {
  /** `snake_case`: the command's name, and the Terraform type without its prefix. */
  readonly name: string
  readonly title: string
  readonly summary: string
  readonly operation: Operation
  readonly shape: S
  /** Fields that name the thing are path parameters, values are query filters, local ones are for the engine. */
  readonly arguments: Fields
  /**
   * Arguments that bound an ever-growing list: one of them is required if the list is read again at every refresh.
   */
  readonly bounds?: readonly string[]
  /** The arguments that delimit a period: its end must not be before its beginning. */
  readonly period?: { readonly from: string; readonly to: string }
  /** The endpoint takes no paging parameters, and may refuse them: its list comes whole. */
  readonly unpaged?: true
  /** Error codes by which some services say what others say with an empty list. */
  readonly emptyOn?: readonly string[]
  /**
   * An argument that the command takes several times, with one read for each value, because it is not documented how
   * a query names several. `newest` is the instant by which their items are merged.
   */
  readonly several?: { readonly argument: string; readonly newest: string }
  /** What the calling key needs by the API's description, as the object of "needs"; usually a role. */
  readonly keyNeeds?: string
  /** How `inventory` reads it; undefined if nothing lists what exists. */
  readonly inventory?: Inventory
  /** The fields of one item. */
  readonly result: Fields
  /** Columns of the list as text, the most important first; by default they are chosen from the fields. */
  readonly columns?: (item: Values) => Values
  readonly docs: {
    /** Arguments that work, for the docs. */
    readonly example: Values
    readonly notes: readonly string[]
  }
}

/** How everything that a source tells is read at once, and what of it matters to people. */
export interface Inventory {
  /** The arguments of each read of a place, besides the place itself. */
  readonly readings: readonly Values[]
  /** An argument whose values other sources tell, and their field for it. */
  readonly told?: { readonly argument: string; readonly by: string }
  /** The rows of an answer, if they are not its items. */
  readonly rows?: (answer: Values) => readonly Values[]
  /** What matters to people, by the title of its column, the most important first. */
  readonly counts: (row: Values) => Values
  /** What people look for first. */
  readonly asked?: readonly Question[]
  /** Whether it is worth watching. */
  readonly watched?: true
}

/** A question whose answer is a number. */
interface Question {
  /** Whether a row counts. */
  readonly of: (row: Values) => boolean
  /** Counts places that have such a row, instead of rows. */
  readonly per?: 'place'
  /** What is counted, in the singular and the plural. */
  readonly one: string
  readonly many: string
}

/** Words that name arguments may only name those that exist. */
interface NamesArguments<A extends Fields> {
  readonly arguments: A
  readonly bounds?: readonly (keyof A & string)[]
  readonly period?: { readonly from: keyof A & string; readonly to: keyof A & string }
  readonly several?: { readonly argument: keyof A & string; readonly newest: string }
  readonly docs: { readonly example: ValuesOf<A> }
}

/** Marks everything in `result` as returned by the service, so that no definition has to repeat it. */
export const defineDataSource = <const A extends Fields, const S extends Shape>(
  definition: DataSourceDefinition<S> & NamesArguments<A>,
): DataSourceDefinition<S> => Object.freeze({ ...definition, result: told(definition.result) })

/** How many items of a list are wanted; paging ends once they are there. */
export const limit = integer('Maximum number of items. Defaults to all.', { atLeast: 1 }).local().optional()

/** An address or a block. */
export const cidr = (summary: string): Field<string, false> => new Field({ is: 'cidr' }, summary)

const mask: Decode = (raw) => ({
  // The service masks with asterisks. A value without one came unmasked: it must not reach a screen or a state.
  value: typeof raw === 'string' && raw !== '' && !raw.includes('*') ? '********' : raw,
})

/** A secret, which the service shows redacted; if it does not, the value is masked here. */
export const redacted = (summary: string) => string(`${summary} Returned redacted.`).readAs(mask)
/** An address that contains a secret; the service shows a part of it. */
export const partlyRedacted = (summary: string) => string(`${summary} Returned partly redacted.`).readAs(mask)

const told = (fields: Fields): Fields =>
  mapValues(fields, (field) => new Field(toldType(field.type), field.summary, field).computed())

const toldType = (type: FieldType): FieldType => {
  if (type.is === 'object') return { ...type, fields: told(type.fields) }
  if (type.is === 'set' || type.is === 'list') return { ...type, of: toldType(type.of) }
  return type
}
