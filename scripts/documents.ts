import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { openApiDocument, openReadingsPage, settingsPage } from '@deploymgmt/service'
import { capabilitiesPage } from './docs/capabilities.ts'
import { commandsPage } from './docs/commands-page.ts'
import { dataSourcePage } from './docs/data-source-page.ts'
import { errorsPage } from './docs/errors-page.ts'
import { indexPage } from './docs/index-page.ts'
import { reportsPage } from './docs/reports-page.ts'
import { resourcePage } from './docs/resource-page.ts'
import { terraformDataSourcePage, terraformProviderPage } from './docs/terraform.ts'
import { terraformResourcePage } from './docs/terraform-resource.ts'

/** A generated file. With `title` and `about`, the page is listed in the index. */
interface GeneratedDocument {
  /** Relative to the repository. */
  readonly path: string
  readonly content: () => string
  readonly title?: string
  readonly about?: string
}

/** Folders in which every file is generated: files that no row below names are removed. */
export const generatedFolders = ['docs/resources', 'docs/data-sources', 'docs/kinds', 'docs/get'] as const

// The command line is built asynchronously; every page is generated from the values here.
const commands = await commandsPage()
const reports = await reportsPage()

const pages: readonly GeneratedDocument[] = [
  {
    path: 'docs/commands.md',
    title: 'Commands',
    about: 'Every command, its flags, and the exit codes.',
    content: () => commands,
  },
  {
    path: 'docs/reports.md',
    title: 'Reports',
    about: 'The formats of plan and drift: what each is for, how pipelines use them, what they look like.',
    content: () => reports,
  },
  {
    path: 'docs/capabilities.md',
    title: 'What can be done',
    about: 'What can be done with each kind, and what is missing.',
    content: capabilitiesPage,
  },
  {
    path: 'docs/errors.md',
    title: 'Errors',
    about: 'Every error code, what it means and what to do.',
    content: errorsPage,
  },
  {
    path: 'docs/service-settings.md',
    title: 'Settings of the service',
    about: 'Every setting of the embedded service.',
    content: settingsPage,
  },
  {
    path: 'docs/open-readings.md',
    title: 'Open readings',
    about: 'What the API’s description leaves open, and the readings of it.',
    content: openReadingsPage,
  },
  {
    path: 'docs/openapi.json',
    title: 'OpenAPI',
    about: 'The API as the embedded service offers it, in OpenAPI.',
    content: () => `${JSON.stringify(openApiDocument(), null, 2)}\n`,
  },
]

/** Everything that `npm run generate` writes. To add a document, add a row. */
export const documents: readonly GeneratedDocument[] = [
  { path: 'docs/index.md', content: terraformProviderPage },
  {
    path: 'docs/README.md',
    content: () =>
      indexPage(
        pages.flatMap(({ path, title, about }) =>
          title === undefined || about === undefined
            ? []
            : [{ path: path.replace(/^docs\//, ''), title, about }],
        ),
      ),
  },
  ...kinds.map((kind) => ({
    path: `docs/resources/${kind.kind}.md`,
    content: () => terraformResourcePage(kind),
  })),
  ...kinds.map((kind) => ({ path: `docs/kinds/${kind.kind}.md`, content: () => resourcePage(kind) })),
  ...dataSources.map((definition) => ({
    path: `docs/data-sources/${definition.name}.md`,
    content: () => terraformDataSourcePage(definition),
  })),
  ...dataSources.map((definition) => ({
    path: `docs/get/${definition.name}.md`,
    content: () => dataSourcePage(definition),
  })),
  ...pages,
]
