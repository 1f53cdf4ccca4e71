import { bareRepository, git } from '../../../support/git.ts'
import { gitServer } from '../../../support/git-http.ts'
import { startPooler } from '../../../support/postgres-pooler.ts'
import type { PostgresServer } from '../../../support/postgres.ts'
import { CREDENTIALS, type Manner, stateServer } from '../stores/support/state-server.ts'

/** What each network can do with a request; `late` is carried out once it is mended. */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'late'

/** A request on its way to a store. */
export interface Passing {
  /** Its number, from 1. */
  readonly nth: number
  /** Whether it can change something there. */
  readonly isWrite: boolean
}

/** What becomes of requests: each is held until its fate is known, and its answer until that may leave. */
export interface Network<F = Fate> {
  readonly fate?: (passing: Passing) => F | Promise<F>
  readonly beforeAnswer?: (passing: Passing) => Promise<void> | void
}

/** A store at the other end of a network. */
export interface Far<F = never> {
  readonly statePath: string
  readonly env: Record<string, string>
  /** Sets what becomes of all requests from now on, which are counted anew. @returns what tells how many have come */
  readonly steer: (network: Network<F | Fate>) => () => number
  /** All comes through again, first of all what was late. */
  readonly mend: () => Promise<void> | void
}

const answer = () => 'answer' as const
const atOnce = () => undefined

/** git's own server. @param folder becomes the checkout that knows how to get in */
export const farGit = async (folder: string): Promise<Far<'fail'>> => {
  const server = await gitServer(await bareRepository())
  await git(folder, 'init', '--quiet')
  await git(folder, 'remote', 'add', 'origin', server.address.replace('git+', ''))
  await git(folder, 'config', 'http.extraheader', server.header)
  const PATH = process.env['PATH'] ?? ''
  return {
    statePath: 'git:origin',
    env: { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    steer: ({ fate = answer, beforeAnswer = atOnce }) => {
      const first = server.requests
      const passing = ({ nth, url }: { readonly nth: number; readonly url: string }): Passing => ({
        nth: nth - first,
        isWrite: url.endsWith('/git-receive-pack'),
      })
      server.fate = (asked) => fate(passing(asked))
      server.beforeAnswer = (asked) => beforeAnswer(passing(asked))
      return () => server.requests - first
    },
    mend: () => {
      Object.assign(server, { fate: answer, beforeAnswer: atOnce })
      return server.arrive()
    },
  }
}

export const farHttp = (manner: Manner) => async (): Promise<Far<'fail'>> => {
  const server = await stateServer(manner)
  return {
    statePath: server.address,
    env: CREDENTIALS,
    steer: ({ fate = answer, beforeAnswer = atOnce }) => {
      const first = server.log.length
      const passing = ({ nth, method }: { readonly nth: number; readonly method: string }): Passing => ({
        nth: nth - first,
        isWrite: method !== 'GET',
      })
      server.fate = (asked) => fate(passing(asked))
      server.beforeAnswer = (asked) => beforeAnswer(passing(asked))
      return () => server.log.length - first
    },
    mend: () => {
      Object.assign(server, { fate: answer, beforeAnswer: atOnce })
      server.arrive()
    },
  }
}

let schemas = 0
/** Behind a pooler, which decides of each transaction. */
export const farPostgres = (postgres: () => PostgresServer) => async (): Promise<Far> => {
  const pooler = await startPooler(postgres().port)
  schemas += 1
  return {
    statePath: `${pooler.address}?schema=far_${schemas}`,
    env: {},
    steer: ({ fate = answer, beforeAnswer = atOnce }) => {
      const first = pooler.transactions
      const passing = ({ nth, text }: { readonly nth: number; readonly text: string }): Passing => ({
        nth: nth - first,
        isWrite: text.includes('UPDATE'),
      })
      pooler.fate = (asked) => fate(passing(asked))
      pooler.beforeAnswer = (asked) => beforeAnswer(passing(asked))
      return () => pooler.transactions - first
    },
    mend: () => {
      Object.assign(pooler, { fate: answer, beforeAnswer: atOnce })
      return pooler.deliver()
    },
  }
}
