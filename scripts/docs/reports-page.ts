import { formatsOf } from '../../reconciler/render/formats.ts'
import { bullets, code, notice, page, table } from './markdown.ts'
import { exampleAs, shownFormats } from './report-examples.ts'

interface About {
  readonly for: string
  /** The language for highlighting its example. */
  readonly language: string
}

/** The purpose of each format. */
const ABOUT: Readonly<Record<string, About>> = {
  text: { for: 'a terminal, and the log of a pipeline', language: 'text' },
  json: { for: 'scripts and policies; all other formats are made from it', language: 'json' },
  markdown: {
    for: 'a comment on a pull request, an issue, the summary of a run',
    language: 'markdown',
  },
  html: { for: 'one page for a browser, to study, send or print', language: 'html' },
  junit: { for: 'the test reports of GitLab and Jenkins', language: 'xml' },
  sarif: { for: 'code scanning: each finding at the line of its declaration', language: 'json' },
  brief: { for: 'a message to the person on call, four lines at most', language: 'text' },
}

/** Longer examples are cut: the page only shows what a format looks like. */
const MOST_LINES = 60

/** A fence that the example cannot end. */
const example = (language: string, text: string): string => {
  const lines = text.split('\n')
  const rest = lines.length - MOST_LINES
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… ${rest} more lines`] : lines
  return ['````' + language, ...shown, '````'].join('\n')
}

/** The part of a SARIF log that differs between runs; its rules are always the same. */
const resultsOf = (log: string): string => {
  const { runs } = JSON.parse(log) as { readonly runs: readonly { readonly results: unknown }[] }
  return JSON.stringify(runs[0]?.results, null, 2)
}

const examples = async (report: 'plan' | 'drift', heading: string): Promise<string[]> => {
  const made = shownFormats(report).map(async (format) => {
    const text = await exampleAs(report, format)
    const { language = 'text' } = ABOUT[format] ?? {}
    return [
      `### ${heading} as ${code(format)}`,
      ...(format === 'sarif' ? ['Only the results; the rules before them are the same in each run.'] : []),
      example(language, format === 'sarif' ? resultsOf(text) : text),
    ]
  })
  return (await Promise.all(made)).flat()
}

const GITHUB = `\`\`\`yaml
- name: plan
  run: deploymgmt plan --format markdown=plan.md --format html=plan.html
- name: drift
  run: |
    code=0
    deploymgmt drift --format markdown=drift.md --format sarif=drift.sarif || code=$?
    cat drift.md >> "$GITHUB_STEP_SUMMARY"
    if [ "$code" -eq 1 ]; then rm -f drift.sarif; fi
    exit "$code"
- if: always() && hashFiles('drift.sarif') != ''
  uses: github/codeql-action/upload-sarif@v3
  with: { sarif_file: drift.sarif }
\`\`\``

const GITLAB = `\`\`\`yaml
drift:
  script: deploymgmt drift --format junit=drift.xml --format html=drift.html
  artifacts:
    when: always
    reports: { junit: drift.xml }
    paths: [drift.html]
\`\`\``

const HTML = `![The drift report as a page](images/drift-report-light.png)

What it shows, where it works, and how it protects its reader: [a report as a page](html-report.md).`

const JENKINS = `\`\`\`groovy
sh 'deploymgmt drift --format junit=drift.xml'
post { always { junit 'drift.xml' } }
\`\`\``

const mark = (yes: boolean): string => (yes ? 'yes' : '')

const PIPELINES = [
  '## In pipelines',
  '### GitHub',
  GITHUB,
  bullets([
    'The first line of the Markdown is the verdict. The next line is an invisible comment, such as `<!-- deploymgmt:drift:acme-production -->`. A pipeline uses it to find the comment or issue of an earlier run, and replaces that.',
    'A comment holds 65,536 characters. A longer report is cut between two items, and the last line says what is missing, and how much. The table at the top counts everything, so no write is missing. `--format json` has everything.',
    'Names are put between backticks, or written so that they mention nobody.',
    'In SARIF, each field that has drifted is a result at the line of its declaration; what nothing declares is at the first line of the manifest. `partialFingerprints` are made only from address and field, so a dismissed alert stays dismissed, whoever changes what. What is accepted or known is suppressed, with its reason. A log holds 5,000 results; a notification says how many more there are.',
  ]),
  '### GitLab',
  GITLAB,
  '### Jenkins',
  JENKINS,
  bullets([
    'Each address is a test case. It fails if it has drifted, is gone, is late, is to be settled, or is no longer accepted, or if nobody declares it and that counts. It is skipped, with the reason, if it is accepted or known, cannot be verified, or is pending, or if nobody declares it and that does not count.',
  ]),
]

