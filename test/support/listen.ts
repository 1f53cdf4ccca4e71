import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

/** Listens on a free port of this machine, and returns it. */
export const listen = async (server: Server): Promise<number> => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Resolves when the last connection is closed, too. */
export const closed = async (server: Server): Promise<void> => {
  await once(server.close(), 'close')
}
