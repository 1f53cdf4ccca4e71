import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { apiPrefix, controlPrefix, createApp } from './app.ts'
import { createClock } from './clock.ts'
import type { Context } from './context.ts'
import { createFaults } from './control/faults.ts'
import { createRequestLog } from './control/request-log.ts'
import { fillStore } from './fixture/fill-store.ts'
import { isLoopback } from './http/host-check.ts'
import { listen } from './listen.ts'
import { ServiceStartError } from './start-error.ts'
import { createEventStore } from './store/event-store.ts'
import { createNotificationStore } from './store/notification-store.ts'
import { openDatabase } from './store/open.ts'
import { createStore } from './store/store.ts'

/** How a service is started. Everything has a default. */
export interface ServiceOptions {
  /** The address to listen on; another than loopback needs allowRemoteHost. Default 127.0.0.1. */
  readonly host?: string
  /** The port; 0 takes a free one. Default 0. */
  readonly port?: number
  /** The SQLite file that keeps the data; without it nothing is kept and no file is written. */
  readonly data?: string
  /** A fixture file (YAML or JSON) or a fixture; loaded only where the store is empty. */
  readonly fixture?: string | object
  /** Settings by name; they come before those of the fixture. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether to offer `/_control/`. Default false. */
  readonly control?: boolean
  /** Lets other machines in: the API is then open to whoever can reach the address, over plain http. */
  readonly allowRemoteHost?: boolean
}

/** A service that listens. */
export interface RunningService {
  readonly baseUrl: string
  readonly controlUrl?: string
  readonly controlToken?: string
  /** Stops listening, resets what is open and closes the store. */
  close(): Promise<void>
}

/** Starts a service; throws a ServiceStartError for what the caller can put right. */
export const startService = async (options: ServiceOptions = {}): Promise<RunningService> => {
  const host = options.host ?? '127.0.0.1'
  checkHost(host, options)
  const database = openDatabase(options.data)
  try {
    return await run(database, host, options)
  } catch (error) {
    database.close()
    throw error
  }
}

const run = async (
  database: DatabaseSync,
  host: string,
  options: ServiceOptions,
): Promise<RunningService> => {
  let baseUrl = ''
  const stores = {
    store: createStore(database),
    events: createEventStore(database),
    notifications: createNotificationStore(database),
    clock: createClock(),
    alertWatch: { dueAt: -Infinity },
    baseUrl: () => baseUrl,
  }
  const settings = fillStore(stores, options, host)
  const context: Context = { ...stores, settings }
  const controlToken = options.control ? randomBytes(24).toString('base64url') : undefined
  const closing = new AbortController()
  const app = createApp({
    context,
    log: createRequestLog(context.clock, options.control === true),
    faults: createFaults(),
    controlToken,
    allowAnyHost: !isLoopback(host),
    closing: closing.signal,
  })
  const origin = await listen(app, host, options.port ?? 0)
  baseUrl = origin + apiPrefix
  return {
    baseUrl,
    ...(controlToken === undefined ? {} : { controlUrl: origin + controlPrefix, controlToken }),
    close: async () => {
      closing.abort()
      await app.close()
      if (database.isOpen) database.close()
    },
  }
}

const checkHost = (host: string, options: ServiceOptions): void => {
  if (isLoopback(host)) return
  if (!options.allowRemoteHost) {
    throw new ServiceStartError(
      'DM-SERVE-HOST',
      `refused to listen on ${host}: other machines could reach the service, over plain http. Listen on 127.0.0.1, or allow it with --allow-remote.`,
    )
  }
}
