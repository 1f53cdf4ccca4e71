import {
  camelToKebab,
  camelToSnake,
  snakeToKebab,
  type DataSourceDefinition,
  type Field,
} from '@deploymgmt/provider/core'
import { block, bullets, code, notice, page, section, table } from './markdown.ts'
import { flattened, typeName, valueSets } from './types.ts'

/** The page of one data source. */
export const dataSourcePage = (definition: DataSourceDefinition): string =>
  page(
    notice(`provider/data-sources/${snakeToKebab(definition.name)}.ts`),
    `# ${definition.title}`,
    definition.summary,
    called(definition),
    section('Example', block('sh', commandOf(definition)), block('terraform', terraformOf(definition))),
    section('Arguments', argumentsTable(definition), bounds(definition)),
    section('Result', shapeOf(definition), resultTable(definition)),
    section('Notes', bullets(definition.docs.notes)),
    valueSets(definition.arguments, definition.result),
  )

const called = ({ name, operation }: DataSourceDefinition): string =>
  `Read with ${code(`${operation.method} ${operation.path}`)} (endpoint ${String(operation.endpoint)}). On the command line: ${code(`deploymgmt get ${name}`)}. In Terraform: ${code(`deploymgmt_${name}`)}.`

/** The example as it is typed. */
export const commandOf = ({ name, docs }: DataSourceDefinition): string =>
  [
    `deploymgmt get ${name}`,
    ...Object.entries(docs.example).map(
      ([argument, value]) => `--${camelToKebab(argument)} ${String(value)}`,
    ),
  ].join(' ')

const terraformOf = ({ name, docs }: DataSourceDefinition): string => {
  const given = Object.entries(docs.example).map(
    ([argument, value]) => [camelToSnake(argument), value] as const,
  )
  const width = Math.max(...given.map(([attribute]) => attribute.length))
  return [
    `data "deploymgmt_${name}" "example" {`,
    ...given.map(([attribute, value]) => `  ${attribute.padEnd(width)} = ${JSON.stringify(value)}`),
    '}',
  ].join('\n')
}

const argumentsTable = (definition: DataSourceDefinition): string =>
  table(
    ['Argument', 'Option', 'Terraform', 'Type', 'Required', 'Meaning'],
    Object.entries(definition.arguments).map(([name, field]) => [
      code(name),
      code(`--${camelToKebab(name)}`),
      code(camelToSnake(name)),
      typeName(field.type),
      field.need === 'always' ? 'yes' : 'no',
      meaning(field),
    ]),
  )

const meaning = (field: Field): string =>
  field.part === 'local' ? `${field.summary} Not sent: paging ends there.` : field.summary

const bounds = ({ bounds: names = [] }: DataSourceDefinition): string =>
  names.length === 0
    ? ''
    : `Terraform reads again at every refresh, and so demands ${names.map((name) => code(camelToSnake(name))).join(', ')}.`

const shapeOf = ({ shape }: DataSourceDefinition): string =>
  shape === 'one'
    ? 'One object. A field that does not apply is absent; fields that the service adds are shown as they come.'
    : '`results`, a list of the objects below, and `totalCount` (in Terraform `total_count`), the number of items as the service counts them: more than `results` has where `limit` ended the reading. A field that does not apply is absent; fields that the service adds are shown as they come.'

const resultTable = ({ result }: DataSourceDefinition): string =>
  table(
    ['Field', 'Type', 'Meaning'],
    flattened(result).map(({ path, field }) => [code(path), typeName(field.type), field.summary]),
  )
