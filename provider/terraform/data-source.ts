import { camelToSnake, textOf, type Block, type DataSourceDefinition, type Values } from '../core/index.ts'
import { checkArguments, type Listing } from '../engine/index.ts'
import { NotFoundError } from '../errors/index.ts'
import { errorAt } from './diagnostics.ts'
import { readOnlyIn } from './read-only.ts'
import { toAttributes, toValues } from './codec/values.ts'
import type { Diagnostic } from './wire/common-messages.ts'
import { UNKNOWN, type TerraformObject } from './wire/value.ts'

/** What is wrong with the arguments, each at its attribute; what is not known yet is looked at later. */
export const validateDataSource = (
  { definition, block }: { readonly definition: DataSourceDefinition; readonly block: Block },
  config: TerraformObject,
): Diagnostic[] => {
  const { problems } = checkArguments(definition, toValues(definition.arguments, config))
  const isUnknown = (argument: string): boolean => config[camelToSnake(argument)] === UNKNOWN
  return [
    ...readOnlyIn(block, config),
    ...problems
      .filter(({ argument }) => !isUnknown(argument))
      .map(({ argument, message }) => errorAt(camelToSnake(argument), message)),
    ...unbounded(definition, config),
  ]
}

/** Terraform demands that a required argument is written, and not that it has a value. */
const unbounded = ({ bounds = [], ...definition }: DataSourceDefinition, config: TerraformObject) =>
  bounds
    .filter((name) => (config[camelToSnake(name)] ?? null) === null)
    .map((name) => {
      const attribute = camelToSnake(name)
      const summary = definition.arguments[name]?.summary ?? ''
      return errorAt(
        attribute,
        `${attribute} is required: without it, everything ever recorded is read`,
        summary,
      )
    })

/** Reads, and answers all attributes: the arguments as they were given, and what was told. */
export const readDataAttributes = async (
  definition: DataSourceDefinition,
  config: TerraformObject,
  read: (values: Values) => Promise<Values | Listing>,
): Promise<TerraformObject> => {
  const told = await read(toValues(definition.arguments, config))
  if (definition.shape === 'one')
    return { ...toAttributes(definition.result, told as Values), ...given(definition, config) }
  const { results, totalCount } = told as Listing
  return {
    ...given(definition, config),
    results: results.map((item) => toAttributes(definition.result, item)),
    total_count: totalCount,
  }
}

const given = ({ arguments: fields }: DataSourceDefinition, config: TerraformObject): TerraformObject =>
  Object.fromEntries(
    Object.keys(fields).map((name) => [camelToSnake(name), config[camelToSnake(name)] ?? null]),
  )

/** The argument that names what the service does not know: the one it names itself, or the last of the path. */
export const missingArgument = (error: unknown, config: TerraformObject): string | undefined => {
  if (!(error instanceof NotFoundError)) return undefined
  const parts = error.path.split('/')
  const named = Object.entries(config)
    .filter(([, value]) => typeof value === 'string' && parts.includes(encodeURIComponent(value)))
    .map(([name, value]) => ({
      name,
      value: textOf(value),
      at: parts.indexOf(encodeURIComponent(textOf(value))),
    }))
    .toSorted((a, b) => b.at - a.at)
  return (named.find(({ value }) => error.message.includes(value)) ?? named[0])?.name
}
