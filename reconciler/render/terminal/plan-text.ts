import { ended } from '@deploymgmt/provider/core'
import { isDifference, isUnverifiable } from '@deploymgmt/provider/engine'
import { changeLines } from './change-lines.ts'
import { isEmpty, type PlanDocument } from '../document/plan-model.ts'
import { explainedLines } from './explained-lines.ts'
import { gateLines } from './gate-lines.ts'
import { isTold } from '../document/lacking.ts'
import { lackingLines } from './lacking-lines.ts'
import { planCounts, restingCounts } from './counts.ts'
import { addressBlock, addressesWithWhy } from './folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { withProject } from '../wording/beside-address.ts'
import { reasonGroups, unverifiableGroups } from '../wording/grouped-addresses.ts'
import { BLANK, hanging, headLines, line, printedLines, type Line } from '../../text/lines.ts'
import { showInstant } from '../../text/instants.ts'
import type { PlanHead, Reports, ReportStyle } from '../document/reports.ts'
import { sayNeed } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'
import { MARKS, proseRoom, roomOf } from '../../text/style.ts'
import { costOf, titleOf, toSettleFigure } from './head.ts'
import { ignoredLines, warningLines } from './warning-lines.ts'
import { projectsFigure, targetFigure, whereFigures } from './where.ts'
import { TO_BE_SETTLED_BY_APPLY } from '../wording/to-settle.ts'

/**
 * A plan for a person. If nothing is to be done, it is one line, which names unverifiable things. Who asks where the
 * values of an entry come from gets that alone, unless the plan is kept or fails.
 */
export const renderPlan = ({ document: doc, head }: Reports['plan'], style: ReportStyle): string => {
  const { saved, strangers, explained } = doc
  const answer = explained === undefined ? [] : explainedLines(explained)
  if (answer.length > 0 && saved === undefined && strangers === undefined) return printedLines(answer, style)
  const isNothing = doc.changes.every((change) => !isDifference(change))
  const plan = isNothing && style.all !== true ? nothingToDo(doc, head, style) : fullPlan(doc, head, style)
  const lines = answer.length === 0 ? plan : [...plan, BLANK, ...answer]
  return printedLines(
    saved === undefined ? lines : [...lines, BLANK, line(`sha256 of ${saved.file}: ${saved.sha256}`)],
    style,
  )
}

const fullPlan = (doc: PlanDocument, head: PlanHead, style: ReportStyle): Line[] => {
  const { lacking = [] } = doc
  const told = isTold(style.all === true ? [] : lacking)
  const changes = changeLines(
    doc.changes.filter((change) => !told(change)),
    style,
  )
  return [
    ...headLines(figures(doc, head), roomOf(style)),
    BLANK,
    ...(changes.length === 0 ? [] : [...changes, BLANK]),
    ...lacking.flatMap((each) => [...lackingLines(each, style), BLANK]),
    ...after(doc, style),
    ...(isEmpty(doc) ? [line('Nothing is declared, and nothing is recorded.')] : planCounts(doc, style)),
  ]
}

/** A saved plan contains neither the number of declared entries nor its duration. */
const figures = (doc: PlanDocument, { title, asOf, projects, declared, seconds }: PlanHead): Line[] => [
  titleOf(title),
  ...[
    ...asOfFigure(asOf),
    ...whereFigures(doc.about),
    ...projectsFigure(projects, doc.about),
    ...targetFigure(doc.targeted),
    ...(declared > 0 ? [`${number(declared)} declared`] : []),
    costOf(doc, seconds),
  ].map((figure) => line(figure)),
]

const asOfFigure = (asOf: string | undefined): string[] =>
  asOf === undefined ? [] : [`as of ${showInstant(asOf)}`]

/** What the plan as a whole needs, and the warnings of the run. */
const after = (doc: PlanDocument, style: ReportStyle): Line[] => {
  const { needs = [], toBeSettled, warnings, gates } = doc
  const lines = [
    ...gateLines(gates, style),
    ...needs.flatMap((need) => hanging(sayNeed(need, style), proseRoom(style), 'warn')),
    ...warningLines([...toSettleWarnings(toBeSettled, style), ...warnings], style),
    ...ignoredLines(doc, style),
  ]
  return lines.length === 0 ? [] : [...lines, BLANK]
}

const toSettleWarnings = (toSettle: PlanDocument['toBeSettled'] = [], style: ReportStyle): string[] =>
  reasonGroups(toSettle).map(
    ({ addresses, why }) =>
      `${TO_BE_SETTLED_BY_APPLY}: ${addressesWithWhy(addresses, why, style).map(ended).join(' ')}`,
  )

const nothingToDo = (doc: PlanDocument, head: PlanHead, style: ReportStyle): Line[] => {
  const counts = restingCounts(doc.summary)
  const toSettle = toSettleFigure(doc)
  const nothing = toSettle.length > 0 ? 'nothing else to do' : 'nothing to do'
  const said = isEmpty(doc) ? 'nothing declared, nothing recorded' : nothing
  const told = [
    titleOf(head.title),
    ...asOfFigure(head.asOf).map((figure) => line(figure)),
    ...toSettle,
    line(doc.targeted === undefined ? said : `${said} among the targets`),
    ...(counts.length === 0 ? [] : [counts]),
    ...[...whereFigures(doc.about), ...targetFigure(doc.targeted)].map((figure) => line(figure)),
    line(costOf(doc, head.seconds)),
  ]
  return [
    ...headLines(told, roomOf(style)),
    ...restingLines(doc, style),
    ...warningLines([...toSettleWarnings(doc.toBeSettled, style), ...doc.warnings], style),
    ...ignoredLines(doc, style),
  ]
}

/** Things that need nothing and are not known to be in sync, compactly. */
const restingLines = (doc: PlanDocument, style: ReportStyle): Line[] => {
  const expired = doc.changes.filter(({ action }) => action === 'expired')
  return [
    ...unverifiableGroups(doc.changes.filter(isUnverifiable), style.names).flatMap(({ told, why }) =>
      addressBlock(MARKS.unverifiable, told, why, style),
    ),
    ...groupBy(expired, ({ reason }) => reason).flatMap((group) =>
      addressBlock(
        MARKS.expired,
        group.map(({ address }) => withProject(address, style.names)),
        group[0]?.reason ?? '',
        style,
      ),
    ),
  ]
}
