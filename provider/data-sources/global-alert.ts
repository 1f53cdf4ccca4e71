import { defineDataSource } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { get } from '../core/operation.ts'
import { anyAlert } from './shapes/alert.ts'

export default defineDataSource({
  name: 'global_alert',
  title: 'Global alert',
  summary: 'One global alert.',
  operation: get('/globalAlerts/{alertId}', 10),
  shape: 'one',
  arguments: {
    alertId: id('The alert.').names(),
  },
  keyNeeds: 'the role GLOBAL_OWNER or GLOBAL_MONITORING_ADMIN',
  result: {
    ...anyAlert,
    alertConfigId: id('Global alert configuration that triggered the alert; no endpoint reads it.'),
  },
  docs: {
    example: { alertId: '5d1f2a3b4c5d6e7f8091a2b4' },
    notes: ['No endpoint lists global alerts: the id comes from a notification or an event.'],
  },
})
