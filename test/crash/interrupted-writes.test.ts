/** Interrupts an apply at each moment in which a write has not left yet: none of them has failed. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { runHere, type Ran } from '../support/command.ts'
import { MIGRATION, one } from '../support/one-window.ts'
import type { Passed } from '../support/proxy.ts'
import { start } from '../support/process.ts'
import { begin, only, writesIn, type Scene } from '../support/scene.ts'
import { QUIET } from '../support/silence.ts'
import { expectConverged, unknownIn } from './support/unknown.ts'
import { line, windows } from './support/two-windows.ts'

let here: Scene
let stop: () => void

const { create } = nodeFiles
beforeEach(() => {
  stop = () => {
    throw new Error('no command listens')
  }
})
afterEach(() => {
  Object.assign(nodeFiles, { create })
})

const names = Array.from({ length: 8 }, (_, index) => `w${index + 1}`)
const eight = windows(...names.map((name, index) => line(name, `0${index + 1}`)))
const INTERRUPTED = 'not sent: the run was interrupted'

/** Applies; the first `stop` interrupts it. */
const apply = (words: readonly string[] = [], more: Parameters<typeof runHere>[2] = {}): Promise<Ran> =>
  runHere(here, ['apply', '--auto-approve', '--format', 'json', ...words], {
    onInterrupt: (interrupt) => {
      stop = () => {
        stop = () => {}
        interrupt()
      }
      return () => {}
    },
    ...more,
  })

const limited = (headers: Passed['headers'] = {}): Passed => ({
  status: 429,
  headers: { 'content-type': 'application/json', ...headers },
  body: '{}',
})

/** Does something before the journal takes a record of this type. */
const onRecord = (type: string, act: () => void): void => {
  Object.assign(nodeFiles, {
    create: async (path: string) => {
      const file = await create(path)
      const write = (bytes: Uint8Array): Promise<void> => {
        if (Buffer.from(bytes).toString('latin1').includes(`"type":"${type}"`)) act()
        return file.write(bytes)
      }
      return { ...file, write }
    },
  })
}

/** The summary, and how each address ended with what is said about it. */
const endOf = ({ stdout }: Ran) => {
  const events = stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  const summary = events.at(-1)
  const ended = summary.problems.map(({ address, status, notes }: any) => [address, status, ...notes])
  return {
    summary,
    ended: new Map<string, string[]>(ended.map(([address, ...rest]: any) => [address, rest])),
  }
}

/** Interrupts the run when the first write is answered, before the answer arrives. */
const stopAtFirstAnswer = (): void =>
  here.proxy.steer(async ({ write }, forward) => {
    const answer = await forward()
    if (write === 1) stop()
    return answer
  })

/** Expects that nothing is unknown, and that the next apply completes the work. */
const expectContinued = async (): Promise<void> => {
  here.proxy.steer((_, forward) => forward())
  expect(await unknownIn(here)).toEqual([])
  await expectConverged(here)
}

it('a write that waits for its turn is skipped', async () => {
  here = await begin({ manifest: eight, proxied: true })
  const held = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  here.proxy.steer(async ({ write }, forward) => {
    if (write === 0) return forward()
    if (write === 4) others.resolve()
    await (write === 1 ? others.promise : held.promise)
    // A refusal for the number of requests lets fewer of them run at once.
    return write === 1 ? limited() : forward()
  })
  let started = 0
  const ran = await apply(['--concurrency', '4'], {
    stdoutSaid: (text) => {
      started += text.split('"type":"started"').length - 1
      if (started < 5) return
      stop()
      held.resolve()
    },
  })
  const { summary, ended } = endOf(ran)
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 3, failed: 1, unknown: 0, skipped: 4 } })
  expect([...ended.values()]).toContainEqual(['skipped', INTERRUPTED])
  await expectContinued()
})

