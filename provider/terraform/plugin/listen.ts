/**
 * An address to listen at: a socket in a folder that only this user can access, or a port of the loopback interface.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { type Server, type Socket, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Address, HandshakeError } from './handshake.ts'

/** Node silently truncates longer paths, and then listens somewhere else. */
const LONGEST_PATH = 100

export interface Listener {
  readonly address: Address
  /** Passes connections on from now on; earlier ones wait, unread. */
  readonly accept: (take: (socket: Socket) => void) => void
  /** Stops listening and removes the socket's folder; may be called twice, and while the process exits. */
  readonly close: () => void
}

/** Without TLS, a port would be open to every user of the machine; only a socket is allowed then. */
export const listen = async ({ encrypted }: { readonly encrypted: boolean }): Promise<Listener> => {
  const folder = process.platform === 'win32' ? undefined : socketFolder(encrypted)
  const waiting: Socket[] = []
  let take = (socket: Socket): void => void waiting.push(socket)
  const server = createServer({ pauseOnConnect: true }, (socket) => {
    // A connection that breaks while it waits is no reason to stop.
    socket.on('error', () => undefined)
    take(socket)
  })
  const path = folder === undefined ? undefined : join(folder, SOCKET_NAME)
  await bind(server, path)
  return {
    address: path === undefined ? portOf(server) : { network: 'unix', path },
    accept: (next) => {
      take = next
      for (const socket of waiting.splice(0)) next(socket)
    },
    close: () => {
      server.close()
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    },
  }
}

const SOCKET_NAME = 'plugin.sock'
const FOLDER_PREFIX = 'terraform-provider-'
/** Node adds these many random characters to the prefix. */
const RANDOM_LENGTH = 6

/** A new folder with mode 0700, or undefined if there is none for a socket, and a port may take its place. */
const socketFolder = (encrypted: boolean): string | undefined => {
  try {
    return newFolderIn(tmpdir())
  } catch (error) {
    if (encrypted) return undefined
    throw error
  }
}

/** @throws HandshakeError */
const newFolderIn = (folder: string): string => {
  const prefix = join(folder, FOLDER_PREFIX)
  const length = Buffer.byteLength(join(`${prefix}${'x'.repeat(RANDOM_LENGTH)}`, SOCKET_NAME))
  if (length > LONGEST_PATH)
    throw new HandshakeError(
      `A socket in ${folder} would have a path of ${String(length)} bytes; at most ${String(LONGEST_PATH)} are possible. ` +
        'Set TMPDIR to a folder with a shorter path.',
    )
  try {
    return mkdtempSync(prefix)
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new HandshakeError(
      `No folder for a socket can be made in ${folder} (${code}). Set TMPDIR to a folder that can be written.`,
    )
  }
}

const bind = async (server: Server, path: string | undefined): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>()
  server.once('error', reject)
  if (path === undefined) server.listen(0, '127.0.0.1', () => resolve(undefined))
  else server.listen(path, () => resolve(undefined))
  await promise
}

const portOf = (server: Server): Address => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return { network: 'tcp', port: address.port }
}
