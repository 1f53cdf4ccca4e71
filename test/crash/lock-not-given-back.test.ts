import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, afterEach, describe, expect, it } from 'vitest'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { begin, only, type Scene } from '../support/scene.ts'

let here: Scene

const WINDOW =
  '  night: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }'
const { unlink } = nodeFiles
const NOT_GIVEN_BACK = /DM-STATE-WRITE.*the lock/u

/** Makes the removal of a lock fail, as if the network went away during the command: the lock stays. */
const keeping = (lock: string): void => {
  Object.assign(nodeFiles, {
    unlink: (path: string) =>
      path.endsWith(lock) ? Promise.reject(Object.assign(new Error(), { code: 'EIO' })) : unlink(path),
  })
}
beforeEach(async () => {
  here = await begin({ manifest: only('maintenanceWindows', WINDOW) })
  keeping('.lock')
})
afterEach(() => {
  Object.assign(nodeFiles, { unlink })
})

describe('a lock that cannot be given back', () => {
  it('is reported if nothing else has failed', async () => {
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toMatch(NOT_GIVEN_BACK)
  })

  it('is in the one summary that there is, with the exit code', async () => {
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve', '--format', 'json')
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(events.filter(({ type }) => type === 'summary')).toMatchObject([
      { exitCode: 1, inSync: false, done: { create: 1 }, error: { code: 'DM-STATE-WRITE' } },
    ])
    expect(code).toBe(1)
    expect(stderr.match(/DM-STATE-WRITE/g)).toHaveLength(1)
  })

  it('leaves the exit code that the summary tells', async () => {
    await here.control('POST', 'faults', {
      method: 'POST',
      path: '/maintenanceWindows',
      fault: 'reset-after',
      count: 1,
    })
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve', '--format', 'json')
    expect(code).toBe(3)
    expect(JSON.parse(stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({ type: 'summary' })
    expect(stderr).toMatch(NOT_GIVEN_BACK)
  })

  it('hides no error of what was to be done', async () => {
    await here.run('plan', '--out', 'saved.plan')
    await here.manifest(only('maintenanceWindows', WINDOW.replace('04:00', '05:00')))
    const { code, stderr } = await here.run('apply', 'saved.plan', '--auto-approve')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-PLAN-STALE')
    expect(stderr).toMatch(NOT_GIVEN_BACK)
  })

  it('hides no error of a change of the state', async () => {
    const { code, stderr } = await here.run('state', 'forget', 'maintenanceWindows.night')
    expect(code).toBe(1)
    expect(stderr).toContain('DM-ADDRESS')
    expect(stderr).toMatch(NOT_GIVEN_BACK)
  })

  it('hides no error of a copy', async () => {
    const other = { ...(await here.state()), lineage: 'another' }
    await writeFile(join(here.folder, 'other.json'), JSON.stringify(other))
    keeping('other.json.lock')
    const ran = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json')
    expect(ran.code).toBe(1)
    expect(ran.stderr).toContain('DM-STATE-CONFLICT')
    expect(ran.stderr).toMatch(NOT_GIVEN_BACK)
  })

  it('is told beside what is wrong with the state', async () => {
    const state = join(here.folder, 'deploymgmt.state.json')
    await rm(state)
    await writeFile(state, '{')
    const { stderr } = await here.run('apply', '--auto-approve')
    expect(stderr).toContain('DM-STATE-CORRUPT')
    expect(stderr).toMatch(NOT_GIVEN_BACK)
  })
})
