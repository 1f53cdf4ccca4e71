import { Annotations, Token } from 'cdktf'
import type { IConstruct } from 'constructs'
import type { Problem } from './declaration-error.ts'
import { isId } from './generated/check/id.ts'
import { nearest } from './generated/nearest.ts'

/** Values that are known only when Terraform runs, such as variables, cannot be checked here. */
export const isKnown = (value: unknown): boolean => !Token.isUnresolved(value)

export const problem = (property: string, message: string): Problem => ({ property, message })

/** An id is part of a path: with a slash or a space, it would be another path. */
export const checkId = (property: string, value: string): Problem[] => {
  if (!isKnown(value) || isId(value)) return []
  const isText = typeof value === 'string' && value !== ''
  return [problem(property, isText ? `"${String(value)}" is not an id` : 'an id is needed')]
}

/** The value of an own property: inherited names such as `constructor` do not count. */
export const own = <T>(values: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined

/** Names that become ids of constructs: the library reserves a few of them. */
export const checkNames = (property: string, things: object): Problem[] =>
  Object.keys(things)
    .filter((name) => name === '' || name in Object.prototype)
    .map((name) => problem(property, `"${name}" cannot be a name here; take another`))

/** Ids by name; the names become part of logical ids. */
export const checkIds = (property: string, ids: Readonly<Record<string, string>>): Problem[] => {
  const names = Object.keys(ids)
  const duplicates = names.flatMap((name, index) => {
    const first = names.findIndex((other) => ids[other] === ids[name])
    return first < index ? [problem(`${property}.${name}`, `is the same as ${names[first] ?? ''}`)] : []
  })
  return [...names.flatMap((name) => checkId(`${property}.${name}`, ids[name] ?? '')), ...duplicates]
}

/** For untyped callers: a word of a closed set, with a suggestion. */
const checkWord = (property: string, noun: string, value: string, allowed: readonly string[]): Problem[] =>
  !isKnown(value) || allowed.includes(value)
    ? []
    : [
        problem(
          property,
          `"${value}" is not a valid ${noun}${didYouMean(value, allowed)}; allowed: ${allowed.join(', ')}`,
        ),
      ]

export const checkRemoval = (
  property: string,
  way: string | undefined,
  allowed: readonly string[],
): Problem[] => (way === undefined ? [] : checkWord(property, 'way of removal', way, allowed))

export const checkWords = (
  property: string,
  noun: string,
  values: readonly string[],
  allowed: readonly string[],
): Problem[] =>
  (isKnown(values) ? values : []).flatMap((value, index) => [
    ...checkWord(`${property}[${index}]`, noun, value, allowed),
    ...(values.indexOf(value) < index ? [problem(`${property}[${index}]`, `${value} is given twice`)] : []),
  ])

/** Any word of an open set is accepted, except an empty one, which no service has. */
export const checkOpenWord = (property: string, value: string | undefined): Problem[] =>
  value === '' ? [problem(property, 'the text is empty')] : []

/** A word of an open set is accepted, with a warning. */
export const warnOfWord = (
  construct: IConstruct,
  property: string,
  noun: string,
  value: string | undefined,
  known: readonly string[],
): void => {
  if (value === undefined || !isKnown(value) || known.includes(value)) return
  Annotations.of(construct).addWarning(
    `${construct.node.path}: ${property}: "${value}" is not a known ${noun}${didYouMean(value, known)}`,
  )
}

export const didYouMean = (value: string, allowed: readonly string[]): string => {
  const close = nearest(value, allowed)
  return close === undefined ? '' : `; did you mean ${close}?`
}

/** The object without undefined properties: the bindings distinguish undefined from absent ones. */
export const given = <T extends object>(values: T): Given<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<T>

type Given<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>
}
