import { asSentence, kindWords } from '@deploymgmt/provider/core'
import { besideDrift } from '../wording/beside-address.ts'
import { projectNamesIn } from '../document/about.ts'
import {
  isNews,
  type Acceptance,
  type DriftDocument,
  type ReportedDrift,
  type ReportedEdit,
  isPerhaps,
} from '../document/drift-model.ts'
import type { FieldOptions } from '../document/field-type.ts'
import { editedBesides } from '../wording/findings.ts'
import { partWas } from '../wording/acceptances.ts'
import { eventsRead } from '../wording/drift-verdict.ts'
import type { Reports } from '../document/reports.ts'
import { counted, nobodySentence, ownActors, unverifiableSentence } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'
import { worstFirst } from '../document/worst-first.ts'
import { aboutFacts, TARGETS_ALONE, tabTitle } from './about.ts'
import {
  addressFact,
  asSaid,
  factList,
  fieldsSection,
  paragraph,
  placeFact,
  textFact,
  titled,
  wayOut,
} from './details.ts'
import { html, NOTHING, type Html } from './escape.ts'
import {
  identityOf,
  timelineRowsOfUnmanaged,
  toSettleList,
  unmanagedList,
  until,
  warningList,
} from './lists.ts'
import { DRIFT_MARKS, driftMark, type Mark, type Tone } from './marks.ts'
import { pageOf, type Count, type Page } from './page.ts'
import { byRank, tableOf, commonOf, type Row, type Shown, type SideTitles } from './table.ts'
import { timelineRowsOf } from './timeline.ts'
import { pendingSteps } from '../wording/way-lines.ts'
import { scrolling, timeOf } from './values.ts'
import { whoSection } from './who.ts'
import { requestsToSettle } from '../wording/to-settle.ts'

/** The drift report as one file for a browser: the whole document, the worst first. */
export const renderDriftPage = ({ document: doc }: Reports['drift']): string => {
  const names = projectNamesIn(doc.about)
  const shown: Shown = { mark: 'Verdict', before: 'Recorded', after: 'Live', options: { names } }
  const said = verdictOf(doc)
  const unmanaged = worstFirst(doc.unmanaged ?? [], (each) => each)
  const strange = unmanagedList({ unmanaged, about: doc.about }, names)
  const accepted = (doc.accepted ?? []).map((drift) => ({
    ...rowOf(drift, shown),
    mark: DRIFT_MARKS.accepted,
  }))
  return pageOf({
    ...said,
    title: tabTitle(said.verdict, doc.about),
    command: 'drift',
    lead: leadOf(doc),
    facts: [
      ['Checked', timeOf(doc.checkedAt)],
      ...(doc.eventsSince === undefined
        ? eventsRead(doc).map((read) => ['Events', read] as const)
        : [['Events since', timeOf(doc.eventsSince)] as const]),
      ...aboutFacts(doc),
      ['Exit code', exitCode(doc)],
    ],
    counts: countsOf(doc),
    rows: byRank(worstFirst(doc.resources, (each) => each).map((drift) => rowOf(drift, shown))),
    shown,
    caption: 'Recorded and live',
    empty:
      accepted.length > 0
        ? 'Everything that is recorded is accepted and listed below.'
        : 'Nothing is recorded yet, so nothing can have drifted.',
    before: [warningList(doc.warnings), toSettleList(doc.toBeSettled), strange.first],
    after: [acceptedOf(accepted, shown), strange.others],
    timeline: [...timelineRowsOf(accepted, ACCEPTED), ...timelineRowsOfUnmanaged(unmanaged)],
  })
}

const EXIT: Readonly<Record<number, string>> = {
  0: 'no known drift',
  2: 'needs attention',
  3: 'the outcome of a request is unknown',
}
const exitCode = ({ exitCode: code }: DriftDocument): Html => {
  const meaning = EXIT[code]
  return html`${code}${meaning === undefined ? NOTHING : html` <small>${meaning}</small>`}`
}

