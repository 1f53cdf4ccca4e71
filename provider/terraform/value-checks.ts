import { check, checkArguments, isAdvice, type Problem } from '../core/check/index.ts'
import type { Block, DataSourceDefinition, Field, FieldType, KindDefinition } from '../core/index.ts'
import { isGiven, isKnown, isWithin, type Plain } from './codec/plain.ts'
import { cannotBeSet, placed } from './words/configuration.ts'
import { needed } from './words/plans.ts'
import { errorAt, warningAt, type Diagnostic, type Text } from './diagnostics.ts'
import { valueWords } from './words/values.ts'

/**
 * What is wrong with a field, at its attribute; an unknown value is checked once it is known. Terraform shows no path
 * within a nested value, and an element of a set has none, so the message has the names that lead there.
 */
export const checkField = (name: string, field: Field, config: Plain): Diagnostic[] =>
  problemsIn(name, field, config).map(diagnosticOf)

/**
 * What is wrong with a part of an import id. All known ids have one form, and a mistyped one would get into the state
 * if no endpoint shows that nothing has that name.
 */
export const checkImported = (name: string, { type }: Field, value: string): Text[] =>
  check(type, value, [name])
    .filter((problem) => problem.code === 'unusual-id' || !isAdvice(problem))
    .map(valueWords)

/** Whether everything at a path of an entry is known and valid. */
export const isSound = ({ fields }: KindDefinition, path: Problem['within'], config: Plain): boolean => {
  const [name = ''] = path.map(String)
  const field = fields[name]
  if (field === undefined) return true
  const at = path.join('.')
  const isThere = ({ within }: Problem): boolean =>
    isWithin(within.join('.'), at) || isWithin(at, within.join('.'))
  return (
    isKnown(config, at) && problemsIn(name, field, config).every((each) => isAdvice(each) || !isThere(each))
  )
}

/** What is wrong with the arguments of a data source. */
export const argumentsIn = (definition: DataSourceDefinition, { values, unknown }: Plain): Diagnostic[] => {
  const names = Object.keys(definition.arguments)
  return checkArguments(definition, Object.fromEntries(names.map((name) => [name, values[name]])))
    .filter((problem) => isAbout(problem, { values, unknown }))
    .map(diagnosticOf)
}

/**
 * What is wrong with an id in the provider's configuration; `name` is its key within the attribute, if it has one.
 */
export const checkId = (key: string, id: unknown, name?: string): Diagnostic[] =>
  id === undefined || id === ''
    ? []
    : check(ID, id, [key]).map((problem) => {
        const { summary, ...rest } = diagnosticOf(problem)
        return {
          ...rest,
          summary: name === undefined ? summary : `${key}[${JSON.stringify(name)}]: ${summary}`,
        }
      })

const ID: FieldType = { is: 'id' }

const problemsIn = (name: string, { type }: Field, config: Plain): Problem[] => {
  const value = config.values[name]
  if (value === undefined || config.unknown.has(name)) return []
  // Here a secret is given as its value, not as a reference.
  return check(type.is === 'secret' ? SECRET : type, value, [name]).filter((problem) =>
    isAbout(problem, config),
  )
}

const SECRET: FieldType = { is: 'string', minLength: 1 }

/** Whether a problem is about known values: two elements that look equal may differ in what is not known yet. */
const isAbout = ({ within, code, facts }: Problem, config: Plain): boolean =>
  code === 'listed-twice'
    ? [within, [...within.slice(0, -1), facts.first]].every((path) => isKnown(config, path.join('.')))
    : !config.unknown.has(within.join('.'))

const diagnosticOf = (problem: Problem): Diagnostic => {
  const { within } = problem
  const { summary, detail } = valueWords(problem)
  const at = isAdvice(problem) ? warningAt : errorAt
  return at(String(within[0]), { summary: placed(within, summary), detail })
}

/** Terraform lets a configuration set attributes that are only computed, and would then plan the impossible. */
export const readOnlyIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'computed' && isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, cannotBeSet(key, summary)))

/** Terraform reports a required attribute that is omitted, but accepts null. */
export const lackingIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'required' && !isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, needed(key, 'manage', summary)))