const FAILING = [
  '## Where a command fails',
  'A command that fails, with exit code 1 or 3, writes the failure to each of its report files. So you cannot mistake a report of an earlier run for its own. JUnit has one case that could not be run, SARIF a run without success, and JSON an `error`; formats for people show the code, what failed and what to do. On stdout, only formats for machines show the failure; people read it on stderr. The exit code distinguishes it from a report.',
  bullets([
    'The Markdown then has no marker: the comment and the issue of an earlier run stay as they are.',
    'The SARIF log has no list of results, which means that nothing was checked. Do not upload it: it fixes no finding.',
    'On a disk that is too full for that, too, the file is left empty.',
    'Nothing is written if the command line is not valid, or if a file is one that the command itself reads.',
  ]),
]

/** The purpose of each format of plan and drift, how pipelines use it, and an example. */
export const reportsPage = async (): Promise<string> => {
  const [plan, drift] = [formatsOf('plan'), formatsOf('drift')]
  return page(
    notice('scripts/docs/reports-page.ts'),
    '# Reports',
    '`plan` and `drift` have several formats. Each is made only from the document that `--format json` prints, so they all say the same. `--format FORMAT` writes to stdout. Repeat `--format FORMAT=FILE` to write several files in one run.',
    table(
      ['Format', 'Is for', '`plan`', '`drift`'],
      [...new Set([...plan, ...drift])].map((format) => [
        code(format),
        ABOUT[format]?.for ?? '',
        mark(plan.includes(format)),
        mark(drift.includes(format)),
      ]),
    ),
    'If there are several projects, reports name the one of a thing beside its address: `integrations.paging[5c81…] (payments)`.',
    '`declared` in the first line counts an entry once for each of its projects. The last line counts things: a selector or a schedule can mean several of them, or none. `17 of 25 projects` are those that have an entry, out of all that the manifest names; Markdown and the page list all of these.',
    'If an address names an alert configuration by its id, the report says which one it is, as comments of `adopt` do: event type, metric, threshold and matchers (`what` in the document). It does so for configurations that are changed, blocked, released, pending or drifted, as far as they were read, unless the selector of the entry already says all of it. For a configuration that a person has to add by hand, it says as much as the selector tells.',
    'An address can be listed twice in a plan: once with what an apply does, or what cannot be verified, and once as `blocked`, with what only a person can do. An API key whose `accessList` differs is an example. Each line is counted.',
    'Changes that do the same for the same reason are told as one: in the text of a plan, without `--all`, those of one entry and one description, or more than eight of several; in Markdown, all of them. What a schedule makes of an entry is one group, too: what all of its occurrences share is said once, and then each start, as its address spells it, with its end. `PROJECT/START` stands for the two parts of an address: `maintenanceWindows.weekly[payments/2026-12-06T01:00:00Z]`.',
    'Names from a service or a manifest can be any text. No format treats them as markup, a link, a mention, a control character or a separate line; invisible characters are spelt out, such as `\\u202E`. On stdout and stderr, the same is done to what a pipeline would obey in its log: `##vso[…]` and `##[…]`, and `::error::` at the beginning of a line. Send a `brief` message as plain text.',
    PIPELINES,
    FAILING,
    '## What they look like',
    'Long examples are cut here.',
    '### Drift as `html`',
    HTML,
    '### Drift as a comment',
    '![The same drift as Markdown, rendered, with its first item open](images/drift-comment.png)',
    await examples('plan', 'A plan'),
    await examples('drift', 'Drift'),
  )
}
