import { isIPv6 } from 'node:net'
import type { ProjectContext } from '../context.ts'
import { newId } from '../ids.ts'
import { categoryOf } from '../model/alert-categories.ts'
import { type AlertConfig, metricEvent } from '../model/alert-config.ts'
import type { Alert } from '../model/alert.ts'
import { unitOf } from '../model/common.ts'
import type { Host } from '../model/host.ts'
import type { Condition } from '../store/records.ts'
import { formatTimestamp } from '../time.ts'
import { liveAlerts, putProgress } from './live-alerts.ts'
import { openingDelay } from './schedule.ts'

/** Starts an alert for each condition of a configuration that no live alert stands for; a disabled one starts none. */
export const startAlerts = (context: ProjectContext, config: AlertConfig): void => {
  if (!config.enabled) return
  for (const condition of context.store.list('condition', context.projectId)) {
    if (condition.alertConfigId !== config.id) continue
    if (liveAlerts(context, config.id, condition.hostId).length > 0) continue
    startAlert(context, config, condition)
  }
}

/** TRACKING until the smallest delay has passed, or OPEN at once. */
const startAlert = (context: ProjectContext, config: AlertConfig, condition: Condition): void => {
  const { store, clock, projectId } = context
  const now = clock.now()
  const at = formatTimestamp(now)
  const host = condition.hostId === undefined ? undefined : store.get('host', projectId, condition.hostId)
  const alert: Alert = {
    id: newId(now),
    alertConfigId: config.id,
    created: at,
    updated: at,
    status: openingDelay(config) > 0 ? 'TRACKING' : 'OPEN',
    eventTypeName: config.eventTypeName,
    tags: [],
    ...hostFields(host),
    ...metricFields(config, condition),
    ...(categoryOf(config.eventTypeName) === 'BACKUP' ? { sourceTypeName: 'REPLICA_SET' as const } : {}),
    humanReadable: humanReadable(config, host, at),
  }
  store.put('alert', projectId, alert.id, alert)
  // Just before now, so that a notification without delay is due at once.
  putProgress(context, { alertId: alert.id, since: now, settledAt: now - 1, notified: [] })
  if (alert.status === 'OPEN') leaveAlertEvent(context, alert, now)
}

/** open.alertEvents: an opening alert can leave an event of its type, without an actor. */
export const leaveAlertEvent = (context: ProjectContext, alert: Alert, at: number): void => {
  const { store, events, settings, projectId } = context
  const project = store.get('project', '', projectId)
  if (!project || settings.get('open.alertEvents') === 'none') return
  const { alertConfigId, eventTypeName, hostId, metricName, currentValue } = alert
  events.add(
    {
      id: newId(at),
      eventTypeName,
      created: formatTimestamp(at),
      orgId: project.orgId,
      groupId: projectId,
      alertId: alert.id,
      alertConfigId,
      ...(hostId === undefined ? {} : { hostId }),
      ...(metricName === undefined ? {} : { metricName }),
      ...(currentValue === undefined ? {} : { currentValue }),
    },
    at,
  )
}

const hostFields = (host: Host | undefined): Partial<Alert> => {
  if (!host) return {}
  const { id, replicaSetName, clusterId, clusterName } = host
  return {
    hostId: id,
    hostnameAndPort: hostAndPort(host),
    ...(replicaSetName === undefined ? {} : { replicaSetName }),
    ...(clusterId === undefined ? {} : { clusterId }),
    ...(clusterName === undefined ? {} : { clusterName }),
  }
}

const hostAndPort = ({ hostname, port }: Host): string =>
  isIPv6(hostname) ? `[${hostname}]:${port}` : `${hostname}:${port}`

const metricFields = (config: AlertConfig, condition: Condition): Partial<Alert> => {
  const { metricThreshold } = config
  if (config.eventTypeName !== metricEvent || !metricThreshold) return {}
  const { metricName, threshold, units } = metricThreshold
  const measured = condition.currentValue ?? { number: threshold, units: unitOf(units) }
  return { metricName, currentValue: measured }
}

const humanReadable = (config: AlertConfig, host: Host | undefined, at: string): string =>
  [`Alert: ${config.eventTypeName}`, ...(host ? [`Host: ${hostAndPort(host)}`] : []), `Since: ${at}`].join(
    '\n',
  )
