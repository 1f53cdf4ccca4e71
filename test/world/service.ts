import { AsyncLocalStorage } from 'node:async_hooks'
import { createHash } from 'node:crypto'
import type { RunningService } from '@deploymgmt/service'
import { apiPrefix } from '../../service/app.ts'
import type { FaultSpec } from '../../service/control/fault-schema.ts'
import { conditionCalls } from '../../service/control/condition-calls.ts'
import type { ControlCall } from '../../service/control/control-call.ts'
import { invitationCalls } from '../../service/control/invitation-calls.ts'
import { createRequestLog } from '../../service/control/request-log.ts'
import { dump } from '../../service/fixture/dump.ts'
import type { Event } from '../../service/model/event.ts'
import type { Role } from '../../service/model/roles.ts'
import { composeService, type ComposedService } from '../../service/server.ts'
import { openDatabase } from '../../service/store/open.ts'
import { isWatched, type Act, type Actor, type Refusal, type Sent } from './known/acts.ts'
import type { Running } from './gate.ts'
import type { Key } from '../support/installation.ts'

/** Who sent a request, while the service works on it. */
interface Origin {
  readonly by: Actor
  readonly run: number | undefined
  readonly key: string
  body: unknown
  /** From when on the events that it causes can be read. */
  readonly seenFrom: number[]
}

export interface WatchedService extends RunningService {
  /** Everything that was written, oldest first. */
  readonly acts: readonly Act[]
  /** The error answers that runs got. */
  readonly refusals: readonly Refusal[]
  /** What runs have sent, except reads, and got an answer to. */
  readonly sent: readonly Sent[]
  /** When each run has read events; its plans know what was readable then. */
  readonly looks: ReadonlyMap<number, readonly number[]>
  /** Faults for the requests of runs, or for what others write. */
  fault(whose: 'run' | 'others', spec: FaultSpec): void
  clearFaults(): void
  /** The next successful write of a run to this path takes effect, but is answered with an error. */
  failAfter(method: string, path: string, status: number): void
  dump(): any
  /** Users who have accepted an invitation, which no event tells. */
  readonly joined: ReadonlySet<string>
  /** A user accepts what they are invited to. */
  acceptInvitations(userId: string): void
  /** Somebody adds an integration by hand. */
  integrate(projectId: string, type: string): void
  /** What somebody has added by hand where it was not. */
  readonly added: readonly Added[]
  /** The condition of an alert configuration begins or ends, so an alert is open or closed. */
  alert(projectId: string, alertConfigId: string, active: boolean): void
  /** Somebody deletes something by hand, which leaves no event; returns how to put it back. */
  vanish(kind: 'window' | 'user' | 'apiKey', parent: string, id: string): () => void
  /** Somebody deletes an alert configuration by hand, and an event says so; returns how to undo both. */
  deleteConfiguration(projectId: string, id: string, event: Event): () => void
  /** An API key gets a role of a project, which no endpoint does; returns how to take it back. */
  promote(orgId: string, apiKeyId: string, projectId: string): () => void
  /** Somebody else writes; returns the status. */
  write(
    by: Exclude<Actor, 'run'>,
    key: Key,
    method: 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<number>
}

interface Added {
  readonly projectId: string
  readonly type: string
  /** Service time, in milliseconds. */
  readonly at: number
}

/** A run, and who runs it. */
type Runner = Pick<Running, 'number' | 'by'>

interface Given {
  readonly fixture: object
  readonly settings: Readonly<Record<string, string>>
  readonly now: () => number
  /** Called when a request of a run arrives; returns whose it is, or refuses it. */
  readonly passing: (isWrite: boolean) => Promise<Runner | 'refused'>
}

/** The real service, watched from inside: its own store tells who wrote, not its answers. */
export const watchedService = async ({ fixture, settings, now, passing }: Given): Promise<WatchedService> => {
  const database = openDatabase(undefined)
  const composed = composeService(database, { fixture, settings, now })
  const { app, context, faults } = composed
  const origins = new AsyncLocalStorage<Origin>()
  const { originOf, looks } = watchRequests(app, origins, { now, passing })
  const { refusals, sent } = watchAnswers(app, originOf)
  const failing = failingOnce(app, originOf)
  const others = new Others(app, faults)
  const { acts, contents } = watchContents(context, origins)
  const joined = new Set<string>()
  const added: Added[] = []
  const controls = (call: ControlCall | undefined, body: object): void => {
    const parts = { context, faults, log: createRequestLog(context.clock, false) }
    context.store.transaction(() => void call?.handle(parts, { params: {}, body }))
  }
  return {
    ...(await composed.listen()),
    acts,
    refusals,
    sent,
    looks,
    joined,
    added,
    fault: (of, spec) => others.fault(of, spec),
    clearFaults() {
      faults.clear()
      failing.clear()
    },
    failAfter: (...met) => failing.set(...met),
    dump: contents,
    acceptInvitations(userId) {
      joined.add(userId)
      controls(invitationCalls[0], { userId, accept: true })
    },
    alert(projectId, alertConfigId, active) {
      controls(conditionCalls[0], { projectId, alertConfigId, active })
    },
    vanish: (...thing) => removedFrom(context.store, ...thing),
    deleteConfiguration(projectId, id, event) {
      const putBack = removedFrom(context.store, 'alertConfig', projectId, id)
      context.events.add(event, context.clock.now())
      return () => {
        putBack()
        database.prepare('DELETE FROM event WHERE id = ?').run(event.id)
      }
    },
    promote(orgId, apiKeyId, groupId) {
      const put = (rolesOf: (roles: readonly Role[]) => Role[]): void => {
        const { store } = context
        const key = store.get('apiKey', orgId, apiKeyId)
        if (key === undefined) return
        store.transaction(() => store.put('apiKey', orgId, apiKeyId, { ...key, roles: rolesOf(key.roles) }))
      }
      put((roles) => [...roles, { roleName: 'GROUP_READ_ONLY', groupId }])
      return () => put((roles) => roles.filter((role) => role.groupId !== groupId))
    },
    integrate(projectId, type) {
      if (context.store.get('integration', projectId, type) === undefined)
        added.push({ projectId, type, at: context.clock.now() })
      const chat = { type, apiToken: 'chat-canary-0008', teamName: 'new', channelName: '' }
      context.store.transaction(() => context.store.put('integration', projectId, type, chat as never))
    },
    write: (...asked) => others.write(...asked),
  }
}

type App = ComposedService['app']
type OriginOf = (request: object) => Origin | undefined

/** Lets a request pass, or refuses it, and remembers who sent it while the service works on it. */
const watchRequests = (
  app: App,
  origins: AsyncLocalStorage<Origin>,
  { now, passing }: Pick<Given, 'now' | 'passing'>,
): { readonly originOf: OriginOf; readonly looks: WatchedService['looks'] } => {
  const known = new WeakMap<object, Origin>()
  const looks = new Map<number, number[]>()
  app.addHook('onRequest', (request, reply, done) => {
    const by = request.headers['x-actor'] as Actor | undefined
    const enter = (origin: Origin): void => {
      known.set(request, origin)
      origins.run(origin, done)
    }
    const [body, seenFrom] = [undefined, []]
    const key = /username="([^"]+)"/.exec(request.headers.authorization ?? '')?.[1] ?? ''
    if (by !== undefined) return enter({ by, run: undefined, key, body, seenFrom })
    const isWrite = request.method !== 'GET' && request.headers.authorization !== undefined
    void passing(isWrite).then((run) => {
      if (run === 'refused') return reply.code(403).send(Buffer.from('{}'))
      const { number, by: whose } = run
      if (/\/events\b/.test(request.url)) looks.set(number, [...(looks.get(number) ?? []), now()])
      return enter({ by: whose, run: number, key, body, seenFrom })
    })
  })
  app.addHook('preHandler', (request, _, done) => {
    const origin = known.get(request)
    if (origin === undefined) return done()
    const bytes = request.body as Buffer | undefined
    origin.body = bytes === undefined || bytes.length === 0 ? undefined : JSON.parse(bytes.toString())
    origins.run(origin, done)
  })
  return { originOf: (request) => known.get(request), looks }
}

