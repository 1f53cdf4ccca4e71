import { randomBytes } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import type { FastifyInstance } from 'fastify'
import { apiPrefix, controlPrefix, createApp } from './app.ts'
import { createClock } from './clock.ts'
import type { Context } from './context.ts'
import { createFaults, type Faults } from './control/faults.ts'
import { createRequestLog } from './control/request-log.ts'
import { fillStore } from './fixture/fill-store.ts'
import { isLoopback } from './http/host-check.ts'
import { listen } from './listen.ts'
import { ServiceStartError } from './start-error.ts'
import { createEventStore } from './store/event-store.ts'
import { createNotificationStore } from './store/notification-store.ts'
import { openDatabase } from './store/open.ts'
import { createStore } from './store/store.ts'

/** Options of a service. Everything has a default. */
export interface ServiceOptions {
  /** The address to listen on; any other than loopback needs allowRemoteHost. Default 127.0.0.1. */
  readonly host?: string
  /** The port; 0 selects a free one. Default 0. */
  readonly port?: number
  /** The SQLite file for the data; without it nothing is kept and no file is written. */
  readonly data?: string
  /** A fixture file (YAML or JSON) or a fixture; loaded only if the store is empty. */
  readonly fixture?: string | object
  /** Settings by name; they take precedence over those of the fixture. */
  readonly settings?: Readonly<Record<string, string>>
  /** Whether to offer `/_control/`. Default false. */
  readonly control?: boolean
  /** Allows other machines: the API is then open to everybody who can reach the address, over plain http. */
  readonly allowRemoteHost?: boolean
  /** The real time of its clock, in milliseconds since the epoch. Default: that of this machine. */
  readonly now?: () => number
}

const LOOPBACK = '127.0.0.1'

/** A listening service. */
export interface RunningService {
  readonly baseUrl: string
  readonly controlUrl?: string
  readonly controlToken?: string
  /** Stops listening, resets open connections and closes the store. */
  close(): Promise<void>
}

/** Starts a service. Throws a ServiceStartError for problems that the caller can fix. */
export const startService = async (options: ServiceOptions = {}): Promise<RunningService> => {
  checkHost(options)
  const database = openDatabase(options.data)
  try {
    return await composeService(database, options).listen()
  } catch (error) {
    database.close()
    throw error
  }
}

/** A service and its parts, before it listens: used by simulations that run inside of it. */
export interface ComposedService {
  readonly app: FastifyInstance
  readonly context: Context
  readonly faults: Faults
  listen(): Promise<RunningService>
}

export const composeService = (database: DatabaseSync, options: ServiceOptions): ComposedService => {
  const { host = LOOPBACK } = options
  let baseUrl = ''
  const stores = {
    store: createStore(database),
    events: createEventStore(database),
    notifications: createNotificationStore(database),
    clock: createClock(options.now),
    alertWatch: { dueAt: -Infinity },
    baseUrl: () => baseUrl,
  }
  const settings = fillStore(stores, options, host)
  const context: Context = { ...stores, settings }
  const controlToken = options.control ? randomBytes(24).toString('base64url') : undefined
  const closing = new AbortController()
  const faults = createFaults()
  const app = createApp({
    context,
    log: createRequestLog(context.clock, options.control === true),
    faults,
    controlToken,
    allowAnyHost: !isLoopback(host),
    closing: closing.signal,
  })
  const start = async (): Promise<RunningService> => {
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
  return { app, context, faults, listen: start }
}

const checkHost = ({ host = LOOPBACK, allowRemoteHost }: ServiceOptions): void => {
  if (isLoopback(host) || allowRemoteHost === true) return
  throw new ServiceStartError(
    'DM-SERVE-HOST',
    `refused to listen on ${host}: other machines could reach the service, over plain http. Listen on 127.0.0.1, or allow it with --allow-remote.`,
  )
}
