import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  camelToSnake,
  providerBlock,
  terraformType,
  type Attribute,
  type AttributeType,
  type DataSourceDefinition,
} from '@deploymgmt/provider/core'
import { block, bullets, code, table } from './markdown.ts'
import { terraformInstall } from './terraform-install.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'terraform')

/** An example that the tests run, as it is; that each kind and data source has one is theirs to say. */
export const exampleBlock = (language: string, path: string): string => {
  const file = join(EXAMPLES, path)
  return existsSync(file) ? block(language, readFileSync(file, 'utf8')) : ''
}

export interface PlacedAttribute {
  /** `roles[].role_name`. */
  readonly path: string
  readonly attribute: Attribute
}

/** Every attribute, those of nested ones behind the one that they belong to. */
export const flattenedAttributes = (attributes: readonly Attribute[], before = ''): PlacedAttribute[] =>
  attributes.flatMap((attribute) => {
    const path = before + attribute.name
    return [{ path, attribute }, ...within(attribute.type, path)]
  })

const within = (type: AttributeType, path: string): PlacedAttribute[] => {
  if (type.is === 'object') return flattenedAttributes(type.attributes, `${path}.`)
  return 'of' in type ? within(type.of, `${path}[]`) : []
}

/** What a data source's page says of it in Terraform. */
export const terraformDataSource = ({ name, shape, bounds = [] }: DataSourceDefinition): string[] => [
  '## In Terraform',
  `The data source ${code(terraformType(name))}. Arguments and attributes are those of the tables below, by their names in the column of Terraform.`,
  exampleBlock('terraform', `data-sources/${name}.tf`),
  ...(bounds.length === 0
    ? []
    : [
        `Terraform reads it again in every plan, and the list only grows: ${bounds.map((bound) => code(camelToSnake(bound))).join(', ')} is required there.`,
      ]),
  shape === 'list'
    ? 'The items are in `results`, and `total_count` says how many there are. A field that does not apply is null; one whose type is JSON is text, for `jsondecode`.'
    : 'A field that does not apply is null; one whose type is JSON is text, for `jsondecode`.',
]

/** What the first page says of the provider. */
export const terraformProvider = (): string[] => [
  '## The Terraform provider',
  'The same definitions, planning and guards as the command’s, behind plugin protocol 6. Attributes are the manifest’s fields in snake_case; each page of a kind or a data source has its part on Terraform, with an example and an import line.',
  '',
  'Terraform plans each resource by itself, so that nothing here counts how much one apply removes or changes: what the command refuses without `--allow-mass-removal` or `--allow-mass-change` is for you to see in the plan.',
  ...terraformInstall(),
  '### Configuring it',
  exampleBlock('terraform', 'provider/provider.tf'),
  table(
    ['Argument', 'Type', 'Meaning'],
    providerBlock.attributes.map(({ name, type, summary, sensitive }) => [
      code(name),
      `${wordOf(type)}${sensitive === true ? ', sensitive' : ''}`,
      summary,
    ]),
  ),
  bullets([
    'A user’s `password` needs Terraform 1.11 or later; an older Terraform runs everything else.',
    'Reads are shared: within one run, the alert configurations or integrations of a project cost one list, and the events of an organization are read from where the youngest resource needs them, further back only for older ones. What a write has answered is put into the list. An apply takes what was read within the last five seconds, as the command does, and reads anew what is older.',
    'Where the provider’s configuration depends on what is not applied yet, creations are planned without a look at the service, and anything else is an error.',
    'What Terraform keeps beside the attributes (private state) holds what adopting saw, when something was last written, and nothing secret.',
    'That the service cannot be reached, or that something else answers in its place, is an error of the provider’s configuration, said once. Wrong credentials are explained by the first resource that meets them; the others say only where. Warnings of many resources that say the same are one in Terraform, and name what they are about in their detail.',
    'With `TF_LOG_PROVIDER=DEBUG` (or `TF_LOG=DEBUG`) its log has a line for each request, the same as those of the command’s `--trace`: the status, how long it took and has waited, why it was sent again and what it was for. No body and no credential is in it.',
    'To debug it, run `terraform-provider-deploymgmt_vX.Y.Z.cjs --reattach` and set the variable that it prints where Terraform runs. Aliases of the provider that use different keys do not work then, for they share one process.',
  ]),
]

const wordOf = ({ is }: AttributeType): string =>
  is === 'number' ? 'whole number' : is === 'map' ? 'map of texts' : 'text'
