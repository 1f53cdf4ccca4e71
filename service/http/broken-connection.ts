import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorBody } from '../errors.ts'
import { commonHeaders } from './headers.ts'

/** Answers what is not HTTP, too large in its headers, or too slow, and ends the connection. */
export const createRefusal = (now: () => number) => {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  return {
    /** Remembers which answers each connection still owes. */
    watch: (server: Server): void => {
      server.on('request', (request, response) => {
        const answers = open.get(request.socket) ?? new Set()
        open.set(request.socket, answers.add(response))
        response.once('close', () => answers.delete(response))
      })
    },
    refuse: (error: Error & { code?: string }, socket: Socket): void => {
      if (error.code === 'ECONNRESET') socket.destroy()
      // A request that was read whole is carried out: the refusal of what follows it must not pass for its answer.
      const owed = [...(open.get(socket) ?? [])].findLast(({ req }) => req.complete)
      if (owed) owed.once('close', () => endWith(socket, error.code, now()))
      else endWith(socket, error.code, now())
    },
  }
}

const endWith = (socket: Socket, code: string | undefined, now: number): void => {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = { HPE_HEADER_OVERFLOW: 431, ERR_HTTP_REQUEST_TIMEOUT: 408 }[code ?? ''] ?? 400
  const refusal = new ApiError(
    status,
    'BAD_REQUEST',
    'The request is not valid HTTP, or not within the limits.',
  )
  const body = JSON.stringify(errorBody(refusal, status))
  const headers = {
    ...commonHeaders(now),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const head = [
    `HTTP/1.1 ${status} ${errorBody(refusal, status).reason}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
