import type { AlertConfig, Notification } from '../model/alert-config.ts'

const minute = 60_000

/** How many of the notifications that fell due in one stretch of time are kept for each target: the last ones. */
export const dueKept = 1000

/** A notification that is due: which of the configuration's, and when. */
export interface Due {
  readonly index: number
  readonly at: number
}

/** How long a condition must persist before its alert opens: the smallest delayMin, 0 without notifications. */
export function openingDelay(config: AlertConfig): number {
  if (config.notifications.length === 0) return 0
  return Math.min(...config.notifications.map(delayOf))
}

/**
 * The notifications of a configuration that fall due after `after` and up to `until`, in order of time: each
 * after its own delayMin, and then every intervalMin.
 */
export function dueNotifications(config: AlertConfig, since: number, after: number, until: number): Due[] {
  return config.notifications
    .flatMap((notification, index) =>
      dueTimes(notification, since, after, until).map((at) => ({ index, at })),
    )
    .toSorted((left, right) => left.at - right.at || left.index - right.index)
}

function dueTimes(notification: Notification, since: number, after: number, until: number): number[] {
  const first = since + delayOf(notification)
  const interval = Math.round((notification.intervalMin ?? 0) * minute)
  // Without an interval there is one notification.
  if (interval < 1) return first > after && first <= until ? [first] : []
  const last = Math.floor((until - first) / interval)
  const start = Math.max(0, Math.floor((after - first) / interval) + 1, last - dueKept + 1)
  const times = []
  for (let repetition = start; repetition <= last; repetition += 1) times.push(first + repetition * interval)
  return times
}

function delayOf(notification: Notification): number {
  return Math.round((notification.delayMin ?? 0) * minute)
}
