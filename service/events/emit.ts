import type { Caller } from '../auth/caller.ts'
import type { Context } from '../context.ts'
import type { EventFault } from '../http/endpoint.ts'
import { newId } from '../ids.ts'
import type { Event } from '../model/event.ts'
import { includesRole } from '../model/roles.ts'
import { formatTimestamp, parseDuration } from '../time.ts'

/** The events of the service's own writes; all but the last are named by facts about this class of service. */
type WriteEventType =
  | 'ALERT_CONFIG_ENABLED_AUDIT'
  | 'ALERT_CONFIG_DISABLED_AUDIT'
  | 'MAINTENANCE_WINDOW_ADDED_AUDIT'
  | 'MAINTENANCE_WINDOW_CHANGED_AUDIT'
  | 'USER_CREATED_AUDIT'
  | 'USER_ROLES_CHANGED_AUDIT'
  | 'INVITED_TO_ORG'
  | 'INVITED_TO_GROUP'
  | 'API_KEY_ROLES_CHANGED'
  | 'API_KEY_DESCRIPTION_CHANGED'
  | 'INTEGRATION_DELETED_AUDIT'

/** The events under open.events=some. */
const some: readonly WriteEventType[] = [
  'MAINTENANCE_WINDOW_ADDED_AUDIT',
  'USER_CREATED_AUDIT',
  'USER_ROLES_CHANGED_AUDIT',
  'INVITED_TO_ORG',
  'INVITED_TO_GROUP',
  'API_KEY_ROLES_CHANGED',
]

/** The description of a write: its event type, place and subject. */
type WriteEvent = { readonly eventTypeName: WriteEventType; readonly orgId: string } & Pick<
  Event,
  'groupId' | 'alertConfigId' | 'maintenanceWindowId' | 'targetUsername' | 'targetPublicKey' | 'diffs' | 'raw'
>

/** The part of a call that its event contains. */
export interface WriteOrigin {
  readonly context: Context
  readonly caller: Caller
  readonly remoteAddress: string
  readonly eventFault: EventFault
}

/** Writes the event of a write, within its transaction. */
export const emit = (origin: WriteOrigin, event: WriteEvent): void => {
  const { context, caller, eventFault } = origin
  const which = context.settings.get('open.events')
  if (eventFault.lost || which === 'none' || (which === 'some' && !some.includes(event.eventTypeName))) return
  const now = context.clock.now()
  const prefix = context.settings.get('open.eventNames') === 'foreign' ? 'X_' : ''
  const delay = parseDuration(context.settings.get('open.eventDelay')) ?? 0
  context.events.add(
    {
      ...event,
      id: newId(now),
      eventTypeName: prefix + event.eventTypeName,
      created: formatTimestamp(now),
      ...actor(caller),
      ...address(origin),
      isGlobalAdmin: includesRole(caller.roles, { roleName: 'GLOBAL_MONITORING_ADMIN' }),
    },
    now + delay + eventFault.lateBy,
  )
}

/** A key, or the user of a personal key; never both. */
const actor = (caller: Caller): Pick<Event, 'apiKeyId' | 'publicKey' | 'userId' | 'username'> =>
  caller.kind === 'apiKey'
    ? { apiKeyId: caller.apiKeyId, publicKey: caller.publicKey }
    : { userId: caller.userId, username: caller.username }

/** open.remoteAddress */
const address = ({ context, caller, remoteAddress }: WriteOrigin): { remoteAddress?: string } => {
  const which = context.settings.get('open.remoteAddress')
  return which === 'always' || (which === 'users' && caller.kind === 'user') ? { remoteAddress } : {}
}
