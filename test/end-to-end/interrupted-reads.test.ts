/** Interrupts commands that only read, while they wait for an answer. */
import { expect, it } from 'vitest'
import { one } from '../support/one-window.ts'
import { start } from '../support/process.ts'
import { beginApplied } from '../support/scene.ts'

it.each([
  ['SIGINT', 'plan'],
  ['SIGTERM', 'drift --format json'],
  ['SIGHUP', 'get alerts --project payments --format json'],
  ['SIGTERM', 'inventory --format json'],
  ['SIGINT', 'plan --out saved.plan'],
  ['SIGTERM', 'state accept maintenanceWindows.migration --format json'],
] as const)('by %s, %s gives up what it reads, and ends with 130', async (signal, words) => {
  const here = await beginApplied(one(), { proxied: true })
  const before = await here.state()
  const asked = Promise.withResolvers<void>()
  here.proxy.steer(async () => {
    asked.resolve()
    return 'silence'
  })
  const { child, ended } = start(here, words.split(' '))
  await asked.promise
  child.kill(signal)
  const { code, stdout, stderr } = await ended
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringMatching(/\nStopping: reads are aborted\. .*\n.*Error DM-CANCELLED: /s),
  })
  // Machines get a document in any case.
  expect(stdout.includes('DM-CANCELLED')).toBe(words.endsWith('--format json'))
  expect(await here.state()).toEqual(before)
})
