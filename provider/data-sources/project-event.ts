import { defineDataSource } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { get } from '../core/operation.ts'
import { event, includeRaw } from './shapes/event.ts'

export default defineDataSource({
  name: 'project_event',
  title: 'Project event',
  summary: 'One activity event of a project.',
  operation: get('/groups/{projectId}/events/{eventId}', 20),
  shape: 'one',
  arguments: {
    projectId: id('Project the event happened in.').names(),
    eventId: id('The event.').names(),
    includeRaw,
  },
  keyNeeds: 'the role GROUP_READ_ONLY',
  result: event,
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', eventId: '5dc9f1a2b3c4d5e6f7081921' },
    notes: ['No endpoint lists only the events of a project; those of its organization can include them.'],
  },
})
