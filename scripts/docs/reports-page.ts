import { formatsOf } from '../../reconciler/render/formats.ts'
import { bullets, code, notice, page, table } from './markdown.ts'
import { exampleAs, shownFormats } from './report-examples.ts'

interface About {
  readonly for: string
  /** What its example is highlighted as. */
  readonly language: string
}

/** What each format is for. */
const ABOUT: Readonly<Record<string, About>> = {
  text: { for: 'a terminal, and the log of a pipeline', language: 'text' },
  json: { for: 'scripts and policies; all other formats are made of it', language: 'json' },
  markdown: {
    for: 'a comment on what is to be merged, an issue, the summary of a run',
    language: 'markdown',
  },
  html: { for: 'one page for a browser, to look closely, to send, to print', language: 'html' },
  junit: { for: 'the test reports of GitLab and Jenkins', language: 'xml' },
  sarif: { for: 'code scanning: the finding at the line of its declaration', language: 'json' },
  brief: { for: 'a message to the one on call, of four lines at most', language: 'text' },
}

/** More than this is cut: the page shows what a format looks like. */
const MOST_LINES = 60

/** A fence that no example ends. */
const example = (language: string, text: string): string => {
  const lines = text.split('\n')
  const rest = lines.length - MOST_LINES
  const shown = rest > 0 ? [...lines.slice(0, MOST_LINES), `… ${rest} more lines`] : lines
  return ['````' + language, ...shown, '````'].join('\n')
}

/** Of a log of SARIF what differs from run to run; its rules are the same in all. */
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
      ...(format === 'sarif' ? ['The results alone; the rules before them are the same in each run.'] : []),
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

What is on it, where it works, and what it cannot do to a reader: [a report as a page](html-report.md).`

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
    'The first line of the Markdown is the verdict. The next one is a comment that nobody sees, such as `<!-- deploymgmt:drift:acme-production -->`: by it a pipeline finds the comment or issue of an earlier run, and replaces it.',
    'A comment holds 65,536 characters. What has no room is cut between two items, and the last line says how much of what. The table on top counts all of it, so that no write is missing. `--format json` has everything.',
    'Names stand between backticks, or are spelt so that nobody is called by them.',
    'In SARIF each field that has drifted is a result at the line of its declaration; what nothing declares stands at the first line of the manifest. `partialFingerprints` are made of address and field alone: an alert that was dismissed stays so, whoever changes what. What is accepted or known is suppressed, with its reason. A log holds 5,000 results; a notification says how many more there are.',
  ]),
  '### GitLab',
  GITLAB,
  '### Jenkins',
  JENKINS,
  bullets([
    'Each address is a case. It fails where it has drifted, is gone, is late, is to be settled, or is no longer accepted, and where nobody declares it and that counts. It is skipped, with the reason, where it is accepted or known, cannot be verified, or is yet to be applied, and where nobody declares it and that does not count.',
  ]),
]

const FAILING = [
  '## Where a command fails',
  'A command that fails, with exit code 1 or 3, writes what failed to each file that it was to write, so that no report of an earlier run is taken for its own: JUnit has one case that could not be run, SARIF a run without success, JSON an `error`, and people read the code, what failed and what to do. On stdout it is told to machines alone; a person reads it on stderr. The exit code tells it from a report.',
  bullets([
    'The Markdown has no marker then: the comment and the issue of an earlier run stay as they are.',
    'The log of SARIF has no list of results, which says that nobody has looked: it is not to be uploaded, since no finding is mended by it.',
    'Nothing is written where the words of the command could not be read, or where a file is one that the command itself reads.',
  ]),
]

/** What each format of plan and drift is for, how pipelines use them, and what they look like. */
export const reportsPage = async (): Promise<string> => {
  const [plan, drift] = [formatsOf('plan'), formatsOf('drift')]
  return page(
    notice('scripts/docs/reports-page.ts'),
    '# Reports',
    '`plan` and `drift` can be shown in several formats. Each is made of the document that `--format json` prints, and of nothing else, so that they all say the same. `--format FORMAT` writes to stdout, and `--format FORMAT=FILE`, again and again, writes as many files of one run as there are readers.',
    table(
      ['Format', 'Is for', '`plan`', '`drift`'],
      [...new Set([...plan, ...drift])].map((format) => [
        code(format),
        ABOUT[format]?.for ?? '',
        mark(plan.includes(format)),
        mark(drift.includes(format)),
      ]),
    ),
    'Where an address names an alert configuration by its id, the report says which one it is, as comments of `adopt` do: event type, metric, threshold and matchers (`what` in the document). It does so of what is changed, blocked, released, pending or drifted, as far as it was read; it is left out where the selector of its entry says all of it. What a person has to add by hand is said with as much as the selector tells.',
    'What a service or a manifest calls something can be any text. In no format is it taken for markup, a link, a mention, a control character or a line of its own; what cannot be seen is spelt out, such as `\\u202E`. What a message of `brief` is sent with has to send it as plain text.',
    PIPELINES,
    FAILING,
    '## What they look like',
    'Long ones are cut here.',
    '### Drift as `html`',
    HTML,
    '### Drift as a comment',
    '![The same drift as Markdown, rendered, with its first item open](images/drift-comment.png)',
    await examples('plan', 'A plan'),
    await examples('drift', 'Drift'),
  )
}