const watchAnswers = (app: App, originOf: OriginOf): Pick<WatchedService, 'refusals' | 'sent'> => {
  const refusals: Refusal[] = []
  const sent: Sent[] = []
  app.addHook('onResponse', (request, reply, done) => {
    const { run, body } = originOf(request) ?? {}
    const { method, url } = request
    const { statusCode: status } = reply
    const path = url.slice(apiPrefix.length)
    // The first request of a run has no credentials.
    const isAsking = request.headers.authorization === undefined
    if (run !== undefined && !isAsking) {
      if (status >= 400) refusals.push({ run, method, path, status })
      if (method !== 'GET') sent.push({ run, method, path, body, status })
    }
    done()
  })
  return { refusals, sent }
}

/** Answers the next successful request of a run that it is set for with an error. */
const failingOnce = (app: App, originOf: OriginOf) => {
  let failing: { readonly method: string; readonly path: string; readonly status: number } | undefined
  app.addHook('onSend', (request, reply, payload, done) => {
    const { run } = originOf(request) ?? {}
    const isMet =
      failing !== undefined &&
      run !== undefined &&
      reply.statusCode < 300 &&
      request.method === failing.method &&
      request.url.includes(failing.path)
    if (!isMet) return done(null, payload)
    const body = Buffer.from('{}')
    void reply.code(failing?.status ?? 500).header('content-length', body.length)
    failing = undefined
    done(null, body)
  })
  return {
    set(method: string, path: string, status: number): void {
      failing = { method, path, status }
    },
    clear(): void {
      failing = undefined
    },
  }
}

