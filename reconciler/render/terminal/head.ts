import type { PlanDocument } from '../document/plan-model.ts'
import { took } from '../../text/instants.ts'
import { line, span, type Line } from '../../text/lines.ts'
import { counted } from '../wording/sentences.ts'
import { requestsToSettle } from '../wording/to-settle.ts'

/** The name of a report, with which its first line starts. */
export const titleOf = (title: string): Line => [span(`deploymgmt ${title}`, 'strong')]

export const costOf = ({ requestsSent }: Pick<PlanDocument, 'requestsSent'>, seconds: number): string =>
  seconds > 0 ? `${counted(requestsSent, 'request')} · ${took(seconds)}` : counted(requestsSent, 'request')

/** The number of requests of earlier applies that are unknown until an apply has settled them. */
export const toSettleFigure = ({ toBeSettled }: Pick<PlanDocument, 'toBeSettled'>): Line[] =>
  requestsToSettle(toBeSettled).map((text) => line(span(text, 'alarm')))
