import type { Context } from '../context.ts'
import { categoryOf } from '../model/alert-categories.ts'
import { metricEvent } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import { extraFields, instants, sampleLinks, selfLink } from './common.ts'

const alertInstants = ['created', 'updated', 'lastNotified', 'resolved', 'acknowledgedUntil'] as const

/** Endpoints 4 and 6: the event type and the status determine the fields. */
export const presentAlert = (context: Context, projectId: string, alert: Alert): object => ({
  ...without(alert, unstatedFields(alert)),
  groupId: projectId,
  ...instants(context, alert, ...stated(alert)),
  links: selfLink(context, `/groups/${projectId}/alerts/${alert.id}`),
  ...extraFields(context),
})

/** Endpoint 10: no alert-only fields; the category of the event type determines some other fields. */
export const presentGlobalAlert = (context: Context, alert: Alert): object => {
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

const unstatedFields = (alert: Alert): (keyof Alert)[] => [
  ...placeFieldsHidden(alert),
  ...(alert.eventTypeName === metricEvent ? [] : (['currentValue', 'metricName'] as const)),
  ...(categoryOf(alert.eventTypeName) === 'BACKUP' ? [] : (['sourceTypeName'] as const)),
  ...(alert.status === 'CLOSED' ? [] : (['resolved'] as const)),
]

/** The location fields that are not shown for the alert's event type. */
const placeFieldsHidden = ({ eventTypeName }: Alert): (keyof Alert)[] => {
  const isBackup = categoryOf(eventTypeName) === 'BACKUP'
  const isHost = ['HOST_DOWN', metricEvent, 'REPLICA_SET'].includes(eventTypeName)
  return [
    ...(eventTypeName === 'SHARDED_CLUSTER' ? [] : (['clusterId', 'clusterName'] as const)),
    ...(isHost ? [] : (['hostId', 'hostnameAndPort'] as const)),
    ...(isHost || isBackup ? [] : (['replicaSetName'] as const)),
  ]
}

const stated = (alert: Alert): (typeof alertInstants)[number][] =>
  alertInstants.filter((name) => name !== 'resolved' || alert.status === 'CLOSED')

const without = (alert: Alert, hidden: readonly (keyof Alert)[]): Partial<Alert> =>
  Object.fromEntries(Object.entries(alert).filter(([name]) => !hidden.includes(name as keyof Alert)))