const lateIn = (resources: DriftDocument['resources']): number =>
  resources.filter(({ isLate }) => isLate === true).length

const countsOf = ({ resources, summary }: DriftDocument): Count[] => {
  const late = lateIn(resources)
  const marked = (mark: Mark): number => resources.filter((each) => driftMark(each) === mark).length
  const gone = marked(DRIFT_MARKS.gone)
  const perhaps = marked(DRIFT_MARKS.perhaps)
  return [
    { mark: DRIFT_MARKS.gone, count: gone },
    { mark: DRIFT_MARKS.drifted, count: summary.drifted - gone - perhaps },
    { mark: DRIFT_MARKS.perhaps, count: perhaps },
    { mark: DRIFT_MARKS.late, count: late },
    { mark: DRIFT_MARKS.pending, count: summary.pending - late },
    { mark: DRIFT_MARKS.unverifiable, count: summary.unverifiable },
    { mark: DRIFT_MARKS['in-sync'], count: summary['in-sync'] },
  ].filter(({ count }) => count > 0)
}

type Said = Pick<Page, 'verdict' | 'symbol'> & { readonly tone: Tone }

const verdictOf = (doc: DriftDocument): Said => {
  const { drifted, pending, unverifiable } = doc.summary
  const late = lateIn(doc.resources)
  const unmanaged = (doc.unmanaged ?? []).filter(isNews).length
  if (drifted > 0) return { verdict: saidDrifted(doc), symbol: '≠', tone: 'bad' }
  if (late > 0)
    return { verdict: `${counted(late, 'thing')} late`, symbol: DRIFT_MARKS.late.symbol, tone: 'bad' }
  if (doc.toBeSettled.length > 0)
    return {
      verdict: requestsToSettle(doc.toBeSettled).join(''),
      symbol: '!',
      tone: 'warn',
    }
  if (unmanaged > 0 && doc.unmanagedCounts === true)
    return { verdict: `${counted(unmanaged, 'thing')} unmanaged`, symbol: '+', tone: 'bad' }
  const waiting = pending > 0 ? `, ${number(pending)} pending` : ''
  if (unmanaged > 0)
    return {
      verdict: `No drift${waiting}, ${counted(unmanaged, 'thing')} unmanaged`,
      symbol: '+',
      tone: 'info',
    }
  if (pending > 0) return { verdict: `No drift${waiting}`, symbol: '…', tone: 'warn' }
  if (doc.resources.length + (doc.accepted ?? []).length === 0)
    return { verdict: 'Nothing recorded', symbol: '∅', tone: 'mute' }
  if (doc.exitCode !== 0)
    return { verdict: 'No drift, but not everything can be verified', symbol: '?', tone: 'warn' }
  return unverifiable > 0 && unverifiable === doc.resources.length
    ? { verdict: 'Nothing can be verified', symbol: '?', tone: 'doubt' }
    : { verdict: 'No drift', symbol: '✓', tone: 'good' }
}

const saidDrifted = ({ resources, summary: { drifted } }: DriftDocument): string => {
  const perhaps = resources.filter(isPerhaps).length
  const sure = drifted - perhaps
  if (sure === 0) return `${counted(perhaps, 'thing')} may have been changed`
  return `${counted(sure, 'thing')} drifted${perhaps === 0 ? '' : `, ${number(perhaps)} may have been changed`}`
}

/** What the verdict leaves out and a reader must know. */
const leadOf = ({ resources, summary, accepted = [], unmanaged = [], targeted }: DriftDocument): string => {
  const strange = unmanaged.filter(isNews).length
  return [
    ...(summary.unverifiable > 0
      ? [
          `${number(summary.unverifiable)} of ${number(resources.length)} cannot be verified: no endpoint shows them.`,
        ]
      : []),
    ...(accepted.length > 0 ? [`${number(accepted.length)} accepted, and listed separately.`] : []),
    ...(strange > 0 && summary.drifted > 0 ? [`${counted(strange, 'thing')} unmanaged.`] : []),
    ...(targeted === undefined ? [] : [TARGETS_ALONE]),
  ].join(' ')
}

