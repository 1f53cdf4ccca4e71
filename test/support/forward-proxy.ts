import { EventEmitter, once } from 'node:events'
import { createServer, request as sendRequest, type IncomingHttpHeaders } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** What the proxy was asked for. */
export interface Asked {
  readonly method: string
  readonly target: string
  readonly headers: IncomingHttpHeaders
}

export interface ForwardProxy {
  /** `127.0.0.1:PORT` */
  readonly host: string
  readonly asked: Asked[]
  /** What it does with a CONNECT in place of connecting: an answer, the end of the connection, nothing, or no more. */
  refusal: `${number} ${string}` | 'cut' | 'silence' | 'no more' | undefined
  /** Resolves once it has been asked for a connection. */
  reached(): Promise<void>
  /** Resolves once nobody is connected to it. */
  idle(): Promise<void>
}

/**
 * A real HTTP proxy, as a company has between its machines and the rest. Whatever host it is asked for, it leads to one
 * port of this machine. It ends with the test.
 */
export const forwardProxy = async (port: number): Promise<ForwardProxy> => {
  const open = new Set<Duplex>()
  const events = new EventEmitter()
  const keep = (socket: Duplex): void => {
    open.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      open.delete(socket)
      events.emit('closed')
    })
  }
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    proxy.asked.push({ method, target: url, headers })
    const { pathname, search } = new URL(url)
    const onward = sendRequest(
      { host: '127.0.0.1', port, method, headers, path: `${pathname}${search}` },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connection', keep)
  server.on('connect', ({ method = '', url = '', headers }, socket: Duplex) => {
    proxy.asked.push({ method, target: url, headers })
    events.emit('asked')
    const { refusal } = proxy
    if (refusal === 'silence' || refusal === 'no more') {
      if (refusal === 'no more') socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      socket.resume().on('end', () => socket.destroy())
      return
    }
    if (refusal === 'cut') socket.destroy()
    else if (refusal !== undefined) socket.end(`HTTP/1.1 ${refusal}\r\n\r\n`)
    else {
      const onward = connect(port, '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        onward.pipe(socket).pipe(onward)
      })
      keep(onward)
      socket.on('close', () => onward.destroy())
      onward.on('close', () => socket.destroy())
    }
  })
  const proxy: ForwardProxy = {
    host: `127.0.0.1:${await listen(server)}`,
    asked: [],
    refusal: undefined,
    reached: async () => {
      if (proxy.asked.length === 0) await once(events, 'asked')
    },
    idle: async () => {
      while (open.size > 0) await once(events, 'closed')
    },
  }
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  return proxy
}
