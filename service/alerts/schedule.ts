import type { AlertConfig, Notification } from '../model/alert-config.ts'

const minute = 60_000

/** A due notification: its index in the configuration, and when. */
interface Due {
  readonly index: number
  readonly at: number
}

/** A period without its start, and the maximum number of notifications per target in it. */
interface Stretch {
  readonly after: number
  readonly until: number
  readonly atMost: number
}

/** How long a condition must persist before its alert opens: the smallest delayMin; 0 without notifications. */
export const openingDelay = (config: AlertConfig): number => {
  if (config.notifications.length === 0) return 0
  return Math.min(...config.notifications.map(delayOf))
}

/**
 * The notifications of a configuration that become due in a period, in order: each after its delayMin, then every
 * intervalMin. If there are too many, only the last ones.
 */
export const dueNotifications = (config: AlertConfig, since: number, stretch: Stretch): Due[] =>
  config.notifications
    .flatMap((notification, index) => dueTimes(notification, since, stretch).map((at) => ({ index, at })))
    .toSorted((left, right) => left.at - right.at || left.index - right.index)

/** When the next notification of a configuration becomes due after an instant; infinity for never. */
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
