import { isDeepStrictEqual } from 'node:util'
import {
  isNews,
  type DriftDocument,
  type ReportedDrift,
  type ReportedUnmanaged,
  isPerhaps,
} from '../document/drift-model.ts'
import type { ReportedDriftedField, ReportedField } from '../document/reported.ts'
import { isWorst, worstFirst } from '../document/worst-first.ts'
import { laidOut, shownGroups, type Count } from './counts.ts'
import { editedWords, movedWords, unsigned } from '../wording/findings.ts'
import { formerlyAccepted, reasonAt } from '../wording/acceptances.ts'
import { joinedWays, undoAll, waysAlike, waysOut } from './drift-ways.ts'
import { below, COLUMN, projectOf, row, addressRows } from './drift-rows.ts'
import { fieldLines, type FieldStyle } from './field-lines.ts'
import { addressBlock, FOLD, fold, moreLikeIt } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { reasonGroups, unverifiableGroups } from '../wording/grouped-addresses.ts'
import { showTime, instantOf } from '../../text/instants.ts'
import {
  BLANK,
  headLines,
  indented,
  line,
  printedLines,
  proseLines,
  span,
  widthOf,
  type Line,
} from '../../text/lines.ts'
import { costOf, titleOf, toSettleFigure } from './head.ts'
import { ignoredLines, warningLines } from './warning-lines.ts'
import { isOfNothing, eventsRead } from '../wording/drift-verdict.ts'
import { pendingIn, pendingTold } from '../wording/pending.ts'
import type { DriftHead, Reports, ReportStyle } from '../document/reports.ts'
import { driftedBy, whoAlike } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'
import { unmanagedLines } from './unmanaged-text.ts'
import { MARKS, proseRoom, roomOf } from '../../text/style.ts'
import { projectsFigure, targetFigure, whereFigures } from './where.ts'
import { ofField } from '../document/field-type.ts'
import { showValue } from '../../text/values.ts'
import { TO_BE_SETTLED } from '../wording/to-settle.ts'
import { acceptedLines } from './accepted-lines.ts'

const FIELD_COLUMN = 55
const NOTHING = 'nothing among the targets'

/** What changed outside, who did it, and the two ways out of each drift. */
export const renderDrift = ({ document: doc, head }: Reports['drift'], style: ReportStyle): string => {
  const { drifted, pending, accepted } = doc.summary
  const isQuiet = drifted + pending + accepted + doc.toBeSettled.length === 0 && doc.exitCode === 0
  const lines = isQuiet ? allQuiet(doc, head, style) : report(doc, head, style)
  return printedLines(lines, style)
}

const headOf = (doc: DriftDocument, head: DriftHead, verdict: readonly Line[] = []): Line[] => {
  const at = instantOf(doc.checkedAt)
  const when = at === undefined ? doc.checkedAt : showTime(at)
  return [
    titleOf('drift'),
    ...verdict,
    ...whereLines(doc),
    ...[...projectsFigure(head.projects, doc.about), ...targetFigure(doc.targeted)].map((figure) =>
      line(figure),
    ),
    line(`checked ${when}`),
    ...eventsRead(doc).map((figure) => line(figure)),
    ...toSettleFigure(doc),
    ...(head.seconds === undefined ? [] : [line(costOf(doc, head.seconds))]),
  ]
}

const whereLines = ({ about }: DriftDocument): Line[] => whereFigures(about).map((figure) => line(figure))

const allQuiet = (doc: DriftDocument, head: DriftHead, style: ReportStyle): Line[] => [
  ...headLines(
    headOf(doc, head, [line(isOfNothing(doc) ? NOTHING : 'no drift'), ...shownGroups([driftCounts(doc)])]),
    roomOf(style),
  ),
  ...unmanagedLines({ about: doc.about, unmanaged: unmanagedIn(doc, isAbove) }, style),
  ...unverifiableGroups(unverifiable(doc), style.names).flatMap(({ told, why }) =>
    addressBlock(MARKS.unverifiable, told, why, style),
  ),
  ...unmanagedLines({ about: doc.about, unmanaged: unmanagedIn(doc, (each) => !isAbove(each)) }, style),
  ...(style.all === true ? inSyncLines(doc, style) : []),
  ...warningLines(doc.warnings, style),
  ...ignoredLines(doc, style),
]

const driftCounts = (doc: DriftDocument): Count[] => {
  const { summary } = doc
  const late = pendingIn(doc, { late: true }).length
  const perhaps = doc.resources.filter(isPerhaps).length
  return [
    { count: summary.drifted - perhaps, label: 'drifted', tone: 'alarm' },
    { count: perhaps, label: 'perhaps drifted', tone: 'alarm' },
    { count: summary.accepted, label: 'accepted' },
    { count: late, label: 'late', tone: 'alarm' },
    { count: summary.pending - late, label: 'pending', tone: 'change' },
    { count: summary.unverifiable, label: 'not verifiable', tone: 'doubt' },
    { count: summary.unmanaged ?? 0, label: 'unmanaged', tone: 'change' },
    { count: summary['in-sync'], label: 'in sync' },
  ]
}

