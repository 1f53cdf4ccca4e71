import { plainly } from '../core/adoption.ts'
import { assigned, defineKind, forget, nothing } from '../core/definition.ts'
import { element, instant, set, string, id } from '../core/field.ts'
import { formatInstant, parseInstant } from '../core/instant.ts'
import { recurrence, recurs, schedule } from '../core/recurrence.ts'
import { getList, none, patch, post } from '../core/operation.ts'
import { sentence } from '../core/sentence.ts'
import { newestTold } from '../core/told.ts'
import { textOf, type Values } from '../core/values.ts'
import { WINDOW_ALERT_TYPES } from '../vocabulary.ts'

const OCCURRENCE = { key: 'startDate', end: 'endDate', dropped: 'end' }

/** How far ahead an end has to be: a service that takes no past date compares it when the request has arrived. */
const ROOM_MS = { first: 250, again: 5_000 }

/** A list of the same project, because no endpoint lists its windows. */
const SIBLINGS = getList('/groups/{projectId}/alertConfigs', 5)

export default defineKind({
  kind: 'maintenance_window',
  section: 'maintenanceWindows',
  title: 'Maintenance window',
  summary: 'Silences the alert notifications of chosen types for a period.',
  identity: assigned(['projectId'], 'id', {
    declaredAs: 'windowId',
    recognisedBy: ['startDate', 'endDate'],
  }),
  fields: {
    projectId: id('Project that owns the window.', { place: 'project' }).names().onTheWire('groupId'),
    windowId: id('An existing window to take over (only in manifests). Without it, the window is created.')
      .local()
      .optional(),
    alertTypeNames: set(element.commonly(WINDOW_ALERT_TYPES, 'alert type'), 'Alert types to silence.', {
      atLeast: 1,
    }),
    startDate: instant('Start of the period.').narrowsWhen('later').like('2030-01-05T02:00:00Z'),
    endDate: instant('End of the period.').narrowsWhen('earlier').like('2030-01-05T04:00:00Z'),
    schedule: schedule(
      'Creates a window for each occurrence of a rule, instead of `startDate` and `endDate` (only in manifests).',
    ),
    description: string('What the window is for.').optional(),
    id: id('Assigned by the service.').names().computed(),
  },
  expand: recurrence('schedule', OCCURRENCE),
  observe: nothing('no endpoint returns a maintenance window'),
  establish: {
    create: {
      operation: post('/groups/{projectId}/maintenanceWindows/', 14),
      place: SIBLINGS,
      // No description of the API names the event; all names seen so far contain the verb.
      lost: {
        by: 'id',
        idInEvent: 'maintenanceWindowId',
        types: /ADDED|CREATED/,
        told: 'raw',
        // A date written to somebody else's window would change when it silences.
        asks: ['description', 'alertTypeNames'],
      },
    },
    adopt: { learnBy: [] },
  },
  write: patch('/groups/{projectId}/maintenanceWindows/{id}', 15),
  fixed: none('everything that is shown of a window can be declared, except when it was created'),
  absence: none('no endpoint deletes a window', 'Let it end: take it out of the manifest.'),
  // No documented code says that a window is over, so this word has to do.
  lifetime: {
    endsAt: 'endDate',
    dates: ['startDate', 'endDate'],
    overCodes: /ENDED|EXPIRED/,
    timeFrom: SIBLINGS,
  },
  release: {
    end: {
      way: 'send',
      summary: 'The window ends within moments; one that has not begun is moved to now, for one second.',
      body: ({ applied }, now) => endedNow(applied, now, ROOM_MS.first),
      again: {
        where: ({ startDate, endDate }, now) => parseInstant(String(startDate ?? endDate)) <= now.getTime(),
        body: ({ applied }, now) => endedNow(applied, now, ROOM_MS.again),
      },
    },
    forget,
  },
  witness: {
    event: 'maintenanceWindowId',
    instance: 'id',
    places: ['groupId', 'orgId'],
    types: [],
    fields: {},
    sets: {},
    repeated: [],
    endedBy: /DELETED|REMOVED/,
  },
  unmanaged: {
    foundBy: 'events',
    shownBy: /ADDED|CREATED|CHANGED|UPDATED/,
    leftBy: none('a window always belongs to one project'),
    madeBy: /ADDED|CREATED/,
    what: (events) => {
      const { alertTypeNames, startDate, endDate } = newestTold(events)
      const types = Array.isArray(alertTypeNames) ? alertTypeNames.map(textOf).join(', ') : 'alerts'
      const from = startDate === undefined ? '' : ` from ${textOf(startDate)}`
      return { says: `silences ${types}${from} until ${textOf(endDate)}` }
    },
  },
  guards: [],
  adoption: {
    ...plainly(({ description }) => [typeof description === 'string' ? description : 'window']),
    told: {
      values: 'raw',
      open: {
        alertTypeNames: 'which alert types it silences',
        startDate: 'when it begins',
        endDate: 'when it ends',
      },
    },
  },
  silences: {
    types: 'alertTypeNames',
    from: 'startDate',
    to: 'endDate',
    why: 'description',
    ending: 'end',
  },
  rules: [
    ...recurs('schedule', OCCURRENCE),
    {
      over: 'presence',
      reads: ['windowId', 'schedule'],
      check: ({ windowId, schedule: rule }) =>
        windowId === undefined || rule === undefined
          ? []
          : [
              {
                path: ['windowId'],
                text: '{.windowId} names one window, but {.schedule} creates several; keep one of the two',
              },
            ],
    },
    {
      over: 'entry',
      reads: ['startDate', 'endDate'],
      check: ({ startDate, endDate }) =>
        Date.parse(String(startDate)) < Date.parse(String(endDate)) ||
        startDate === undefined ||
        endDate === undefined
          ? []
          : [
              {
                path: ['endDate'],
                ...sentence`the window ends at ${textOf(endDate)}, which is not after its start`,
              },
            ],
    },
  ],
  docs: {
    example: `maintenanceWindows:
  migration:
    projectId: 5c8100bcf2a30b12ff88258f
    alertTypeNames: [HOST, REPLICA_SET]
    startDate: 2030-01-05T02:00:00Z
    endDate: 2030-01-05T04:00:00Z
    description: Storage migration
  weekly-patching:
    projectId: 5c8100bcf2a30b12ff88258f
    alertTypeNames: [HOST]
    schedule: { rrule: "FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0;BYSECOND=0", timezone: Europe/Madrid, duration: PT2H, horizon: P30D }`,
    notes: [
      '`startDate` and `endDate` can be local times with their zone: see [dates](../manifest.md#dates-and-ids).',
      'A window can be changed while its end is in the future (endpoint 15). One that has ended is `expired`: nothing is sent.',
      'Future dates for a window that has ended make a new window.',
      'An existing window is taken over by its `windowId`. Because no endpoint shows it, the first apply writes all of its fields.',
      'A `schedule` creates a window for each occurrence up to its horizon, under `maintenanceWindows.NAME[START]`. An occurrence that has begun is never created. One that is over leaves the state without a request. One that the rule no longer has is ended, whatever `onRemove` says. See [Recurring windows](../schedule.md).',
      'To end a window that has begun, the service is sent an end about one second in the future. If that moment has passed when the request arrives and the service refuses it, the request is sent once more, with a moment a few seconds in the future.',
      'A changed `projectId` creates the new window first and then ends the old one.',
      'If the answer to a creation is lost, events that name the new window and the window’s own answers show whether it was created. If they do not, a person decides with `deploymgmt state resolve`.',
    ],
  },
})

/**
 * Endpoint 15 takes no end in the past, and only whole seconds are safe under every reading of it. A window that is
 * not known to have begun is moved, because otherwise its new end could be before its start.
 */
const endedNow = (applied: Values, now: Date, roomMs: number): Values | undefined => {
  const start = parseInstant(String(applied['startDate']))
  const end = parseInstant(String(applied['endDate']))
  const soon = (Math.floor((now.getTime() + roomMs) / 1000) + 1) * 1000
  // If it ends by itself before that, a write would only prolong it.
  if (end <= soon) return undefined
  return start <= now.getTime()
    ? { endDate: formatInstant(soon) }
    : { startDate: formatInstant(soon), endDate: formatInstant(soon + 1000) }
}
