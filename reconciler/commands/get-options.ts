import { camelToKebab, type DataSourceDefinition, type Field } from '@deploymgmt/provider/core'
import { Option } from 'commander'

/** Flags of other commands that a reading takes and makes no use of: its help does not show them. */
export const UNUSED_BY_GET: readonly string[] = [
  '--file',
  '--var',
  '--state',
  '--target',
  '--all',
  '--strict',
  '--quiet',
]

/** The arguments of a data source as flags; what is wrong with them is said in one place, for all of them at once. */
export const argumentOptions = ({ arguments: fields }: DataSourceDefinition): Option[] =>
  Object.entries(fields).map(([name, field]) => new Option(flag(name, field), meaning(field)))

/** What has to be given stands in the first line of the help. */
export const getUsage = ({ arguments: fields }: DataSourceDefinition): string =>
  [
    ...Object.entries(fields)
      .filter(([, field]) => isRequired(field))
      .map(([name, field]) => flag(name, field)),
    '[options]',
  ].join(' ')

const flag = (name: string, { type }: Field): string =>
  `--${camelToKebab(name)} ${type.is === 'boolean' ? '[BOOLEAN]' : '<VALUE>'}`

const isRequired = ({ need }: Field): boolean => need === 'always'

const meaning = (field: Field): string => {
  const { type, summary } = field
  const choices = type.is === 'enum' && !type.open ? [`choices: ${type.values.join(', ')}`] : []
  const marks = [...(isRequired(field) ? ['required'] : []), ...choices]
  return marks.length === 0 ? summary : `${summary} (${marks.join('; ')})`
}
