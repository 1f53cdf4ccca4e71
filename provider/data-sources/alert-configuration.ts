import { defineDataSource } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { get } from '../core/operation.ts'
import { alertConfiguration } from './shapes/alert-configuration.ts'

export default defineDataSource({
  name: 'alert_configuration',
  title: 'Alert configuration',
  summary: 'One alert configuration of a project.',
  operation: get('/groups/{projectId}/alertConfigs/{alertConfigId}', 7),
  shape: 'one',
  arguments: {
    projectId: id('Project that owns the configuration.').names(),
    alertConfigId: id('The configuration.').names(),
  },
  result: alertConfiguration,
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', alertConfigId: '5d1113b25a115342acc2d1aa' },
    notes: [
      'Which fields a notification has depends on its `typeName`.',
      'A matcher’s field is always called `fieldName` here, even if the service answers `field`.',
    ],
  },
})
