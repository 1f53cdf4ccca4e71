import type { ProjectContext } from '../context.ts'
import type { AlertConfig } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import type { Progress } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { silencesOf } from './silence.ts'

export const isLive = (alert: Alert): boolean => alert.status === 'TRACKING' || alert.status === 'OPEN'

/** The live alerts of a configuration, or only those of a host. */
export const liveAlerts = (
  { store, projectId }: ProjectContext,
  configId: string,
  hostId?: string,
): Alert[] =>
  store
    .list('alert', projectId)
    .filter((alert) => isLive(alert) && alert.alertConfigId === configId)
    .filter((alert) => hostId === undefined || alert.hostId === undefined || alert.hostId === hostId)

/** Lets the engine drive an alert of a fixture from now on. */
export const drive = (context: ProjectContext, alert: Alert): void => {
  if (context.store.get('progress', context.projectId, alert.id)) return
  putProgress(context, {
    alertId: alert.id,
    settledAt: context.clock.now(),
    since: Date.parse(alert.created),
    notified: [],
  })
}

export const putProgress = ({ alertWatch, store, projectId }: ProjectContext, progress: Progress): void => {
  alertWatch.dueAt = -Infinity
  store.put('progress', projectId, progress.alertId, progress)
}

/** Ends a live alert. Only a CLOSED one carries resolved. */
export const endAlert = (
  context: ProjectContext,
  alert: Alert,
  config: AlertConfig | undefined,
  status: 'CLOSED' | 'CANCELLED',
): void => {
  const { store, clock, notifications, settings, projectId } = context
  const now = clock.now()
  const at = formatTimestamp(now)
  const progress = store.get('progress', projectId, alert.id)
  store.remove('progress', projectId, alert.id)
  store.put('alert', projectId, alert.id, {
    ...alert,
    status,
    updated: at,
    ...(status === 'CLOSED' ? { resolved: at } : {}),
  })
  if (status !== 'CLOSED' || !config || settings.get('open.closeNotification') === 'none') return
  if (silencesOf(context, config.eventTypeName)(now)) return
  for (const index of progress?.notified ?? []) {
    const typeName = config.notifications[index]?.typeName
    if (typeName === undefined) continue
    notifications.add({ alertId: alert.id, alertConfigId: config.id, typeName, at, event: 'close' })
  }
}
