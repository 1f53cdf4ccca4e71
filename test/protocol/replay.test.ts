import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LockedError, StateConflictError } from '../../reconciler/errors/index.ts'
import { thisHost } from '../../reconciler/state/index.ts'
import { systemWith } from '../../reconciler/state/machine/system.ts'
import type { Hold } from '../../reconciler/state/stores/store.ts'
import { viewOf } from '../../reconciler/state/view.ts'
import { expected, headerOf, intentFor, put, sample, stateWith } from '../reconciler/state/support/samples.ts'
import { type Place, stores } from '../reconciler/state/stores/support/kinds-of-store.ts'
import { holds } from '../support/soak.ts'
import { AT_WORK, beginning, type Bounds, type State, type Who } from './state.ts'
import { type Step, stepsFrom } from './steps.ts'

const ADDRESS = 'things.1'
const [EMPTY, FULL] = [stateWith(), stateWith({ [ADDRESS]: sample(ADDRESS) }, 2)]
const RULES = { creation: true }
const BOUNDS: Bounds = { sessions: { A: 9, B: 9 }, unlocks: 3, givenUp: 0 }
const OWNERS = ['A', 'B'] as const

/** Steps that a real store can repeat: a write arrives at once, and nobody ends while holding the lock. */
const CAN = /takes the lock|writes the intent|settles|saves|gives|checks|sends|the service|unlocks$|passes/u

/** The next steps, each write together with its answer. */
const wholeSteps = (state: State): Step[] => {
  const isStopped = (label: string): boolean =>
    OWNERS.some((who) => label === `${who} ends` && state.owners[who].is === 'stopped')
  const steps = stepsFrom(state, RULES, BOUNDS).filter(([label]) => CAN.test(label) || isStopped(label))
  const labels = new Set(steps.map(([label]) => label))
  return steps.flatMap(([label, after]): Step[] => {
    if (!label.endsWith(' …')) return [[label, after]]
    const short = label.slice(0, -2)
    const answer = stepsFrom(after, RULES, BOUNDS).find(([each]) => each === `${label[0]} finds another`)
    return labels.has(short) || answer === undefined ? [] : [[short, answer[1]]]
  })
}

/** Two owners on two machines, and a person, at a real store. */
interface Scene {
  readonly place: Place
  readonly holds: Map<Who, Hold>
  state: State
  /** Number of intents that the store has accepted. */
  intents: number
}

const systemOf = ({ state }: Pick<Scene, 'state'>, who?: Who) => ({
  now: () => new Date(Date.parse('2026-11-20T12:00:00Z') + state.now * 30_000),
  ...(who === undefined ? {} : { host: { ...thisHost, name: `runner-${who}` } }),
})

const begin = async (place: Place): Promise<Scene> => {
  const scene: Scene = { place, holds: new Map(), state: beginning, intents: 0 }
  const hold = await (await place.open(systemOf(scene, 'A'))).lock('state init')
  await hold.read()
  await hold.save({ state: EMPTY, header: headerOf(EMPTY), kept: [] })
  await hold.release()
  return scene
}

const act = async (scene: Scene, what: string, who: Who, after: State): Promise<unknown> => {
  const { place, intents } = scene
  const hold = scene.holds.get(who)
  const at = systemOf(scene).now().toISOString()
  if (what === 'a person unlocks') {
    const store = await place.open(systemOf(scene))
    return store.unlock({ id: (await store.read()).owner?.id ?? '', ownerEnded: false })
  }
  if (what === 'takes the lock') {
    const taken = await (await place.open(systemOf(scene, who))).lock('apply')
    scene.holds.set(who, taken)
    return taken.read()
  }
  if (what === 'checks') return hold?.confirm()
  if (what === 'releases the lock' || what === 'ends') return hold?.release()
  if (what === 'saves the answer') return hold?.save({ state: FULL, header: headerOf(FULL), kept: [] })
  if (what === 'settles') {
    const effects = after.owners[who].seen?.content.known === true ? [put(ADDRESS)] : []
    return hold?.append(headerOf(EMPTY), [
      { type: 'settled', at, of: [{ n: intents, how: 'looked for' }], effects },
    ])
  }
  return hold?.append(headerOf(EMPTY), [{ type: 'intent', n: intents + 1, at, ...intentFor(ADDRESS) }])
}

/** Expects the answers that the model gives, and afterwards the same content in the store. */
const follow = async (scene: Scene, [label, after]: Step): Promise<void> => {
  const who = label.startsWith('A ') ? 'A' : 'B'
  const what = label.replace(/^[AB] /u, '')
  const isOfStore = !/sends|the service|passes/u.test(label)
  const isOwn = /^[AB] /u.test(label)
  const isRefused = isOwn && after.owners[who].is === 'stopped'
  if (isOfStore) {
    const answer = await act(scene, what, who, after).then(
      () => 'done',
      (error: unknown) => (error instanceof StateConflictError ? 'refused' : error),
    )
    expect([label, answer]).toStrictEqual([label, isRefused ? 'refused' : 'done'])
  }
  if (what === 'writes the intent' && !isRefused) scene.intents += 1
  scene.state = after
  if (isOfStore) await compare(scene)
}

const compare = async ({ state, place }: Scene): Promise<void> => {
  const { tip, now } = state
  const store = await place.open(systemOf({ state }))
  const snapshot = await store.read()
  const found = viewOf(snapshot, expected, systemWith(systemOf({ state })))
  // A file serves one machine, where no owner runs unnoticed. A removal long ago may still be recorded.
  const { unlockedAt } = tip
  const isToWait = typeof unlockedAt === 'number' && now - unlockedAt <= AT_WORK && !store.announces
  expect({
    isLocked: snapshot.owner !== undefined,
    isOpen: found.unknown.length > 0,
    isKnown: found.state.resources[ADDRESS] !== undefined,
    isToWait: isToWait && found.unlockedAt !== undefined,
  }).toStrictEqual({
    isLocked: tip.lock !== undefined,
    isOpen: tip.open !== undefined,
    isKnown: tip.known,
    isToWait,
  })
  if (tip.lock !== undefined) await expect(store.lock('apply')).rejects.toBeInstanceOf(LockedError)
}

/** A file is fast; a step at any other store starts several processes. */
const WALKS: Readonly<Record<string, number>> = { file: 40 }

describe.each(stores)('a $name store', ({ name, begin: beginStore, setUp }) => {
  setUp?.()
  test('answers and holds what the model says, whichever way two owners go', async () => {
    const most = name === 'file' ? 25 : 14
    const steps = fc.array(fc.nat(9999), { minLength: 12, maxLength: most })
    const seen = new Set<string>()
    await holds(WALKS[name] ?? 1, [steps], async (choices) => {
      const scene = await begin(await beginStore())
      for (const [index, choice] of choices.entries()) {
        const possible = wholeSteps(scene.state)
        // A walk without any write would test little, so the first step takes a lock.
        const begins = index === 0 ? possible.find(([says]) => says.endsWith(' takes the lock')) : undefined
        const step = begins ?? possible[choice % possible.length]
        if (step === undefined) break
        seen.add(step[0].replace(/^[AB] /u, ''))
        await follow(scene, step)
      }
      for (const who of OWNERS) await scene.holds.get(who)?.release()
    })
    expect(seen).toContain('takes the lock')
  })
})
