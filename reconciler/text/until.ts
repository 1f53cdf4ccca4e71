import { instantOf } from './instants.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const LAST_OF_DAY = 86_399_999

/**
 * The last millisecond at which something holds that ends with a day, which is one of UTC, or at an instant; nothing
 * where the text is neither.
 */
export const endOf = (until: string): number | undefined => {
  if (!DAY.test(until)) return instantOf(until)
  const at = Date.parse(until)
  // The 30th of February would be a day of March.
  return Number.isNaN(at) || !new Date(at).toISOString().startsWith(until) ? undefined : at + LAST_OF_DAY
}
