import {
  camelToSnake,
  Field,
  integer,
  isOwnType,
  terraformType,
  type DataSourceDefinition,
  type Fields,
  type FieldType,
} from '@deploymgmt/provider/core'
import { pairOf, type Node, type Pair, type Path } from '../node.ts'
import { refuse, type Context } from './context.ts'
import { isMetaArgument } from './meta-arguments.ts'
import { pairsIn } from './nodes.ts'
import { translateValue } from './values.ts'

/** A data source of the stack, with its arguments in a manifest's words. */
export interface DataBlock {
  /** Whether something refers to it: only then it is read. */
  readonly isUsed: boolean
  readonly definition: DataSourceDefinition
  readonly at: Node
  readonly path: Path
  /** By the definition's names. */
  readonly arguments: ReadonlyMap<string, { readonly node: Node; readonly path: Path }>
}

const typeOf = ({ name }: DataSourceDefinition): string => terraformType(name)
const definitionOf = ({ dataSources }: Context, type: string): DataSourceDefinition | undefined =>
  dataSources.find((source) => typeOf(source) === type)

/** Checks every data source; the ones that nothing refers to are not read. */
export const checkDataSources = (context: Context): void => {
  for (const [type, pair] of pairsIn(pairOf(context.document, 'data')?.value)) {
    const definition = definitionOf(context, type)
    if (definition === undefined) refuseType(type, pair, context)
    else
      for (const [name, { value }] of pairsIn(pair.value))
        checkArguments(definition, value, ['data', type, name], context)
  }
}

const refuseType = (type: string, { key }: Pair, context: Context): void => {
  const message = isOwnType(type)
    ? `deploymgmt has no data source ${type}`
    : `${type} is a data source of another provider; deploymgmt takes its own alone`
  const suggestion = context.report.nearest(type, context.dataSources.map(typeOf))
  refuse(context, key, ['data', type], message, { suggestion })
}

const checkArguments = (
  definition: DataSourceDefinition,
  block: Node,
  path: Path,
  context: Context,
): void => {
  const names = Object.keys(definition.arguments).map(camelToSnake)
  for (const [argument, own] of pairsIn(block)) {
    if (isMetaArgument(argument, own, path, context) || argument === 'lifecycle') continue
    if (!names.includes(argument))
      refuse(context, own.key, [...path, argument], `${typeOf(definition)} has no argument ${argument}`, {
        suggestion: context.report.nearest(argument, names),
        allowed: names,
      })
  }
}

/** Every data source; what those that are referred to refer to themselves is read as well. */
export const translateDataSources = (context: Context): ReadonlyMap<string, DataBlock> => {
  const blocks = new Map<string, Omit<DataBlock, 'isUsed'>>()
  const add = (name: string): void => {
    const [source = '', own = ''] = name.split('.')
    const definition = context.dataSources.find((each) => each.name === source)
    const at = pairOf(pairOf(pairOf(context.document, 'data')?.value, terraformType(source))?.value, own)
    if (definition !== undefined && at !== undefined && !blocks.has(name))
      blocks.set(name, blockOf(definition, at, ['data', typeOf(definition), own], context))
  }
  // Translating the arguments of one can add others to the set while it is walked.
  for (const used of context.usedData) add(used)
  const used = new Set(context.usedData)
  for (const [type, { value }] of pairsIn(pairOf(context.document, 'data')?.value))
    for (const [own] of pairsIn(value)) add(`${type.replace(/^deploymgmt_/, '')}.${own}`)
  return new Map([...blocks].map(([name, block]) => [name, { ...block, isUsed: used.has(name) }]))
}

const blockOf = (
  definition: DataSourceDefinition,
  { key, value }: Pair,
  path: Path,
  context: Context,
): Omit<DataBlock, 'isUsed'> => ({
  definition,
  at: key,
  path,
  arguments: new Map(
    pairsIn(value).flatMap(([attribute, pair]) => {
      const found = Object.entries(definition.arguments).find(([name]) => camelToSnake(name) === attribute)
      if (found === undefined) return []
      const [name, { type }] = found
      const inner = [...path, attribute]
      return [[name, { node: translateValue(pair.value, type, inner, context), path: inner }] as const]
    }),
  ),
})

/** `deploymgmt_alerts`, `open`, `.results[0].id` as what a manifest's reader looks up, or why that cannot be. */
export const dataText = (
  context: Context,
  type: string,
  name: string,
  steps: readonly (string | number)[],
): { readonly text: string } | { readonly wrong: string } => {
  const definition = definitionOf(context, type)
  if (definition === undefined)
    return { wrong: `\${data.${type}.${name}} is no data source of this provider` }
  if (pairOf(pairOf(pairOf(context.document, 'data')?.value, type)?.value, name) === undefined)
    return { wrong: `there is no data source ${type}.${name} in this stack` }
  const path = translateSteps(definition, steps)
  if (typeof path === 'object') return path
  context.usedData.add(`${definition.name}.${name}`)
  return { text: `\${data.${definition.name}.${name}${path}}` }
}

const translateSteps = (
  definition: DataSourceDefinition,
  steps: readonly (string | number)[],
): string | { readonly wrong: string } => {
  let fields: Fields | undefined = toldFields(definition)
  let type: FieldType | undefined
  let path = ''
  for (const step of steps) {
    if (typeof step === 'number') {
      if (type?.is !== 'list') return { wrong: `${path.slice(1)} is no list, and [${step}] is no part of it` }
      path += `[${step}]`
      type = type.of
    } else {
      const found: [string, { type: FieldType }] | undefined = Object.entries(fields ?? {}).find(
        ([name]) => camelToSnake(name) === step,
      )
      if (found === undefined) return { wrong: `${typeOf(definition)} has no attribute ${step} there` }
      path += `.${found[0]}`
      type = found[1].type
    }
    fields = type.is === 'object' ? type.fields : undefined
  }
  if (type?.is === 'json')
    return { wrong: `${path.slice(1)} is JSON, which has to be worked out by Terraform` }
  return path
}

/** What can be referred to: arguments, and what the service tells. */
const toldFields = ({ shape, result, arguments: given }: DataSourceDefinition): Fields =>
  shape === 'one' ? { ...result, ...given } : { ...listing(result), ...given }

const listing = (result: Fields): Fields => ({
  results: new Field({ is: 'list', of: { is: 'object', fields: result } }, 'What was found.'),
  totalCount: integer('How many there are.'),
})
