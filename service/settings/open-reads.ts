import { parseDuration } from '../time.ts'
import { choice } from './setting.ts'

/** What the API description leaves open about answers, alerts and events. */
export const openReads = {
  'open.sampleLinks': choice(
    ['empty', 'self'],
    'The links of alert configurations, global alerts, windows and disks: empty as in the samples, or self.',
    [3, 5, 7, 10, 14, 15, 16],
  ),
  'open.matcherKey': choice(
    ['fieldName', 'field', 'both'],
    'How a matcher names its field: as in the field table, as in the samples, or both.',
    [3, 5, 7],
  ),
  'open.extraFields': choice(
    ['none', 'present'],
    'Whether resources carry fields beyond the description (notifierId in notifications, serviceExtra elsewhere).',
  ),
  'open.timestampForm': choice(
    ['shortest', 'milliseconds'],
    'Timestamps in answers: a fraction only if there is one, or always milliseconds.',
  ),
  'open.integrationRedaction': choice(
    ['trailing', 'full'],
    'How keys and tokens of integrations are masked: all but the last characters, or all. Webhook secrets are always masked whole.',
    [3, 5, 7, 17],
  ),
  'open.accessListEntryMatch': choice(
    ['ipAddress', 'ipAddressOrCidrBlock'],
    'What the given value is compared with.',
    [13],
  ),
  'open.accessListNoMatch': choice(
    ['404', 'emptyList'],
    'No entry matches: 404 ACCESS_LIST_NOT_FOUND, or an empty list.',
    [13],
  ),
  'open.trackingCleared': choice(
    ['CLOSED', 'CANCELLED'],
    'The status of an alert whose condition clears while it is TRACKING.',
    [4, 6],
  ),
  'open.disabledConfigAlerts': choice(
    ['cancelled', 'kept'],
    'What happens to the live alerts of a configuration that is disabled: CANCELLED, or kept until the condition clears.',
    [3, 4, 6],
  ),
  'open.closeNotification': choice(
    ['none', 'sent'],
    'Whether the targets that were notified of an alert are notified when it closes.',
  ),
  'open.globalAlertFields': choice(
    ['given', 'categories'],
    'Which global alerts show clusterId, clusterName, hostId, hostnameAndPort and replicaSetName: all that have them, or only for the event types for which project alerts show them.',
    [10],
  ),
  'open.events': choice(
    ['all', 'none', 'some'],
    'Which writes leave events: all; none; or `some`, which are additions, invitations and role changes.',
    [19, 20, 21],
  ),
  'open.eventNames': choice(
    ['listed', 'foreign'],
    'Event type names: those known from this class of service, or others (the same with the prefix X_).',
    [19, 20, 21],
  ),
  'open.eventDelay': {
    values: ['PT0S', 'DURATION'],
    accepts: (value: string) => parseDuration(value) !== undefined,
    default: 'PT0S',
    meaning:
      'How long after the write an event becomes readable; its `created` remains the time of the write.',
    endpoints: [19, 20, 21],
  },
  'open.projectEventsInOrganizationList': choice(
    ['included', 'excluded'],
    'Whether the events of projects are among those of their organization.',
    [19, 21],
  ),
  'open.rawDocument': choice(
    ['values', 'empty'],
    'What the raw document of an event holds: the values that were written, or nothing. Its contents may change.',
    [19, 20, 21],
  ),
  'open.remoteAddress': choice(
    ['always', 'users', 'never'],
    'Which events carry remoteAddress: all, those of users, or none.',
    [19, 20, 21],
  ),
  'open.eventTypeList': choice(
    ['both', 'repeated', 'comma'],
    'How eventType names several types: repeated, separated by commas, or either.',
    [19],
  ),
  'open.diffsInOrganizationEvent': choice(
    ['absent', 'present'],
    'Whether one organization event carries diffs; only the other two event endpoints are documented to.',
    [21],
  ),
  'open.alertEvents': choice(
    ['none', 'emitted'],
    'Whether an alert that opens leaves an event of its eventTypeName in the project.',
    [19, 20, 21],
  ),
} as const
