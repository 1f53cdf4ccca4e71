import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { listen } from './listen.ts'

/** A comment, or an issue with its own comments. */
interface Post {
  readonly id: number
  readonly text: string
  /** Who wrote it, if not the user of the token. */
  readonly by?: string
  readonly title?: string
  readonly labels?: readonly string[]
  readonly isClosed?: boolean
}

/** What a forge has: comments by what they are on, such as `pull/7` or `issue/1`, and issues. */
export interface Forge {
  readonly comments: Map<string, Post[]>
  readonly issues: Post[]
  /** `METHOD path` of each request, in order; reads with their query. */
  readonly requests: string[]
  /** The messages that a chat got. */
  readonly chat: unknown[]
  /** What its runners set in the environment. */
  readonly env: Readonly<Record<string, string>>
  /** Refuses all writes, as for a token that may only read. */
  readOnly: boolean
}

const TOKEN = 'forge-canary'

/** How one system spells what all of them have. */
interface Dialect {
  readonly env: (url: string) => Readonly<Record<string, string>>
  readonly base: string
  readonly isAllowed: (request: IncomingMessage) => boolean
  readonly update: string
  readonly pull: RegExp
  /** The path of one comment, if that is not below the thing that it is on. */
  readonly comment: RegExp
  readonly notes: string
  readonly text: 'body' | 'description'
  readonly shown: (post: Post) => object
  /** The answer to who the user of the token is; a workflow of GitHub may not ask. */
  readonly user: Answer
  readonly isClosed: (sent: any) => boolean | undefined
}

