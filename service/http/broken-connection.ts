import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorBody } from '../errors.ts'
import { commonHeaders } from './headers.ts'

/** Answers what is not HTTP, too large in its headers, or too slow, and ends the connection; and what expects too much. */
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
      // Node's own refusal of an expectation is none of ours, in its headers and its body.
      server.on('checkExpectation', (_request, response) => {
        const { headers, body } = refusalOf(417, 'The expectation cannot be met.', now())
        response.writeHead(417, headers).end(body)
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
  const { reason, headers, body } = refusalOf(
    status,
    'The request is not valid HTTP, or exceeds a limit.',
    now,
  )
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    ...Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}

/** An answer by hand, where the server framework is not asked. */
const refusalOf = (status: number, detail: string, now: number) => {
  const content = errorBody(new ApiError(status, 'BAD_REQUEST', detail), status)
  const body = JSON.stringify(content)
  const headers = {
    ...commonHeaders(now),
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  return { reason: content.reason, headers, body }
}
