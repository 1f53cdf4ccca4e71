import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { code, notice, page, section, table } from './markdown.ts'

/** The first page; `others` are the generated pages that belong to no kind and no data source. */
export const indexPage = (others: readonly { readonly path: string; readonly about: string }[]): string =>
  page(
    notice('scripts/docs/index-page.ts'),
    '# deploymgmt',
    'Declares a database deployment-management installation in code: plan, apply and find drift, from a manifest, from TypeScript or from Terraform.',
    section(
      'What is declared',
      table(
        ['Manifest section', 'Terraform resource', ''],
        kinds.map(({ kind, section: name, summary }) => [
          `[${code(name)}](resources/${kind}.md)`,
          code(`deploymgmt_${kind}`),
          summary,
        ]),
      ),
    ),
    section(
      'What is read',
      table(
        ['`deploymgmt get`', 'Terraform data source', ''],
        dataSources.map(({ name, summary }) => [
          `[${code(name)}](data-sources/${name}.md)`,
          code(`deploymgmt_${name}`),
          summary,
        ]),
      ),
    ),
    section(
      'More',
      table(
        ['Page', ''],
        others.map(({ path, about }) => [`[${path}](${path})`, about]),
      ),
    ),
  )
