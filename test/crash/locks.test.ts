import { copyFile, readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { pass } from '../support/proxy.ts'
import type { Ran } from '../support/command.ts'
import { runProcess, start } from '../support/process.ts'
import { writesIn, type Scene } from '../support/scene.ts'
import { before, catching, expectWhole, killAt, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { unknownIn } from './support/unknown.ts'

let here: Scene

const STATE = 'deploymgmt.state.json'
const LOCK = `${STATE}.lock`
const inFolder = (name: string): string => join(here.folder, name)

/** An apply in progress: one of its writes is held back until it is let go. */
const applying = async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>()
  const { steer } = catching(
    ({ write }) => write === 3,
    async (_, forward) => {
      arrive()
      await promise
      return forward()
    },
  )
  here.proxy.steer(steer)
  const running = start(here, ['apply', '--auto-approve', '--concurrency', '1'])
  await arrived
  return { ...running, letGo: resolve }
}

describe('two applies on one state', () => {
  it('let one through: the other sends nothing and names the owner and the way out', async () => {
    here = await scene()
    const first = await applying()
    const { log } = await here.requests()
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-STATE-LOCKED')
    expect(stderr).toContain(`locked by "apply" (process ${first.child.pid} on `)
    expect(stderr).toMatch(/deploymgmt state unlock [\da-f-]{36}/)
    expect((await here.requests()).log).toHaveLength(log.length)
    first.letGo()
    expect((await first.ended).code).toBe(0)
    await expectRecovered(here)
  })

  it('let the other wait that was told to: it says for whom, and then finds nothing left to do', async () => {
    here = await scene()
    const first = await applying()
    const waiting = start(here, ['apply', '--auto-approve', '--lock-timeout', '5m'])
    await waiting.says(`: the state is locked by "apply" (process ${first.child.pid} on `)
    first.letGo()
    expect((await first.ended).code).toBe(0)
    expect(await waiting.ended).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toHaveLength(7)
    await expectRecovered(here)
  })

  it('let the other be interrupted while it waits', async () => {
    here = await scene()
    const first = await applying()
    const words = ['apply', '--auto-approve', '--lock-timeout', '5m', '--format', 'json']
    const waiting = start(here, words)
    await waiting.says('Waiting for up to 300 s')
    waiting.child.kill('SIGINT')
    const { code, stdout, stderr } = await waiting.ended
    expect({ code, stderr }).toMatchObject({ code: 130, stderr: expect.stringContaining('DM-NOT-CONFIRMED') })
    expect(JSON.parse(stdout)).toMatchObject({ type: 'summary', exitCode: 130 })
    first.letGo()
    expect((await first.ended).code).toBe(0)
    await expectRecovered(here)
  })

  it.each([[['plan']], [['drift']], [['state', 'list']]])(
    'do not make %o call a request unknown that is just under way, without a word',
    async (words) => {
      here = await scene()
      const first = await applying()
      const { code, stdout, stderr } = await here.run(...words)
      const said = (stdout + stderr).replaceAll(/\s+/g, ' ')
      expect(code).toBe(0)
      expect(said).toContain(`(deploymgmt apply, process ${first.child.pid} on `)
      expect(said).toContain('it may be sending users.dana')
      expect(said).not.toContain('DM-UNKNOWN-OUTCOME')
      first.letGo()
      expect((await first.ended).code).toBe(0)
    },
  )

  it('started at the same moment never both send', async () => {
    here = await scene()
    const apply = (): Promise<Ran> => runProcess(here, 'apply', '--auto-approve')
    const both = await Promise.all([apply(), apply(), apply()])
    expect(both.map(({ code }) => code)).toContain(0)
    for (const { code, stderr } of both)
      expect([0, stderr.includes('DM-STATE-LOCKED') ? 1 : undefined]).toContain(code)
    expect(await writesIn(here)).toHaveLength(7)
    await expectWhole(here)
  })
})

/** The lock of a killed apply, as if it had been taken on another machine. */
const elsewhere = async (): Promise<string> => {
  await killAt(here, ({ write }) => write === 1, before)
  const owner = JSON.parse(await readFile(inFolder(LOCK), 'utf8'))
  await writeFile(inFolder(LOCK), JSON.stringify({ ...owner, host: 'another-machine' }))
  return owner.id
}

describe('a lock whose owner is at work on this machine', () => {
  it('is not removed as one that has ended; removed all the same, its owner records nothing more', async () => {
    here = await scene()
    const first = await applying()
    const { id } = JSON.parse(await readFile(inFolder(LOCK), 'utf8'))
    const owner = `"apply" (process ${first.child.pid} on ${hostname()}, since `
    const refused = await here.run('state', 'unlock', id, '--owner-ended')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`the lock was not removed: ${owner}`)
    expect(refused.stderr).toContain(`run: deploymgmt state unlock ${id}\n`)
    const removed = await here.run('state', 'unlock', id)
    expect(removed.code).toBe(0)
    expect(removed.stderr).toContain(`The lock was removed. But ${owner}`)
    first.letGo()
    expect(await first.ended).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the lock was removed'),
    })
  })
})

