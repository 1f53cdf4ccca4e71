import { nearest } from '@deploymgmt/provider/core'
import { VariableError } from '../../errors/variable-error.ts'
import { quoted } from '../../text/display.ts'
import { kindOf, nodeAt, pairOf, type MapNode, type Node, type Pair } from '../tree/node.ts'
import type { Report } from '../tree/report.ts'
import { isNumberText } from '../tree/value-of-text.ts'

/** The values of `--var`, and the errors in them. */
interface GivenVariables {
  readonly given: ReadonlyMap<string, string>
  /** By apparent name. */
  readonly wrong: ReadonlyMap<string, VariableError>
}

/**
 * Parses `--var`; the last value of a name counts. An argument that is not NAME=VALUE is never quoted, because it
 * could be a secret.
 */
export const givenVariables = (assignments: readonly string[]): GivenVariables => {
  const given = new Map<string, string>()
  const wrong = new Map<string, VariableError>()
  for (const assignment of assignments) {
    const at = assignment.indexOf('=')
    const what = at < 0 ? 'has no = in it' : 'has no name before the ='
    if (at > 0) given.set(assignment.slice(0, at), assignment.slice(at + 1))
    else wrong.set(assignment, new VariableError(`a --var ${what}`, { hint: 'Write --var NAME=VALUE.' }))
  }
  return { given, wrong }
}

/**
 * The values that match their declaration; the others are not declared, or do not have the type of their default.
 */
export const asDeclared = (all: ReadonlyMap<string, string>, root: MapNode): GivenVariables => {
  const variables = pairOf(root, 'variables')?.value
  const declared = variables?.is === 'map' ? [...variables.pairs.keys()] : []
  const given = new Map<string, string>()
  const wrong = new Map<string, VariableError>()
  for (const [name, text] of all) {
    const error = declared.includes(name)
      ? wrongValue(name, text, nodeAt(variables, name, 'default'))
      : undeclared(name, declared)
    if (error === undefined) given.set(name, text)
    else wrong.set(name, error)
  }
  return { given, wrong }
}

const undeclared = (name: string, declared: readonly string[]): VariableError => {
  const meant = nearest(name, declared)
  const known =
    declared.length === 0 ? 'The manifest declares no variables.' : `It declares ${declared.join(', ')}.`
  return new VariableError(`the manifest has no variable ${quoted(name)}`, {
    hint: meant === undefined ? known : `Did you mean ${meant}? ${known}`,
  })
}

const wrongValue = (name: string, text: string, fallback: Node | undefined): VariableError | undefined => {
  try {
    givenValue(name, text, fallback)
    return undefined
  } catch (error) {
    if (error instanceof VariableError) return error
    throw error
  }
}

/**
 * A `--var` value in the type of the declared default, and its text.
 * @throws VariableError if the value does not have that type
 */
export const givenValue = (name: string, text: string, fallback: Node | undefined) => {
  const type = fallback?.is === 'scalar' ? typeof fallback.value : 'string'
  if (fallback !== undefined && fallback.is !== 'scalar')
    throw new VariableError(`the variable ${name} is a ${kindOf(fallback)}, and --var gives text`, {
      hint: 'Give it in a file: --var-file FILE.',
    })
  if (type === 'boolean') {
    if (text === 'true' || text === 'false') return { value: text === 'true', text }
    throw new VariableError(`the variable ${name} is true or false, as its default is`, {
      hint: `Write --var ${name}=true or --var ${name}=false.`,
    })
  }
  if (type === 'number') {
    if (isNumberText(text)) return { value: Number(text), text }
    throw new VariableError(`the variable ${name} is a number, as its default is`, {
      hint: `Write --var ${name}=NUMBER, or quote the default if it is text.`,
    })
  }
  return { value: text, text }
}

/** Reports variables without a value, and invalid defaults. */
export const checkVariables = (root: MapNode, isGiven: (name: string) => boolean, report: Report): void => {
  const variables = pairOf(root, 'variables')?.value
  if (variables?.is !== 'map') return
  for (const [name, pair] of variables.pairs) checkVariable(name, pair, isGiven, report)
}

const checkVariable = (
  name: string,
  { key, value: node }: Pair,
  isGiven: (name: string) => boolean,
  report: Report,
): void => {
  const path = ['variables', name]
  const fallback = pairOf(node, 'default')
  // The schema already refuses a variable written as `name: value`.
  if (node.is !== 'map') return
  if (fallback === undefined && !isGiven(name))
    return report.add(key, {
      path,
      message: `this variable has no value; give it with --var ${name}=VALUE, or a default`,
    })
  if (fallback !== undefined && fallback.value.is === 'scalar' && fallback.value.value === null)
    report.add(fallback.value, {
      path: [...path, 'default'],
      message: 'there is no value here; omit the default if a value has to be given',
    })
}
