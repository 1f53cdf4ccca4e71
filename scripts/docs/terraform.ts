import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  camelToSnake,
  dataSourceBlock,
  providerBlock,
  snakeToKebab,
  type DataSourceDefinition,
} from '@deploymgmt/provider/core'
import { block, bullets, code, page, section } from './markdown.ts'
import { terraformInstall } from './terraform-install.ts'
import { frontMatter, schemaSections } from './terraform-schema.ts'
import { valueSets } from './types.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'terraform')

/** An example that the tests run, as it is; that each kind and data source has one is theirs to say. */
export const exampleBlock = (language: string, path: string): string => {
  const file = join(EXAMPLES, path)
  return existsSync(file) ? block(language, readFileSync(file, 'utf8')) : ''
}

/** The page of a data source, in the form of a registry. */
export const terraformDataSourcePage = (definition: DataSourceDefinition): string => {
  const { name, title, shape, bounds = [] } = definition
  const { type, summary, attributes } = dataSourceBlock(definition)
  return page(
    frontMatter(`provider/data-sources/${snakeToKebab(name)}.ts`, {
      title: `${type} Data Source - deploymgmt`,
      description: summary,
    }),
    `# ${type} (Data Source)`,
    summary,
    `How it is read without Terraform, and what of it is particular: [${title}](../get/${name}.md).`,
    section('Example Usage', exampleBlock('terraform', `data-sources/${name}.tf`)),
    bounds.length === 0
      ? ''
      : `Terraform reads it again in every plan, and the list only grows: ${bounds.map((bound) => code(camelToSnake(bound))).join(' or ')} is required.`,
    shape === 'list'
      ? 'The items are in `results`, and `total_count` says how many there are. A field that does not apply is null.'
      : 'A field that does not apply is null.',
    schemaSections({ type, summary, attributes }),
    valueSets(definition.arguments, definition.result),
  )
}

const DESCRIPTION =
  'Declares a database deployment-management installation: alert configurations, windows, users, keys, integrations.'

/** The page of the provider, in the form of a registry. */
export const terraformProviderPage = (): string =>
  page(
    frontMatter('scripts/docs/terraform.ts', { title: 'Provider: deploymgmt', description: DESCRIPTION }),
    '# deploymgmt Provider',
    'The pages of the command and of all the rest are listed in [another index](README.md).',
    terraformProvider(),
  )

const terraformProvider = (): string[] => [
  'The same definitions, planning and guards as the command’s, behind plugin protocol 6. Attributes are the manifest’s fields in snake_case; each resource and each data source has a page with an example.',
  'Terraform plans each resource by itself, so that nothing here counts how much one apply removes or changes: what the command refuses without `--allow-mass-removal` or `--allow-mass-change` is for you to see in the plan.',
  ...section('Example Usage', exampleBlock('terraform', 'provider/provider.tf')),
  ...terraformInstall(),
  ...section(
    'A module',
    '[examples/terraform/project-baseline](../examples/terraform/project-baseline/README.md) is a module to copy or to call: alerts that are on, integrations, patch nights and readers of a project, with variables that are checked, outputs, and tests for `terraform test`. These plan and apply on the embedded service (`deploymgmt serve`), and tests of your own modules can do so too: no installation of yours is touched. In mocks (`mock_provider`, `override_data`) Terraform takes no elements for nested lists such as `results`, which are empty there: what reads them needs the embedded service.',
  ),
  ...schemaSections(providerBlock),
  '## How it behaves',
  bullets([
    'A user’s `password` needs Terraform 1.11 or later; an older Terraform runs everything else.',
    'An empty text in the provider’s configuration counts as left out: with `private_key = ""`, the key of the environment is used.',
    'Reads are shared: within one run, the alert configurations or integrations of a project cost one list, and the events of an organization are read from where the youngest resource needs them, further back only for older ones. What a write has answered is put into the list. An apply takes what was read within the last five seconds, as the command does, and reads anew what is older.',
    'Where the provider’s configuration depends on what is not applied yet, creations are planned without a look at the service, and anything else is an error.',
    'What Terraform keeps beside the attributes (private state) holds what adopting saw, when something was last written, and nothing secret.',
    'Where an apply is broken off, by Ctrl-C twice or by the end of the provider, Terraform loses that of each resource that was being changed, and keeps the attributes of before. The next plan says so. What no endpoint shows has no values in the state then, and an apply asserts what is configured; a destroy does what the former attributes tell. `on_remove = "restore"` is an error of the destroy, for nobody knows what was there before.',
    'That the service cannot be reached, or that something else answers in its place, is an error of the provider’s configuration, said once. Wrong credentials, and a reading that many share and that fails, are explained by the first resource that meets them; the others say only where. Warnings of many resources that say the same are one in Terraform, and name what they are about in their detail.',
    'With `TF_LOG_PROVIDER=DEBUG` (or `TF_LOG=DEBUG`) its log has a line for each request, the same as those of the command’s `--trace`: the status, how long it took and has waited, why it was sent again and what it was for. No body and no credential is in it.',
    'Newer Terraforms find more: from 1.12 on each resource that stands for one thing has an identity beside its state, by which it can be imported, and from 1.14 on `terraform query` lists what an endpoint lists. An older one does not notice.',
    'To debug it, run `terraform-provider-deploymgmt_vX.Y.Z --reattach` and set the variable that it prints where Terraform runs. Aliases of the provider that use different keys do not work then, for they share one process.',
  ]),
]