const of = (doc: DriftDocument, verdict: ReportedDrift['verdict']): ReportedDrift[] =>
  doc.resources.filter((resource) => resource.verdict === verdict)

/** The reason of the verdict, if it says more than that no endpoint shows the thing. */
const unverifiable = (doc: DriftDocument) =>
  of(doc, 'unverifiable').map(({ address, reason, evidence }) => ({
    address,
    evidence: { ...evidence, note: reason },
  }))

const isAbove = (each: ReportedUnmanaged): boolean => isNews(each) && isWorst(each)

const unmanagedIn = (
  { unmanaged = [] }: DriftDocument,
  keeps: (each: ReportedUnmanaged) => boolean,
): ReportedUnmanaged[] => unmanaged.filter(keeps)

/** Everything that cannot wait, declared or not, in one order. */
const worstLines = (drifted: readonly ReportedDrift[], doc: DriftDocument, style: ReportStyle): Line[] => {
  const worst = worstFirst([...unmanagedIn(doc, isAbove), ...drifted.filter(isWorst)], (each) => each)
  const runs: (typeof worst)[] = []
  for (const each of worst) {
    const run = runs.at(-1)
    const [before] = run ?? []
    if (run !== undefined && before !== undefined && isDrift(before) === isDrift(each)) run.push(each)
    else runs.push([each])
  }
  return runs.flatMap((run) => [
    ...unmanagedLines({ about: doc.about, unmanaged: run.filter(isUnmanaged) }, style),
    ...driftedLines(run.filter(isDrift), doc, style),
  ])
}

const isDrift = (thing: ReportedDrift | ReportedUnmanaged): thing is ReportedDrift => 'verdict' in thing
const isUnmanaged = (thing: ReportedDrift | ReportedUnmanaged): thing is ReportedUnmanaged => !isDrift(thing)

const report = (doc: DriftDocument, head: DriftHead, style: ReportStyle): Line[] => {
  const drifted = of(doc, 'drifted')
  return [
    ...headLines(headOf(doc, head), roomOf(style)),
    BLANK,
    ...worstLines(drifted, doc, style),
    ...driftedLines(
      drifted.filter((each) => !isWorst(each)),
      doc,
      style,
    ),
    ...acceptedLines(doc, style),
    ...addressRows({ label: TO_BE_SETTLED, tone: 'alarm' }, reasonGroups(doc.toBeSettled), style),
    ...addressRows({ label: 'late', tone: 'alarm' }, reasonGroups(pendingTold(doc, { late: true })), style),
    ...addressRows(
      { label: 'pending', tone: 'change' },
      reasonGroups(pendingTold(doc, { late: false })),
      style,
    ),
    ...addressRows(
      { label: 'not verifiable', tone: 'doubt' },
      unverifiableGroups(unverifiable(doc), style.names),
      style,
    ),
    ...unmanagedLines({ about: doc.about, unmanaged: unmanagedIn(doc, (each) => !isAbove(each)) }, style),
    ...inSyncLines(doc, style),
    BLANK,
    ...likelihoodLines(doc, style),
    ...warningLines(doc.warnings, style),
    ...ignoredLines(doc, style),
    ...(doc.warnings.length === 0 && doc.ignored === undefined ? [] : [BLANK]),
    ...laidOut(
      [driftCounts(doc)],
      [...toSettleFigure(doc), ...(doc.exitCode === 0 ? [] : [line(`exit code ${doc.exitCode}`)])],
      roomOf(style),
    ),
  ]
}

/** The meaning of "likely", if it was used. */
const likelihoodLines = (doc: DriftDocument, style: ReportStyle): Line[] => {
  const meanings = new Set(doc.resources.flatMap(({ likelihood }) => likelihood ?? []))
  const lines = [...meanings].flatMap((each) => indented(2, proseLines(each, proseRoom(style) - 2)))
  return lines.length === 0 ? [] : [...lines, BLANK]
}

const inSyncLines = (doc: DriftDocument, style: ReportStyle): Line[] => {
  const resources = of(doc, 'in-sync')
  if (resources.length === 0) return []
  if (style.all !== true) return [row('in sync', undefined, line(number(resources.length)))]
  return resources.map(({ address }, index) => row(index === 0 ? 'in sync' : '', undefined, line(address)))
}

const driftedLines = (resources: readonly ReportedDrift[], doc: DriftDocument, style: ReportStyle): Line[] =>
  groupBy(resources, ({ kind, fields, reason, edited }) =>
    JSON.stringify([kind, fields.map(unsigned), reason, edited]),
  ).flatMap((group) => {
    const { shown, hidden } = fold(group, style)
    return [
      ...groupBy(shown, (each) => whoAndWays(each, style)).flatMap((alike) =>
        inSlices(alike, FOLD.over).flatMap((slice) => alikeLines(slice, doc, style)),
      ),
      ...(hidden.length === 0 ? [] : below([[span(moreLikeIt(hidden.length), 'dim')]])),
      ...(group.length > FOLD.over ? below(undoAll(group, doc, style)) : []),
    ]
  })

