import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { bullets, code, notice, page, section, table } from './markdown.ts'

interface Listed {
  readonly path: string
  readonly title: string
  readonly about: string
}

/** Hand-written pages by what a reader wants, in reading order. */
const GUIDES: readonly (readonly [string, readonly Listed[]])[] = [
  [
    'Begin',
    [
      {
        path: 'tour.md',
        title: 'A tour in five minutes',
        about: 'Plan, apply and find drift against the embedded service, and rehearse with `--local`.',
      },
      {
        path: 'install.md',
        title: 'Installing',
        about: 'The command and the provider from the files of a release, without Node.js.',
      },
      {
        path: 'adopt.md',
        title: 'Adopting an existing installation',
        about: 'Manifests written from what is live, with proof that they change nothing.',
      },
      {
        path: 'inventory.md',
        title: 'The inventory, at a glance',
        about: 'All data sources over all projects in one command: tables, JSON, CSV, and a watch.',
      },
    ],
  ],
  [
    'Declare',
    [
      {
        path: 'manifest.md',
        title: 'The manifest',
        about: 'Files, variables, projects, defaults, references, addresses.',
      },
      {
        path: 'schedule.md',
        title: 'Recurring windows',
        about: 'Windows from a rule, with a horizon that rolls.',
      },
      {
        path: 'constructs/README.md',
        title: 'Declaring in TypeScript',
        about: 'Constructs, five of them higher-level.',
      },
      {
        path: 'terraform-json.md',
        title: 'What constructs synthesize',
        about: 'Plan, apply and drift of a cdk.tf.json, without Terraform.',
      },
    ],
  ],
  [
    'Run',
    [
      {
        path: 'state.md',
        title: 'State',
        about: 'What it is for, the first one, where it is kept, and how to move it.',
      },
      {
        path: 'state-stores.md',
        title: 'Where runners share a state',
        about: 'In git, behind HTTP as GitLab and Gitea offer it, and in Postgres.',
      },
      {
        path: 'state-records.md',
        title: 'The records of a state',
        about:
          'Looking at them, renaming and dropping them, giving them to another team, and what they hold.',
      },
      { path: 'ci.md', title: 'In CI', about: 'Plan on pull requests, apply on main, drift every night.' },
      {
        path: 'trust.md',
        title: 'Whom it trusts',
        about: 'What pull requests, the state, the service and others on the machine can make it do.',
      },
      {
        path: 'day-to-day.md',
        title: 'Day to day',
        about: 'Hooks, alerts, a freeze, going back, access reviews, somebody leaves, a new version.',
      },
      {
        path: 'drift.md',
        title: 'Drift',
        about: 'What drift reports say, how to undo a change and how to keep it, and what nobody declares.',
      },
      {
        path: 'html-report.md',
        title: 'A report as a page',
        about: 'Plan and drift as one file for a browser, a phone and paper.',
      },
      {
        path: 'deployment.md',
        title: 'Around a deployment',
        about: 'Silencing alerts while a command runs, waiting, gates, and tracing.',
      },
    ],
  ],
  [
    'When something fails',
    [
      {
        path: 'failure-model.md',
        title: 'What happens if',
        about: 'What happens when something fails, and what you do then.',
      },
      {
        path: 'state-repair.md',
        title: 'When something is wrong with a state',
        about: 'It is locked, cannot be written, has to be restored, is too old, or is gone.',
      },
      {
        path: 'lost-creations.md',
        title: 'How lost creations are settled',
        about: 'What an apply sends to find out, and when a person decides.',
      },
    ],
  ],
  [
    'Understand and extend',
    [
      { path: 'glossary.md', title: 'Glossary', about: 'The terms used here, one line each.' },
      {
        path: 'decisions/README.md',
        title: 'Decisions',
        about: 'Why things are as they are, each with its context and its consequence.',
      },
      { path: 'adding-a-kind.md', title: 'Adding a kind', about: 'A kind is one file: a worked example.' },
    ],
  ],
]

const linked = (pages: readonly Listed[]): string =>
  bullets(pages.map(({ path, title, about }) => `[${title}](${path}): ${about}`))

/** The first page; `others` are the generated pages that belong to no kind or data source. */
export const indexPage = (others: readonly Listed[]): string =>
  page(
    notice('scripts/docs/index-page.ts'),
    '# deploymgmt',
    'Declares a database deployment-management installation in code: plan, apply and find drift. The [README](../README.md) is the place to begin.',
    ...GUIDES.flatMap(([want, guides]) => section(want, linked(guides))),
    section('Reference', linked(others)),
    section(
      'What is declared',
      table(
        ['Section of the manifest', 'What it does'],
        kinds.map(({ kind, section: name, summary }) => [`[${code(name)}](kinds/${kind}.md)`, summary]),
      ),
    ),
    section(
      'What can be read',
      table(
        ['`deploymgmt get`', 'What it shows'],
        dataSources.map(({ name, summary }) => [`[${code(name)}](get/${name}.md)`, summary]),
      ),
    ),
    section(
      'In Terraform',
      'The [provider](index.md): how it is installed and configured. Each resource and each data source has a page of its own, and there is a [module](../examples/terraform/project-baseline/README.md) with tests of its own.',
    ),
  )