/** Writes of others than runs, and faults that meet only runs, or only others. */
class Others {
  readonly #app: App
  readonly #faults: ComposedService['faults']
  readonly #whose = new WeakMap<FaultSpec, 'run' | 'others'>()
  /** How many requests of others are under way. */
  #underWay = 0

  constructor(app: App, faults: ComposedService['faults']) {
    this.#app = app
    this.#faults = faults
    const take = faults.take.bind(faults)
    faults.take = (method, path, canMeet) =>
      take(method, path, (spec) => this.#isMeant(spec) && canMeet(spec))
  }

  fault(whose: 'run' | 'others', spec: FaultSpec): void {
    this.#whose.set(spec, whose)
    this.#faults.add(spec)
  }

  #isMeant(spec: FaultSpec): boolean {
    return (this.#whose.get(spec) === 'others') === this.#underWay > 0
  }

  async write(...[by, key, method, path, body]: Parameters<WatchedService['write']>): Promise<number> {
    const url = `${apiPrefix}${path}`
    const headers = { 'x-actor': by, host: '127.0.0.1' }
    const asked = await this.#app.inject({ method, url, headers })
    const nonce = /nonce="([^"]+)"/.exec(String(asked.headers['www-authenticate']))?.[1] ?? ''
    const authorization = digest(key, method, url, nonce)
    const sent =
      body === undefined
        ? { headers: { ...headers, authorization } }
        : {
            headers: { ...headers, authorization, 'content-type': 'application/json' },
            payload: JSON.stringify(body),
          }
    this.#underWay += 1
    try {
      return (await this.#app.inject({ method, url, remoteAddress: '127.0.0.1', ...sent })).statusCode
    } finally {
      this.#underWay -= 1
    }
  }
}

/** Removes something from the store; returns how to put it back. */
const removedFrom = (
  store: ComposedService['context']['store'],
  kind: 'window' | 'user' | 'apiKey' | 'alertConfig',
  parent: string,
  id: string,
): (() => void) => {
  const thing = store.get(kind, parent, id)
  store.transaction(() => void store.remove(kind, parent, id))
  return () => {
    if (thing !== undefined) store.transaction(() => store.put(kind, parent, id, thing))
  }
}

/** Notes everything that is written, by whom, and from when on its events can be read. */
const watchContents = (context: ComposedService['context'], origins: AsyncLocalStorage<Origin>) => {
  const { clock, events, settings, store } = context
  const acts: Act[] = []
  const add = events.add.bind(events)
  const isExcluded = settings.get('open.projectEventsInOrganizationList') === 'excluded'
  events.add = (event, visibleAt) => {
    if (!(isExcluded && event.groupId !== undefined)) origins.getStore()?.seenFrom.push(visibleAt)
    add(event, visibleAt)
  }
  // The contents are needed far more often than they change.
  let held: object | undefined
  watchStore(store, ({ kind, parent, id, before, after }) => {
    held = undefined
    const origin = origins.getStore()
    if (origin === undefined || !isWatched(kind)) return
    const { seenFrom, ...sentBy } = origin
    acts.push({
      at: clock.now(),
      ...sentBy,
      kind,
      parent,
      id,
      before,
      after,
      seenFrom: Math.min(...seenFrom),
    })
  })
  return { acts, contents: (): any => (held ??= dump(context)) }
}

/** Tells what a transaction has written, once it is done. */
const watchStore = (
  store: ComposedService['context']['store'],
  wrote: (written: Record<'kind' | 'parent' | 'id', string> & { before: unknown; after: unknown }) => void,
): void => {
  const put = store.put.bind(store)
  const remove = store.remove.bind(store)
  const transaction = store.transaction.bind(store)
  let pending: (() => void)[] = []
  let depth = 0
  store.put = (kind, parent, id, item) => {
    const before = store.get(kind, parent, id)
    put(kind, parent, id, item)
    pending.push(() => wrote({ kind, parent, id, before, after: item }))
  }
  store.remove = (kind, parent, id) => {
    const before = store.get(kind, parent, id)
    pending.push(() => wrote({ kind, parent, id, before, after: undefined }))
    return remove(kind, parent, id)
  }
  store.transaction = (work) => {
    if (depth > 0) return transaction(work)
    pending = []
    depth += 1
    try {
      const result = transaction(work)
      for (const tell of pending) tell()
      return result
    } finally {
      depth -= 1
    }
  }
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')

/** The form of RFC 2069, which the service accepts under every reading. */
const digest = ({ publicKey, privateKey }: Key, method: string, uri: string, nonce: string): string => {
  const secret = md5(`${publicKey}:Public API:${privateKey}`)
  const response = md5(`${secret}:${nonce}:${md5(`${method}:${uri}`)}`)
  return `Digest username="${publicKey}", realm="Public API", nonce="${nonce}", uri="${uri}", response="${response}"`
}
