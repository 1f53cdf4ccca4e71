import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'

const minute = 60_000

/** Refuses requests beyond open.rateLimit, counted per public key and minute of the service clock. */
export const createRateLimit = (context: Context): ((publicKey: string) => void) => {
  const limit = Number(context.settings.get('open.rateLimit'))
  let current = Number.NaN
  const counts = new Map<string, number>()
  return (publicKey) => {
    if (!Number.isFinite(limit)) return
    const now = context.clock.now()
    if (Math.floor(now / minute) !== current) {
      current = Math.floor(now / minute)
      counts.clear()
    }
    const count = (counts.get(publicKey) ?? 0) + 1
    counts.set(publicKey, count)
    if (count <= limit) return
    const seconds = Math.ceil(((current + 1) * minute - now) / 1000)
    throw new ApiError(429, 'RATE_LIMITED', 'Too many requests.', {
      headers: { 'retry-after': String(seconds) },
    })
  }
}