it('a write in the pause before it is sent again is skipped', async () => {
  here = await begin({ manifest: eight, proxied: true })
  here.proxy.steer(async ({ write }, forward) => (write === 2 ? limited({ 'retry-after': '30' }) : forward()))
  const ran = await apply(['--concurrency', '1', '--trace'], {
    stderrSaid: (text) => {
      // A port can have these digits, too.
      if (text.includes('→ 429')) stop()
    },
  })
  const { summary, ended } = endOf(ran)
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 1, failed: 0, unknown: 0, skipped: 7 } })
  expect(ended.get('maintenanceWindows.w2')).toEqual(['skipped', INTERRUPTED])
  expect(ended.get('maintenanceWindows.w3')).toEqual(['skipped', 'not begun'])
  await expectContinued()
})

it('a write that is being written down is skipped, and does not leave', async () => {
  here = await begin({ manifest: eight, proxied: true })
  onRecord('intent', () => stop())
  const { summary, ended } = endOf(await apply(['--concurrency', '2']))
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 0, failed: 0, unknown: 0, skipped: 8 } })
  expect(ended.get('maintenanceWindows.w1')).toEqual(['skipped', INTERRUPTED])
  expect(await writesIn(here)).toEqual([])
  Object.assign(nodeFiles, { create })
  await expectContinued()
})

it('a write whose nonce is stale is skipped when it would be signed again', async () => {
  here = await begin({ manifest: one(), proxied: true })
  await here.control('POST', 'faults', { method: 'POST', path: 'Windows', fault: 'stale-nonce', count: 1 })
  stopAtFirstAnswer()
  const { summary, ended } = endOf(await apply())
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 0, failed: 0, skipped: 1 } })
  expect(ended.get(MIGRATION)).toEqual(['skipped', INTERRUPTED])
  expect(await writesIn(here)).toEqual([])
  await expectContinued()
})

it('of a change with two writes, it says that only a part was sent', async () => {
  const key = `  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER] }`
  here = await begin({ manifest: only('apiKeys', key), proxied: true })
  stopAtFirstAnswer()
  const { summary, ended } = endOf(await apply())
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 0, failed: 0, skipped: 1 } })
  expect(ended.get('apiKeys.reporting')).toEqual([
    'skipped',
    'not sent in full: the run was interrupted; the next apply sends the rest',
  ])
  expect(await writesIn(here)).toHaveLength(1)
  await expectContinued()
})

it('a change that waits for what another one makes is skipped if the reading for it is interrupted', async () => {
  const window = line('night', '01')
  const key = `\napiKeys:\n  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: "\${maintenanceWindows.night.id}", accessList: [192.0.2.0/24, 198.51.100.7] }`
  here = await begin({ manifest: only('maintenanceWindows', window, key), proxied: true })
  let isWritten = false
  here.proxy.steer(async ({ write }, forward) => {
    if (isWritten) stop()
    const answer = await forward()
    if (write === 1) isWritten = true
    return answer
  })
  const { summary, ended } = endOf(await apply())
  expect(summary).toMatchObject({ exitCode: 130, byStatus: { done: 1, failed: 0, skipped: 1 } })
  expect(ended.get('apiKeys.reporting')).toEqual(['skipped', INTERRUPTED])
})

it('exits with 1 if what was in flight could not be recorded, for 130 promises that', async () => {
  here = await begin({ manifest: eight, proxied: true })
  onRecord('answer', () => {
    stop()
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  })
  const { summary } = endOf(await apply(['--concurrency', '1']))
  expect(summary).toMatchObject({ exitCode: 1, byStatus: { failed: 0, skipped: 7 }, error: {} })
})

it('a silence whose window is not sent says so, does not run its command, and can be asked for again', async () => {
  here = await begin({ manifest: one(), proxied: true })
  here.proxy.steer(async ({ write }, forward) => (write > 0 ? limited({ 'retry-after': '30' }) : forward()))
  const { child, ended, says } = start(here, [...QUIET, '--trace', '--', 'echo', 'it ran'])
  await says('429')
  child.kill('SIGTERM')
  const { code, stdout, stderr } = await ended
  expect({ code, stdout }).toEqual({ code: 143, stdout: '' })
  expect(stderr).toContain(`DM-NOT-CONFIRMED: ${INTERRUPTED}\n  Run the command again.`)
  here.proxy.steer((_, forward) => forward())
  expect(await start(here, [...QUIET, '--', 'echo', 'it ran']).ended).toMatchObject({
    code: 0,
    stdout: 'it ran\n',
  })
})
