import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { after, before, expectRecovered, killAt, resolveAll } from '../crash/support/kill.ts'
import { AT_ONCE, runHere } from '../support/command.ts'
import { git } from '../support/git.ts'
import { manifestWith, PROJECT, type Installation, within } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { begin, only } from '../support/scene.ts'
import { sharedBy, type Site } from '../support/site.ts'

const windows = (count: number): string =>
  only(
    'maintenanceWindows',
    Array.from(
      { length: count },
      (_, index) =>
        `  night-${index}: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-${String(index + 1).padStart(2, '0')}T02:00:00Z, endDate: 2035-01-${String(index + 1).padStart(2, '0')}T04:00:00Z }`,
    ).join('\n'),
  )

const team = async (manifest: string): Promise<Installation & Site> => {
  const here = await begin()
  return { ...here, ...(await sharedBy(here, manifest)) }
}

const windowsMade = async (here: Installation): Promise<number> => (await windowsAt(here)).length

const HERE = 'state: git:origin\n'

it('a state in git is begun, planned from, applied to and looked at from two clones of a repository', async () => {
  const here = await team(`${windows(3)}${HERE}`)
  const [one, two] = [await here.runner(), await here.runner()]
  const begun = await one.run('state', 'init')
  expect(begun).toMatchObject({ code: 0, stderr: expect.stringContaining('git:origin#deploymgmt/test') })
  expect(await two.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await one.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await one.run('drift')).toMatchObject({ code: 0 })
  const listed = await two.run('state', 'list', '--format', 'json')
  expect(JSON.parse(listed.stdout)).toHaveLength(3)
  expect(await one.run('state', 'mv', 'maintenanceWindows.night-0', 'maintenanceWindows.day')).toMatchObject({
    code: 0,
  })
  expect(await two.run('state', 'show', 'maintenanceWindows.day')).toMatchObject({ code: 0 })
  expect(await windowsMade(here)).toBe(3)
})

it('a branch has any name that git takes', async () => {
  const here = await team(`${windows(1)}state: "git:origin#états/production@1"\n`)
  const one = await here.runner()
  expect(await one.run('state', 'init')).toMatchObject({ code: 0 })
  expect(await one.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await one.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await git(here.bare, 'rev-parse', 'refs/heads/états/production@1')).toMatch(/^[0-9a-f]+$/)
})

it('a remote at a relative path is found from the top of the checkout, in whichever folder a command runs', async () => {
  const here = await team(`${windows(1)}${HERE}`)
  const one = await here.runner()
  await git(one.folder, 'remote', 'set-url', 'origin', relative(one.folder, here.bare))
  expect(await one.run('state', 'init')).toMatchObject({ code: 0 })
  await mkdir(join(one.folder, 'a/b'), { recursive: true })
  const deeper = within(one, join(one.folder, 'a/b'))
  expect(await deeper.run('plan', '-f', '../../deploymgmt.yaml')).toMatchObject({ code: 0 })
})

it('nothing of a checkout is touched, and nothing of main', async () => {
  const here = await team(`${windows(1)}${HERE}`)
  const runner = await here.runner()
  const untouched = {
    main: await git(here.bare, 'rev-parse', 'main'),
    refs: await git(runner.folder, 'for-each-ref'),
    config: await readFile(join(runner.folder, '.git', 'config'), 'utf8'),
  }
  await runner.run('state', 'init')
  expect(await runner.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await git(runner.folder, 'status', '--porcelain', '--ignored')).toBe('')
  expect({
    main: await git(here.bare, 'rev-parse', 'main'),
    refs: await git(runner.folder, 'for-each-ref'),
    config: await readFile(join(runner.folder, '.git', 'config'), 'utf8'),
  }).toStrictEqual(untouched)
  const subjects = await git(here.bare, 'log', '--format=%s', 'deploymgmt/test')
  for (const subject of subjects.split('\n'))
    expect(subject).toMatch(/^deploymgmt (?:apply|state init) .*\[skip ci\]$/)
  const history = await git(here.bare, 'log', '--patch', 'deploymgmt/test')
  expect(history).not.toContain('canary')
})

