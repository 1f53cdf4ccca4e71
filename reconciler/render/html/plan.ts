import { showTime, showInstant } from '../../text/instants.ts'
import { projectNamesIn } from '../document/about.ts'
import { isEmpty, type PlanDocument } from '../document/plan-model.ts'
import { ACTING, isWrite, turnsOff } from '../wording/effects.ts'
import { lackingSentences } from '../document/lacking.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { counted } from '../wording/sentences.ts'
import { groupBy } from '../../text/group-by.ts'
import { number } from '../../text/number.ts'
import { aboutFacts, TARGETS_ALONE, tabTitle } from './about.ts'
import type { Fact } from './details.ts'
import type { Html } from './escape.ts'
import { explainedOf, gateList, needList, strangerList, toSettleList, warningList } from './lists.ts'
import { UNCHANGED, type Mark } from './marks.ts'
import { pageOf, type Count, type Page } from './page.ts'
import { planRows } from './plan-rows.ts'
import { byRank, type Row, type Shown } from './table.ts'
import { scrolling } from './values.ts'

/** The plan as one file for a browser: every change of the document. */
export const renderPlanPage = (
  { document: doc, head }: Reports['plan'],
  { now }: Pick<ReportStyle, 'now'>,
): string => {
  const { about } = doc
  const names = projectNamesIn(about)
  const shown: Shown = { mark: 'Action', before: 'Now', after: 'Planned', options: { names } }
  const said = verdictOf(doc)
  const rows = byRank(planRows(doc.changes, shown))
  const planned = head.asOf === undefined ? showTime(now) : showInstant(head.asOf)
  return pageOf({
    ...said,
    title: tabTitle(said.verdict, about),
    command: head.title,
    lead: leadOf(doc),
    facts: [['Planned', planned], ...aboutFacts(doc), ...savedFacts(doc)],
    counts: countsOf(doc, rows),
    rows,
    shown,
    caption: 'Planned changes',
    empty: isEmpty(doc)
      ? 'Declare something in the manifest, and plan again.'
      : 'Everything is as it is declared.',
    before: cautionsOf(doc, names),
    after: [explainedOf(doc.explained)],
    timeline: [],
  })
}

/** What a reader must know before an apply. */
const cautionsOf = (doc: PlanDocument, names: ReadonlyMap<string, string>): Html[] => [
  warningList([...lackingSentences(doc.lacking), ...doc.warnings]),
  gateList(doc.gates),
  needList(doc.needs),
  toSettleList(doc.toBeSettled),
  strangerList(doc.strangers, names),
]

const savedFacts = ({ saved }: PlanDocument): Fact[] =>
  saved === undefined
    ? []
    : [
        ['Saved as', scrolling(saved.file)],
        ['Its sha256', scrolling(saved.sha256)],
      ]

const verdictOf = (doc: PlanDocument): Pick<Page, 'verdict' | 'symbol' | 'tone'> => {
  const acting = ACTING.reduce((sum, action) => sum + doc.summary[action], 0)
  const { blocked } = doc.summary
  const off = doc.changes.filter((change) => isWrite(change) && turnsOff(change)).length
  const turnedOff = off === 0 ? '' : `, ${number(off)} ${off === 1 ? 'turns' : 'turn'} something off`
  const stuck = blocked === 0 ? '' : `, ${number(blocked)} blocked`
  if (acting > 0)
    return { verdict: `${counted(acting, 'change')} to make${turnedOff}${stuck}`, symbol: '~', tone: 'warn' }
  if (blocked > 0) return { verdict: `${number(blocked)} blocked`, symbol: '!', tone: 'warn' }
  if ((doc.toBeSettled ?? []).length > 0)
    return { verdict: 'Only earlier requests to settle', symbol: '!', tone: 'warn' }
  return isEmpty(doc)
    ? { verdict: 'Nothing declared, nothing recorded', symbol: '∅', tone: 'mute' }
    : { verdict: 'Nothing to do', symbol: '✓', tone: 'good' }
}

const leadOf = ({ changes, summary, targeted }: PlanDocument): string => {
  const writes = changes.reduce((sum, { requests }) => sum + requests.length, 0)
  // A field may be sent before the others, because the answer shows whether they have to change.
  const isLeast = changes.some(
    ({ requests, fields, notes = [] }) => requests.length > 0 && fields.length > 1 && notes.length > 0,
  )
  return [
    ...(writes > 0 ? [`An apply sends ${isLeast ? 'at least ' : ''}${counted(writes, 'write')}.`] : []),
    ...(summary.blocked > 0 ? ['What is blocked has to be done by hand: its row says how.'] : []),
    ...(targeted === undefined ? [] : [TARGETS_ALONE]),
  ].join(' ')
}

/**
 * By mark, because an adoption that changes something differs from one that does not; changes that are not listed
 * are counted.
 */
const countsOf = ({ summary }: PlanDocument, rows: readonly Row[]): Count[] => {
  const listed = groupBy(rows, ({ mark }) => mark.key).flatMap((those): Count[] => {
    const [first] = those
    return first === undefined
      ? []
      : [{ mark: first.mark, count: those.reduce((sum, { count = 1 }) => sum + count, 0) }]
  })
  const inSync = withCount(UNCHANGED, summary.unchanged)
  return [...listed.filter(({ mark }) => mark.key !== UNCHANGED.key), ...inSync]
}
const withCount = (mark: Mark, count: number): Count[] => (count > 0 ? [{ mark, count }] : [])
