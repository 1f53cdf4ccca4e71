import {
  camelToSnake,
  Field,
  integer,
  terraformType,
  type DataSourceDefinition,
  type Fields,
  type FieldType,
} from '@deploymgmt/provider/core'
import { pairOf } from '../node.ts'
import { dataSourceOfType, type Context } from './context.ts'

/** `deploymgmt_alerts`, `open`, `.results[0].id` as what a manifest's reader looks up, or why that cannot be. */
export const dataText = (
  context: Context,
  type: string,
  name: string,
  steps: readonly (string | number)[],
): { readonly text: string } | { readonly wrong: string } => {
  const definition = dataSourceOfType(context, type)
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
      if (found === undefined)
        return { wrong: `${terraformType(definition.name)} has no attribute ${step} there` }
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
