import { formatInstant, parseInstant, wholeSecond } from '../../core/instant.ts'
import type { Intent } from './ledger.ts'
import type { WriteSpan } from './model.ts'

/** `Date` headers have whole seconds, and neither end of a request is the moment of its commit. */
export const SPAN_MARGIN_MS = 2_000
/**
 * The client gives a request up within this time after it was written down. It leaves within `LEFT_MS`, or not at
 * all, and its answer is awaited for half a minute.
 */
export const GIVEN_UP_MS = 120_000
/** Within this time after it was written down, a request leaves for the last time. */
export const LEFT_MS = GIVEN_UP_MS - 30_000
/** An intent that took longer to be written down is not acted upon: too little is left of that time. */
export const WRITTEN_MS = LEFT_MS - 30_000

/**
 * The span of a request that follows another one. Events may have whole seconds: requests within one second share a
 * span, so that the events of both count as our own.
 */
export const spanAfter = (earlier: WriteSpan | null, span: WriteSpan): WriteSpan =>
  earlier === null ||
  wholeSecond(parseInstant(earlier.to)) + SPAN_MARGIN_MS < wholeSecond(parseInstant(span.from))
    ? span
    : spanOfBoth(earlier, span)

/**
 * One span of two requests, the later last, however much time lies between: what happened meanwhile was not seen. The
 * requests of another key are not joined, since its events are not the later key's own.
 */
export const spanOfBoth = (earlier: WriteSpan | null, span: WriteSpan): WriteSpan =>
  earlier === null || earlier.by !== span.by
    ? span
    : {
        ...span,
        // The service's clock may have been set back meanwhile.
        from: pickInstant(Math.min, earlier.from, span.from),
        to: pickInstant(Math.max, earlier.to, span.to),
        sent: [...earlier.sent, ...span.sent],
        ...(earlier.isTwice === true || isBefore(span, earlier) ? { isTwice: true } : {}),
      }

const isBefore = (span: WriteSpan, earlier: WriteSpan): boolean =>
  parseInstant(span.from) < parseInstant(earlier.from) - SPAN_MARGIN_MS

/** Whether an event of this instant can belong to a write of this span. */
export const isWithinSpan = ({ from, to }: WriteSpan, created: string): boolean => {
  const at = parseInstant(created)
  return at >= parseInstant(from) - SPAN_MARGIN_MS && at <= parseInstant(to) + SPAN_MARGIN_MS
}

/** Whether an event of this instant can be as late as a write of this span, or later. */
export const reaches = (instant: string, { from }: WriteSpan): boolean =>
  parseInstant(instant) >= parseInstant(from) - SPAN_MARGIN_MS

const pickInstant = (of: typeof Math.min, a: string, b: string): string =>
  of(parseInstant(a), parseInstant(b)) === parseInstant(a) ? a : b

/**
 * When a request whose answer was lost can have taken effect. If it was sent later than now, the service's clock was
 * set back, and it may have been at any time in between.
 */
export const spanOfUnknown = (
  { at: sentAt, fields, by }: Pick<Intent, 'at' | 'fields' | 'by'>,
  now = Number.POSITIVE_INFINITY,
): WriteSpan => ({
  from: formatInstant(Math.min(parseInstant(sentAt), now)),
  to: formatInstant(Math.max(parseInstant(sentAt), Math.min(parseInstant(sentAt) + GIVEN_UP_MS, now))),
  by,
  sent: [fields],
})
