import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  initState,
  openSession,
  pushRescue,
  readSession,
  type Session,
  unlockState,
} from '../../../reconciler/state/index.ts'
import { readRescue } from './support/read-rescue.ts'
import { type Far, farGit, farHttp } from './support/far.ts'
import { temporaryFolder } from './support/folder.ts'
import { expected, intentFor, put } from './support/samples.ts'

const FATES = ['cut-before', 'cut-after', 'late', 'fail'] as const
type Fate = (typeof FATES)[number]

/** How many fates each request meets: fewer for git, which is slow. */
const STORES: readonly (readonly [string, number, (folder: string) => Promise<Far<'fail'>>])[] = [
  ['git', 1, farGit],
  ['HTTP', 4, farHttp('plain')],
]

const fateOf = (number: number, nth: number, fate: Fate): Fate | 'answer' =>
  number < nth ? 'answer' : number === nth ? fate : 'cut-before'

/** What an apply does, noting what it was told until it was cut off. */
const carryOut = async (session: Session, told: Told): Promise<void> => {
  const answer = async (n: number, name: string): Promise<void> => {
    told.answered.push(name)
    await session.answered(n, [put(name)], 201)
  }
  await session.holding(async () => {
    const [a = 0, b = 0, c = 0] = await session.intents(
      ['a', 'b', 'c'].map((each) => intentFor(`things.${each}`)),
    )
    try {
      told.left.push('things.a', 'things.b')
      await answer(a, 'things.a')
      const d = await session.intent(intentFor('things.d'))
      told.left.push('things.d')
      await answer(d, 'things.d')
      await answer(b, 'things.b')
    } finally {
      await session.withdrawn(c)
    }
  })
  await session.commit()
}

interface Told {
  /** Requests that were sent. */
  readonly left: string[]
  readonly answered: string[]
}

/** A rescue file is pushed; without one, a lock is removed. */
const takeUp = async (
  folder: string,
  options: Parameters<typeof openSession>[0],
  given: object,
): Promise<string> => {
  const [name] = (await readdir(folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  if (name !== undefined) {
    await pushRescue(options, await readRescue(join(folder, name)), given)
    return 'pushed'
  }
  const { busy } = await readSession(options, given)
  if (busy === undefined) return 'nothing to do'
  await unlockState({ ...options, name: 'acme' }, { id: busy.id, ownerEnded: true }, given)
  return 'unlocked'
}

describe.each(STORES)('where the network to %s is cut for good', (_, rounds, begin) => {
  const all = Array.from({ length: rounds }, (_each, round) => round)
  test.each(all)(
    'at any request, nothing that was told is lost once the rescue file is pushed (%i)',
    async (round) => {
      const taken: string[] = []
      for (let nth = 1, isMet = true; isMet; nth += 1) {
        const folder = await temporaryFolder()
        const far = await begin(folder)
        const { statePath, env } = far
        const options = { statePath, folder, allowHttp: true, expect: expected, command: 'apply' }
        const given = { env, pause: () => Promise.resolve() }
        await initState(options, given)
        const told: Told = { left: [], answered: [] }
        const fate = FATES[(nth + round) % FATES.length] ?? 'fail'
        const requests = far.steer({ fate: (passing) => fateOf(passing.nth, nth, fate) })
        const failed = await openSession(options, given)
          .then(async (session) => {
            const failure: unknown = await carryOut(session, told).catch((error: unknown) => error)
            const closing: unknown = await session.close().catch((error: unknown) => error)
            return failure ?? closing
          })
          .catch((error: unknown) => error)
        isMet = requests() >= nth
        await far.mend()
        expect(isMet || failed === undefined).toBe(true)
        taken.push(await takeUp(folder, options, given))
        const { state, unknown, busy } = await readSession(options, given)
        expect(busy).toBeUndefined()
        expect(Object.keys(state.resources).toSorted()).toStrictEqual(told.answered.toSorted())
        // What was not sent is not unknown.
        const open = unknown.map(({ address }) => address)
        expect(open.filter((address) => !told.left.includes(address))).toStrictEqual([])
        expect(open.filter((address) => told.answered.includes(address))).toStrictEqual([])
      }
      expect(taken.filter((each) => each === 'pushed').length).toBeGreaterThan(3)
    },
  )
})
