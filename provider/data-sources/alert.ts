import { defineDataSource } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { get } from '../core/operation.ts'
import { projectAlert } from './shapes/alert.ts'

export default defineDataSource({
  name: 'alert',
  title: 'Alert',
  summary: 'One alert of a project.',
  operation: get('/groups/{projectId}/alerts/{alertId}', 6),
  shape: 'one',
  arguments: {
    projectId: id('Project the alert is about.').names(),
    alertId: id('The alert.').names(),
  },
  result: projectAlert,
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', alertId: '5d1f2a3b4c5d6e7f8091a2b3' },
    notes: ['Which fields an alert has depends on its `eventTypeName`.'],
  },
})
