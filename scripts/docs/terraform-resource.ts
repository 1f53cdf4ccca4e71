import {
  camelToSnake,
  identityBlock,
  importFormat,
  importForms,
  listBlock,
  resourceBlock,
  snakeToKebab,
  type Attribute,
  type Block,
  type KindDefinition,
} from '@deploymgmt/provider/core'
import { block, code, page, section } from './markdown.ts'
import { aNoun, noun } from './noun.ts'
import { behaviour } from './terraform-behaviour.ts'
import { exampleBlock } from './terraform.ts'
import { frontMatter, schemaSections } from './terraform-schema.ts'
import { valueSets } from './types.ts'

/** The page of a kind's resource, in the format of a registry. */
export const terraformResourcePage = (kind: KindDefinition): string => {
  const own = resourceBlock(kind)
  const { type, summary } = own
  return page(
    frontMatter(`provider/kinds/${snakeToKebab(kind.kind)}.ts`, {
      title: `${type} Resource - deploymgmt`,
      description: summary,
    }),
    `# ${type} (Resource)`,
    summary,
    `For what the API can and cannot do with ${aNoun(kind)}, and for declaring it without Terraform, see [${kind.title}](../kinds/${kind.kind}.md).`,
    section('Example Usage', exampleBlock('terraform', `resources/${kind.kind}/resource.tf`)),
    schemaSections(own, needOf),
    section(
      'Import',
      `The import ID is ${code(importFormat(kind))}; ${importForms(kind, code)}. ${imported(kind)}`,
      exampleBlock('sh', `resources/${kind.kind}/import.sh`),
      `With Terraform 1.12 or later, an \`import\` block can instead take an \`identity\` with ${sequence(namesOf(identityBlock(kind)))}:`,
      block('terraform', identityExample(kind)),
    ),
    ...queried(kind),
    behaviour(kind),
    valueSets(kind.fields),
  )
}

const namesOf = ({ attributes }: Block): string[] => attributes.map(({ name }) => code(name))
const sequence = (names: readonly string[]): string => names.join(' and ')

/** An import block, with the parts of the import id in place of values. */
const identityExample = (kind: KindDefinition): string => {
  const { type, attributes } = identityBlock(kind)
  const width = Math.max(...attributes.map(({ name }) => name.length))
  const lines = attributes.map(({ name }) => `    ${name.padEnd(width)} = "${name.toUpperCase()}"`)
  return `import {\n  to = ${type}.example\n  identity = {\n${lines.join('\n')}\n  }\n}\n`
}

/** How to find existing things, if an endpoint lists them. */
const queried = (kind: KindDefinition): string[] => {
  const listed = listBlock(kind)
  if (listed === undefined) return []
  const { type, attributes } = listed
  const lines = attributes.map(({ name }) => `    ${name} = "${name.toUpperCase()}"`)
  return section(
    'Query',
    `With Terraform 1.14 or later, \`terraform query\` lists the existing ${noun(kind)}s of one project. Put a \`list\` block like this one into a file whose name ends in \`.tfquery.hcl\`. The option \`-generate-config-out=FILE\` writes a resource and an \`import\` block for each of them.`,
    block(
      'terraform',
      `list "${type}" "all" {\n  provider = deploymgmt\n\n  config {\n${lines.join('\n')}\n  }\n}\n`,
    ),
  )
}

/** What the schema itself cannot express. */
const needOf = ({ field, use }: Attribute): string => {
  if (field?.default !== undefined) return `Defaults to ${code(JSON.stringify(field.default))}.`
  return use !== 'required' && field?.need === 'to-create' ? 'Required when the resource is created.' : ''
}

const imported = (kind: KindDefinition): string => {
  const { observe } = kind
  if (observe.how === 'everything')
    return 'The import reads the live values. With an `import` block, `terraform plan -generate-config-out=FILE` writes them as a configuration.'
  const hidden =
    'It sets each value that no endpoint returns to null, and `evidence` to `unknown`. A warning says so, at the import only. The next apply writes the configured values in place.'
  if (observe.how === 'nothing')
    return `${hidden.replace(/^It/, 'The import')} Until a write has shown that the ${noun(kind)} exists, each plan shows a change. If \`ignore_changes\` leaves nothing to write, the first apply ends that, and \`evidence\` stays \`unknown\`.`
  const parts = Object.keys(observe.parts).map((name) => code(camelToSnake(name)))
  return `The import reads ${parts.join(', ')}, and fails if the answer says that the ${noun(kind)} does not exist. ${hidden}`
}
