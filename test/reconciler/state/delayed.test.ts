import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { describe, expect, test } from 'vitest'
import { LockedError } from '../../../reconciler/errors/index.ts'
import {
  initState,
  openSession,
  pushRescue,
  readSession,
  type Session,
  unlockState,
} from '../../../reconciler/state/index.ts'
import { readRescue } from './support/read-rescue.ts'
import { usePostgres } from '../../support/postgres.ts'
import {
  type Far,
  type Fate,
  farGit,
  farHttp,
  farPostgres,
  type Network,
  type Passing,
} from './support/far.ts'
import { temporaryFolder } from './support/folder.ts'
import { expected, intentFor, put } from './support/samples.ts'

const postgres = usePostgres()

interface Kind {
  readonly name: string
  readonly begin: (folder: string) => Promise<Far>
  /** Whether holding this request is a step of its own: git is slow, so for git only writes are. */
  readonly isStep: (passing: Passing) => boolean
  /** Whether it accepts nothing from an owner that has ended, even while nobody has the lock. */
  readonly isFenced: boolean
}

const STORES: readonly Kind[] = [
  { name: 'git', begin: farGit, isStep: ({ isWrite }) => isWrite, isFenced: true },
  { name: 'Postgres', begin: farPostgres(postgres), isStep: () => true, isFenced: true },
  { name: 'GitLab', begin: farHttp('gitlab'), isStep: () => true, isFenced: true },
  { name: 'Gitea', begin: farHttp('gitea'), isStep: () => true, isFenced: true },
  { name: 'any other server of states', begin: farHttp('plain'), isStep: () => true, isFenced: false },
]

/** A clock that only tests move, and a network that notes by this clock when the store was last asked. */
const timed = (far: Far) => {
  let [now, askedAt] = [Date.parse('2026-11-20T12:00:00Z'), 0]
  const steer = ({ fate = () => 'answer', ...network }: Network): void => {
    const noting = (passing: Passing): Fate | Promise<Fate> => {
      askedAt = now
      return fate(passing)
    }
    far.steer({ fate: noting, ...network })
  }
  return {
    steer,
    /** Lets everything through again. */
    mend: async (): Promise<void> => {
      await far.mend()
      steer({})
    },
    now: () => new Date(now),
    pass: (seconds: number): void => void (now += seconds * 1000),
    /** How long ago the store was last asked, in milliseconds. */
    since: () => now - askedAt,
  }
}

/** A new state behind a network. */
const begun = async ({ begin, isStep }: Kind) => {
  const folder = await temporaryFolder()
  const far = await begin(folder)
  const { statePath, env } = far
  const { name } = expected
  const options = { statePath, folder, allowHttp: true, expect: expected, name, command: 'apply' }
  const network = timed(far)
  const given = { env, now: network.now, pause: () => Promise.resolve() }
  await initState(options, given)
  /** Holds the n-th step from now on, before or after it is done, until it is let go. */
  const holdAt = (nth: number, what: What) => {
    const [met, free] = [Promise.withResolvers<true>(), Promise.withResolvers<void>()]
    const steps: number[] = []
    const hold = async (passing: Passing): Promise<void> => {
      if (isStep(passing) && !steps.includes(passing.nth)) steps.push(passing.nth)
      if (steps[nth - 1] !== passing.nth) return
      met.resolve(true)
      await free.promise
    }
    const fate = (passing: Passing): Promise<Fate> => hold(passing).then(() => 'answer')
    network.steer(what === 'request' ? { fate } : { beforeAnswer: hold })
    return { met: met.promise, letGo: free.resolve }
  }
  return {
    ...network,
    folder,
    options,
    given,
    holdAt,
    open: (more: object = {}) => openSession(options, { ...given, ...more }),
    read: () => readSession(options, given),
  }
}

type What = 'request' | 'answer'
type Scene = Awaited<ReturnType<typeof begun>>

/** The requests that were sent, in order. */
type Left = string[]

/** Applies two things, and withdraws a third one. @returns the error, if it failed */
const applied = async (
  scene: Scene,
  round: number,
  left: Left,
  { isIn = () => undefined, pause }: { readonly isIn?: () => void; readonly pause?: () => Promise<void> },
): Promise<unknown> => {
  const work = async (): Promise<void> => {
    const session = await scene.open(pause === undefined ? {} : { pause })
    isIn()
    const ended = await carryOut(scene, session, round, left).catch((error: unknown) => error)
    await session.close()
    if (ended !== undefined) throw ended
  }
  const failure: unknown = await work().catch((error: unknown) => error)
  if (failure !== undefined) expect(failure).toBeInstanceOf(DeploymgmtError)
  return failure
}

const carryOut = async (scene: Scene, session: Session, round: number, left: Left): Promise<void> => {
  const things = ['a', 'b', 'c'].map((each) => `things.${round}${each}`) as [string, string, string]
  const send = async (n: number, thing: string): Promise<void> => {
    await session.confirm()
    // After a longer time, somebody else may be at work.
    expect(scene.since()).toBeLessThan(30_000)
    left.push(thing)
    await session.answered(n, [put(thing)], 201)
  }
  await session.holding(async () => {
    const [a = 0, b = 0] = await session.intents([intentFor(things[0]), intentFor(things[1])])
    try {
      await send(a, things[0])
      await send(await session.intent(intentFor(things[2])), things[2])
    } finally {
      await session.withdrawn(b)
    }
  })
  await session.commit()
}

