import * as fc from 'fast-check'
import { writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { LockedError } from '../../../reconciler/errors/index.ts'
import { acquireLock, type Files, lockPath, nodeFiles } from '../../../reconciler/state/index.ts'
import { temporaryFolder, statePathIn } from './support/folder.ts'
import { hostWith, ownerOf } from './support/hosts.ts'
import { at } from './support/samples.ts'
import { holds } from '../../support/soak.ts'

class Killed extends Error {}

/** Files whose operations wait for their turns, and throw once the process is dead. */
const inTurns = (scheduler: fc.Scheduler, before: () => void): Files => {
  const turn =
    <A extends unknown[], T>(label: string, work: (...args: A) => Promise<T>) =>
    async (...args: A): Promise<T> => {
      await scheduler.schedule(Promise.resolve(), label)
      before()
      return work(...args)
    }
  return {
    ...nodeFiles,
    read: turn('read', nodeFiles.read),
    create: turn('create', async (path: string) => {
      const file = await nodeFiles.create(path)
      return { write: turn('write', file.write), sync: () => Promise.resolve(), close: () => file.close() }
    }),
    rename: turn('rename', nodeFiles.rename),
    link: turn('link', nodeFiles.link),
    unlink: turn('unlink', nodeFiles.unlink),
    list: turn('list', nodeFiles.list),
  }
}

/** Several takers of one lock, some of which die at a chosen operation; counts how many hold it at once. */
class Contest {
  readonly #alive = new Set<number>()
  readonly #holding = new Set<number>()
  mostAtOnce = 0
  wins = 0

  async run(path: string, scheduler: fc.Scheduler, lives: readonly number[]): Promise<void> {
    lives.forEach((_, index) => this.#alive.add(index + 1))
    await scheduler.waitFor(
      Promise.all(lives.map((operations, index) => this.#take(path, scheduler, index + 1, operations))),
    )
  }

  async #take(path: string, scheduler: fc.Scheduler, pid: number, operations: number): Promise<void> {
    let left = operations
    const files = inTurns(scheduler, () => {
      left -= 1
      if (left < 0) this.#die(pid)
    })
    const host = hostWith(pid, (of) => this.#alive.has(of))
    try {
      for (let round = 0; round < 2; round += 1) {
        const lock = await acquireLock(
          path,
          { command: 'apply', at },
          { files, host, uuid: () => `${pid}-${round}` },
        )
        this.#holding.add(pid)
        this.wins += 1
        this.mostAtOnce = Math.max(this.mostAtOnce, this.#holding.size)
        await scheduler.schedule(Promise.resolve(), 'work')
        this.#holding.delete(pid)
        await lock.release()
      }
    } catch (error) {
      if (!(error instanceof LockedError) && this.#alive.has(pid)) throw error
    }
  }

  #die(pid: number): never {
    this.#alive.delete(pid)
    this.#holding.delete(pid)
    throw new Killed()
  }
}

test('in whatever order takers proceed or die, no two hold the lock at once, and it stays obtainable', async () => {
  const path = statePathIn(await temporaryFolder())
  const lives = fc.array(fc.oneof(fc.constant(Infinity), fc.nat(25)), { minLength: 2, maxLength: 4 })
  await holds(80, [fc.scheduler(), lives, fc.boolean()], async (scheduler, operations, isHeldByTheDead) => {
    if (isHeldByTheDead) await writeFile(lockPath(path), JSON.stringify(ownerOf(99)))
    const contest = new Contest()
    await contest.run(path, scheduler, operations)
    expect(contest.mostAtOnce).toBeLessThanOrEqual(1)
    expect(contest.wins).toBeGreaterThanOrEqual(operations.every((life) => life === Infinity) ? 1 : 0)
    // By now, all have ended in one way or another.
    const last = await acquireLock(path, { command: 'plan', at }, { host: hostWith(50, (pid) => pid === 50) })
    await last.release()
  })
})
