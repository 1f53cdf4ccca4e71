import { categoryOf } from '../alerts/categories.ts'
import type { Context } from '../context.ts'
import type { Alert } from '../model/alert.ts'
import { metricEvent } from './alert-config.ts'
import { extraFields, instants, sampleLinks, selfLink } from './common.ts'

const alertInstants = ['created', 'updated', 'lastNotified', 'resolved', 'acknowledgedUntil'] as const

/** Endpoints 4 and 6: which fields there are depends on the event type and the status. */
export function presentAlert(context: Context, projectId: string, alert: Alert): object {
  return {
    ...without(alert, unstatedFields(alert)),
    groupId: projectId,
    ...instants(context, alert, ...stated(alert)),
    links: selfLink(context, `/groups/${projectId}/alerts/${alert.id}`),
    ...extraFields(context),
  }
}

/** Endpoint 10: no alert-only fields; some other fields go by the category of the event type. */
export function presentGlobalAlert(context: Context, alert: Alert): object {
  const category = categoryOf(alert.eventTypeName)
  const hidden: (keyof Alert)[] = ['humanReadable']
  if (category !== 'HOST') hidden.push('currentValue')
  if (category !== 'BACKUP') hidden.push('sourceTypeName')
  if (alert.eventTypeName !== metricEvent) hidden.push('metricName')
  if (alert.status !== 'CLOSED') hidden.push('resolved')
  if (context.settings.get('open.globalAlertFields') === 'categories')
    hidden.push(...placeFieldsHidden(alert))
  return {
    ...without(alert, hidden),
    ...instants(context, alert, ...stated(alert)),
    links: sampleLinks(context, `/globalAlerts/${alert.id}`),
    ...extraFields(context),
  }
}

function unstatedFields(alert: Alert): (keyof Alert)[] {
  return [
    ...placeFieldsHidden(alert),
    ...(alert.eventTypeName === metricEvent ? [] : (['currentValue', 'metricName'] as const)),
    ...(categoryOf(alert.eventTypeName) === 'BACKUP' ? [] : (['sourceTypeName'] as const)),
    ...(alert.status === 'CLOSED' ? [] : (['resolved'] as const)),
  ]
}

/** The fields that say where an alert is and that its event type does not show. */
function placeFieldsHidden({ eventTypeName }: Alert): (keyof Alert)[] {
  const isBackup = categoryOf(eventTypeName) === 'BACKUP'
  const isHost = ['HOST_DOWN', metricEvent, 'REPLICA_SET'].includes(eventTypeName)
  return [
    ...(eventTypeName === 'SHARDED_CLUSTER' ? [] : (['clusterId', 'clusterName'] as const)),
    ...(isHost ? [] : (['hostId', 'hostnameAndPort'] as const)),
    ...(isHost || isBackup ? [] : (['replicaSetName'] as const)),
  ]
}

function stated(alert: Alert): (typeof alertInstants)[number][] {
  return alertInstants.filter((name) => name !== 'resolved' || alert.status === 'CLOSED')
}

function without(alert: Alert, hidden: readonly (keyof Alert)[]): Partial<Alert> {
  return Object.fromEntries(Object.entries(alert).filter(([name]) => !hidden.includes(name as keyof Alert)))
}
