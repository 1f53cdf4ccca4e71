import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import { thisHost } from '../../reconciler/state/index.ts'
import type { Passing, Steer } from '../support/proxy.ts'
import { runHere } from '../support/command.ts'
import { start } from '../support/process.ts'
import { writesIn, type Scene } from '../support/scene.ts'
import { before, catching, lostBefore, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { expectConverged, unknownIn } from './support/unknown.ts'

let here: Scene

const APPLY = ['apply', '--auto-approve', '--concurrency', '1']
const STOPPING = 'Stopping: nothing more is sent'

/** Holds back the answer to one request until `letGo` is called. */
const holding = (
  fits: (passing: Passing) => boolean,
  fate: Steer = (_, forward) => forward(),
): { caught: Promise<Passing>; letGo: () => void } => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<Passing>()
  const { steer } = catching(fits, async (passing, forward) => {
    arrive(passing)
    const answer = await fate(passing, forward)
    await promise
    return answer
  })
  here.proxy.steer(steer)
  return { caught: arrived, letGo: resolve }
}

interface Interruption {
  readonly signal?: NodeJS.Signals
  readonly fate?: Steer
  /** The command line that starts it, if not the usual one. */
  readonly by?: string[]
}

/** Interrupts an apply while one of its writes is held back, then lets the write go and waits for the end. */
const interruptedAt = async (at: number, words = APPLY, { signal, fate, by }: Interruption = {}) => {
  const { caught, letGo } = holding(({ write }) => write === at, fate)
  const { child, ended, says } = start(here, words, by)
  await caught
  child.kill(signal ?? 'SIGINT')
  await says(STOPPING)
  letGo()
  return ended
}

describe('an apply that is interrupted once', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'by %s awaits and records what is in flight, sends nothing more, and exits with 130',
    async (signal) => {
      here = await scene()
      const { code, stdout } = await interruptedAt(3, APPLY, { signal })
      expect(code).toBe(130)
      expect(stdout).toContain('5 skipped · exit code 130')
      expect(await unknownIn(here)).toEqual([])
      expect(await writesIn(here)).toHaveLength(3)
      expect(Object.keys((await here.state()).resources)).toEqual(['apiKeys.reporting', 'users.dana'])
      await expectRecovered(here)
    },
  )

  it('says 130 in its summary too', async () => {
    here = await scene()
    const { code, stdout } = await interruptedAt(1, [...APPLY, '--format', 'json'])
    expect(code).toBe(130)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'summary',
      exitCode: 130,
    })
  })

  it('while it reads exits with 130 and has sent no write', async () => {
    here = await scene()
    const { caught } = holding(({ path }) => path.includes('/integrations'))
    const { child, ended } = start(here, APPLY)
    await caught
    child.kill('SIGINT')
    const { code, stderr } = await ended
    expect(code).toBe(130)
    expect(stderr).toContain('Error DM-CANCELLED: ')
    const { log } = await here.requests()
    expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
    await expectConverged(here)
  })

  it('exits with 3 when the answer that it awaited is lost, for that has to be resolved', async () => {
    here = await scene()
    expect(await interruptedAt(3, APPLY, { fate: lostBefore })).toMatchObject({ code: 3 })
    expect(await unknownIn(here)).toEqual(['users.dana'])
  })

  it('while it asks for consent sends nothing and exits with 130', async () => {
    here = await scene()
    const stops: (() => void)[] = []
    const stdin = Object.assign(new Readable({ read() {} }), { isTTY: true as const })
    const running = runHere(here, ['apply'], {
      stdin: () => stdin,
      onInterrupt: (stop) => {
        stops.push(stop)
        return () => {}
      },
      stderrSaid: (text) => {
        if (text.includes('Only "yes" is accepted')) for (const stop of stops) stop()
      },
    })
    expect((await running).code).toBe(130)
    expect((await here.requests()).log.filter(({ method }) => method !== 'GET')).toEqual([])
  })
})

test('an apply that is interrupted twice stops at once, as in a crash, and the next one knows what was in flight', async () => {
  here = await scene()
  const { steer, caught } = catching(({ write }) => write === 6, before)
  here.proxy.steer(steer)
  const { child, ended, says } = start(here, APPLY)
  await caught
  child.kill('SIGINT')
  await says(STOPPING)
  child.kill('SIGINT')
  expect((await ended).code).toBe(130)
  here.proxy.steer((_, forward) => forward())
  expect(await unknownIn(here)).toEqual(['maintenanceWindows.migration'])
  await resolveAll(here, ['maintenanceWindows.migration'])
  await expectRecovered(here)
})

/** Makes this Node look old to the launcher, so that it starts the Node of the checkout. */
const oldNode = async (): Promise<string[]> => {
  const path = join(here.folder, 'old-node.cjs')
  const text = `if (process.env.DEPLOYMGMT_OWN_NODE !== '1') Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.0.0' } })`
  await writeFile(path, text)
  return [process.execPath, '--require', path]
}

describe('an apply behind the launcher, which an older Node starts', () => {
  it('dies with a launcher that is killed on its own, and leaves what a crash leaves', async () => {
    here = await scene()
    const { steer, caught } = catching(({ write }) => write === 6, before)
    here.proxy.steer(steer)
    const { child, ended } = start(here, APPLY, await oldNode())
    await caught
    const owner = await lockOwner()
    expect(owner).not.toBe(child.pid)
    child.kill('SIGKILL')
    await ended
    await expect.poll(() => thisHost.isRunning(owner, undefined), { timeout: 20_000 }).toBe(false)
    here.proxy.steer((_, forward) => forward())
    await resolveAll(here, ['maintenanceWindows.migration'])
    await expectRecovered(here)
  })

  it('is stopped by a signal that reaches the launcher alone', async () => {
    here = await scene()
    expect(await interruptedAt(3, APPLY, { by: await oldNode() })).toMatchObject({ code: 130 })
    expect(await unknownIn(here)).toEqual([])
  })
})

const lockOwner = async (): Promise<number> => {
  const text = await readFile(join(here.folder, 'deploymgmt.state.json.lock'), 'utf8')
  return (JSON.parse(text) as { pid: number }).pid
}