it('what the state of another manifest records is known, where it is named with its branch', async () => {
  const here = await team(`${windows(1)}${HERE}`)
  const [one, two] = [await here.runner(), await here.runner()]
  await one.run('state', 'init')
  expect(await one.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const second = `${windows(2).replace('name: test', 'name: second')}${HERE}`
  await writeFile(join(two.folder, 'deploymgmt.yaml'), second)
  await two.run('state', 'init')
  expect(await two.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  const named = 'otherStates: ["git:origin#deploymgmt/test"]\n'
  await writeFile(join(two.folder, 'deploymgmt.yaml'), `${second}${named}`)
  expect(await two.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  expect(await windowsMade(here)).toBe(3)
})

it.each([
  ['before the service has it', before],
  ['after the service has committed it', after],
])(
  'the next runner recovers from one that was killed at a write, %s, and lost with its disk',
  async (_, fate) => {
    const here = await begin({ proxied: true })
    const site = await sharedBy(here, `${manifestWith()}${HERE}`)
    const [lost, next] = [await site.runner(), await site.runner()]
    await lost.run('state', 'init')
    await killAt({ ...here, folder: lost.folder }, ({ write }) => write === 5, fate)
    await rm(lost.folder, { recursive: true })
    const { document } = await next.json('state', 'list')
    expect(document.filter(({ status }: any) => status === 'unknown').length).toBeGreaterThan(0)
    // Requests in flight can no longer take effect.
    await here.control('POST', 'clock', { advance: 'PT3M' })
    // The intent was the first of its kind, so no event can show that nothing was created.
    expect(await next.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    await resolveAll(next, ['maintenanceWindows.migration'])
    await expectRecovered(next)
  },
)

/** Refuses all pushes from this number on. */
const refusePushes = async (here: Awaited<ReturnType<typeof team>>, from: number): Promise<void> => {
  const pushes = join(here.folder, 'pushes')
  const counting = `#!/bin/sh\necho >> ${pushes}\n[ "$(wc -l < ${pushes})" -lt ${from} ] || exit 1\n`
  await writeFile(join(here.bare, 'hooks', 'pre-receive'), counting)
  await chmod(join(here.bare, 'hooks', 'pre-receive'), 0o755)
}

/** Runs `state mv` for a recorded thing, with all pushes refused from this number on. */
const movedUntil = async (push: number) => {
  const here = await team(`${windows(1)}${HERE}`)
  const one = await here.runner()
  await one.run('state', 'init')
  await one.run('apply', '--auto-approve')
  await refusePushes(here, push)
  const words = ['state', 'mv', 'maintenanceWindows.night-0', 'maintenanceWindows.day']
  return { one, ...(await runHere(one, words, AT_ONCE)) }
}

describe('a branch that cannot be pushed to', () => {
  const REFUSE = '#!/bin/sh\necho "not on a Sunday" >&2\nexit 1\n'

  it('makes state init fail with the answer of the other side', async () => {
    const here = await team(`${windows(1)}${HERE}`)
    await writeFile(join(here.bare, 'hooks', 'pre-receive'), REFUSE)
    await chmod(join(here.bare, 'hooks', 'pre-receive'), 0o755)
    const ran = await runHere(await here.runner(), ['state', 'init'], AT_ONCE)
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
    expect(ran.stderr).toContain('pre-receive hook declined')
    expect(ran.stderr).toContain('may push to the branch deploymgmt/test')
  })

  it('makes state mv say that the journal has the change, if only the save is refused', async () => {
    // The lock and the journal take one push each.
    const { one, code, stderr } = await movedUntil(3)
    expect(code).toBe(1)
    expect(stderr).toContain('the state was not saved')
    expect(stderr).toContain('Nothing is lost: the journal has every result')
    expect((await one.run('state', 'list')).stdout).toContain('maintenanceWindows.day')
  })

  it('makes state mv name the rescue file once, if not even the journal can be saved', async () => {
    const { code, stderr } = await movedUntil(2)
    expect({ code, told: stderr.match(/DM-STATE-WRITE/g) }).toEqual({ code: 1, told: ['DM-STATE-WRITE'] })
    expect(stderr).toContain('deploymgmt state push')
  })

  it('is told where there is no repository', async () => {
    const here = await team(`${windows(1)}state: git+file:///nowhere/at/all\n`)
    const ran = await (await here.runner()).run('plan')
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-READ') })
  })

  it('is told where the checkout has no such remote, with those that it has', async () => {
    const here = await team(`${windows(1)}state: git:upstream\n`)
    const one = await here.runner()
    const ran = await one.run('plan')
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('no remote "upstream"') })
    expect(ran.stderr).toContain('It has origin. Name one of them, or write the full address')
    expect((await one.run('plan', '--state', 'git:orgin')).stderr).toContain(
      'Did you mean git:origin? It has origin.',
    )
    await git(one.folder, 'remote', 'remove', 'origin')
    expect((await one.run('plan')).stderr).toContain('It has none: add one')
    await rm(join(one.folder, '.git'), { recursive: true })
    expect((await one.run('plan')).stderr).toContain('Run the command with manifests in a checkout')
  })

  it('is told where git does not read the checkout, because another user owns it, as in a container', async () => {
    const here = await team(`${windows(1)}${HERE}`)
    const one = await here.runner()
    one.env['GIT_TEST_ASSUME_DIFFERENT_OWNER'] = '1'
    const ran = await one.run('plan')
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('because another user owns it') })
    expect(ran.stderr).toContain("git config --global --add safe.directory '/")
  })
})
