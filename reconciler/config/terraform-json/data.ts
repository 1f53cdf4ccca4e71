import { isOwnType, terraformType, type DataSourceDefinition } from '@deploymgmt/provider/core'
import { isNull, nodeAt, pairOf, type Node, type Pair } from '../tree/node.ts'
import type { Path } from '../tree/path.ts'
import { argumentsOf } from './attributes.ts'
import { dataSourceOfType, OTHER_STACK, refuse, type Context } from './context.ts'
import { isMetaArgument } from './meta-arguments.ts'
import { pairsIn } from './nodes.ts'
import { translateValue } from './values.ts'

/** A data source of the stack, with arguments under their manifest names. */
export interface DataBlock {
  /** Whether it is referred to: otherwise it is not read. */
  readonly isUsed: boolean
  readonly definition: DataSourceDefinition
  readonly at: Node
  readonly path: Path
  /** Arguments by their names in the definition. */
  readonly arguments: ReadonlyMap<string, { readonly node: Node; readonly path: Path }>
}

/** Checks every data source, including those that are not read because nothing refers to them. */
export const checkDataSources = (context: Context): void => {
  for (const [type, pair] of pairsIn(pairOf(context.document, 'data')?.value)) {
    const definition = dataSourceOfType(context, type)
    if (definition === undefined) refuseType(type, pair, context)
    else
      for (const [name, { value }] of pairsIn(pair.value))
        checkArguments(definition, value, ['data', type, name], context)
  }
}

const refuseType = (type: string, { key }: Pair, context: Context): void => {
  const message = isOwnType(type)
    ? `deploymgmt has no data source ${type}`
    : type === OTHER_STACK
      ? 'this is how Terraform reads another stack; use the value itself in the program'
      : `${type} is a data source of another provider; deploymgmt takes only its own`
  const suggestion = context.report.nearest(
    type,
    context.dataSources.map(({ name }) => terraformType(name)),
  )
  refuse(context, key, ['data', type], message, { suggestion })
}

const checkArguments = (
  definition: DataSourceDefinition,
  block: Node,
  path: Path,
  context: Context,
): void => {
  const names = [...argumentsOf(definition).keys()]
  for (const [argument, own] of pairsIn(block)) {
    if (isMetaArgument(argument, own, path, context) || argument === 'lifecycle') continue
    if (!names.includes(argument))
      refuse(
        context,
        own.key,
        [...path, argument],
        `${terraformType(definition.name)} has no argument ${argument}`,
        {
          suggestion: context.report.nearest(argument, names),
          allowed: names,
        },
      )
  }
}

/** All data sources; those that used ones refer to are used as well. */
export const translateDataSources = (context: Context): ReadonlyMap<string, DataBlock> => {
  const blocks = new Map<string, Omit<DataBlock, 'isUsed'>>()
  const add = (name: string): void => {
    const [source = '', own = ''] = name.split('.')
    const definition = context.dataSources.find((each) => each.name === source)
    const at = pairOf(nodeAt(context.document, 'data', terraformType(source)), own)
    if (definition !== undefined && at !== undefined && !blocks.has(name))
      blocks.set(name, blockOf(definition, at, ['data', terraformType(definition.name), own], context))
  }
  // Translating arguments can add to the set during the loop.
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
      const found = argumentsOf(definition).get(attribute)
      if (found === undefined) return []
      const inner = [...path, attribute]
      const node = translateValue(pair.value, found.field?.type, inner, context)
      return isNull(node) ? [] : [[found.key, { node, path: inner }] as const]
    }),
  ),
})
