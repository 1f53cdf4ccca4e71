import { defineDataSource } from '../core/data-source.ts'
import { id } from '../core/field.ts'
import { get } from '../core/operation.ts'
import { event, includeRaw } from './shapes/event.ts'

export default defineDataSource({
  name: 'organization_event',
  title: 'Organization event',
  summary: 'One activity event of an organization.',
  operation: get('/orgs/{orgId}/events/{eventId}', 21),
  shape: 'one',
  arguments: {
    orgId: id('Organization the event happened in.').names(),
    eventId: id('The event.').names(),
    includeRaw,
  },
  keyNeeds: 'the role ORG_MEMBER',
  result: event,
  docs: {
    example: { orgId: '5980cfdf0b6d97029d82f86e', eventId: '5dc9f1a2b3c4d5e6f7081920' },
    notes: [],
  },
})
