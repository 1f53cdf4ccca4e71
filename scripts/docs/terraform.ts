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

/** An example that the tests run; each kind and data source must have one. */
export const exampleBlock = (language: string, path: string): string => {
  const file = join(EXAMPLES, path)
  return existsSync(file) ? block(language, readFileSync(file, 'utf8')) : ''
}

/** The page of a data source, in the format of a registry. */
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

/** The page of the provider, in the format of a registry. */
export const terraformProviderPage = (): string =>
  page(
    frontMatter('scripts/docs/terraform.ts', { title: 'Provider: deploymgmt', description: DESCRIPTION }),
    '# deploymgmt Provider',
    'The pages of the command and everything else are listed in [another index](README.md).',
    terraformProvider(),
  )

const terraformProvider = (): string[] => [
  'The provider has the same definitions, planning and guards as the command, behind plugin protocol 6. Attributes are the manifest’s fields in snake_case. Each resource and each data source has a page with an example.',
  'Terraform plans each resource by itself, so the provider cannot count how much one apply removes or changes. Check the plan yourself for what the command would refuse without `--allow-mass-removal` or `--allow-mass-change`.',
  ...section('Example Usage', exampleBlock('terraform', 'provider/provider.tf')),
  ...terraformInstall(),
  ...section(
    'A module',
    '[examples/terraform/project-baseline](../examples/terraform/project-baseline/README.md) is a module to copy or to call. It sets the alerts that are on, integrations, patch nights and readers of a project, and has validated variables, outputs, and tests for `terraform test`. The tests plan and apply on the embedded service (`deploymgmt serve`), and tests of your own modules can do the same: they touch no installation of yours. In mocks (`mock_provider`, `override_data`), Terraform accepts no elements for nested lists such as `results`, so these are empty. Test what reads them on the embedded service.',
  ),
  ...schemaSections(providerBlock),
  '## How it behaves',
  bullets([
    'A user’s `password` needs Terraform 1.11 or later. Everything else works with an older Terraform.',
    'An empty string in the provider’s configuration counts as omitted: with `private_key = ""`, the key of the environment is used.',
    'Resources share reads. Within one run, the alert configurations or integrations of a project cost one list. The events of an organization are read as far back as the youngest resource needs, and further back only for older ones. The answers to writes are put into the list. Like the command, an apply uses what was read within the last five seconds, and reads again what is older.',
    'If the provider’s configuration depends on something that is not applied yet, creations are planned without reading the service, and anything else is an error.',
    'Terraform’s private state, beside the attributes, holds what adopting saw and when something was last written. It holds no secret.',
    'If an apply is cut off, by a second Ctrl-C or by the end of the provider, Terraform loses the private state of each resource that was being changed, and keeps the previous attributes. The next plan says so. What no endpoint shows then has no values in the state, and an apply asserts what is configured. A destroy uses the previous attributes; with `on_remove = "restore"` it is an error, because nobody knows what was there before.',
    'If the service cannot be reached, or if something else answers in its place, that is an error of the provider’s configuration, reported once. Wrong credentials, a shared read that fails, and a configuration of the provider that is not known yet are one error of a plan, at the first resource that meets it; data sources, and an apply, have one for each that only refers to the first. Terraform merges identical warnings of many resources into one, whose detail names the resources.',
    'With `TF_LOG_PROVIDER=DEBUG` (or `TF_LOG=DEBUG`) the log has a line for each request, like the command’s `--trace`: the status, how long it took and waited, why it was sent again and what it was for. It contains no body and no credential.',
    'Newer versions of Terraform offer more. From 1.12 on, each resource that stands for one thing has an identity beside its state, by which you can import it. From 1.14 on, `terraform query` lists what an endpoint lists. Older versions ignore both.',
    'To debug the provider, run `terraform-provider-deploymgmt_vX.Y.Z --reattach` and set the variable that it prints where Terraform runs. Provider aliases with different keys do not work then, because they share one process.',
  ]),
]
