import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { onTestFinished } from 'vitest'
import { closed, listen } from '../../../../support/listen.ts'

/**
 * Whose protocol it follows. `plain`: LOCK and UNLOCK at the address, 423, contents ignored. `gitlab` and `gitea`: POST
 * and DELETE of …/lock; each serial is accepted once. `beside`: like GitLab, at another path. `careless`: like plain,
 * and accepts a save under any lock.
 */
export type Manner = 'plain' | 'gitlab' | 'gitea' | 'beside' | 'careless'

/** `late`: the connection is cut, and the request is carried out when `arrive` is called. */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'fail' | 'fail-after' | 'late' | number | Answered

export interface Asked {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly bytes: Buffer
  readonly body: string
  /** Its number among the requests that were let in. */
  readonly nth: number
  /** Resolves once the client has hung up. */
  readonly gone: () => Promise<unknown>
}

export interface StateServer {
  /** The address for `--state`. */
  readonly address: string
  /** Where its lock is. */
  readonly lockAddress: string
  /** Called for each request, in order; a status is answered instead of anything else. */
  fate: (asked: Asked) => Fate | Promise<Fate>
  /** Awaited before an answer is sent; by then the request is carried out. */
  beforeAnswer: (asked: Asked) => Promise<void> | void
  /** All requests that were let in, in order. */
  readonly log: Asked[]
  /** The stored document, as it was sent. */
  document: string | undefined
  /** The body of the request that took the lock. */
  lock: Record<string, unknown> | undefined
  /** Carries out the late requests. */
  arrive: () => void
  /** Sends the Content-MD5 of something else. */
  hasWrongDigest: boolean
  /** Answers requests to other paths. */
  beside: StateServer | undefined
  /** Answers one request. */
  readonly serve: (request: IncomingMessage, response: ServerResponse) => Promise<void>
}

/** The credentials that it accepts. */
export const CREDENTIALS = { DEPLOYMGMT_STATE_USERNAME: 'ci', DEPLOYMGMT_STATE_PASSWORD: 'canary-password' }

export interface Answered {
  readonly status: number
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
}

/** In PEM form. */
interface Certificate {
  readonly key: string
  readonly cert: string
}