export const DIALECTS: Readonly<Record<'github' | 'gitlab', Dialect>> = {
  github: {
    env: (url) => ({
      GITHUB_ACTIONS: 'true',
      GITHUB_API_URL: url,
      GITHUB_REPOSITORY: 'acme/site',
      GITHUB_REF: 'refs/pull/7/merge',
      GITHUB_TOKEN: TOKEN,
      GITHUB_SERVER_URL: 'https://github.example.com',
      GITHUB_RUN_ID: '17',
    }),
    base: '/repos/acme/site',
    isAllowed: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`,
    update: 'PATCH',
    pull: /^\/issues\/(7)\/comments$/,
    comment: /^\/issues\/comments\/(\d+)$/,
    notes: 'comments',
    text: 'body',
    user: [403, { message: 'Resource not accessible by integration' }],
    shown: ({ id, text, isClosed, by, ...post }) => ({
      id: id + 1000,
      user: by === undefined ? { login: 'github-actions[bot]', type: 'Bot' } : { login: by, type: 'User' },
      number: id,
      body: text,
      state: isClosed === true ? 'closed' : 'open',
      ...post,
    }),
    isClosed: ({ state }) => (state === undefined ? undefined : state === 'closed'),
  },
  gitlab: {
    env: (url) => ({
      GITLAB_CI: 'true',
      CI_API_V4_URL: url,
      CI_PROJECT_ID: '5',
      CI_MERGE_REQUEST_IID: '7',
      REPORT_TOKEN: TOKEN,
      CI_JOB_URL: 'https://gitlab.example.com/acme/site/-/jobs/17',
    }),
    base: '/projects/5',
    isAllowed: ({ headers }) => headers['private-token'] === TOKEN,
    update: 'PUT',
    pull: /^\/merge_requests\/(7)\/notes$/,
    comment: /^\/merge_requests\/7\/notes\/(\d+)$/,
    notes: 'notes',
    text: 'description',
    user: [200, { username: 'project_5_bot' }],
    shown: ({ id, text, isClosed, by, ...post }) => ({
      id: id + 1000,
      author: { username: by ?? 'project_5_bot' },
      iid: id,
      body: text,
      description: text,
      state: isClosed === true ? 'closed' : 'opened',
      ...post,
    }),
    isClosed: ({ state_event: event }) => (event === undefined ? undefined : event === 'close'),
  },
}

/** A small server that answers the requests of `examples/ci/tell.sh` as GitHub or GitLab do, and any chat's hook. */
export const forgeLike = async (system: keyof typeof DIALECTS): Promise<Forge> => {
  const dialect = DIALECTS[system]
  const server = createServer((request, response) => void serve(forge, dialect, request, response))
  const url = `http://127.0.0.1:${await listen(server)}`
  onTestFinished(() => {
    server.close()
  })
  const env = { ...dialect.env(url), DEPLOYMGMT_CHAT_HOOK: `${url}/hook-canary` }
  const forge: Forge = { comments: new Map(), issues: [], requests: [], chat: [], env, readOnly: false }
  return forge
}

const serve = async (
  forge: Forge,
  dialect: Dialect,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const sent = request.method === 'GET' ? {} : await json(request)
  const [status, answer] = answerOf(forge, dialect, request, sent)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}

type Answer = readonly [status: number, body: unknown]

const answerOf = (forge: Forge, dialect: Dialect, request: IncomingMessage, sent: any): Answer => {
  const { method = '', url = '' } = request
  if (url === '/hook-canary') return [200, forge.chat.push(sent)]
  if (url === '/user' && dialect.isAllowed(request)) return dialect.user
  if (!url.startsWith(dialect.base) || !dialect.isAllowed(request)) return [401, { message: 'who are you' }]
  const path = url.slice(dialect.base.length)
  forge.requests.push(`${method} ${path}`)
  if (method !== 'GET' && forge.readOnly) return [403, { message: 'not with this token' }]
  const { pathname, searchParams } = new URL(path, 'http://x')
  const posts = listAt(forge, dialect, pathname)
  if (posts !== undefined && method === 'GET') return [200, pageOf(posts, searchParams).map(dialect.shown)]
  if (posts !== undefined && method === 'POST') return [201, posted(posts, dialect, sent)]
  return method === dialect.update ? updated(forge, dialect, pathname, sent) : [404, {}]
}

const listAt = (forge: Forge, dialect: Dialect, path: string): Post[] | undefined => {
  if (path === '/issues') return forge.issues
  const notes = new RegExp(`^/issues/(\\d+)/${dialect.notes}$`)
  const pull = dialect.pull.exec(path)?.[1]
  const issue = pull === undefined ? notes.exec(path)?.[1] : undefined
  const on = pull === undefined ? issue && `issue/${issue}` : `pull/${pull}`
  if (on === undefined) return undefined
  const posts = forge.comments.get(on) ?? []
  forge.comments.set(on, posts)
  return posts
}

const pageOf = (posts: readonly Post[], query: URLSearchParams): readonly Post[] => {
  const size = Number(query.get('per_page') ?? 20)
  const start = (Number(query.get('page') ?? 1) - 1) * size
  const label = query.get('labels')
  return posts
    .filter(({ labels = [] }) => label === null || labels.includes(label))
    .slice(start, start + size)
}

const posted = (posts: Post[], { text, shown }: Dialect, sent: any): object => {
  const post = { id: posts.length + 1, ...sent, text: sent[text] ?? sent.body }
  posts.push(post)
  return shown(post)
}

const updated = (forge: Forge, dialect: Dialect, path: string, sent: any): Answer => {
  const comment = dialect.comment.exec(path)?.[1]
  const posts = comment === undefined ? forge.issues : (forge.comments.get('pull/7') ?? [])
  const id = comment === undefined ? Number(/^\/issues\/(\d+)$/.exec(path)?.[1]) : Number(comment) - 1000
  const index = posts.findIndex((post) => post.id === id)
  const before = posts[index]
  if (before === undefined) return [404, {}]
  const isClosed = dialect.isClosed(sent) ?? before.isClosed ?? false
  posts[index] = { ...before, text: sent[dialect.text] ?? sent.body ?? before.text, isClosed }
  return [200, dialect.shown(posts[index])]
}
