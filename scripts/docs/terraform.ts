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
    `For notes, and for reading it without Terraform, see [${title}](../get/${name}.md).`,
    section('Example Usage', exampleBlock('terraform', `data-sources/${name}.tf`)),
    bounds.length === 0
      ? ''
      : `Terraform reads this data source in every plan, and the list keeps growing. Therefore, ${bounds.map((bound) => code(camelToSnake(bound))).join(' or ')} is required.`,
    shape === 'list'
      ? 'The items are in `results`. `total_count` is the number of items at the service, so with `limit`, `results` can have fewer. A field that does not apply is null.'
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
    'This page is about the Terraform provider. For the `deploymgmt` command and everything else, see the [documentation index](README.md).',
    terraformProvider(),
  )

const terraformProvider = (): string[] => [
  'The provider uses the same definitions, planning and guards as the command, and speaks plugin protocol 6. The attributes of a resource are the fields of a manifest in snake_case. Each resource and each data source has a page with an example.',
  'Terraform plans each resource by itself, so the provider cannot count how much one apply removes or changes. The command refuses many removals or changes at once unless it has `--allow-mass-removal` or `--allow-mass-change`; with Terraform, [a policy](ci.md#with-terraform) can check the plan for them.',
  'Give each state, workspace and provider alias an API key of its own, which nothing else uses. The provider and the command tell by the key what they have done themselves. With a shared key, a change that another state made is reported as made by your own key. After a lost answer, the provider sends a change to windows that its key has just created, to find its own among them: with a shared key, these can be those of another state. A manifest with the same key [stops creating windows](terraform-json.md#one-key-for-each-side).',
  ...section('Example Usage', exampleBlock('terraform', 'provider/provider.tf')),
  ...terraformInstall(),
  ...section(
    'A module',
    '[examples/terraform/project-baseline](../examples/terraform/project-baseline/README.md) is a module that you can copy or call. For one project, it sets which alerts are on, the integrations, the patch nights and the users with read access. It has validated variables, outputs, and tests for `terraform test`.',
    'The tests plan and apply against the embedded service (`deploymgmt serve`), so they touch no installation of yours. Tests of your own modules can do the same. In mocks (`mock_provider`, `override_data`), Terraform accepts no elements for nested lists such as `results`, so these lists are empty. Test configurations that read them against the embedded service.',
  ),
  ...schemaSections(providerBlock),
  '## How it behaves',
  '### Versions of Terraform',
  bullets([
    'A user’s `password` needs Terraform 1.11 or later. Everything else works with older versions.',
    'With Terraform 1.12 or later, each resource that manages exactly one object has an identity in addition to its state, and you can import it by that identity. With Terraform 1.14 or later, `terraform query` lists what an endpoint lists. Older versions ignore both.',
  ]),
  '### Configuration',
  bullets([
    'An empty string in the provider’s configuration counts as omitted: with `private_key = ""`, the key from the environment is used.',
    'The proxies of `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY` are used, [as by the command](commands.md#environment).',
    'If the provider’s configuration depends on something that is not applied yet, creations are planned without reading the service, and everything else is an error. `concurrency` and the two timeouts are no obstacle: until they are known, a plan uses the defaults. Nor are the names of `projects`.',
  ]),
  '### Requests',
  bullets([
    'Resources share reads. Within one run, the alert configurations or the integrations of a project need one list request, and the answers to writes are put into that list. The events of an organization are read as far back as the newest resource needs, and further back only for older resources.',
    'Like the command, an apply uses what was read within the last five seconds, and reads again what is older.',
  ]),
  '### State',
  bullets([
    'Terraform’s private state, which is stored beside the attributes, holds the values at adoption and the times of the last writes. It contains no secrets.',
    'An apply can be cut off, by a second Ctrl-C or because the provider ends. Terraform then loses the private state of each resource that was being changed, and keeps its previous attributes. The next plan says so.',
    'After such an apply, values that no endpoint shows are missing from the state, and the next apply writes the configured ones. A destroy uses the previous attributes. With `on_remove = "restore"`, the plan of a destroy is an error, because the original value is no longer known.',
  ]),
  '### Errors and warnings',
  bullets([
    '`terraform validate` refuses a `base_url`, a key or an id that no request could use, at its attribute, and sends nothing. It does not see the state, so what only a creation or an adoption needs, such as a user’s name, is an error of the plan. Wrong credentials are an error of the first plan. If the events of `org_id` cannot be read, each plan that needs them has a warning, also the first.',
    'If the service cannot be reached, or something else answers in its place, there is one error, at the provider’s configuration.',
    'A plan reports four other causes once, at the first resource that meets them: wrong credentials, a shared read that fails, a project or organization that does not exist, and a provider configuration that is not known yet. Data sources, and resources in an apply, each have an error that only refers to the first one.',
    'Terraform merges warnings with the same summary into one, and shows the detail of one of them. An apply plans once more, so a warning of the plan counts again in it.',
    'Terraform does not tell a provider which values your configuration marks as `sensitive`. Warnings and errors can quote a value, such as a selector or a user’s name; they never quote a password or a private key.',
  ]),
  '### Debugging',
  bullets([
    'With `TF_LOG_PROVIDER=DEBUG` (or `TF_LOG=DEBUG`), the log has a line for each request, like the command’s `--trace`: its status, how long it took and waited, why it was sent again, and what it was for. The log contains no bodies and no credentials.',
    'To debug the provider, run `terraform-provider-deploymgmt_vX.Y.Z --reattach`, which prints an environment variable. Set it in the shell in which you run Terraform. Provider aliases with different keys do not work in this mode, because they share one process.',
  ]),
]
