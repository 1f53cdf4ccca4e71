import { isInstant } from './instant.ts'
import { DAY_MS } from './recurrence/duration.ts'
import { zonedTime } from './zoned-time.ts'

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MINUTE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?=Z|[+-])/

/**
 * The last millisecond at which something holds that ends with a day (in UTC) or at an instant (possibly a local time
 * with its zone); undefined if the text is neither.
 */
export const endOf = (until: string): number | undefined => {
  if (DAY.test(until)) return isInstant(`${until}T00:00:00Z`) ? Date.parse(until) + DAY_MS - 1 : undefined
  const time = zonedTime(until)
  const text = time?.is === 'instant' ? time.utc : until.replace(MINUTE, '$&:00')
  return isInstant(text) ? Date.parse(text) : undefined
}
