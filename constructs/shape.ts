import { isKnown, didYouMean, problem } from './checks.ts'
import type { Problem } from './declaration-error.ts'

/** The requirements for a property, for untyped callers and for casts. */
interface Part {
  readonly is: 'text' | 'flag' | 'list' | 'table' | 'anything'
  readonly needed?: true
  /** Set if the value may be known only when Terraform runs, such as a variable. */
  readonly late?: true
}

/** A part for each property of a type: a forgotten one does not compile. */
export type Shape<T> = { readonly [K in keyof Required<T>]: Part }

export const text = { is: 'text' } as const
export const lateText = { is: 'text', late: true } as const
export const flag = { is: 'flag' } as const
export const lateFlag = { is: 'flag', late: true } as const
export const list = { is: 'list' } as const
export const lateList = { is: 'list', late: true } as const
export const table = { is: 'table' } as const
export const anything = { is: 'anything', late: true } as const
export const needed = <P extends Part>(part: P): P & { readonly needed: true } => ({ ...part, needed: true })

/** Stands for the configuration itself among the names of its properties. */
const OWN = 'config'

/** Reports missing, unknown and invalid values, and properties that the type does not have. */
export const checkShape = <T>(property: string, value: unknown, shape: Shape<T>): Problem[] => {
  const own = checkPart(property === '' ? OWN : property, value, needed(table))
  if (own.length > 0) return own
  const names = Object.keys(shape)
  const values = value as Readonly<Record<string, unknown>>
  const at = (name: string): string => (property === '' ? name : `${property}.${name}`)
  return [
    ...Object.keys(values)
      .filter((name) => !Object.hasOwn(shape, name))
      .map((name) =>
        problem(
          at(name),
          `there is no such property${didYouMean(name, names)}; the properties are ${names.join(', ')}`,
        ),
      ),
    ...Object.entries<Part>(shape).flatMap(([name, part]) => checkPart(at(name), values[name], part)),
  ]
}

/** The same for each thing of a table, by name. */
export const checkShapes = <T>(property: string, things: object, shape: Shape<T>): Problem[] =>
  Object.entries(things).flatMap(([name, thing]) => checkShape(`${property}.${name}`, thing, shape))

/** Refuses explicit undefined values, which would remove what they seem to leave alone. */
export const checkGiven = (property: string, values: object): Problem[] =>
  Object.entries(values)
    .filter(([, value]) => value === undefined)
    .map(([name]) => problem(`${property}.${name}`, 'is undefined: omit it, or give a value'))

const checkPart = (property: string, value: unknown, { is, needed: must, late }: Part): Problem[] => {
  if (value === undefined) return must === true ? [problem(property, 'is needed')] : []
  if (is === 'anything') return []
  if (!isKnown(value)) return late === true ? [] : [problem(property, LATE)]
  if (!matches[is](value)) return [problem(property, `has to be ${NOUNS[is]}, but is ${described(value)}`)]
  return is === 'list' ? checkElements(property, value as readonly unknown[]) : []
}

const LATE =
  'has to be known at synthesis: it decides what is declared, but a variable is known only when Terraform runs'

/** Refuses elements that are known only when Terraform runs, if each becomes a construct. */
export const checkKnown = (property: string, values: readonly string[]): Problem[] =>
  values.flatMap((value, index) => (isKnown(value) ? [] : [problem(`${property}[${index}]`, LATE)]))

const checkElements = (property: string, values: readonly unknown[]): Problem[] =>
  values.flatMap((value, index) =>
    typeof value === 'string' || (typeof value === 'object' && value !== null)
      ? []
      : [problem(`${property}[${index}]`, `cannot be ${described(value)}`)],
  )

const NOUNS = { text: 'a text', flag: 'true or false', list: 'a list', table: 'an object' } as const

const matches = {
  text: (value: unknown) => typeof value === 'string',
  flag: (value: unknown) => typeof value === 'boolean',
  list: (value: unknown) => Array.isArray(value),
  table: (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value),
} as const

const described = (value: unknown): string => {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return `the text "${value}"`
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
