import { createHash } from 'node:crypto'
import { instantOf } from '../../text/instants.ts'
import { element, xmlDocument, type Element } from '../../text/xml.ts'
import type { DriftDocument, ReportedDrift } from '../document/drift-model.ts'
import { errorLines, findingLines } from '../document/failure.ts'
import { findingsOf, knownFindings, findingWords, type Finding } from '../wording/findings.ts'
import { sayPending } from '../wording/pending.ts'
import { evidenceWords, withNote } from '../wording/sentences.ts'
import type { Reports } from '../document/reports.ts'
import { fileAndLine, placeParts } from '../document/places.ts'
import { wayLinesOf } from '../wording/way-lines.ts'

/** The result for one address; an address has one case, whatever is found about it. */
interface Case {
  readonly name: string
  readonly declaredAt?: string | undefined
  readonly result?: Element
}

/** A drift report as JUnit XML, in the dialect of GitLab and Jenkins: one case per address. */
export const renderDriftJunit = ({ document: doc }: Pick<Reports['drift'], 'document'>): string => {
  const cases = casesOf(doc)
  const count = (kind: string) => cases.filter(({ result }) => result?.name === kind).length
  const counts = { tests: cases.length, failures: count('failure'), errors: 0, skipped: count('skipped') }
  const at = instantOf(doc.checkedAt)
  const suite = element(
    'testsuite',
    {
      name: `drift of ${doc.about.manifest}`,
      ...counts,
      time: '0',
      // This dialect has no time zones.
      timestamp: at === undefined ? undefined : new Date(at).toISOString().slice(0, 19),
    },
    propertiesOf(doc),
    ...cases.map((each) => caseElement(each, doc)),
    ...(doc.warnings.length === 0 ? [] : [element('system-out', {}, ...doc.warnings)]),
  )
  const { skipped: _, ...totals } = counts
  return xmlDocument(element('testsuites', { name: 'deploymgmt drift', ...totals, time: '0' }, suite))
}

/** A command that failed: one case that could not be run. */
export const renderFailureJunit = ({ document: { error } }: Pick<Reports['failure'], 'document'>): string => {
  const { code, message } = error
  const [, ...lines] = [...errorLines(error), ...findingLines(error)]
  const counts = { tests: 1, failures: 0, errors: 1 }
  const failed = element(
    'testcase',
    { name: 'deploymgmt', classname: 'deploymgmt', time: '0' },
    element('error', { message: `${code}: ${message}`, type: code }, ...lines),
  )
  const suite = element('testsuite', { name: 'deploymgmt', ...counts, skipped: 0, time: '0' }, failed)
  return xmlDocument(element('testsuites', { name: 'deploymgmt', ...counts, time: '0' }, suite))
}

const propertiesOf = ({ about, exitCode, targeted }: DriftDocument): Element => {
  const { manifest, baseUrl, publicKey, organizations, projects } = about
  const told: Readonly<Record<string, string>> = {
    manifest,
    baseUrl,
    publicKey,
    organizations: organizations.join(', '),
    projects: projects.map(({ id, name }) => (name === undefined ? id : `${name} (${id})`)).join(', '),
    ...(targeted === undefined ? {} : { targeted: targeted.join(', ') }),
    exitCode: String(exitCode),
  }
  return element(
    'properties',
    {},
    ...Object.entries(told).map(([name, value]) => element('property', { name, value })),
  )
}

/** A failure takes precedence over skipped cases, and these over passed ones. */
const casesOf = (doc: DriftDocument): Case[] => {
  const found = findingsOf(doc)
  const [failing, others] = [found.filter(({ counts }) => counts), found.filter(({ counts }) => !counts)]
  const told = [
    ...[...Map.groupBy(failing, ({ name }) => name).values()].map((same) => failedCase(same, doc)),
    ...[...Map.groupBy(knownFindings(doc), ({ finding }) => finding.name).values()].flatMap((same) =>
      knownCase(same, doc),
    ),
    ...doc.resources.map((each) => restingCase(each, doc)),
    // Findings that do not count are still listed.
    ...others.map((finding) => skippedCase(finding, findingWords(finding, doc).join('; '))),
  ]
  return [...Map.groupBy(told, ({ name }) => name).values()].flatMap((same) => same.slice(0, 1))
}

const failedCase = (findings: readonly Finding[], doc: DriftDocument): Case => {
  const [first] = findings
  return {
    name: first?.name ?? '',
    declaredAt: findings.find(({ declaredAt }) => declaredAt !== undefined)?.declaredAt,
    result: element(
      'failure',
      {
        message: shortened(first === undefined ? '' : findingWords(first, doc).join('; '), 1000),
        type: first?.rule,
      },
      ...findings.flatMap((finding) => linesOf(finding, doc)),
    ),
  }
}

const linesOf = (finding: Finding, doc: DriftDocument): string[] => {
  const { declaredAt } = finding
  const place = fileAndLine(declaredAt)
  return [
    ...findingWords(finding, doc),
    ...(place === undefined ? [] : [`declared at ${place}`]),
    ...wayLinesOf(finding),
  ]
}

const skippedCase = ({ name, declaredAt }: Pick<Case, 'name' | 'declaredAt'>, why: string): Case => ({
  name,
  declaredAt,
  result: element('skipped', { message: shortened(why, 1000) }),
})

/** Fields of one thing can be accepted separately. */
const knownCase = (known: ReturnType<typeof knownFindings>, doc: DriftDocument): Case[] => {
  const why = known.map(({ finding, because }) => [because, ...findingWords(finding, doc)].join('; '))
  return known.slice(0, 1).map(({ finding }) => skippedCase(finding, why.join('. ')))
}

/** Things in sync, and unverifiable ones. */
const restingCase = (drift: ReportedDrift, doc: DriftDocument): Case => {
  const { address: name, declaredAt, verdict, reason, evidence } = drift
  if (verdict === 'in-sync') return { name, declaredAt }
  const why =
    verdict === 'pending'
      ? `pending: ${sayPending(drift, doc)}`
      : `not verifiable: ${withNote(evidenceWords(evidence, evidence.since), { ...evidence, note: reason })}`
  return skippedCase({ name, declaredAt }, why)
}

const caseElement = ({ name, declaredAt, result }: Case, { about }: DriftDocument): Element =>
  element(
    'testcase',
    {
      name: shortened(name, 200),
      // Jenkins treats the part before the last dot as a package.
      classname: `${shortened(about.manifest, 100)}.${shortened(name.split(/[.( ]/)[0] ?? '', 100)}`,
      file: declaredAt === undefined ? undefined : placeParts(declaredAt).file,
      time: '0',
    },
    ...(result === undefined ? [] : [result]),
  )

/** Servers refuse names that are too long. A digest keeps cut names distinct. */
const shortened = (text: string, most: number): string =>
  text.length <= most
    ? text
    : `${text.slice(0, most - 20).toWellFormed()}… (${createHash('sha256').update(text).digest('hex').slice(0, 12)})`
