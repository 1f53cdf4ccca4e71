import type { Environment } from '@deploymgmt/provider/api'
import type { Node, Pair, ScalarNode } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { environmentName, refuse, type Context } from './context.ts'
import { mapAt, pairsIn } from './nodes.ts'
import { booleanText, numberText } from './primitives.ts'

interface Variables {
  /** Declared variables in the manifest's form. */
  readonly pairs: readonly [string, Pair][]
  /** Values from `--var`, otherwise from the environment. */
  readonly given: ReadonlyMap<string, string>
}

const KNOWN = ['type', 'default', 'description', 'sensitive', 'nullable', 'ephemeral']
const TYPES = ['string', 'number', 'bool', 'any']

/**
 * Used variables with their defaults. Terraform also requires values for unused ones, but here they have no effect.
 * Values are from `--var`, from `TF_VAR_NAME`, or the default.
 */
export const translateVariables = (
  node: Node | undefined,
  given: ReadonlyMap<string, string>,
  env: Environment,
  context: Context,
): Variables => {
  const all = new Map(given)
  const pairs = pairsIn(node).flatMap(([name, pair]): [string, Pair][] => {
    checkVariable(name, pair, given, context)
    const isSecret = context.secret.has(name)
    const fallback = pairsIn(pair.value).find(([key]) => key === 'default')
    const isWanted = context.used.has(name) || given.has(name) || (fallback !== undefined && !isSecret)
    const fromEnvironment = env[environmentName(name)]
    if (isWanted && !isSecret && !given.has(name) && fromEnvironment !== undefined)
      all.set(name, fromEnvironment)
    const type = typeNamed(pair)
    const text = all.get(name)
    if (isWanted && !isSecret && text !== undefined) {
      const value = textAs(type, text)
      if (value !== undefined) all.set(name, value)
      else refuse(context, pair.key, ['variable', name], notOfType(type, nameOfValue(name, given)))
    }
    const own = fallback === undefined ? [] : [literal(fallback, type)]
    return isWanted ? [[name, { key: pair.key, value: mapAt(pair.value, own) }]] : []
  })
  const declared = new Set(pairsIn(node).map(([name]) => name))
  for (const name of context.secret) if (!declared.has(name)) refuseMissing(name, context)
  return { pairs, given: all }
}

const checkVariable = (
  name: string,
  { key, value }: Pair,
  given: ReadonlyMap<string, string>,
  context: Context,
): void => {
  const path = ['variable', name]
  if (value.is !== 'map') return refuse(context, value, path, 'a variable is a mapping')
  const parts = pairsIn(value)
  const isSecret = context.secret.has(name)
  const fallback = parts.find(([part]) => part === 'default')?.[1].value
  const hidden = isSecret || parts.some(([part, own]) => part === 'sensitive' && isTrue(own.value))
  if (hidden && fallback !== undefined)
    fallback.source.hidden.push({ start: fallback.start, end: fallback.end })
  for (const [part, pair] of parts) checkPart([...path, part], part, pair, context)
  const type = typeNamed({ key, value })
  if (fallback?.is === 'scalar' && defaultAs(type, fallback) === undefined)
    refuse(context, fallback, [...path, 'default'], notOfType(type, 'its default'))
  if (!isSecret) return
  const instead = `set ${environmentName(name)} in its place`
  const inFile = `anybody can read the default of a secret: take it out, and ${instead}`
  const onLine = `others can read a secret on the command line: ${instead}`
  if (fallback !== undefined) refuse(context, fallback, [...path, 'default'], inFile)
  if (given.has(name)) refuse(context, key, path, onLine)
}

const typeNamed = ({ value }: Pair): string => {
  const type = pairsIn(value).find(([part]) => part === 'type')?.[1].value
  return type?.is === 'scalar' ? type.text.replace(/^\$\{(.*)\}$/, '$1') : ''
}

/** A value as Terraform turns it into text; undefined if it is not of the variable's type. */
const textAs = (type: string, text: string): string | undefined => {
  if (type === 'number') return numberText(text)
  return type === 'bool' ? booleanText(text) : text
}

/** The text of a default. Terraform makes a number of a text, but never a bool of a number. */
const defaultAs = (type: string, { value, text }: ScalarNode): string | undefined => {
  if (typeof value !== 'number' || type === 'number') return textAs(type, text)
  return type === 'bool' ? undefined : (numberText(text) ?? text)
}

const notOfType = (type: string, what: string): string => `this variable is a ${type}, but ${what} is not`

const nameOfValue = (name: string, given: ReadonlyMap<string, string>): string =>
  given.has(name) ? 'its value on the command line' : `its value in ${environmentName(name)}`

/**
 * A default is a literal text, which is converted where it is used, as in Terraform. It holds no template, so a
 * manifest must not read one in it either.
 */
const literal = ([name, { key, value }]: [string, Pair], type: string): [string, Pair] => {
  if (value.is !== 'scalar') return [name, { key, value }]
  const text = (defaultAs(type, value) ?? value.text).replaceAll('${', () => '$${')
  return [name, { key, value: { ...value, value: text, text } }]
}

const isTrue = (node: Node): boolean => node.is === 'scalar' && node.value === true

const checkPart = (path: Path, part: string, { key, value }: Pair, context: Context): void => {
  const type = value.is === 'scalar' ? value.text.replace(/^\$\{(.*)\}$/, '$1') : ''
  if (part === 'validation')
    refuse(context, key, path, 'validations are worked out by Terraform; check values in the program')
  else if (!KNOWN.includes(part)) refuse(context, key, path, `a variable has no ${part}`)
  else if (part === 'type' && !TYPES.includes(type))
    refuse(context, value, path, 'a variable is a string, a number or a bool here', { allowed: TYPES })
}

const refuseMissing = (name: string, context: Context): void =>
  refuse(context, context.document, ['variable'], `there is no variable ${name}`)
