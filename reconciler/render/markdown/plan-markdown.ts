import { toldFields } from '../wording/value-pairs.ts'
import { isUnverifiable } from '@deploymgmt/provider/engine'
import { few } from '../../text/few.ts'
import { instantOf, showInstant } from '../../text/instants.ts'
import { projectNamesIn } from '../document/about.ts'
import { actorSection } from './actors.ts'
import { wholeSection, type Section } from './comment.ts'
import type { PlanDocument, ReportedChange } from '../document/plan-model.ts'
import type { ReportedField } from '../document/reported.ts'
import { alikeChanges, asOne, sharedReason } from '../wording/alike-changes.ts'
import { originSteps, rankSentences } from '../wording/explained.ts'
import { isActing, isQuiet, plannedCounts, toDo } from '../wording/effects.ts'
import { acceptedSentences } from '../wording/acceptances.ts'
import { besideChange } from '../wording/beside-address.ts'
import { occurrenceOf, timesWords, withoutTimes } from '../wording/occurrences.ts'
import { localTime } from '../wording/local-time.ts'
import { belowGate, sayGate } from '../wording/gates.ts'
import { groupBy } from '../../text/group-by.ts'
import { reasonGroups } from '../wording/grouped-addresses.ts'
import {
  aboutLine,
  bullets,
  fieldTable,
  folded,
  report,
  summaryName,
  tableSection,
  unverifiableSection,
} from './markdown-parts.ts'
import { lackingSentences } from '../document/lacking.ts'
import { code, markerOf, prose, tableRow } from './markdown.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'
import { changedOutside, counted, nobodySentence } from '../wording/sentences.ts'
import { fileAndLine } from '../document/places.ts'
import { number } from '../../text/number.ts'
import { requestsToSettle, TO_BE_SETTLED_BY_APPLY } from '../wording/to-settle.ts'
import { effectSection, nounOf, effectTitle } from './plan-effects.ts'

/** A plan for a comment on a merge request. */
export const renderPlanMarkdown = (
  { document: doc, head }: Reports['plan'],
  { sameFlags = '' }: ReportStyle,
): string => {
  const { about, saved, needs = [], warnings, toBeSettled = [], gates = [] } = doc
  const file =
    saved === undefined ? [] : [wholeSection(`sha256 of ${code(saved.file)}: ${code(saved.sha256)}`)]
  const asOf = head.asOf === undefined ? '' : `as of ${prose(showInstant(head.asOf))}`
  const acting = doc.changes.filter((change) => isActing(change.action) && !isQuiet(change))
  const cautions = [
    ...gates.map((gate) => [sayGate(gate), ...belowGate(gate)].map(prose).join('; ')),
    ...needs.map(({ flag, because }) => `needs ${code(flag)}: ${prose(because)}`),
    ...lackingSentences(doc.lacking).map(prose),
    ...reasonGroups(toBeSettled).map(
      ({ addresses, why }) => `${TO_BE_SETTLED_BY_APPLY}: ${few(addresses.map(code))}: ${prose(why)}`,
    ),
    ...warnings.map((warning) => `warning: ${prose(warning)}`),
  ]
  return report(
    planVerdict(doc),
    markerOf('plan', about.manifest),
    [
      wholeSection(aboutLine(doc, asOf)),
      ...file,
      ...actorSection(
        doc.changes.map((change) => ({
          ...besideChange(change, projectNamesIn(doc.about)),
          name: change.address,
          actor: change.actor,
        })),
      ),
      ...bullets('Before an apply', cautions, 'warning'),
      ...effectSection(doc),
      ...alikeChanges(acting).map((group) => groupSection(group, doc)),
      ...alikeChanges(doc.changes.filter(({ action }) => action === 'blocked')).map((group) =>
        groupSection(group, doc),
      ),
      ...quietSections(doc),
      ...explainedSection(doc.explained),
    ],
    `\`deploymgmt plan${sameFlags} --all\`, or the same with \`--format json\`.`,
  )
}

const planVerdict = (doc: PlanDocument): string => {
  const { summary, toBeSettled } = doc
  const counts = [...plannedCounts(doc), { count: summary.blocked, label: 'blocked' }].flatMap(
    ({ count, label }) => (count === 0 ? [] : [`${number(count)} ${label}`]),
  )
  const does = [...counts, ...requestsToSettle(toBeSettled)]
  if (does.length > 0) return `Plan: ${does.join(', ')}`
  return doc.targeted === undefined ? 'Plan: nothing to do' : 'Plan: nothing to do among the targets'
}

