import { formatInstant, parseInstant } from './compare.ts'
import type { WriteSpan } from './model.ts'

/** `Date` headers are whole seconds, and the two ends of a request are not the moment of its commit. */
export const SPAN_MARGIN_MS = 2_000
/** Within this time a request has had its effect, or was given up by the client: its deadline and its waits. */
const GIVEN_UP_MS = 120_000

/**
 * The span of a request that follows another one. Events have whole seconds: where the two lie too close to be
 * told apart, they share a span, so that the events of both are known as our own.
 */
export const spanAfter = (earlier: WriteSpan | null, span: WriteSpan): WriteSpan =>
  earlier === null || parseInstant(earlier.to) + SPAN_MARGIN_MS < parseInstant(span.from)
    ? span
    : { from: earlier.from, to: span.to, sent: [...earlier.sent, ...span.sent] }

/** When a request whose answer is lost can have had its effect. */
export const spanOfUnknown = (sentAt: string, fields: readonly string[], now: number): WriteSpan => ({
  from: sentAt,
  to: formatInstant(Math.max(parseInstant(sentAt), Math.min(parseInstant(sentAt) + GIVEN_UP_MS, now))),
  sent: [fields],
})
