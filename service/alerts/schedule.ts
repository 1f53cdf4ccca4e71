import type { AlertConfig, Notification } from '../model/alert-config.ts'

const minute = 60_000

/** A notification that is due: which of the configuration's, and when. */
export interface Due {
  readonly index: number
  readonly at: number
}

/** A stretch of time, without its beginning, and how many notifications of one target it may bring at most. */
export interface Stretch {
  readonly after: number
  readonly until: number
  readonly atMost: number
}

/** How long a condition must persist before its alert opens: the smallest delayMin, 0 without notifications. */
export const openingDelay = (config: AlertConfig): number => {
  if (config.notifications.length === 0) return 0
  return Math.min(...config.notifications.map(delayOf))
}

/**
 * The notifications of a configuration that fall due in a stretch of time, in order: each after its own delayMin,
 * and then every intervalMin. Where there are too many, the last ones.
 */
export const dueNotifications = (config: AlertConfig, since: number, stretch: Stretch): Due[] =>
  config.notifications
    .flatMap((notification, index) => dueTimes(notification, since, stretch).map((at) => ({ index, at })))
    .toSorted((left, right) => left.at - right.at || left.index - right.index)

/** When the next notification of a configuration falls due after an instant; never is infinity. */
export const nextNotification = (config: AlertConfig, since: number, after: number): number => {
  const times = config.notifications.map((notification) => {
    const first = since + delayOf(notification)
    if (first > after) return first
    const interval = intervalOf(notification)
    return interval < 1 ? Infinity : first + (Math.floor((after - first) / interval) + 1) * interval
  })
  return Math.min(...times)
}

const dueTimes = (notification: Notification, since: number, stretch: Stretch): number[] => {
  const { after, until, atMost } = stretch
  const first = since + delayOf(notification)
  const interval = intervalOf(notification)
  // Without an interval there is one notification.
  if (interval < 1) return first > after && first <= until ? [first] : []
  const last = Math.floor((until - first) / interval)
  const start = Math.max(0, Math.floor((after - first) / interval) + 1, last - atMost + 1)
  const times = []
  for (let repetition = start; repetition <= last; repetition += 1) times.push(first + repetition * interval)
  return times
}

const delayOf = (notification: Notification): number => Math.round((notification.delayMin ?? 0) * minute)

const intervalOf = (notification: Notification): number =>
  Math.round((notification.intervalMin ?? 0) * minute)
