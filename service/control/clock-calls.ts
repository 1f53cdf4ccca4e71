import { Type } from 'typebox'
import { driveAllAlerts, settleAlerts } from '../alerts/engine.ts'
import type { Context } from '../context.ts'
import { FixtureProblem } from '../fixture/problems.ts'
import { optional, record } from '../model/common.ts'
import { formatTimestamp, lastInstant, parseDuration, parseTimestamp, timestampsRead } from '../time.ts'
import type { ControlCall } from './control-call.ts'

const ClockBody = record(
  {
    now: optional(Type.String()),
    advance: optional(Type.String()),
    real: optional(Type.Literal(true)),
  },
  { minProperties: 1, maxProperties: 1 },
)

/** The clock of the service. After being set or moved, it stands still until the next call. */
export const clockCalls: readonly ControlCall[] = [
  {
    method: 'GET',
    path: '/clock',
    summary: 'The time of the service',
    docs: { answer: { now: '2030-01-01T00:00:00Z', real: true } },
    handle: ({ context }) => read(context),
  },
  {
    method: 'POST',
    path: '/clock',
    summary: 'Sets the clock, moves it forward, or returns to real time',
    body: ClockBody,
    docs: {
      bodies: [{ now: '2030-01-01T00:00:00Z' }, { advance: 'PT5M' }, { real: true }],
      answer: { now: '2030-01-01T00:00:00Z', real: false },
      note: 'One of the three: an instant, a duration in ISO 8601, or the return to real time. A clock that is set or moved forward stands still until the next call, and the `Date` header follows it.',
    },
    handle: ({ context }, { body }) => {
      const { now, advance } = body as { now?: string; advance?: string }
      const to = now === undefined ? undefined : instant(now)
      const by = advance === undefined ? undefined : duration(context, advance)
      // Everything that was due before the change is processed at its own time, whatever the clock says then.
      settleAlerts(context)
      context.store.transaction(() => driveAllAlerts(context))
      if (to !== undefined) context.clock.set(to)
      else if (by !== undefined) context.clock.advance(by)
      else context.clock.release()
      settleAlerts(context)
      return read(context)
    },
  },
]

const read = ({ clock }: Context): object => ({ now: formatTimestamp(clock.now()), real: clock.isReal })

const instant = (text: string): number => {
  const value = parseTimestamp(text)
  if (value === undefined) throw new FixtureProblem('now', `not ${timestampsRead}`)
  return value
}

const duration = ({ clock }: Context, text: string): number => {
  const value = parseDuration(text)
  if (value === undefined) throw new FixtureProblem('advance', 'not a duration like PT5M')
  if (clock.now() + value > lastInstant) throw new FixtureProblem('advance', 'leads beyond the year 9999')
  return value
}
