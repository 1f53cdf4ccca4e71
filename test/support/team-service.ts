import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

interface Team {
  readonly id: string
  readonly name?: string
  readonly usernames?: readonly string[]
}

/** A service over HTTP that has the endpoints of `team`, and no events. */
export interface TeamService {
  readonly baseUrl: string
  /** By id. */
  readonly teams: Map<string, Team>
  /** Requests that are no reads, as `METHOD path`, in order. */
  readonly writes: string[]
}

const PREFIX = '/api/public/v1.0'
const CHALLENGE = 'Digest realm="teams", domain="", nonce="1", algorithm=MD5, qop="auth", stale=false'

export const startTeamService = async (): Promise<TeamService> => {
  const teams = new Map<string, Team>()
  const writes: string[] = []
  const answerTo = async (request: IncomingMessage): Promise<[number, object]> => {
    const { method = '', url = '' } = request
    const path = url.slice(PREFIX.length).replace(/\?.*$/, '')
    const [, , , what, key] = path.split('/')
    if (method !== 'GET') writes.push(`${method} ${path}`)
    if (what !== 'teams') return [200, { results: [], totalCount: 0 }]
    if (method === 'GET' && key === undefined)
      return [200, { results: [...teams.values()], totalCount: teams.size }]
    const id = key ?? String(writes.length).padStart(24, '0')
    const before = method === 'POST' ? { id } : teams.get(id)
    if (before === undefined) return [404, { error: 404, errorCode: 'TEAM_NOT_FOUND', parameters: [id] }]
    if (method === 'GET') return [200, before]
    const team = { ...before, ...(JSON.parse(await text(request)) as Partial<Team>) }
    teams.set(id, team)
    return [method === 'POST' ? 201 : 200, team]
  }
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The client sends no body before it was asked for its credentials.
    if (request.headers.authorization === undefined) {
      response.writeHead(401, { 'www-authenticate': CHALLENGE }).end()
      return
    }
    const [status, body] = await answerTo(request)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
  const server = createServer((request, response) => void respond(request, response))
  const port = await listen(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${String(port)}${PREFIX}`, teams, writes }
}
