import type { Node, Pair } from '../node.ts'
import { environmentName, refuse, type Context } from './context.ts'
import { mapAt, pairsIn } from './nodes.ts'

export interface Variables {
  /** What is declared of variables in the manifest's form. */
  readonly pairs: readonly [string, Pair][]
  /** `--var`, and for the others what the environment says. */
  readonly given: ReadonlyMap<string, string>
}

export type Environment = Readonly<Record<string, string | undefined>>

const KNOWN = ['type', 'default', 'description', 'sensitive', 'nullable', 'ephemeral']
const TYPES = ['string', 'number', 'bool', 'any']

/**
 * Variables with their defaults, where they are used: Terraform asks for the others too, and nothing here is
 * any different for their values. Values are from `--var`, from `TF_VAR_NAME`, or the default.
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
    const fromEnvironment = env[environmentName(name)]
    if (!given.has(name) && fromEnvironment !== undefined && !isSecret) all.set(name, fromEnvironment)
    const fallback = pairsIn(pair.value).find(([key]) => key === 'default')
    const isWanted = context.used.has(name) || given.has(name) || (fallback !== undefined && !isSecret)
    return isWanted
      ? [[name, { key: pair.key, value: mapAt(pair.value, fallback === undefined ? [] : [fallback]) }]]
      : []
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
  for (const [part, pair] of pairsIn(value)) {
    const text = pair.value.is === 'scalar' ? pair.value.text.replace(/^\$\{(.*)\}$/, '$1') : ''
    if (part === 'validation')
      refuse(
        context,
        pair.key,
        [...path, part],
        'validations are worked out by Terraform; check values in the program',
      )
    else if (!KNOWN.includes(part)) refuse(context, pair.key, [...path, part], `a variable has no ${part}`)
    else if (part === 'type' && !TYPES.includes(text))
      refuse(context, pair.value, [...path, part], 'a variable is a string, a number or a bool here', {
        allowed: TYPES,
      })
    else if (part === 'default' && context.secret.has(name)) {
      pair.value.source.hidden.push({ start: pair.value.start, end: pair.value.end })
      refuse(
        context,
        pair.value,
        [...path, part],
        `the default of a secret is there for all to read: take it out, and set ${environmentName(name)}`,
      )
    }
  }
  if (context.secret.has(name) && given.has(name))
    refuse(
      context,
      key,
      path,
      `a secret on the command line is there for others to read: set ${environmentName(name)} in its place`,
    )
}

const refuseMissing = (name: string, context: Context): void =>
  refuse(context, context.document, ['variable'], `there is no variable ${name}`)
