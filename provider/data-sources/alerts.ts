import { defineDataSource, limit } from '../core/data-source.ts'
import { id, oneOf } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { ALERT_STATUS_FILTERS } from '../vocabulary.ts'
import { projectAlert } from './shapes/alert.ts'

export default defineDataSource({
  name: 'alerts',
  title: 'Alerts',
  summary: 'The alerts of a project.',
  operation: getList('/groups/{projectId}/alerts', 4),
  shape: 'list',
  arguments: {
    projectId: id('Project whose alerts are read.').names(),
    status: oneOf(
      ALERT_STATUS_FILTERS,
      'alert status to filter by',
      'Only alerts with this status; all alerts by default.',
    ).optional(),
    limit,
  },
  result: projectAlert,
  inventory: {
    readings: [{ status: 'OPEN' }],
    counts: ({ eventTypeName, metricName, hostnameAndPort, replicaSetName, clusterName, ...alert }) => ({
      alert: metricName ?? eventTypeName,
      where: hostnameAndPort ?? replicaSetName ?? clusterName,
      since: alert['created'],
      acknowledgedUntil: alert['acknowledgedUntil'],
    }),
    asked: [{ of: () => true, one: 'open alert', many: 'open alerts' }],
    watched: true,
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', status: 'OPEN' },
    notes: [
      'CANCELLED is a status but not a filter: omit `--status` to see cancelled alerts.',
      'Which fields an alert has depends on its `eventTypeName`.',
    ],
  },
})
