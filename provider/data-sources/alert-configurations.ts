import { notifiedBy } from './shapes/notification.ts'
import { asList, textOf, spaced, type Values } from '../core/values.ts'
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
    counts: ({ eventTypeName, metricThreshold, threshold, matchers, enabled, notifications }) => ({
      configuration: (metricThreshold as Values | undefined)?.['metricName'] ?? eventTypeName,
      when: [limitOf(metricThreshold ?? threshold), ...asList(matchers).map(matcherOf)]
        .filter((text) => text !== '')
        .join(', '),
      enabled,
      notifies: asList(notifications).map(notifiedBy),
    }),
    asked: [
      {
        of: ({ enabled }) => enabled === false,
        one: 'alert configuration turned off',
        many: 'alert configurations turned off',
      },
    ],
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f' },
    notes: [
      'Which fields a notification has depends on its `typeName`.',
      'A matcher’s field is always called `fieldName` here, even if the service answers `field`.',
    ],
  },
})

const limitOf = (given: unknown): string => {
  const { operator, threshold, units } = (given ?? {}) as Values
  const sign = { GREATER_THAN: '>', LESS_THAN: '<' }[textOf(operator)] ?? operator
  // RAW values are counts without a unit.
  return spaced([sign, threshold, units === 'RAW' ? '' : units])
}

const matcherOf = ({ fieldName, operator, value }: Values): string =>
  spaced([fieldName, operator === 'EQUALS' ? '=' : operator, value])
