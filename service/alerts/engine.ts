import type { Context } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import type { Progress } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { settleConfigChange } from './config-change.ts'
import { adopt, endAlert, isLive, putAlert, putProgress } from './live-alerts.ts'
import { leaveAlertEvent } from './new-alert.ts'
import { dueNotifications, openingDelay } from './schedule.ts'
import { isSilenced } from './silence.ts'

/**
 * Works off everything that has fallen due since the last time: alerts that open, and notifications. It runs
 * before every request, so nothing depends on when it runs, and windows count as they were at the time.
 */
export function settleAlerts(context: Context): void {
  for (const { parent, item } of context.store.listAll('progress')) settleAlert(context, parent, item)
}

function settleAlert(context: Context, projectId: string, progress: Progress): void {
  const alert = context.store.get('alert', projectId, progress.alertId)
  const config = alert && context.store.get('alertConfig', projectId, alert.alertConfigId)
  const now = context.clock.now()
  if (!alert || !config || !isLive(alert) || now <= progress.settledAt) return
  const opened = openWhenDue(context, projectId, alert, config, progress)
  const due = dueNotifications(config, progress.since, progress.settledAt, now)
  if (opened === alert && due.length === 0) return
  const sent = due.filter(
    ({ at }) => !isAcknowledged(opened, at) && !isSilenced(context, projectId, config.eventTypeName, at),
  )
  for (const { index, at } of sent) {
    const typeName = config.notifications[index]?.typeName ?? ''
    const told = { alertId: alert.id, alertConfigId: config.id, typeName, at: formatTimestamp(at) }
    context.notifications.add({ ...told, event: 'open' })
  }
  const last = sent.at(-1)
  putAlert(context, projectId, last ? { ...opened, lastNotified: formatTimestamp(last.at) } : opened)
  const notified = [...new Set([...progress.notified, ...sent.map(({ index }) => index)])]
  putProgress(context, projectId, { ...progress, settledAt: now, notified })
}

/** TRACKING becomes OPEN when the smallest delay has passed. */
function openWhenDue(
  context: Context,
  projectId: string,
  alert: Alert,
  config: AlertConfig,
  progress: Progress,
): Alert {
  const due = Math.max(progress.since + openingDelay(config), progress.settledAt)
  if (alert.status !== 'TRACKING' || due > context.clock.now()) return alert
  const opened: Alert = { ...alert, status: 'OPEN', updated: formatTimestamp(due) }
  leaveAlertEvent(context, projectId, opened, due)
  return opened
}

function isAcknowledged(alert: Alert, at: number): boolean {
  return alert.acknowledgedUntil !== undefined && at < Date.parse(alert.acknowledgedUntil)
}

/** Once the clock is set, the alerts of a fixture live like any others. */
export function driveAllAlerts(context: Context): void {
  for (const { parent, item } of context.store.listAll('alert')) {
    if (isLive(item)) adopt(context, parent, item)
  }
}

/** After the configurations of a project were replaced: what is gone or disabled has no live alerts any more. */
export function cancelOrphans(context: Context, projectId: string): void {
  for (const config of context.store.list('alertConfig', projectId))
    settleConfigChange(context, projectId, config)
  const exists = (id: string) => context.store.get('alertConfig', projectId, id) !== undefined
  for (const { alertId } of context.store.list('progress', projectId)) {
    const alert = context.store.get('alert', projectId, alertId)
    if (alert && !exists(alert.alertConfigId)) endAlert(context, projectId, alert, undefined, 'CANCELLED')
  }
  for (const condition of context.store.list('condition', projectId)) {
    if (!exists(condition.alertConfigId)) context.store.remove('condition', projectId, conditionId(condition))
  }
}

/** What a condition is kept under. */
export function conditionId({
  alertConfigId,
  hostId = '',
}: {
  alertConfigId: string
  hostId?: string
}): string {
  return `${alertConfigId} ${hostId}`
}
