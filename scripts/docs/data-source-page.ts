import {
  camelToKebab,
  snakeToKebab,
  terraformType,
  type DataSourceDefinition,
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
    section('Example', block('sh', commandOf(definition))),
    section('Arguments', argumentsTable(definition)),
    section('Result', shapeOf(definition), resultTable(definition)),
    section('Notes', bullets([...needed(definition), ...definition.docs.notes])),
    valueSets(definition.arguments, definition.result),
  )

const called = ({ operation, name }: DataSourceDefinition): string =>
  `Read with ${code(`${operation.method} ${operation.path}`)} (endpoint ${String(operation.endpoint)}). Needs no manifest and no state. In Terraform: [${code(terraformType(name))}](../data-sources/${name}.md).`

const needed = ({ keyNeeds }: DataSourceDefinition): string[] =>
  keyNeeds === undefined ? [] : [`The API key needs ${keyNeeds}.`]

/** The example as typed. */
const commandOf = ({ name, docs }: DataSourceDefinition): string =>
  [
    `deploymgmt get ${name}`,
    ...Object.entries(docs.example).map(
      ([argument, value]) => `--${camelToKebab(argument)} ${String(value)}`,
    ),
  ].join(' ')

const argumentsTable = (definition: DataSourceDefinition): string =>
  table(
    ['Option', 'Type', 'Required', 'Meaning'],
    Object.entries(definition.arguments).map(([name, field]) => [
      code(`--${camelToKebab(name)}`),
      typeName(field.type),
      field.need === 'always' ? 'yes' : 'no',
      field.summary,
    ]),
  )

const shapeOf = ({ shape }: DataSourceDefinition): string =>
  shape === 'one'
    ? '`--format json` prints one object. A field that does not apply is absent; fields that the service adds are shown as they come.'
    : '`--format json` prints `results`, a list of the objects below, and `totalCount`, the number of items at the service: with `--limit`, `results` can have fewer. A field that does not apply is absent; fields that the service adds are shown as they come.'

const resultTable = ({ result }: DataSourceDefinition): string =>
  table(
    ['Field', 'Type', 'Meaning'],
    flattened(result).map(({ path, field }) => [code(path), typeName(field.type), field.summary]),
  )