const rowOf = (drift: ReportedDrift, shown: Shown): Row => {
  const { acceptanceEnded, acceptanceChanged } = drift
  const wasAccepted = acceptanceEnded !== undefined || acceptanceChanged !== undefined
  return {
    ...commonOf(drift),
    ...besideDrift(drift, shown.options.names),
    mark: driftMark(drift),
    ...(wasAccepted ? { aside: 'no longer accepted' } : {}),
    fields: drift.fields,
    ...(drift.verdict === 'pending' ? { after: PENDING.after } : {}),
    details: detailsOf(drift, shown),
  }
}

/** A pending thing has no live values of its own. */
const PENDING: SideTitles = { before: 'Recorded', after: 'Declared' }

const detailsOf = (drift: ReportedDrift, shown: Shown): Html => {
  const { options } = shown
  const { address, kind, verdict, identity, declaredAt, fields, reason, evidence } = drift
  const why =
    verdict === 'unverifiable'
      ? asSentence(unverifiableSentence({ ...evidence, note: reason }))
      : asSaid(reason, kind)
  return html`${[
    paragraph(why),
    drift.acceptance === undefined ? NOTHING : acceptanceOf(drift.acceptance, 'Accepted'),
    ...(drift.acceptanceEnded ?? []).map((each) =>
      acceptanceOf(each, 'No longer accepted: its time is over', partWas(drift, each)),
    ),
    ...(drift.acceptanceChanged ?? []).map((each) =>
      acceptanceOf(each, 'No longer accepted: it has changed again', partWas(drift, each)),
    ),
    fieldsSection(fields, verdict === 'pending' ? PENDING : shown, { ...options, kind }),
    whoOf(drift),
    titled('To do', pendingSteps(drift)),
    wayOut('Undo it', drift.undo),
    wayOut('Keep it', drift.keep),
    editedSection(editedBesides(drift), { ...options, kind }),
    factList([
      ['Address', addressFact(address)],
      ['What', textFact(drift.what)],
      ['Kind', kindWords(kind)],
      ['Declared as', drift.movedTo],
      ['Declared at', placeFact(declaredAt)],
      ['Identity', identity === undefined ? undefined : identityOf(identity, options.names ?? new Map())],
    ]),
  ]}`
}

const editedSection = (edited: ReportedEdit | undefined, options: FieldOptions): Html =>
  edited === undefined
    ? NOTHING
    : html`${titled(edited.isLate === true ? 'Also late' : 'Also pending', [asSaid(edited.reason, options.kind ?? '')])}${fieldsSection(edited.fields, PENDING, options)}`

const whoOf = (drift: ReportedDrift): Html => {
  const { actor, evidence, verdict } = drift
  if (actor !== undefined || ownActors(drift.fields).length > 0 || evidence.events !== undefined)
    return whoSection(drift)
  return verdict === 'drifted' ? titled('Who', nobodySentence(evidence, drift)) : NOTHING
}

const acceptanceOf = ({ reason, until: last, at }: Acceptance, title: string, was?: string): Html =>
  html`<section>
    <h3>${title}</h3>
    <p>
      ${was === undefined ? NOTHING : html`${scrolling(`${was} accepted`)}: `}${scrolling(reason)}${until(
        last,
      )}
      ${placeFact(at)}
    </p>
  </section>`

const ACCEPTED = 'accepted-'

const acceptedOf = (rows: readonly Row[], shown: Shown): Html =>
  rows.length === 0
    ? NOTHING
    : html`<section id="accepted">
        <h2>Accepted</h2>
        <p class="lead">Drift that somebody has accepted with a reason. It does not count.</p>
        ${tableOf(rows, shown, { id: 'accepted-rows', caption: 'Accepted drift', prefix: ACCEPTED })}
      </section>`
