import { bareRepository, git } from '../../../support/git.ts'
import { gitServer } from '../../../support/git-http.ts'
import { startPooler } from '../../../support/postgres-pooler.ts'
import type { PostgresServer } from '../../../support/postgres.ts'
import { CREDENTIALS, type Manner, stateServer } from '../stores/support/state-server.ts'

/** What each network can do to a request; a `late` one is carried out once the network is mended. */
export type Fate = 'answer' | 'cut-before' | 'cut-after' | 'late'

/** A request on its way to a store. */
export interface Passing {
  /** Its number, from 1. */
  readonly nth: number
  /** Whether it can change something there. */
  readonly isWrite: boolean
}

/** What happens to requests: each waits until its fate is known, and its answer until it may be sent. */
export interface Network<F = Fate> {
  readonly fate?: (passing: Passing) => F | Promise<F>
  readonly beforeAnswer?: (passing: Passing) => Promise<void> | void
}

/** A store at the other end of a network. */
export interface Far<F = never> {
  readonly statePath: string
  readonly env: Record<string, string>
  /**
   * Sets what happens to all requests from now on, and counts them anew.
   * @returns a function that says how many there were
   */
  readonly steer: (network: Network<F | Fate>) => () => number
  /** Lets everything through again, the late requests first. */
  readonly mend: () => Promise<void> | void
}

const answer = () => 'answer' as const
const atOnce = () => undefined

/** What a server, or a proxy before it, calls for each request. */
interface Steered<A, F> {
  fate: (asked: A) => F | Fate | Promise<F | Fate>
  beforeAnswer: (asked: A) => Promise<void> | void
  /** Carries out the late requests. */
  readonly arrive: () => Promise<void> | void
}

/** @param passed how many requests there were @param isWrite whether a request can change something */
const steering = <A extends { readonly nth: number }, F>(
  part: Steered<A, F>,
  passed: () => number,
  isWrite: (asked: A) => boolean,
): Pick<Far<F>, 'steer' | 'mend'> => ({
  steer: ({ fate = answer, beforeAnswer = atOnce }) => {
    const first = passed()
    const passing = (asked: A): Passing => ({ nth: asked.nth - first, isWrite: isWrite(asked) })
    part.fate = (asked) => fate(passing(asked))
    part.beforeAnswer = (asked) => beforeAnswer(passing(asked))
    return () => passed() - first
  },
  mend: () => {
    part.fate = answer
    part.beforeAnswer = atOnce
    return part.arrive()
  },
})

/** git's own server. @param folder becomes a checkout with its credentials */
export const farGit = async (folder: string): Promise<Far<'fail'>> => {
  const server = await gitServer(await bareRepository())
  await git(folder, 'init', '--quiet')
  await git(folder, 'remote', 'add', 'origin', server.address.replace('git+', ''))
  await git(folder, 'config', 'http.extraheader', server.header)
  const PATH = process.env['PATH'] ?? ''
  return {
    statePath: 'git:origin',
    env: { PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
    ...steering(
      server,
      () => server.requests,
      ({ url }) => url.endsWith('/git-receive-pack'),
    ),
  }
}

export const farHttp = (manner: Manner) => async (): Promise<Far<'fail'>> => {
  const server = await stateServer(manner)
  return {
    statePath: server.address,
    env: CREDENTIALS,
    ...steering(
      server,
      () => server.log.length,
      ({ method }) => method !== 'GET',
    ),
  }
}

let schemas = 0
/** Behind a pooler, which decides the fate of each transaction. */
export const farPostgres = (postgres: () => PostgresServer) => async (): Promise<Far> => {
  const pooler = await startPooler(postgres().port, true)
  schemas += 1
  return {
    statePath: `${pooler.address}?schema=far_${schemas}`,
    env: {},
    ...steering(
      pooler,
      () => pooler.transactions,
      ({ text }) => text.includes('UPDATE'),
    ),
  }
}