const groupSection = (group: readonly ReportedChange[], doc: PlanDocument): Section => {
  const { about } = doc
  const first = asOne(group)
  if (first === undefined) return wholeSection('')
  const body = [
    ...fieldTable(
      toldFields(group.length > 1 ? withoutTimes(first) : first),
      ['Now', 'Then'],
      { names: projectNamesIn(about), kind: first.kind },
      besideIn(first),
    ),
    ...remarks(first, group),
  ]
  const countedAs = (count: number): string => effectTitle(count, first)
  if (group.length > 1)
    return folded(
      `<b>${prose(countedAs(group.length))}</b>`,
      body,
      group.map((each) => nameLine(each, doc, { isOfMany: true })),
      countedAs,
    )
  const { what } = besideChange(first, projectNamesIn(about))
  const summary = `${summaryName(first.address, fileAndLine(first.declaredAt))} · <b>${prose(toDo(first))}</b>`
  return folded(
    summary,
    [...(hasMoreName(first) ? [nameLine(first, doc)] : what === undefined ? [] : [prose(what)]), ...body],
    [],
    countedAs,
  )
}

/** The note of a field, and its instant in the time zone in which it is declared. */
const besideIn =
  ({ zones = {} }: ReportedChange) =>
  ({ path, note, after }: ReportedField): string => {
    const [at, zone] = [instantOf(after), zones[path]]
    return [
      ...(note === undefined ? [] : [note]),
      ...(at === undefined || zone === undefined ? [] : [localTime(at, zone)]),
    ].join('; ')
  }

/** The target of a removal, if the address does not contain it; and the former address. */
const hasMoreName = ({ from, action, requests }: ReportedChange): boolean =>
  from !== undefined || ((action === 'delete' || action === 'release') && requests.length > 0)

/** @param isOfMany whether what is said of all leaves out its time */
const nameLine = (change: ReportedChange, doc: PlanDocument, { isOfMany = false } = {}): string => {
  const { address, from, requests } = change
  const { what } = besideChange(change, projectNamesIn(doc.about))
  const [request] = requests
  const place = fileAndLine(change.declaredAt)
  const occurrence = isOfMany ? occurrenceOf(change) : undefined
  return [
    code(address),
    ...(occurrence === undefined ? [] : [prose(timesWords(occurrence))]),
    ...(what === undefined ? [] : [prose(what)]),
    ...(from === undefined ? [] : [`was ${code(from)}`]),
    ...(hasMoreName(change) && request !== undefined ? [code(`${request.method} ${request.path}`)] : []),
    ...(place === undefined ? [] : [code(place)]),
  ].join(' · ')
}

const remarks = (change: ReportedChange, alike: readonly ReportedChange[]): string[] => {
  const { reason, byHand, actor, evidence, notes = [], needs = [] } = change
  const who = actor === undefined ? nobodySentence(evidence) : changedOutside(alike)
  return [
    prose(reason),
    ...(byHand === undefined ? [] : [prose(byHand)]),
    ...who.map(prose),
    ...(evidence.note === undefined ? [] : [prose(evidence.note)]),
    ...acceptedSentences(change).map(prose),
    ...notes.map(prose),
    ...needs.map(({ flag, because }) => `needs ${code(flag)}: ${prose(because)}`),
  ].filter((each) => each !== '')
}

/** Changes that send nothing and change no field: in few lines, each by name. */
const quietSections = (doc: PlanDocument): Section[] => {
  const { changes, about } = doc
  const quiet = changes.filter(
    (change) => isQuiet(change) && change.action !== 'blocked' && !isUnverifiable(change),
  )
  const groups = groupBy(quiet, (change) =>
    JSON.stringify([change.action, change.kind, sharedReason(change), toKnow(change)]),
  )
  const unverifiable = changes.filter(isUnverifiable)
  return [
    ...groups.flatMap((group) => {
      const first = asOne(group)
      if (first === undefined) return []
      const isRest = first.action === 'unchanged'
      const countedAs = (count: number): string =>
        isRest ? `${nounOf(count, first)} in sync` : `${effectTitle(count, first)}, nothing is sent`
      return [
        folded(
          prose(countedAs(group.length)),
          [first.reason, ...toKnow(first)].filter((each) => each !== '').map(prose),
          group.map((each) => nameLine(each, doc)),
          countedAs,
        ),
      ]
    }),
    ...unverifiableSection(unverifiable, projectNamesIn(about)),
  ]
}

/** Things in sync are only counted. */
const toKnow = (change: ReportedChange): readonly string[] =>
  change.action === 'unchanged' ? [] : [...acceptedSentences(change), ...(change.notes ?? [])]

/** The origins of the requested entry's values. */
const explainedSection = (explained: PlanDocument['explained']): Section[] => {
  if (explained === undefined) return []
  const rows = explained.values.map(({ field, from }) =>
    tableRow([
      code(field),
      originSteps(from)
        .map(({ joint, text }) => joint + code(text))
        .join(''),
    ]),
  )
  return [
    wholeSection(`Where the values of ${code(explained.address)} come from:`),
    ...(rows.length === 0
      ? []
      : [tableSection(['Field', 'Comes from'], rows, (count) => `${counted(count, 'value')} explained`)]),
    ...rankSentences(explained).map((text) => wholeSection(prose(text))),
  ]
}
