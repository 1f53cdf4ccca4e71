import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/**
 * What happens to a request: it is answered, cut off before or after it was carried out, cut off and carried out late,
 * or refused with 500.
 */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'late' | 'fail'

export interface Asked {
  readonly url: string
  /** Its number among the requests that were let in. */
  readonly nth: number
  /** Resolves once the client has hung up. */
  readonly gone: () => Promise<unknown>
}

export interface GitServer {
  /** The address for `--state`. */
  readonly address: string
  /** The header with which a checkout is let in. */
  readonly header: string
  /** Called for each request, in order; the request waits until this resolves. */
  fate: (request: Asked) => Fate | Promise<Fate>
  /** Awaited before an answer is sent; by then the request is carried out. */
  beforeAnswer: (request: Asked) => Promise<void> | void
  /** How many requests were let in so far. */
  requests: number
  /** Carries out the late requests. */
  arrive: () => Promise<void>
}

/** git's own server behind HTTP with a user and a password, for a bare repository. */
export const gitServer = async (bare: string): Promise<GitServer> => {
  const header = `Authorization: Basic ${Buffer.from('ci:canary-password').toString('base64')}`
  const late: (() => Promise<unknown>)[] = []
  const arrive = async (): Promise<void> => {
    for (const each of late.splice(0)) await each()
  }
  const server: GitServer = {
    address: '',
    header,
    fate: () => 'answer',
    beforeAnswer: () => undefined,
    requests: 0,
    arrive,
  }
  const listening = createServer((request, response) => void serve(server, { bare, late }, request, response))
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    listening.closeAllConnections()
    listening.close()
  })
  const { port } = listening.address() as AddressInfo
  return Object.assign(server, { address: `git+http://127.0.0.1:${port}/${basename(bare)}` })
}

const serve = async (
  server: GitServer,
  { bare, late }: { readonly bare: string; readonly late: (() => Promise<unknown>)[] },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  if (`Authorization: ${request.headers.authorization}` !== server.header) {
    response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
    return
  }
  server.requests += 1
  const gone = () => once(request.socket, 'close')
  const asked = { url: request.url ?? '', nth: server.requests, gone }
  const fate = await server.fate(asked)
  if (fate === 'fail') response.writeHead(500).end()
  else if (fate === 'cut-before') request.socket.destroy()
  else if (fate === 'late') {
    late.push(() => carryOut(bare, request, Buffer.concat(chunks)))
    request.socket.destroy()
  } else {
    const answer = await carryOut(bare, request, Buffer.concat(chunks))
    await server.beforeAnswer(asked)
    if (fate === 'cut-after') request.socket.destroy()
    else send(answer, response)
  }
}

const backend = join(execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim(), 'git-http-backend')

/** The first answer to a fetch in the second version of the protocol: it says what this git can do, and no more. */
let abilities: Buffer | undefined

/** What git's server answers. It is started only once for what depends on nothing in a repository. */
const carryOut = async (bare: string, request: IncomingMessage, body: Buffer): Promise<Buffer> => {
  const isAlike =
    request.url?.endsWith('/info/refs?service=git-upload-pack') === true &&
    request.headers['git-protocol'] === 'version=2' &&
    existsSync(join(bare, 'HEAD'))
  if (isAlike && abilities !== undefined) return abilities
  const answer = await answerOf(bare, request, body)
  if (isAlike && answer.includes('version 2')) abilities = answer
  return answer
}

/** Runs it as a CGI program, and returns its output. */
const answerOf = (bare: string, request: IncomingMessage, body: Buffer): Promise<Buffer> => {
  const [path = '', query = ''] = (request.url ?? '').split('?')
  const { 'content-encoding': encoding, 'content-type': type, 'git-protocol': protocol } = request.headers
  const child = spawn(backend, {
    env: {
      PATH: process.env['PATH'] ?? '',
      GIT_PROJECT_ROOT: dirname(bare),
      GIT_HTTP_EXPORT_ALL: '1',
      PATH_INFO: path,
      QUERY_STRING: query,
      REQUEST_METHOD: request.method ?? '',
      REMOTE_USER: 'ci',
      CONTENT_LENGTH: String(body.length),
      ...(type === undefined ? {} : { CONTENT_TYPE: type }),
      ...(encoding === undefined ? {} : { HTTP_CONTENT_ENCODING: encoding }),
      ...(protocol === undefined ? {} : { GIT_PROTOCOL: String(protocol) }),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stdin.on('error', () => undefined)
  child.stdin.end(body)
  return new Promise((resolve) => child.on('close', () => resolve(Buffer.concat(chunks))))
}

const send = (answer: Buffer, response: ServerResponse): void => {
  const end = answer.indexOf('\r\n\r\n')
  const lines = answer.subarray(0, end).toString().split('\r\n')
  const headers = lines.map((line) => line.split(': ') as [string, string])
  const status = headers.find(([name]) => name === 'Status')?.[1]
  for (const [name, value] of headers) if (name !== 'Status') response.setHeader(name, value)
  response.writeHead(Number(status?.slice(0, 3) ?? 200)).end(answer.subarray(end + 4))
}