describe('a lock that its owner left behind', () => {
  it('on another machine is never taken over, and goes with state unlock', async () => {
    here = await scene()
    const id = await elsewhere()
    const refused = await here.run('apply', '--auto-approve')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`deploymgmt state unlock ${id}`)
    const wrong = await here.run('state', 'unlock', '00000000-0000-4000-8000-000000000000')
    expect([wrong.code, wrong.stderr.includes('DM-LOCK-MISMATCH')]).toEqual([1, true])
    expect(await here.run('state', 'unlock', id)).toMatchObject({ code: 0 })
    await expectRecovered(here)
  })

  it('with a content that tells nothing is not taken over either', async () => {
    here = await scene()
    await writeFile(inFolder(LOCK), 'torn')
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    const [, id = ''] = /deploymgmt state unlock (\S+)/.exec(stderr) ?? []
    expect(await here.run('state', 'unlock', id)).toMatchObject({ code: 0 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })
})

const refusedEverywhere = async (): Promise<void> => {
  const kept = await readFile(inFolder(STATE), 'utf8')
  for (const words of [['plan'], ['apply', '--auto-approve'], ['state', 'list'], ['drift']]) {
    const { code, stderr } = await here.run(...words)
    expect([words[0], code, stderr.includes('DM-JOURNAL-MISMATCH')]).toEqual([words[0], 1, true])
  }
  expect(await readFile(inFolder(STATE), 'utf8')).toBe(kept)
}

describe('a state that does not fit its journal', () => {
  it('because it was restored from a backup is refused by every command, until it is put right', async () => {
    here = await scene()
    await copyFile(inFolder(STATE), inFolder('backup'))
    await here.manifest((await readFile(inFolder('deploymgmt.yaml'), 'utf8')).replace('Reporting', 'Reports'))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await here.manifest((await readFile(inFolder('deploymgmt.yaml'), 'utf8')).replace('Reports', 'Reporting'))
    await killAt(here, ({ write }) => write === 1, before)
    await copyFile(inFolder(STATE), inFolder('current'))
    await copyFile(inFolder('backup'), inFolder(STATE))
    const writes = (await here.requests()).log.length
    await refusedEverywhere()
    expect((await here.requests()).log).toHaveLength(writes)
    await copyFile(inFolder('current'), inFolder(STATE))
    await expectRecovered(here)
  })

  it('because it is of another history is refused by every command', async () => {
    here = await scene()
    await killAt(here, ({ write }) => write === 6, before)
    const state = await here.state()
    expect(state.lineage).not.toBe('another')
    await writeFile(inFolder(STATE), JSON.stringify({ ...state, lineage: 'another' }), { mode: 0o600 })
    await refusedEverywhere()
  })

  it('because it is gone is refused, and nothing is created again', async () => {
    here = await scene()
    await killAt(here, ({ write }) => write === 4, before)
    await rename(inFolder(STATE), inFolder('elsewhere'))
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect([code, stderr.includes('DM-JOURNAL-MISMATCH')]).toEqual([1, true])
    await rename(inFolder('elsewhere'), inFolder(STATE))
    here.proxy.steer(pass)
    await expectRecovered(here)
  })

  it('with a journal that is damaged in its middle is refused, and one that is torn at its end is not', async () => {
    here = await scene()
    await killAt(here, ({ write }) => write === 6, before)
    const path = inFolder('deploymgmt.state.journal')
    const whole = await readFile(path)
    const damaged = Buffer.from(whole)
    damaged.writeUInt8(damaged.readUInt8(400) ^ 1, 400)
    await writeFile(path, damaged)
    const { code, stderr } = await here.run('plan')
    expect([code, stderr.includes('DM-JOURNAL-CORRUPT')]).toEqual([1, true])
    await writeFile(path, whole.subarray(0, whole.length - 20))
    expect(await unknownIn(here)).toEqual([])
    await resolveAll(here, [])
    await expectRecovered(here)
  })
})
