import {
  dataSourceBlock,
  terraformType,
  type Attribute,
  type AttributeType,
  type DataSourceDefinition,
} from '@deploymgmt/provider/core'
import { nodeAt } from '../tree/node.ts'
import { dataSourceOfType, OTHER_STACK, type Context } from './context.ts'

/**
 * Translates `deploymgmt_alerts`, `open`, `.results[0].id` into a reference of a manifest, or says why that is
 * impossible.
 */
export const dataText = (
  context: Context,
  type: string,
  name: string,
  steps: readonly (string | number)[],
): { readonly text: string } | { readonly wrong: readonly [string] } => {
  const definition = dataSourceOfType(context, type)
  if (definition === undefined)
    return {
      wrong: [
        type === OTHER_STACK
          ? `\${data.${type}.${name}} refers to another stack; use the value itself in the program`
          : `\${data.${type}.${name}} is not a data source of this provider`,
      ],
    }
  if (nodeAt(context.document, 'data', type, name) === undefined)
    return { wrong: [`there is no data source ${type}.${name} in this stack`] }
  const path = translateSteps(definition, steps)
  if (typeof path === 'object') return path
  context.usedData.add(`${definition.name}.${name}`)
  return { text: `\${data.${definition.name}.${name}${path}}` }
}

const translateSteps = (
  definition: DataSourceDefinition,
  steps: readonly (string | number)[],
): string | { readonly wrong: readonly [string] } => {
  let attributes: readonly Attribute[] = dataSourceBlock(definition).attributes
  let type: AttributeType | undefined
  let path = ''
  for (const step of steps) {
    if (typeof step === 'number') {
      if (type?.is !== 'list')
        return { wrong: [`${path.slice(1)} is not a list, so [${step}] is not part of it`] }
      path += `[${step}]`
      type = type.of
    } else {
      const found: Attribute | undefined = attributes.find(({ name }) => name === step)
      if (found === undefined)
        return { wrong: [`${terraformType(definition.name)} has no attribute ${step} there`] }
      path += `.${found.key}`
      type = found.type
    }
    attributes = type.is === 'object' ? type.attributes : []
  }
  if (type?.is === 'json')
    return { wrong: [`${path.slice(1)} is JSON, which has to be worked out by Terraform`] }
  return path
}
