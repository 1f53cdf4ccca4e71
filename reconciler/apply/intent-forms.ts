import { formatInstant } from '@deploymgmt/provider/core'
import { reachOf, type Intent, type LostWrite } from '@deploymgmt/provider/engine'
import type { NewIntent, OpenIntent } from '../state/index.ts'

/** The intent in the form of the journal. */
export const recordedAs = ({ at, expected, fields, body, by, ...intent }: Intent): NewIntent => ({
  ...intent,
  ...(body === undefined ? {} : { body }),
  detail: { expected, fields, sentAt: at, by },
})

/** An intent of the journal without an answer, in the form that the engine settles. */
export const lostWrite = ({
  n,
  address,
  kind,
  method,
  path,
  body,
  detail,
  at,
  errorAt,
  bound,
}: OpenIntent): LostWrite => {
  const { sentAt, ...known } = detail
  const tookMs = Date.parse(errorAt ?? '') - Date.parse(at)
  return {
    n,
    address,
    kind,
    method,
    path,
    ...known,
    body,
    at: sentAt,
    // If the machine's clock was set back meanwhile, the duration is unknown.
    ...(tookMs >= 0 ? { tookMs } : {}),
    ...(bound === undefined ? {} : { bound }),
  }
}

/**
 * The service's time in milliseconds when this machine's clock says `now`; the intent holds the difference of the
 * two.
 */
export const serviceTimeAt = ({ detail, at }: OpenIntent, now: Date): number =>
  now.getTime() + Date.parse(detail.sentAt) - Date.parse(at)

/**
 * Until when a creation without an answer can still take effect, by the service's clock; undefined once that time is
 * over. `now` is by this machine's clock.
 */
export const canStillHappen = (intent: OpenIntent, now: Date): string | undefined =>
  stillHappens(lostWrite(intent), serviceTimeAt(intent, now))

/** The same for a given service time, in milliseconds. */
export const stillHappens = (write: LostWrite, serviceNow: number): string | undefined => {
  const { until } = reachOf(write)
  if (write.method !== 'POST' || serviceNow > until) return undefined
  return formatInstant(Math.ceil(until / 1000) * 1000)
}

/** The latest of some instants; undefined if there is none. */
export const latest = (instants: readonly (string | undefined)[]): string | undefined =>
  instants
    .filter((each) => each !== undefined)
    .toSorted((a, b) => Date.parse(a) - Date.parse(b))
    .at(-1)
