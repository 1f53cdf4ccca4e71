import { check, checkArguments, isAdvice, type Problem } from '../core/check/index.ts'
import type { Block, DataSourceDefinition, Field, FieldType, KindDefinition } from '../core/index.ts'
import { isGiven, isKnown, isWithin, type Plain } from './codec/plain.ts'
import { cannotBeSet, placed } from './words/configuration.ts'
import { needed } from './words/plans.ts'
import { errorAt, warningAt, type Diagnostic, type Text } from './diagnostics.ts'
import { valueWords } from './words/values.ts'

/**
 * What is wrong with a field, at its attribute; what is not known yet is looked at once it is. Terraform shows no
 * place within a nested value, and an element of a set has none: the names that lead there are said instead.
 */
export const checkField = (name: string, field: Field, config: Plain): Diagnostic[] =>
  problemsIn(name, field, config).map(diagnosticOf)

/**
 * What is wrong with a part of an import id. No id that was ever met has another form, and a typing error comes into
 * the state where no endpoint shows that there is nothing of that name.
 */
export const checkImported = (name: string, { type }: Field, value: string): Text[] =>
  check(type, value, [name])
    .filter((problem) => problem.code === 'unusual-id' || !isAdvice(problem))
    .map(valueWords)

/** Whether all that stands at a path of an entry is known, and nothing is wrong with it. */
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

/** What is wrong with an id that the provider's configuration gives, by a name within the attribute where it has one. */
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
  // A secret is given itself here, and not by where it is.
  return check(type.is === 'secret' ? SECRET : type, value, [name]).filter((problem) =>
    isAbout(problem, config),
  )
}

const SECRET: FieldType = { is: 'string', minLength: 1 }

/** Whether a problem is about what is known: two elements that look equal may differ in what is not known of them. */
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

/** Terraform itself lets a configuration set what is computed alone, and would then plan what cannot be. */
export const readOnlyIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'computed' && isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, cannotBeSet(key, summary)))

/** Terraform misses a required attribute where it is not there at all, and lets null pass. */
export const lackingIn = ({ attributes }: Block, config: Plain): Diagnostic[] =>
  attributes
    .filter(({ key, use }) => use === 'required' && !isGiven(config, key))
    .map(({ key, summary }) => errorAt(key, needed(key, 'manage', summary)))
