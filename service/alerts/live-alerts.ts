import type { Context } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import type { Progress } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { silencesOf } from './silence.ts'

export const isLive = (alert: Alert): boolean => alert.status === 'TRACKING' || alert.status === 'OPEN'

/** The live alerts of a configuration, or only those of a host. */
export const liveAlerts = (context: Context, projectId: string, configId: string, hostId?: string): Alert[] =>
  context.store
    .list('alert', projectId)
    .filter((alert) => isLive(alert) && alert.alertConfigId === configId)
    .filter((alert) => hostId === undefined || alert.hostId === undefined || alert.hostId === hostId)

/** Lets the engine drive an alert of a fixture from now on. */
export const drive = (context: Context, projectId: string, alert: Alert): void => {
  if (context.store.get('progress', projectId, alert.id)) return
  putProgress(context, projectId, {
    alertId: alert.id,
    settledAt: context.clock.now(),
    since: Date.parse(alert.created),
    notified: [],
  })
}

export const putProgress = (context: Context, projectId: string, progress: Progress): void => {
  context.alertWatch.dueAt = -Infinity
  context.store.put('progress', projectId, progress.alertId, progress)
}

/** Ends a live alert. Only a CLOSED one carries resolved. */
export const endAlert = (
  context: Context,
  projectId: string,
  alert: Alert,
  config: AlertConfig | undefined,
  status: 'CLOSED' | 'CANCELLED',
): void => {
  const now = context.clock.now()
  const at = formatTimestamp(now)
  const progress = context.store.get('progress', projectId, alert.id)
  context.store.remove('progress', projectId, alert.id)
  context.store.put('alert', projectId, alert.id, {
    ...alert,
    status,
    updated: at,
    ...(status === 'CLOSED' ? { resolved: at } : {}),
  })
  if (status !== 'CLOSED' || !config || context.settings.get('open.closeNotification') === 'none') return
  if (silencesOf(context, projectId, config.eventTypeName)(now)) return
  for (const index of progress?.notified ?? []) {
    const typeName = config.notifications[index]?.typeName
    if (typeName === undefined) continue
    context.notifications.add({ alertId: alert.id, alertConfigId: config.id, typeName, at, event: 'close' })
  }
}
