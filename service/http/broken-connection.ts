import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError, errorBody } from '../errors.ts'
import { commonHeaders } from './headers.ts'

/**
 * Answers requests that are not HTTP, have too large headers, are too slow, or expect too much, and closes the
 * connection.
 */
export const createRefusal = (now: () => number) => {
  const open = new WeakMap<Socket, Set<ServerResponse>>()
  const latest = new WeakMap<Socket, ServerResponse>()
  return {
    /** Remembers the pending answers of each connection, and the latest one. */
    watch: (server: Server): void => {
      server.on('request', (request, response) => {
        latest.set(request.socket, response)
        const answers = open.get(request.socket) ?? new Set()
        open.set(request.socket, answers.add(response))
        response.once('close', () => answers.delete(response))
      })
      // Node's own refusal of an expectation lacks our headers and body.
      server.on('checkExpectation', (_request, response) => {
        const { headers, body } = refusalOf(417, 'The expectation cannot be met.', now())
        response.writeHead(417, headers).end(body)
      })
    },
    refuse: (error: Error & { code?: string }, socket: Socket): void => {
      if (error.code === 'ECONNRESET') socket.destroy()
      const last = latest.get(socket)
      // The rest of a request that was answered before it was read, as with 401: a second answer would be one too many.
      if (last?.writableEnded && !last.req.complete) {
        if (last.writableFinished) socket.end()
        else last.once('close', () => socket.end())
        return
      }
      // A request that was read completely is carried out: the refusal of a later one must not look like its answer.
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

/** A hand-written answer, because the server framework is not involved. */
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
