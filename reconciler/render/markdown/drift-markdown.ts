import { few } from '../../text/few.ts'
import { showInstant } from '../../text/instants.ts'
import { cutProse } from '../../text/lines.ts'
import { projectNamesIn } from '../document/about.ts'
import { actorSection, type Deed } from './actors.ts'
import { wholeSection, type Section } from './comment.ts'
import type { DriftDocument, ReportedDrift, WayOut } from '../document/drift-model.ts'
import { driftVerdict, eventsRead } from '../wording/drift-verdict.ts'
import {
  groupedAlike,
  findingsOf,
  knownFindings,
  unsigned,
  type Finding,
  type Rule,
} from '../wording/findings.ts'
import { reasonGroups } from '../wording/grouped-addresses.ts'
import {
  aboutLine,
  bullets,
  effectTable,
  fieldArrows,
  fieldTable,
  folded,
  report,
  someFields,
  summaryName,
  unverifiableSection,
  whatNamed,
} from './markdown-parts.ts'
import { code, fenced, markerOf, prose } from './markdown.ts'
import { pendingTold } from '../wording/pending.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { counted, ownActors } from '../wording/sentences.ts'
import { fileAndLine } from '../document/places.ts'
import { number } from '../../text/number.ts'
import { patchLines, pendingSteps, textAbove, unmanagedWays } from '../wording/way-lines.ts'
import { TO_BE_SETTLED_BY_APPLY } from '../wording/to-settle.ts'

/** The noun for the things of each rule, after their number. */
const NOUNS: Readonly<Record<Rule, string>> = {
  drifted: 'drifted',
  'not-found': 'gone',
  'acceptance-ended': 'no longer accepted',
  'event-since': 'perhaps drifted, according to events',
  'pending-late': 'late',
  'to-be-settled': TO_BE_SETTLED_BY_APPLY,
  unmanaged: 'unmanaged',
}

/** A drift report for a comment, an issue or a run summary. */
export const renderDriftMarkdown = (
  { document: doc }: Pick<Reports['drift'], 'document'>,
  { sameFlags = '' }: ReportStyle,
): string => {
  const groups = groupedAlike(findingsOf(doc))
  return report(
    driftVerdict(doc),
    markerOf('drift', doc.about.manifest),
    [
      wholeSection(
        aboutLine(doc, [`checked ${showInstant(doc.checkedAt)}`, ...eventsRead(doc)].map(prose).join(' · ')),
      ),
      ...actorSection(findingsOf(doc).flatMap(deedsOf)),
      ...effectSection(groups, doc),
      ...bullets('Warnings', doc.warnings.map(prose), 'warning'),
      ...groups.map((group) => groupSection(group, doc)),
      ...restSections(doc),
      wholeSection(`${number(doc.summary['in-sync'])} in sync · exit code ${doc.exitCode}`),
    ],
    `\`deploymgmt drift${sameFlags} --all\`, or the same with \`--format json\`.`,
  )
}

const deedsOf = ({ name, what, actor, fields, unmanaged }: Finding): Deed[] => [
  ...[...(actor === undefined ? [] : [actor]), ...(unmanaged?.changedBy ?? [])].map((each) => ({
    name,
    what,
    actor: each,
  })),
  ...ownActors(fields).map(([path, own]) => ({ name: `${name}.${path}`, what, actor: own })),
]

/** Counts of all findings. */
const effectSection = (groups: readonly (readonly Finding[])[], { about }: DriftDocument): Section[] =>
  effectTable({
    heads: ['What', 'Recorded → live', 'Who'],
    groups,
    widely: ({ rule, kind }) => JSON.stringify([rule, kind]),
    told: ({ fields, says, who }) => JSON.stringify([fields.map(unsigned), says, who]),
    rowOf: (group, { rule, kind, fields, says, who }, isAlike) => {
      const names = `**${number(group.length)} ${NOUNS[rule]}**<br>${few(group.map(({ name, what }) => whatNamed(name, what)))}`
      if (!isAlike) return [names, 'several', '']
      const what =
        fields.length > 0
          ? `${someFields(fields, { names: projectNamesIn(about), kind })}${rule === 'pending-late' ? ' (declared)' : ''}`
          : prose(cutProse(says, 300))
      return [names, what, prose(who)]
    },
    countedAs: (count) => `${counted(count, 'row')} of findings`,
  })

