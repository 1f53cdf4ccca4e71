import { defineDataSource, limit } from '../core/data-source.ts'
import { commonly, id, instant } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { whoActed, changedBy, event, eventTypes, includeRaw, targetOf } from './shapes/event.ts'

export default defineDataSource({
  name: 'organization_events',
  title: 'Organization events',
  summary: 'The activity events of an organization.',
  operation: getList('/orgs/{orgId}/events', 19),
  shape: 'list',
  arguments: {
    orgId: id('Organization whose events are read.').names(),
    eventType: commonly(eventTypes, 'event type', 'Only events of this type.').optional(),
    minDate: instant('Events created at this instant or later.').optional(),
    maxDate: instant('Events created at this instant or earlier.').optional(),
    includeRaw,
    limit,
  },
  bounds: ['minDate', 'limit'],
  period: { from: 'minDate', to: 'maxDate' },
  several: { argument: 'eventType', newest: 'created' },
  keyNeeds: 'the role ORG_MEMBER',
  result: event,
  columns: (item) => ({
    created: item['created'],
    eventTypeName: item['eventTypeName'],
    about: targetOf(item),
    by: whoActed(item),
    id: item['id'],
    projectId: item['projectId'],
    remoteAddress: item['remoteAddress'],
    // It is there only where it was asked for, and a table has texts alone.
    raw: item['raw'] === undefined ? undefined : JSON.stringify(item['raw']),
  }),
  inventory: {
    // Events come newest first, and the list only grows.
    readings: [{ limit: 100 }],
    counts: ({ eventTypeName, created, ...more }) => ({
      event: eventTypeName,
      what: changedBy(more),
      at: created,
    }),
  },
  docs: {
    example: {
      orgId: '5980cfdf0b6d97029d82f86e',
      eventType: 'ALERT_CONFIG_DISABLED_AUDIT',
      minDate: '2026-11-01T00:00:00Z',
    },
    notes: [
      '`--event-type` also takes several types, separated by commas, and reads once for each.',
      'It is not documented whether an organization’s list includes the events of its projects.',
      'The list only grows: give `--min-date` or `--limit`, otherwise every event ever recorded is read.',
    ],
  },
})
