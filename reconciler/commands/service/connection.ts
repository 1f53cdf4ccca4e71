import {
  accessFrom,
  createClient,
  privateKeyWarning,
  type Client,
  type ClientOptions,
  type ServiceAccess,
} from '@deploymgmt/provider/api'
import { InternalError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { tell } from '../output/tell.ts'

/** The address of the service and the calling key. The private key never comes from the command line. */
export interface Connection extends ServiceAccess {
  /** The name of the service in a state, if its address changes from command to command. */
  readonly knownAs?: string
  readonly allowHttp: boolean
}

/** @throws SettingMissingError, CredentialsError if the environment lacks or contradicts a value */
export const connectionFrom = async (
  { env, stderr, secrets }: Io,
  options: { allowHttp?: boolean },
): Promise<Connection> => {
  const access = await accessFrom(env, {}, '; or try --local')
  secrets.add(access.privateKey)
  const warning = privateKeyWarning(env)
  if (warning !== undefined) await tell({ stderr }, `Warning: ${warning}`)
  return { ...access, allowHttp: options.allowHttp === true }
}

interface ClientSettings {
  readonly concurrency: number
  readonly signal: AbortSignal | undefined
  readonly fence: Fence
  readonly retryUntil?: number | undefined
  readonly onRequest: ClientOptions['onRequest']
}

/** What must hold before a write leaves. A command that writes sets it once it holds the lock of its state. */
export interface Fence {
  confirm?: () => Promise<void>
}

/** A client that uses the clock of the command, and waits as the command does. */
export const clientFor = (
  connection: Connection,
  { env, now, pause, random }: Pick<Io, 'env' | 'now' | 'pause' | 'random'>,
  { concurrency, signal, fence, retryUntil, onRequest }: ClientSettings,
): Client =>
  createClient({
    ...connection,
    proxies: env,
    concurrency,
    signal,
    retryUntil,
    onRequest,
    now: () => now().getTime(),
    ...(pause === undefined ? {} : { delay: pause }),
    ...(random === undefined ? {} : { random }),
    beforeWrite: () => (fence.confirm ?? withoutLock)(),
  })

const withoutLock = (): Promise<never> =>
  Promise.reject(new InternalError(new Error('a write was about to be sent without the lock of a state')))
