import { createHash } from 'node:crypto'
import { visible } from '../../text/display.ts'
import { cutLong } from '../../text/lines.ts'
import { instantOf } from '../../text/instants.ts'
import { number } from '../../text/number.ts'
import { toJson } from '../../text/json.ts'
import { VERSION } from '../../version.ts'
import type { DriftDocument } from '../document/drift-model.ts'
import type { ReportedField } from '../document/reported.ts'
import { errorLines } from '../document/failure.ts'
import { fieldWords, findingsOf, knownFindings, RULES, type Finding } from '../wording/findings.ts'
import { placeParts } from '../document/places.ts'
import type { Reports } from '../document/reports.ts'
import { counted } from '../wording/sentences.ts'
import { SARIF_RULES } from './sarif-rules.ts'
import { wayLinesOf } from '../wording/way-lines.ts'

/** Servers that show alerts accept no more per run. */
const MOST_RESULTS = 5000

/** A finding that a person has accepted, or knows. */
interface Known {
  readonly finding: Finding
  readonly because?: string
}

/** A drift report as SARIF 2.1.0: a result per field, identified across runs by address and field alone. */
export const renderDriftSarif = ({ document: doc }: Pick<Reports['drift'], 'document'>): string => {
  const all = [...findingsOf(doc).map((finding): Known => ({ finding })), ...knownFindings(doc)]
  const results = all.flatMap((known) => resultsOf(known, doc))
  const tooMany = results.length - MOST_RESULTS
  const left =
    tooMany > 0
      ? [
          `${counted(tooMany, 'result')} of ${number(results.length)} left out: a log holds ${number(MOST_RESULTS)} at most.`,
        ]
      : []
  const at = instantOf(doc.checkedAt)
  return logOf({
    automationDetails: { id: `deploymgmt drift/${encoded(doc.about.manifest)}/` },
    invocations: [
      {
        executionSuccessful: true,
        exitCode: doc.exitCode,
        ...(at === undefined ? {} : { endTimeUtc: new Date(at).toISOString() }),
        toolExecutionNotifications: [...left, ...doc.warnings].map((text) => ({
          level: 'warning',
          message: messageOf(text),
        })),
      },
    ],
    results: results.slice(0, MOST_RESULTS),
  })
}

/**
 * A command that failed: an unsuccessful run. It has no list of results; an empty list would say that earlier
 * findings are fixed, but nobody has looked.
 */
export const renderFailureSarif = ({ document: { error } }: Pick<Reports['failure'], 'document'>): string => {
  const { findings = [] } = error
  return logOf({
    invocations: [
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          { level: 'error', message: messageOf(...errorLines(error)) },
          ...findings.map(({ severity, path, message: text, file, line, column }) => ({
            level: severity,
            message: messageOf(`${path}: ${text}`),
            locations: [{ physicalLocation: physical({ file, line, column }) }],
          })),
        ],
      },
    ],
  })
}

const logOf = (run: Readonly<Record<string, unknown>>): string =>
  toJson(
    {
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: { name: 'deploymgmt', version: VERSION, semanticVersion: VERSION, rules: SARIF_RULES },
          },
          columnKind: 'utf16CodeUnits',
          ...run,
        },
      ],
    },
    { indent: 2 },
  )

const resultsOf = (known: Known, doc: DriftDocument) =>
  known.finding.fields.length === 0
    ? [resultOf(known, undefined, doc)]
    : known.finding.fields.map((field) => resultOf(known, field, doc))

const resultOf = ({ finding, because }: Known, field: ReportedField | undefined, doc: DriftDocument) => {
  const { rule, name, kind, what = '', says, by, unmanaged } = finding
  const told = [what, ...(field === undefined ? [] : [fieldWords(field, kind, doc)]), says, by].filter(
    (each) => each !== '',
  )
  const lines = [`${name}: ${told.join('; ')}`, ...wayLinesOf(finding)]
  const place = placeOfFinding(finding, doc)
  return {
    ruleId: rule,
    ruleIndex: RULES.indexOf(rule),
    level: levelOf(finding),
    message: messageOf(...lines),
    locations: [
      {
        ...(place === undefined ? {} : { physicalLocation: physical(place) }),
        logicalLocations: [{ fullyQualifiedName: visible(name), kind: 'resource' }],
      },
    ],
    partialFingerprints: {
      'addressAndField/v1': digest(unmanaged === undefined ? name : thingOf(unmanaged), field?.path ?? ''),
    },
    ...(because === undefined
      ? {}
      : { suppressions: [{ kind: 'external', status: 'accepted', justification: visible(because) }] }),
  }
}

/** What was read is certain; what only events show, or what is merely late, is less so. */
const levelOf = ({ rule, counts, drift }: Finding): string => {
  if (rule === 'unmanaged') return counts ? 'warning' : 'note'
  if (rule === 'event-since' || rule === 'pending-late' || rule === 'to-be-settled') return 'warning'
  return drift?.evidence.level === 'read' ? 'error' : 'warning'
}

/** The identity of a thing without an address, independent of the order of its parts. */
const thingOf = ({ kind, identity }: NonNullable<Finding['unmanaged']>): string =>
  JSON.stringify([kind, Object.entries(identity).toSorted(([a], [b]) => (a < b ? -1 : 1))])

const digest = (address: string, field: string): string =>
  createHash('sha256')
    .update(JSON.stringify([address, field]))
    .digest('hex')

/** Undeclared things are located at the manifest. */
const placeOfFinding = ({ declaredAt }: Finding, { about }: DriftDocument) => {
  const [first] = about.files
  if (declaredAt !== undefined) return placeParts(declaredAt)
  return first === undefined ? undefined : { file: first }
}

const physical = ({ file, line, column }: ReturnType<typeof placeParts>) => ({
  artifactLocation: { uri: uriOf(file) },
  region: { startLine: line ?? 1, ...(column === undefined ? {} : { startColumn: column }) },
})

/** Relative to the folder of the run, like the names of files; an absolute path stays. */
const uriOf = (file: string): string => {
  const path = file.replaceAll('\\', '/')
  if (path === '') return '.'
  const segments = path
    .split('/')
    .filter((segment, index) => segment !== '.' && (segment !== '' || index === 0))
  const uri = segments.map(encoded).join('/')
  if (path.startsWith('/')) return `file://${uri}`
  return /^[A-Za-z]:\//.test(path) ? `file:///${path.slice(0, 2)}${uri.slice(4)}` : uri
}

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Lines of plain text: brackets before parentheses would become a link, and only our own line breaks are kept. */
const messageOf = (...lines: readonly string[]) => ({
  text: lines.map((line) => cutLong(line, LONGEST_LINE).replaceAll('](', '] (')).join('\n'),
})
const LONGEST_LINE = 4000
