import type { Client } from '@deploymgmt/provider/api'
import type { Io } from '../../io.ts'
import type { CommonOptions } from '../line/options.ts'
import { clientFor, connectionFrom, type Connection, type Fence } from './connection.ts'
import { interruptOf } from './interrupt.ts'
import { startLocal } from './local.ts'
import { traceFor, type Trace } from './trace.ts'

interface Limits {
  /** Ends what is under way; by default, an interrupt aborts reads. */
  readonly signal?: AbortSignal
  /** When retries end, epoch milliseconds. */
  readonly retryUntil?: number
}

/**
 * Runs a command with a client for the service of the environment or, with `--local`, for one that is started for
 * this command. Everything is closed afterwards, however the command ends.
 */
export const withClient = async <T>(
  io: Io,
  options: CommonOptions,
  use: (client: Client, connection: Connection & { readonly fence: Fence }) => Promise<T>,
  { signal, retryUntil }: Limits = {},
): Promise<T> => {
  const local = options.local === true ? await startLocal(io, options) : undefined
  let trace: Trace | undefined
  const own = signal === undefined ? interruptOf(io, 'reads are aborted') : undefined
  try {
    trace = await traceFor(io, options)
    const connection = local?.connection ?? (await connectionFrom(io, options))
    const fence: Fence = {}
    const client = clientFor(connection, io, {
      concurrency: options.concurrency,
      signal: signal ?? own?.signal,
      fence,
      retryUntil,
      onRequest: trace?.onRequest,
    })
    try {
      return await use(client, { ...connection, baseUrl: connection.knownAs ?? client.baseUrl, fence })
    } finally {
      await client.close()
    }
  } finally {
    own?.stopListening()
    await trace?.close()
    await local?.close()
  }
}
