import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { ServiceStartError } from './start-error.ts'

/** Starts to listen, and returns the origin. */
export const listen = async (app: FastifyInstance, host: string, port: number): Promise<string> => {
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new ServiceStartError('DM-SERVE-PORT', `${port} is not a port: give a whole number from 0 to 65535`)
  }
  try {
    await app.listen({ host, port })
  } catch (error) {
    await app.close()
    throw explain(error, host, port)
  }
  const address = app.server.address() as AddressInfo
  return `http://${nameOf(host)}:${address.port}`
}

/** The name under which clients on this machine reach a listener. */
const nameOf = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

const explain = (error: unknown, host: string, port: number): unknown => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE' || code === 'EACCES') {
    const reason = code === 'EACCES' ? 'may not be used by this user' : 'is taken'
    return new ServiceStartError(
      'DM-SERVE-PORT',
      `port ${port} on ${host} ${reason}. Give another with --port, or 0 for a free one.`,
      { cause: error },
    )
  }
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new ServiceStartError(
      'DM-SERVE-HOST',
      `this machine has no address ${host}. Give another with --host.`,
      {
        cause: error,
      },
    )
  }
  return error
}
