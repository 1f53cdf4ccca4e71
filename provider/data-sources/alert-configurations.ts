import { notifiedBy } from './shapes/notification.ts'
import { asList, type Values } from '../core/values.ts'
import { defineDataSource, limit } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { alertConfiguration } from './shapes/alert-configuration.ts'

export default defineDataSource({
  name: 'alert_configurations',
  title: 'Alert configurations',
  summary: 'The alert configurations of a project.',
  operation: getList('/groups/{projectId}/alertConfigs', 5),
  shape: 'list',
  arguments: {
    projectId: id('Project whose configurations are read.').names(),
    limit,
  },
  result: alertConfiguration,
  inventory: {
    readings: [{}],
    counts: ({ eventTypeName, metricThreshold, enabled, notifications }) => ({
      configuration: (metricThreshold as Values | undefined)?.['metricName'] ?? eventTypeName,
      enabled,
      notifies: asList(notifications).map((each) => notifiedBy(each)),
    }),
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f' },
    notes: [
      'Which fields a notification has depends on its `typeName`.',
      'A matcher’s `fieldName` is called so here, also where the service answers `field`.',
    ],
  },
})
