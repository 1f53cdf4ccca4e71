import { commonly, element, id, instant, list, string } from '../../core/field.ts'
import { ALERT_STATUSES, BACKUP_SOURCES, EVENT_TYPES, METRIC_NAMES } from '../../vocabulary.ts'
import { currentValue } from './current-value.ts'
import { links } from './links.ts'

/** What a project's alert and a global alert have in common (endpoints 4, 6 and 10). */
export const anyAlert = {
  id: id('The alert.'),
  alertConfigId: id('Configuration that triggered the alert.'),
  projectId: id('Project the alert is about.').onTheWire('groupId'),
  created: instant('When the alert was opened.'),
  updated: instant('When the alert was last changed.'),
  lastNotified: instant('When notifications were last sent. Absent before the first one.'),
  resolved: instant('When the alert was closed. Only if `status` is CLOSED.'),
  status: commonly(
    ALERT_STATUSES,
    'alert status',
    'TRACKING: the condition exists, but has not lasted long enough to notify. Otherwise OPEN, CLOSED or CANCELLED.',
  ),
  eventTypeName: commonly(EVENT_TYPES, 'event type', 'Type of the event that triggered the alert.'),
  typeName: string('Deprecated; the service ignores it.'),
  tags: list(element.string, 'Labels.'),
  acknowledgedUntil: instant('Until when the alert is acknowledged. Only if it was acknowledged.'),
  acknowledgementComment: string('Comment of the acknowledgement. Only if it was acknowledged.'),
  acknowledgingUsername: string('Who acknowledged the alert. Only if it was acknowledged.'),
  clusterId: id('Cluster. Only for certain event types, such as SHARDED_CLUSTER.'),
  clusterName: string('Name of the cluster. Only for certain event types, such as SHARDED_CLUSTER.'),
  currentValue: currentValue('Value that was measured. Only if `eventTypeName` is OUTSIDE_METRIC_THRESHOLD.'),
  hostId: id(
    'Host. Only for certain event types, such as HOST_DOWN, OUTSIDE_METRIC_THRESHOLD and REPLICA_SET.',
  ),
  hostnameAndPort: string('Host name or address, and port. Only if `hostId` is present.'),
  metricName: commonly(
    METRIC_NAMES,
    'metric',
    'Metric that was measured. Only if `eventTypeName` is OUTSIDE_METRIC_THRESHOLD.',
  ),
  replicaSetName: string(
    'Replica set. Only for certain event types, such as BACKUP, HOST_DOWN, OUTSIDE_METRIC_THRESHOLD and REPLICA_SET.',
  ),
  sourceTypeName: commonly(
    BACKUP_SOURCES,
    'backup source',
    'What is backed up. Only for event types of backups.',
  ),
  links,
}

/** An alert of a project. */
export const projectAlert = {
  ...anyAlert,
  humanReadable: string('Human-readable summary, over several lines. Only in some answers.'),
}
