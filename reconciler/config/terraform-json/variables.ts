import type { Environment } from '@deploymgmt/provider/api'
import type { Node, Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { isNumberText } from '../tree/value-of-text.ts'
import { environmentName, refuse, type Context } from './context.ts'
import { mapAt, pairsIn } from './nodes.ts'

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
    const text = all.get(name)
    const isNumber = typeNamed(pair) === 'number'
    if (isNumber && text !== undefined && isNumberText(text)) all.set(name, plainNumber(text))
    const own = fallback === undefined ? [] : [literal(fallback, isNumber)]
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
  if (fallback?.is === 'scalar' && type === 'number' && !isNumberText(fallback.text))
    refuse(context, fallback, [...path, 'default'], 'this variable is a number, but its default is not')
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

/** A number as Terraform prints it: `7` for `007`, and no exponent for whole numbers. */
const plainNumber = (text: string): string => {
  const number = Number(text)
  return Number.isInteger(number) ? BigInt(number).toString() : String(number)
}

/** A default is literal: Terraform reads no template in it, so a manifest must not either. */
const literal = ([name, { key, value }]: [string, Pair], isNumber: boolean): [string, Pair] => {
  if (value.is !== 'scalar') return [name, { key, value }]
  if (isNumber && isNumberText(value.text))
    return [name, { key, value: { ...value, text: plainNumber(value.text) } }]
  if (typeof value.value !== 'string') return [name, { key, value }]
  const text = value.value.replaceAll('${', () => '$${')
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