/** A server of Terraform's http backend protocol, for one state. */
export const stateServer = async (
  manner: Manner = 'plain',
  {
    isOpen = true,
    tls,
    state = 'acme',
  }: { readonly isOpen?: boolean; readonly tls?: Certificate; readonly state?: string } = {},
): Promise<StateServer> => {
  const late: (() => void)[] = []
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname } = new URL(request.url ?? '', address)
    const isOwn = pathname === path || pathname === new URL(server.lockAddress).pathname
    void (isOwn ? server : (server.beside ?? server)).serve(request, response)
  }
  const listening = tls === undefined ? createServer(onRequest) : createSecureServer(tls, onRequest)
  const port = await listen(listening)
  onTestFinished(async () => {
    listening.closeAllConnections()
    await closed(listening)
  })
  const path = {
    plain: `/states/${state}`,
    careless: `/states/${state}`,
    beside: `/states/${state}`,
    gitlab: `/api/v4/projects/7/terraform/state/${state}`,
    gitea: `/api/packages/acme/terraform/state/${state}`,
  }[manner]
  const isGitlab = manner === 'gitlab' || manner === 'beside'
  const isBeside = isGitlab || manner === 'gitea'
  const address = `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${path}`
  const server: StateServer = {
    address,
    lockAddress: isBeside ? `${address}/lock` : address,
    fate: () => 'answer',
    beforeAnswer: () => undefined,
    log: [],
    document: undefined,
    lock: undefined,
    arrive: () => {
      for (const each of late.splice(0)) each()
    },
    hasWrongDigest: false,
    beside: undefined,
    serve: (request, response) => serve(request, response),
  }
  const serials = new Set<number>()
  const header = `Basic ${Buffer.from('ci:canary-password').toString('base64')}`

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    if (!isOpen && request.headers.authorization !== header) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="states"' }).end('HTTP Basic: Access denied')
      return
    }
    const { method = '', headers } = request
    const url = new URL(request.url ?? '', address)
    const bytes = Buffer.concat(chunks)
    const asked: Asked = {
      method,
      path: url.pathname,
      query: url.searchParams,
      headers,
      bytes,
      get body() {
        return bytes.toString()
      },
      nth: server.log.length + 1,
      gone: () => once(request.socket, 'close'),
    }
    server.log.push(asked)
    const fate = await server.fate(asked)
    if (typeof fate === 'number') return void response.writeHead(fate).end()
    if (typeof fate === 'object') return void response.writeHead(fate.status, fate.headers).end(fate.body)
    if (fate === 'fail') return void response.writeHead(500).end('<html>')
    if (fate === 'late') late.push(() => carryOut(asked))
    if (fate === 'late' || fate === 'cut-before') return void request.socket.destroy()
    const answer = carryOut(asked)
    await server.beforeAnswer(asked)
    if (fate === 'fail-after') return void response.writeHead(502).end()
    if (fate === 'cut-after') return void request.socket.destroy()
    const said = server.hasWrongDigest ? 'of something else' : answer.body
    if (said !== undefined) response.setHeader('content-md5', digestOf(said))
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body)
  }

  const carryOut = (asked: Asked): Answered => {
    const { method, headers, bytes } = asked
    const digest = headers['content-md5']
    if (digest !== undefined && digest !== digestOf(bytes)) return { status: 400 }
    const isLock = asked.path === new URL(server.lockAddress).pathname
    if (method === (isBeside ? 'POST' : 'LOCK') && isLock) return take(asked.body)
    if (method === (isBeside ? 'DELETE' : 'UNLOCK') && isLock) return giveBack(asked.body)
    if (asked.path !== path) return { status: 404 }
    if (method === 'GET') return found()
    return method === 'POST' ? save(asked) : { status: 405 }
  }

  const found = (): Answered => {
    if (server.document !== undefined) return { status: 200, body: server.document }
    return { status: isGitlab ? 204 : 404 }
  }

  const take = (body: string): Answered => {
    const asked = JSON.parse(body) as Record<string, unknown>
    const fields = ['ID', 'Operation', 'Info', 'Who', 'Version', 'Created', 'Path']
    if (fields.some((name) => typeof asked[name] !== 'string')) return { status: 400 }
    if (server.lock === undefined) {
      server.lock = asked
      return { status: 200 }
    }
    if (!isGitlab) return { status: 423, body: JSON.stringify(server.lock) }
    // It returns the id, the user and the time of the lock, and otherwise repeats the request.
    const { ID, Created } = server.lock
    return { status: 409, body: JSON.stringify({ ...asked, ID, Who: 'root', Created }) }
  }

  const giveBack = (body: string): Answered => {
    // Terraform's force-unlock sends no id.
    if (body === '' && manner === 'gitea') return { status: 400 }
    const { ID } = (body === '' ? (server.lock ?? {}) : JSON.parse(body)) as { ID?: string }
    const isHeld = server.lock !== undefined
    if (!isHeld && isGitlab) return { status: 409 }
    if (isHeld && server.lock?.['ID'] !== ID) return { status: isGitlab ? 409 : 423 }
    server.lock = undefined
    return { status: 200 }
  }

  const save = ({ query, body }: Asked): Answered => {
    const id = query.get('ID') ?? undefined
    const isHolder = server.lock?.['ID'] === id
    const isLetIn = isGitlab ? isHolder : server.lock === undefined || isHolder
    if (!isLetIn && manner !== 'careless')
      return { status: isGitlab ? 409 : 423, body: JSON.stringify(server.lock ?? {}) }
    if (isBeside) {
      const { version, serial, lineage } = JSON.parse(body) as Record<string, unknown>
      if (version !== 4 || typeof serial !== 'number' || typeof lineage !== 'string') return { status: 400 }
      const { serial: last } = JSON.parse(server.document ?? '{}') as { serial?: number }
      if (serials.has(serial) || serial === last)
        return { status: isGitlab ? 422 : 409, body: 'the serial is taken' }
      serials.add(serial)
    }
    server.document = body
    return { status: manner === 'gitea' ? 201 : 200 }
  }
  return server
}

const digestOf = (text: string | Buffer): string => createHash('md5').update(text).digest('base64')

/** Stores a state like somebody who knows neither of locks nor of what is stored with it. */
export const putState = (server: StateServer, state: string): void => {
  const there = server.document === undefined ? undefined : JSON.parse(server.document)
  const save = `save-of-somebody-${server.log.length}`
  server.document = JSON.stringify({
    version: 4,
    serial: (there?.serial ?? 0) + 1,
    lineage: there?.lineage ?? '5c1d7f0e-0000-4000-8000-000000000001',
    deploymgmt: { ...there?.deploymgmt, save, state: JSON.parse(state) },
  })
}

/** The stored state. */
export const stateAt = (server: StateServer): string => {
  const { deploymgmt } = JSON.parse(server.document ?? '{}')
  return `${JSON.stringify(deploymgmt.state, null, 2)}\n`
}
