import type { Clock } from './clock.ts'
import type { Settings } from './settings/settings.ts'
import type { EventStore } from './store/event-store.ts'
import type { NotificationStore } from './store/notification-store.ts'
import type { Store } from './store/store.ts'

/** The context of every part of a running service. */
export interface Context {
  readonly store: Store
  readonly events: EventStore
  readonly notifications: NotificationStore
  readonly clock: Clock
  readonly settings: Settings
  /** When the alert engine is due next; set to the past by anything that changes that. */
  readonly alertWatch: { dueAt: number }
  /** The base URL of the API, known once the server listens. */
  readonly baseUrl: () => string
}

/** The same for what concerns one project. */
export interface ProjectContext extends Context {
  readonly projectId: string
}
