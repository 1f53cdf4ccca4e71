import { asList, textOf, type Values } from '../../core/values.ts'
import { boolean, commonly, element, id, instant, integer, json, list, string } from '../../core/field.ts'
import { AUDIT_EVENT_TYPES, DIFF_STATUSES, DIFF_TYPES, EVENT_TYPES, METRIC_NAMES } from '../../vocabulary.ts'
import { currentValue } from './current-value.ts'
import { links } from './links.ts'

/** Known event types; the set is open. */
export const eventTypes = [...AUDIT_EVENT_TYPES, ...EVENT_TYPES]

export const includeRaw = boolean('Whether the answer includes `raw`. Defaults to false.').optional()

/** An activity event (endpoints 19, 20 and 21). Its fields depend on its type. */
export const event = {
  id: id('The event.'),
  eventTypeName: commonly(eventTypes, 'event type', 'What happened.'),
  created: instant('When the event happened.'),
  projectId: id('Project in which the event happened.').onTheWire('groupId'),
  orgId: id('Organization in which the event happened.'),
  alertId: id('Alert that the event is about.'),
  alertConfigId: id('Alert configuration that the event is about, or the one of the alert.'),
  maintenanceWindowId: id('Maintenance window that the event is about.'),
  apiKeyId: id('API key that caused the event. Absent if a user caused it.'),
  publicKey: string('Public half of the key that caused the event. Absent if a user caused it.'),
  userId: id('User who caused the event. Absent if an API key caused it.'),
  username: string('Name of the user who caused the event. Absent if an API key caused it.'),
  remoteAddress: string('Address from which the event was caused.'),
  isGlobalAdmin: boolean('Whether the user who caused the event is a global monitoring administrator.'),
  clusterId: id('Cluster that the event is about.'),
  clusterName: string('Name of the cluster that the event is about.'),
  hostId: id('Host that the event is about.'),
  hostname: string('Name or address of the host that the event is about.'),
  port: integer('Port of the process that the event is about.'),
  replicaSetName: string('Replica set that the event is about.'),
  shardName: string('Shard that the event is about.'),
  teamId: id('Team that the event is about.'),
  targetUsername: string('User that the event affected.'),
  targetPublicKey: string('Public half of the API key that the event affected.'),
  accessListEntry: string('Access-list entry of the API key that the event affected.'),
  collection: string('Collection. Can be present for DATA_EXPLORER and DATA_EXPLORER_CRUD.'),
  database: string('Database. Can be present for DATA_EXPLORER and DATA_EXPLORER_CRUD.'),
  opType: string('Operation. Can be present for DATA_EXPLORER and DATA_EXPLORER_CRUD.'),
  currentValue: currentValue('Value that was measured.'),
  metricName: commonly(METRIC_NAMES, 'metric', 'Metric that went outside its threshold.'),
  diffs: list(
    element.object({
      id: string('What changed.'),
      name: string('Its name. Can be null.'),
      status: commonly(DIFF_STATUSES, 'status of a change', 'How it changed.'),
      type: commonly(DIFF_TYPES, 'type of a change', 'What kind of part it is.'),
      params: list(
        element.object({
          display: string('Name of the parameter, for people.'),
          param: string('Name of the parameter.'),
          old: string('Value before.'),
          new: string('Value after.'),
        }),
        'Parameters that changed.',
      ),
      privileges: json('Privileges; a sample of the API has them, but their contents are not documented.'),
      roles: json('Roles; a sample of the API has them, but their contents are not documented.'),
    }),
    'Changes to the deployment; the list is not exhaustive.',
  ),
  raw: json('More about the event, if `includeRaw` is true; its contents can change without notice.'),
  links,
}

/** Who did what according to an event, in words: to what, and with which parameters, as far as it tells. */
export const changedBy = (told: Values): string => {
  const who = whoActed(told)
  const diffs = asList(told['diffs'])
  const what = [
    // Left out if a change names it, which says more.
    ...[targetOf(told)].filter((target) => diffs.every(({ name }) => name !== target)),
    ...diffs.flatMap(({ name, type, status, params }) => [
      [name ?? type, status].filter((each) => typeof each === 'string').join(' '),
      ...asList(params).map(changeOf),
    ]),
  ].filter((text) => text !== undefined && text !== '')
  return [...(who === undefined ? [] : [who]), ...(what.length === 0 ? [] : [what.join(', ')])].join(': ')
}

/** Who caused an event: the public half of a key, or the name of a user. */
export const whoActed = ({ publicKey, username }: Values): string | undefined =>
  [publicKey, username].find((value) => typeof value === 'string')

/** The user, key or thing that an event is about. */
export const targetOf = (told: Values): string | undefined =>
  TARGETS.map((name) => told[name]).find((value) => typeof value === 'string')

/** An element of a list has no value before it is added, and none after it is removed. */
const changeOf = ({ display, param, old, new: after }: Values): string => {
  const [what = '', from = '', to = ''] = [display ?? param, old, after].map((each) =>
    shortened(textOf(each ?? '')),
  )
  if (from !== '' && to !== '') return `${what} ${from} → ${to}`
  if (from === to) return what
  return `${what} ${from}${to} ${from === '' ? 'added' : 'removed'}`
}

/** The beginning of an id is enough to recognise a place; whole ids would push the rest out of sight. */
const shortened = (text: string): string => text.replaceAll(/\b([0-9a-f]{4})[0-9a-f]{20}\b/g, '$1…')

const TARGETS = [
  'targetUsername',
  'targetPublicKey',
  'maintenanceWindowId',
  'alertConfigId',
  'hostname',
  'clusterName',
  'replicaSetName',
]