/** Drifts with the same text are by the same actor, and are undone and kept in the same way. */
const whoAndWays = (drift: ReportedDrift, style: ReportStyle): string =>
  JSON.stringify([whoAlike(drift), waysAlike(drift, style)])

const inSlices = <T>(items: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / most) }, (_, index) =>
    items.slice(index * most, (index + 1) * most),
  )

/** A few drifts with the same text: each by name, with who made it, and below them how all are undone or kept. */
const alikeLines = (alike: readonly ReportedDrift[], doc: DriftDocument, style: ReportStyle): Line[] => {
  const [first, ...others] = alike
  if (first === undefined) return []
  if (others.length === 0) return resourceLines(first, doc, style)
  // Said below the last one, it is of all.
  const isOfAll = others.every((each) => isDeepStrictEqual(driftedBy(each), driftedBy(first)))
  return [
    ...alike.flatMap((drift, index) => [
      ...headingLines(drift, style),
      ...(isOfAll && index < others.length ? [] : below(whoLines(drift, style))),
    ]),
    ...below(joinedWays(alike, first, style)),
    ...below(editedWords(first, doc).flatMap((text) => proseLines(text, proseRoom(style) - COLUMN))),
  ]
}

/** Who made it, and when. */
const whoLines = (drift: ReportedDrift, style: ReportStyle): Line[] =>
  driftedBy(drift).flatMap((text) => proseLines(text, roomOf(style) - COLUMN))

const resourceLines = (resource: ReportedDrift, doc: DriftDocument, style: ReportStyle): Line[] => [
  ...headingLines(resource, style),
  ...below(whoLines(resource, style)),
  ...below(waysOut(resource, style)),
  ...below(editedWords(resource, doc).flatMap((text) => proseLines(text, proseRoom(style) - COLUMN))),
]

/** Its name and fields, and what became of them. */
const headingLines = (resource: ReportedDrift, style: ReportStyle): Line[] => {
  const room = proseRoom(style) - COLUMN
  const address = span(resource.address, 'strong')
  const project = projectOf(resource, style)
  const whole = project === undefined ? [address] : [address, span(`  (${project})`)]
  const fits = widthOf(whole) <= roomOf(style) - COLUMN
  const named = fits ? whole : [address]
  const single = singleField(resource, named, roomOf(style))
  const head =
    single === undefined
      ? named
      : [...named, span(' '.repeat(Math.max(2, FIELD_COLUMN - COLUMN - widthOf(named)))), ...single]
  const fields =
    single === undefined ? fieldLines(asChange(resource), { ...narrower(style), folds: true }) : []
  return [
    row(isPerhaps(resource) ? 'perhaps drifted' : 'drifted', 'alarm', head),
    ...below(fits || project === undefined ? [] : [line(`(${project})`)]),
    ...below(resource.what === undefined ? [] : proseLines(resource.what, room)),
    ...indented(COLUMN - FIELD_INDENT, fields),
    ...(resource.fields.length === 0 ? below(proseLines(resource.reason, room)) : []),
    ...below(movedWords(resource).flatMap((text) => proseLines(text, room))),
    ...below(formerlyAccepted(resource, reasonAt).flatMap((text) => proseLines(text, room))),
  ]
}

const FIELD_INDENT = 6
const narrower = (style: ReportStyle): FieldStyle => ({
  ...style,
  width: roomOf(style) - COLUMN + FIELD_INDENT,
})
const asChange = ({ kind, fields, evidence }: ReportedDrift) =>
  ({
    kind,
    action: 'update',
    fields: fields.map((field) => withDeclared(field, kind)),
    evidence,
    after: null,
  }) as const

const withDeclared = ({ declared, ...field }: ReportedDriftedField, kind: string): ReportedField => {
  if (declared === undefined) return field
  const by = `now declared: ${showValue(declared, ofField({ kind }, field.path))}`
  return { ...field, note: field.note === undefined ? by : `${field.note}; ${by}` }
}

/** A single changed field fits beside its address. */
const singleField = ({ kind, fields }: ReportedDrift, named: Line, room: number): Line | undefined => {
  const [field] = fields
  if (fields.length !== 1 || field === undefined) return undefined
  if (field.note !== undefined || field.declared !== undefined) return undefined
  const shown = ofField({ kind }, field.path)
  const text: Line = [
    span(`${field.path} `),
    span(showValue(field.before, shown), 'dim'),
    span(' → ', 'dim'),
    span(showValue(field.after, shown)),
  ]
  const start = Math.max(FIELD_COLUMN, COLUMN + widthOf(named) + 2)
  return start + widthOf(text) <= room ? text : undefined
}
