import type { Context, ProjectContext } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import type { Condition, Progress } from '../store/records.ts'
import { notificationsKept } from '../store/notification-store.ts'
import { formatTimestamp } from '../time.ts'
import { settleConfigChange } from './config-change.ts'
import { drive, endAlert, isLive, putProgress } from './live-alerts.ts'
import { leaveAlertEvent } from './new-alert.ts'
import { dueNotifications, nextNotification, openingDelay } from './schedule.ts'
import { silencesOf } from './silence.ts'

/**
 * Processes everything that has become due since the last call: opening alerts, and notifications. Runs before every
 * request, so results do not depend on when it runs, and windows count as they were at the time.
 */
export const settleAlerts = (context: Context): void => {
  const { alertWatch, store, clock } = context
  if (clock.now() < alertWatch.dueAt) return
  alertWatch.dueAt = -Infinity
  alertWatch.dueAt = store.transaction(() => settleAll(context))
}

/** Processes every driven alert, and returns when the next one is due. */
const settleAll = (context: Context): number => {
  const driven = context.store.listAll('progress')
  // Limits the number of notifications, so that a long clock jump over many alerts ends.
  const atMost = Math.ceil(notificationsKept / Math.max(1, driven.length))
  const settled = driven.map(({ parent, item }) =>
    settleAlert({ ...context, projectId: parent }, item, atMost),
  )
  const notifications = settled.flatMap(({ sent }) => sent).toSorted((left, right) => left.at - right.at)
  for (const { at, ...about } of notifications.slice(-notificationsKept)) {
    context.notifications.add({ ...about, at: formatTimestamp(at), event: 'open' })
  }
  return settled.reduce((earliest, { nextAt }) => Math.min(earliest, nextAt), Infinity)
}

/** The result for one alert, and when it is due next. */
interface SettledAlert {
  readonly sent: readonly { alertId: string; alertConfigId: string; typeName: string; at: number }[]
  readonly nextAt: number
}

const settleAlert = (context: ProjectContext, progress: Progress, atMost: number): SettledAlert => {
  const { store, clock, projectId } = context
  const { since, settledAt } = progress
  const alert = store.get('alert', projectId, progress.alertId)
  const config = alert && store.get('alertConfig', projectId, alert.alertConfigId)
  if (!alert || !config || !isLive(alert)) return { sent: [], nextAt: Infinity }
  const now = clock.now()
  const opensAt = alert.status === 'TRACKING' ? since + openingDelay(config) : Infinity
  const nextAt = Math.max(Math.min(opensAt, nextNotification(config, since, settledAt)), settledAt + 1)
  if (now < nextAt) return { sent: [], nextAt }
  const opened = openWhenDue(context, alert, config, progress)
  const isSilenced = silencesOf(context, config.eventTypeName)
  const sent = dueNotifications(config, since, { after: settledAt, until: now, atMost }).filter(
    ({ at }) => !isAcknowledged(opened, at) && !isSilenced(at),
  )
  const last = sent.at(-1)
  const notifiedAlert = last ? { ...opened, lastNotified: formatTimestamp(last.at) } : opened
  store.put('alert', projectId, alert.id, notifiedAlert)
  const notified = [...new Set([...progress.notified, ...sent.map(({ index }) => index)])]
  putProgress(context, { ...progress, settledAt: now, notified })
  const about = { alertId: alert.id, alertConfigId: config.id }
  const notifications = sent.map(({ index, at }) => ({
    ...about,
    typeName: config.notifications[index]?.typeName ?? '',
    at,
  }))
  return { sent: notifications, nextAt: nextNotification(config, since, now) }
}

/** TRACKING becomes OPEN when the smallest delay has passed. */
const openWhenDue = (
  context: ProjectContext,
  alert: Alert,
  config: AlertConfig,
  progress: Progress,
): Alert => {
  const due = Math.max(progress.since + openingDelay(config), progress.settledAt)
  if (alert.status !== 'TRACKING' || due > context.clock.now()) return alert
  const opened: Alert = { ...alert, status: 'OPEN', updated: formatTimestamp(due) }
  leaveAlertEvent(context, opened, due)
  return opened
}

const isAcknowledged = (alert: Alert, at: number): boolean =>
  alert.acknowledgedUntil !== undefined && at < Date.parse(alert.acknowledgedUntil)

/** Once the clock is set, the alerts of a fixture behave like any others. */
export const driveAllAlerts = (context: Context): void => {
  for (const { parent, item } of context.store.listAll('alert')) {
    if (isLive(item)) drive({ ...context, projectId: parent }, item)
  }
}

/** After the configurations of a project were replaced: removed or disabled ones have no live alerts any more. */
export const cancelOrphans = (context: ProjectContext): void => {
  const { alertWatch, store, projectId } = context
  alertWatch.dueAt = -Infinity
  for (const config of store.list('alertConfig', projectId)) settleConfigChange(context, config)
  const exists = (id: string) => store.get('alertConfig', projectId, id) !== undefined
  for (const { alertId } of store.list('progress', projectId)) {
    const alert = store.get('alert', projectId, alertId)
    if (alert && !exists(alert.alertConfigId)) endAlert(context, alert, undefined, 'CANCELLED')
  }
  for (const condition of store.list('condition', projectId)) {
    if (!exists(condition.alertConfigId)) store.remove('condition', projectId, conditionId(condition))
  }
}

/** The key of a stored condition. */
export const conditionId = ({
  alertConfigId,
  hostId = '',
}: Pick<Condition, 'alertConfigId' | 'hostId'>): string => `${alertConfigId} ${hostId}`
