import { rmSync } from 'node:fs'
import { chmod, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { line } from '../crash/support/two-windows.ts'
import { AT_ONCE, runHere } from '../support/command.ts'
import { bareRepository } from '../support/git.ts'
import { PROJECT } from '../support/installation.ts'
import { begin, only, writesIn } from '../support/scene.ts'

const WINDOW = only(
  'maintenanceWindows',
  `  night: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-01T02:00:00Z, endDate: 2035-01-01T04:00:00Z }`,
)

const hookOf = (bare: string): string => join(bare, 'hooks', 'pre-receive')

const pushesEndWith = async (bare: string, code: number): Promise<void> => {
  const hook = hookOf(bare)
  await writeFile(hook, `#!/bin/sh\nexit ${code}\n`)
  await chmod(hook, 0o755)
}

it('what an apply could not record is brought home with the command that its message names', async () => {
  const bare = await bareRepository()
  const manifest = `${WINDOW}state: git+file://${bare}#state\n`
  const here = await begin({ proxied: true, manifest })
  await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', `git+file://${bare}#state`)
  here.proxy.steer(async ({ write }, forward) => {
    if (write > 0) await pushesEndWith(bare, 1)
    return forward()
  })
  const ran = await runHere(here, ['apply', '--auto-approve'], AT_ONCE)
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
  const [name] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  expect(ran.stderr).toContain(`deploymgmt state push ${join(here.folder, name ?? '')}`)
  await pushesEndWith(bare, 0)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DM-STATE-LOCKED'),
  })
  const pushed = await here.run('state', 'push', name ?? '')
  expect(pushed).toMatchObject({ code: 0 })
  expect(pushed.stderr).toContain('1 record of')
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toHaveLength(1)
})

it('what is brought home is brought with the flags of the command', async () => {
  const bare = await bareRepository()
  const place = `git+file://${bare}#state`
  const here = await begin({ proxied: true, manifest: WINDOW })
  await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', place)
  const flags = ['-f', 'other.yaml', '--state', place]
  await rename(join(here.folder, 'deploymgmt.yaml'), join(here.folder, 'other.yaml'))
  here.proxy.steer(async ({ write }, forward) => {
    if (write > 0) await pushesEndWith(bare, 1)
    return forward()
  })
  const ran = await runHere(here, ['apply', '--auto-approve', ...flags], AT_ONCE)
  const [name = ''] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  const path = join(here.folder, name)
  expect(ran.stderr).toContain(`deploymgmt state push ${path} -f other.yaml --state '${place}'\n`)
  await pushesEndWith(bare, 0)
  const pushed = await here.run('state', 'push', path, ...flags)
  expect(pushed).toMatchObject({ code: 0 })
  expect(pushed.stderr).toContain(`Next: deploymgmt plan -f other.yaml --state '${place}'\n`)
})

const FOUR = only(
  'maintenanceWindows',
  ['a', 'b', 'c', 'd'].map((name, index) => line(name, `0${index + 1}`)).join('\n'),
)

interface Middle {
  readonly words?: readonly string[]
  /** What happens to the answer to the second write. */
  readonly fate?: 'reset'
  /** The store is available again after this output. */
  readonly until?: string
}

/**
 * Applies four windows, two at once. The store fails once the first write was sent, and the answer to the second is
 * held back until it is clear that nothing can be recorded any more.
 */
const cutInTheMiddle = async ({ words = [], fate, until }: Middle = {}) => {
  const bare = await bareRepository()
  const place = `git+file://${bare}#state`
  const here = await begin({ proxied: true, manifest: `${FOUR}state: ${place}\n` })
  await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', place)
  const isGone = Promise.withResolvers<void>()
  here.proxy.steer(async ({ write }, forward) => {
    if (write === 1) await pushesEndWith(bare, 1)
    const answer = await forward()
    if (write === 2) await isGone.promise
    return write === 2 && fate !== undefined ? fate : answer
  })
  const hear = (text: string): void => {
    if (/skipped|failed/u.test(text)) isGone.resolve()
    if (until !== undefined && text.includes(until)) rmSync(hookOf(bare))
  }
  const ran = await runHere(here, ['apply', '--auto-approve', '--concurrency', '2', ...words], {
    ...AT_ONCE,
    stderrSaid: hear,
    stdoutSaid: hear,
  })
  await pushesEndWith(bare, 0)
  return { here, ran }
}

it('what was done and recorded, what was done and not recorded, and what was not sent are told apart', async () => {
  const { here, ran } = await cutInTheMiddle()
  const [name = ''] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  expect(ran.code).toBe(1)
  expect(ran.stderr).toContain('  · skipped   maintenanceWindows.c\n              not sent:')
  expect(ran.stderr).toMatch(
    /  ◌ unsaved   maintenanceWindows\.b\n              the service has created it with the id \w+/,
  )
  expect(ran.stdout).toContain(
    '◌ maintenanceWindows.a, maintenanceWindows.b: unsaved, the service has answered',
  )
  expect(ran.stdout).toContain('2 done but not recorded · 2 skipped')
  expect(ran.stdout).not.toContain('failed')
  const said = ran.stdout + ran.stderr
  expect(said.split('pre-receive hook declined')).toHaveLength(2)
  expect(said.split(`deploymgmt state push ${join(here.folder, name)}`)).toHaveLength(2)
  expect(await here.run('state', 'push', name)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('records of'),
  })
  expect((await here.run('plan')).stdout).toContain('2 to create')
})

it('as data, too, and the rescue file is where the error is', async () => {
  const { here, ran } = await cutInTheMiddle({ words: ['--format', 'json'] })
  const [name = ''] = (await readdir(here.folder)).filter((each) => each.startsWith('deploymgmt.rescue.'))
  const events = ran.stdout
    .trim()
    .split('\n')
    .map((each) => JSON.parse(each))
  expect(events.at(-1)).toMatchObject({
    type: 'summary',
    inSync: false,
    exitCode: 1,
    done: {},
    byStatus: { done: 0, failed: 0, skipped: 2, unsaved: 2 },
    error: { code: 'DM-STATE-WRITE', where: join(here.folder, name) },
  })
  const ended = events.filter(({ type }) => type === 'finished')
  expect(ended.find(({ address }) => address.endsWith('.b'))).toMatchObject({ status: 'unsaved' })
  expect(ended.every(({ error }) => error === undefined)).toBe(true)
})

it('what the store takes in the end is told as done, and there is no rescue file', async () => {
  const { here, ran } = await cutInTheMiddle({ until: 'unsaved' })
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringContaining('2 created · 2 skipped') })
  expect(ran.stdout + ran.stderr).not.toContain('state push')
  expect(ran.stderr).toContain('Error DM-STATE-WRITE')
  expect((await here.run('plan')).stdout).toContain('2 to create')
  expect((await readdir(here.folder)).filter((each) => each.includes('rescue'))).toEqual([])
})

it('an answer that was lost stays of unknown outcome where that cannot be recorded either', async () => {
  const { ran } = await cutInTheMiddle({ fate: 'reset' })
  expect(ran).toMatchObject({
    code: 3,
    stdout: expect.stringContaining('1 of unknown outcome · 1 done but not recorded · 2 skipped'),
  })
  expect(ran.stdout).toContain('deploymgmt state resolve maintenanceWindows.b')
  expect(ran.stderr).toContain('deploymgmt state push')
})
