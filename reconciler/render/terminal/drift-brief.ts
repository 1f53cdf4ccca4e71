import { whoIs } from '@deploymgmt/provider/words'
import { visible } from '../../text/display.ts'
import { showInstant, sayMoment } from '../../text/instants.ts'
import { cut, cutProse, line, printedLines } from '../../text/lines.ts'
import type { About } from '../document/about.ts'
import type { DriftDocument } from '../document/drift-model.ts'
import { driftVerdict } from '../wording/drift-verdict.ts'
import { errorLines } from '../document/failure.ts'
import { groupedAlike, fieldWords, findingsOf, type Finding, type Rule } from '../wording/findings.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { likelyBy, counted, ownActors, strangersBy, strangeThing } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'
import { installationOf } from './where.ts'

/** The size of a message to the person on call. */
const LINES = { findings: 2, columns: 280 }

/** At most four lines: what is wrong and where, the worst finding with who and when, and what to run. */
export const renderDriftBrief = (
  { document: doc }: Pick<Reports['drift'], 'document'>,
  { color, sameFlags = '' }: ReportStyle,
): string => {
  const groups = groupedAlike(findingsOf(doc))
  const more = groups.slice(LINES.findings).flat()
  const rest = more.length === 0 ? '' : `${[`${number(more.length)} more`, ...graveAmong(more)].join(', ')}. `
  const next = `${rest}${promiseOf(groups.flat())}: deploymgmt drift${sameFlags}`
  const told = [
    `${driftVerdict(doc)} · ${whereOf(doc.about)} · ${showInstant(doc.checkedAt)}`,
    ...groups.slice(0, LINES.findings).map((group) => groupLine(group, doc)),
    ...(groups.length === 0 ? warningLine(doc.warnings) : []),
  ].map((each) => cutProse(visible(each), LINES.columns))
  return printedLines(
    [...told, ...(groups.length === 0 ? [] : [next])].map((each) => line(each)),
    { color },
  )
}

/** Finding nothing means less if not everything could be read. */
const warningLine = ([first, ...others]: readonly string[]): string[] => {
  if (first === undefined) return []
  return [`${counted(others.length + 1, 'warning')}${others.length === 0 ? '' : ', the first'}: ${first}`]
}

/** The number of grave findings among those without room, each counted once. */
const graveAmong = (findings: readonly Finding[]): string[] => {
  const counts = { owners: 0, off: 0, silences: 0 }
  for (const { drift, unmanaged } of findings) {
    const thing = drift ?? unmanaged
    if (thing?.owns === true) counts.owners += 1
    else if (drift?.turnsOff === true) counts.off += 1
    else if (thing?.silences === true) counts.silences += 1
  }
  const { owners, off, silences } = counts
  return [
    ...(owners === 0 ? [] : [{ count: owners, says: owners === 1 ? 'about an owner' : 'about owners' }]),
    ...(off === 0 ? [] : [{ count: off, says: 'turned off' }]),
    ...(silences === 0 ? [] : [{ count: silences, says: 'about silences' }]),
  ].map(({ count, says }, index) => `${number(count)} ${index === 0 ? 'of them ' : ''}${says}`)
}

/** Only drift is undone or kept. */
const promiseOf = (findings: readonly Finding[]): string =>
  findings.some(({ drift }) => drift !== undefined)
    ? 'Who, when, and how to undo or keep each drift'
    : 'Who, when, and what can be done'

/** `acme-production at opsmgr.example.com`. */
const whereOf = (about: About): string => `${cut(about.manifest, 80)} at ${cut(installationOf(about), 80)}`

/** What a name alone does not say: nobody has changed what is only late. */
const AHEAD: Readonly<Partial<Record<Rule, string>>> = { 'pending-late': 'late ', unmanaged: 'unmanaged ' }

const groupLine = (group: readonly Finding[], doc: DriftDocument): string => {
  const [first] = group
  if (first === undefined) return ''
  const others = group.length - 1
  const aside = first.what === undefined ? '' : ` (${cut(first.what, 120)})`
  const named = `${AHEAD[first.rule] ?? ''}${cut(first.name, 140)}${aside}${others === 0 ? '' : ` and ${number(others)} more like it`}`
  return `${named}: ${[...whatOf(first, doc), ...whoOf(first)].join(', ')}`
}

const whatOf = ({ kind, fields, says, unmanaged }: Finding, doc: DriftDocument): string[] => {
  const [field, ...others] = fields
  if (unmanaged !== undefined) return [cutProse(strangeThing(unmanaged), 120)]
  if (field === undefined) return [cutProse(says, 120)]
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return [`${cutProse(fieldWords(field, kind, doc), 120)}${more}`]
}

const whoOf = ({ actor, fields, unmanaged }: Finding): string[] => {
  if (actor === undefined) {
    const own = ownActors(fields).map(([, each]) => whoIs(each))
    return own.length === 0 ? [] : [cut(`by ${[...new Set(own)].join(' and ')}`, 100)]
  }
  const at = cut(sayMoment(actor.at), 40)
  if (unmanaged === undefined) return [cut(likelyBy(actor), 80), at]
  const [first = '', ...others] = strangersBy(unmanaged, { from: false })
  return [cut(first, 60), at, ...others.map((each) => cut(each, 60))]
}

/** Says that there is no report, and why. */
export const renderFailureBrief = (
  { document: { error } }: Pick<Reports['failure'], 'document'>,
  { color }: ReportStyle,
): string => {
  const [what = '', ...more] = errorLines(error)
  const told = [`Failed: ${what}`, ...more].map((each) => line(cutProse(visible(each), LINES.columns)))
  return printedLines(told, { color })
}