const groupSection = (group: readonly Finding[], { about }: DriftDocument): Section => {
  const [first] = group
  if (first === undefined) return wholeSection('')
  const noun = NOUNS[first.rule]
  const countedAs = (count: number): string => `${number(count)} ${noun}`
  const fields = fieldTable(first.fields, ['Recorded', first.rule === 'pending-late' ? 'Declared' : 'Live'], {
    names: projectNamesIn(about),
    kind: first.kind,
  })
  const says = first.says === '' ? [] : [prose(first.says)]
  if (group.length > 1)
    return folded(
      `<b>${countedAs(group.length)}</b>`,
      [...fields, ...says, ...(first.unmanaged === undefined ? [] : [prose(unmanagedWays(about))])],
      group.map(nameLine),
      countedAs,
    )
  return folded(
    `${summaryName(first.name, fileAndLine(first.declaredAt))} · <b>${noun}</b>`,
    [
      ...(first.what === undefined ? [] : [prose(first.what)]),
      ...fields,
      ...says,
      ...(first.by === '' ? [] : [prose(first.by)]),
      ...waysOut(first),
    ],
    [],
    countedAs,
  )
}

/** One of several similar findings: its distinguishing parts, and its own ways out. */
const nameLine = ({ name, what, declaredAt, by, drift }: Finding): string => {
  const place = fileAndLine(declaredAt)
  const head = [
    code(name),
    ...(what === undefined ? [] : [prose(what)]),
    ...(place === undefined ? [] : [code(place)]),
    ...(by === '' ? [] : [prose(by)]),
  ].join(' · ')
  return [head, ...waysOfDrift(drift)].join('\n\n').replaceAll(/\n(?=.)/g, '\n  ')
}

const waysOut = ({ drift, unmanaged }: Finding): string[] => [
  ...waysOfDrift(drift),
  ...wayOut('Declare', unmanaged?.declare),
  ...wayOut('Leave', unmanaged?.leave),
]

const waysOfDrift = (drift: ReportedDrift | undefined): string[] => {
  if (drift === undefined) return []
  const { undo, keep, likelihood } = drift
  return [
    ...(likelihood === undefined ? [] : [prose(likelihood)]),
    ...pendingSteps(drift).map(prose),
    ...wayOut('Undo', undo),
    ...wayOut('Keep', keep),
  ]
}

/** A longer patch belongs in a file. */
const LONGEST_PATCH = 8000

const wayOut = (title: string, way: WayOut | undefined): string[] => {
  if (way === undefined) return []
  const { command, entry, patch } = way
  const text = textAbove(way)
  const isShort = patch !== undefined && patch.length <= LONGEST_PATCH
  return [
    `${title}: ${[...(text === undefined ? [] : [prose(text)]), ...(patch === undefined || isShort ? [] : ['the patch is too long for a comment; the JSON document has it'])].join('; ')}`.trimEnd(),
    ...(entry === undefined ? [] : [fenced('yaml', [entry])]),
    ...(command === undefined || command.length > LONGEST_PATCH ? [] : [fenced('sh', [command])]),
    ...(isShort ? [fenced('diff', patchLines(patch))] : []),
  ]
}

const pendingNamed = ({ address, what }: Pick<ReportedDrift, 'address' | 'what'>): string =>
  whatNamed(address, what)

const restSections = (doc: DriftDocument): Section[] => {
  const known = knownFindings(doc)
  const unverifiable = doc.resources.filter(({ verdict }) => verdict === 'unverifiable')
  const accepted = known.map(({ finding: { name, kind, what = '', fields, says, by }, because }) =>
    [
      code(name),
      ...(what === '' ? [] : [prose(what)]),
      ...fieldArrows(fields, { names: projectNamesIn(doc.about), kind }),
      ...[says, because, by].filter((each) => each !== '').map((each) => prose(each)),
    ].join(' · '),
  )
  return [
    ...(accepted.length === 0 ? [] : [folded(asKnown(accepted.length), [], accepted, asKnown)]),
    ...reasonGroups(pendingTold(doc, { late: false }, pendingNamed)).map(({ addresses, why }) =>
      folded(asPending(addresses.length), [prose(why)], addresses, asPending),
    ),
    ...unverifiableSection(
      unverifiable.map(({ address, evidence, reason }) => ({
        address,
        evidence: { ...evidence, note: reason },
      })),
      projectNamesIn(doc.about),
    ),
  ]
}

const asKnown = (count: number): string => `${number(count)} accepted or known`
const asPending = (count: number): string => `${number(count)} pending`
