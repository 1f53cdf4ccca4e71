import type { ReportedToSettle } from '../document/reported.ts'
import { counted } from './sentences.ts'

/** What is said of a request whose outcome is unknown, where a title or a column explains it. */
export const TO_BE_SETTLED = 'to be settled'

/** The same anywhere else. */
export const TO_BE_SETTLED_BY_APPLY = `${TO_BE_SETTLED} by apply`

/** `2 requests to be settled by apply`; nothing if there are none. */
export const requestsToSettle = (toSettle: readonly ReportedToSettle[] = []): string[] =>
  toSettle.length === 0 ? [] : [`${counted(toSettle.length, 'request')} ${TO_BE_SETTLED_BY_APPLY}`]
