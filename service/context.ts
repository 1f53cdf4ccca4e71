import type { Clock } from './clock.ts'
import type { Settings } from './settings/settings.ts'
import type { EventStore } from './store/event-store.ts'
import type { NotificationStore } from './store/notification-store.ts'
import type { Store } from './store/store.ts'

/** What every part of a running service works with. */
export interface Context {
  readonly store: Store
  readonly events: EventStore
  readonly notifications: NotificationStore
  readonly clock: Clock
  readonly settings: Settings
  /** When the alert engine has something to do next; put to the past by whatever changes that. */
  readonly alertWatch: { dueAt: number }
  /** The base URL of the API, known once the server listens. */
  readonly baseUrl: () => string
}
