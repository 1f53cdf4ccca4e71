import { ServiceStartError, startService } from '@deploymgmt/service'
import { ServeError, UsageError } from '../errors/index.ts'
import { type Io, print } from '../io.ts'
import { rendererOf } from '../render/formats.ts'
import { PLAIN } from './output/report.ts'

interface ServeOptions {
  readonly host: string
  readonly port: number
  readonly data?: string
  readonly fixture?: string
  readonly set: readonly string[]
  readonly control?: boolean
  readonly format: string
  readonly allowRemote?: boolean
}

/** Runs the embedded service until it is stopped. */
export const serve = async (io: Io, options: ServeOptions): Promise<number> => {
  const render = await rendererOf('ready', options.format)
  const service = await startService({
    host: options.host,
    port: options.port,
    settings: settingsFrom(options.set),
    control: options.control === true,
    allowRemoteHost: options.allowRemote === true,
    ...(options.data === undefined ? {} : { data: options.data }),
    ...(options.fixture === undefined ? {} : { fixture: options.fixture }),
  }).catch((error: unknown) => {
    throw error instanceof ServiceStartError ? new ServeError(error) : error
  })
  const { baseUrl, controlUrl, controlToken } = service
  const document = {
    ready: true,
    baseUrl,
    ...(controlUrl === undefined ? {} : { controlUrl, controlToken }),
  } as const
  // Registered first, because a reader of the ready message may stop it at once.
  const stopped = new Promise<void>((resolve) => {
    const stop = io.onInterrupt(() => {
      stop()
      resolve()
    })
  })
  try {
    await print(io.stdout, render({ document, data: options.data }, PLAIN) ?? '')
    await stopped
  } finally {
    // Closes even if printing failed: the service would keep the process alive for ever.
    await service.close()
  }
  return 0
}

const settingsFrom = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0)
        throw new UsageError(`--set ${pair}: a setting is KEY=VALUE`, {
          hint: 'docs/service-settings.md lists them.',
        })
      return [pair.slice(0, at), pair.slice(at + 1)]
    }),
  )