/** What a person and the next owner do when they find the lock of a silent owner. */
const takenOver = async (scene: Scene, round: number, left: Left): Promise<Session> => {
  const next = await scene.open().catch(async (error: unknown) => {
    if (!(error instanceof LockedError)) throw error
    const id = /state unlock (?<id>\S+)/u.exec(error.hint ?? '')?.groups?.['id'] ?? ''
    await unlockState(scene.options, { id }, scene.given)
    return scene.open()
  })
  const known = [...Object.keys(next.state.resources), ...next.unknown.map(({ address }) => address)]
  expect(left.filter((thing) => !known.includes(thing))).toStrictEqual([])
  for (const { n, address } of next.unknown)
    await next.settled([{ n, how: 'looked for', effects: left.includes(address) ? [put(address)] : [] }])
  await next.effects([put(`things.${round}next`)])
  await next.commit()
  return next
}

/** Settles what the previous one has left behind. */
const takenUp = async ({ folder, options, given }: Scene): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith('deploymgmt.rescue.')) continue
    await pushRescue(options, await readRescue(join(folder, name)), given)
    await rm(join(folder, name))
  }
}

/** After everything that was left behind is settled by a command. */
const settled = async (scene: Scene, things: readonly string[]): Promise<void> => {
  await (await scene.open()).close()
  await expectOnly(scene, things)
}

/** Expects these things, and no lock and nothing unknown. */
const expectOnly = async ({ read }: Scene, things: readonly string[]): Promise<void> => {
  const { state, unknown, busy } = await read()
  expect([busy, unknown]).toStrictEqual([undefined, []])
  expect(Object.keys(state.resources)).toStrictEqual(things.toSorted())
}

/** The previous owner sends nothing more, and fails if it had more to send. */
const hasStopped = (before: number, left: Left, failure: unknown): boolean =>
  left.length === before && (before === 2 || failure !== undefined)

/** Tries each step of an apply, until it has no more steps. */
const atEachStep = async (
  scene: Scene,
  what: What,
  whileHeld: (round: number, left: Left, isIn: boolean) => Promise<(failure: unknown) => Promise<void>>,
): Promise<number> => {
  for (let round = 1; ; round += 1) {
    const { met, letGo } = scene.holdAt(round, what)
    const left: Left = []
    let isIn = false
    const ended = applied(scene, round, left, { isIn: () => void (isIn = true) })
    const isMet = await Promise.race([met, ended.then(() => false)])
    const then = isMet ? await whileHeld(round, left, isIn) : undefined
    letGo()
    const failure = await ended
    await scene.mend()
    if (then === undefined) return round - 1
    await then(failure)
  }
}

const BOTH = ['request', 'answer'] as const

describe.each(STORES)('where the network to $name is slow', (kind) => {
  // For the client, a late request and a late answer look the same.
  test('an answer over half a minute late loses nothing, and nothing is sent while the lock is in doubt', async () => {
    const scene = await begun(kind)
    const things: string[] = []
    const steps = await atEachStep(scene, 'request', async (_, left) => {
      scene.pass(31)
      return async (failure) => {
        expect([failure, left.length]).toStrictEqual([undefined, 2])
        things.push(...left)
        await expectOnly(scene, things)
      }
    })
    expect(steps).toBeGreaterThan(4)
  })

  test.each(BOTH)(
    'a %s that comes when another owner has begun, at any step, changes nothing for that one, and nothing is lost',
    async (what) => {
      const scene = await begun(kind)
      const things: string[] = []
      const steps = await atEachStep(scene, what, async (round, left, isIn) => {
        scene.pass(31)
        const next = await takenOver(scene, round, left)
        const hasEnded = kind.isFenced && round % 2 === 0
        if (hasEnded) await next.close()
        const before = left.length
        return async (failure) => {
          if (!hasEnded) await next.close()
          expect(!isIn || hasStopped(before, left, failure)).toBe(true)
          await takenUp(scene)
          things.push(...left, `things.${round}next`)
          await settled(scene, things)
        }
      })
      expect(steps).toBeGreaterThan(4)
    },
  )
})

const AT_ONCE = STORES.filter(({ name }) => name !== 'git')

test.each(AT_ONCE)(
  'an owner cut off from $name, at any step, overwrites nothing of another one who came and went',
  async (kind) => {
    const scene = await begun(kind)
    const things: string[] = []
    let isCut = true
    for (let round = 1; isCut; round += 1) {
      const left: Left = []
      let [before, pauses, wasIn] = [0, 0, false]
      isCut = false
      const cut = ({ nth }: Passing): Fate => {
        if (nth === round) isCut = true
        return nth < round ? 'answer' : 'cut-before'
      }
      scene.steer({ fate: cut })
      const pause = async (): Promise<void> => {
        pauses += 1
        if (pauses !== 2) return
        await scene.mend()
        before = left.length
        scene.pass(200)
        await (await takenOver(scene, round, left)).close()
        things.push(`things.${round}next`)
      }
      const failure = await applied(scene, round, left, { isIn: () => void (wasIn = !isCut), pause })
      await scene.mend()
      expect(!wasIn || !isCut || hasStopped(before, left, failure)).toBe(true)
      await takenUp(scene)
      things.push(...left)
      await settled(scene, things)
    }
    expect(things.length).toBeGreaterThan(8)
  },
)
