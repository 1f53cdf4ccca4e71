import { check, isAdvice, type Problem } from '../core/check/index.ts'
import type { Block, Field, Fields, FieldType } from '../core/index.ts'
import { isGiven, isKnown, type Plain } from './codec/plain.ts'
import { cannotBeSet, placed } from './words.ts'
import { errorAt, warningAt, type Diagnostic } from './diagnostics.ts'
import { wordsOf } from './value-words.ts'

/**
 * What is wrong with a field, at its attribute; what is not known yet is looked at once it is. Terraform shows no
 * place within a nested value, and an element of a set has none: the names that lead there are said instead.
 */
export const checkField = (name: string, field: Field, config: Plain): Diagnostic[] =>
  problemsIn(name, field, config).map(diagnosticOf)

/** Whether a field is wholly known and nothing is wrong with it. */
export const isSound = (name: string, field: Field, config: Plain): boolean =>
  isKnown(config, name) && problemsIn(name, field, config).every(isAdvice)

/** What is wrong with the arguments of a data source, whose open sets take any word in silence. */
export const checkArguments = (fields: Fields, { values, unknown }: Plain): Diagnostic[] => {
  const given = Object.fromEntries(Object.keys(fields).map((name) => [name, values[name]]))
  return check({ is: 'object', fields }, given)
    .filter((problem) => isAbout(problem, unknown) && !isAdvice(problem))
    .map(diagnosticOf)
}

const problemsIn = (name: string, { type }: Field, { values, unknown }: Plain): Problem[] => {
  const value = values[name]
  if (value === undefined || unknown.has(name)) return []
  // A secret is given itself here, and not by where it is.
  return check(type.is === 'secret' ? SECRET : type, value, [name]).filter((problem) =>
    isAbout(problem, unknown),
  )
}

const SECRET: FieldType = { is: 'string', minLength: 1 }

/** Whether a problem is about what is known. */
const isAbout = ({ within }: Problem, unknown: ReadonlySet<string>): boolean => !unknown.has(within.join('.'))

const diagnosticOf = (problem: Problem): Diagnostic => {
  const { within } = problem
  const { summary, detail } = wordsOf(problem)
  const at = isAdvice(problem) ? warningAt : errorAt
  return at(String(within[0]), { summary: placed(within, summary), detail })
}

/** Terraform itself lets a configuration set what is computed alone, and would then plan what cannot be. */
export const readOnlyIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'computed' && isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, cannotBeSet(key, summary)))
