import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { copyState, whereSilencesAre } from '../../reconciler/state/index.ts'
import { FOLDER } from '../support/folder.ts'
import { bareRepository, git } from '../support/git.ts'
import { failing, manifestWith, within } from '../support/installation.ts'
import { begin, only, type Scene } from '../support/scene.ts'
import { killedAsItOpens, QUIET, silences } from '../support/silence.ts'

/** A checkout with a manifest, and beside it a state in which everything declared is recorded. */
const withFileState = async () => {
  const here = await begin({ manifest: manifestWith() })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const bare = await bareRepository()
  await git(here.folder, 'init', '--quiet', '--initial-branch=main')
  await git(here.folder, 'remote', 'add', 'origin', bare)
  await git(here.folder, 'add', '.')
  await git(here.folder, 'commit', '--quiet', '-m', 'declares')
  await git(here.folder, 'push', '--quiet', 'origin', 'main')
  return { ...here, bare }
}

const COPY = ['state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'git:origin']

it('a state in the repository moves to git with two commands, as docs/state.md tells', async () => {
  const here = await withFileState()
  const page = await readFile(new URL('../../docs/state.md', import.meta.url), 'utf8')
  expect(page).toContain(`deploymgmt ${COPY.join(' ')}\n`)
  const before = await here.state()
  const old = join(here.folder, 'old')
  await git(here.folder, 'clone', '--quiet', here.bare, old)
  const copied = await here.run(...COPY)
  expect(copied).toMatchObject({ code: 0 })
  expect(copied.stderr).toContain('The state is now at git:origin#deploymgmt/test')
  // This is what manifests without the line get, in this checkout and in those that pull the marker.
  const refused = await here.run('plan')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-MOVED') })
  expect(refused.stderr).toContain('moved to git:origin#deploymgmt/test')
  const manifest = join(here.folder, 'deploymgmt.yaml')
  await writeFile(manifest, `${await readFile(manifest, 'utf8')}state: git:origin\n`)
  const planned = await here.run('plan', '--detailed-exitcode')
  expect(planned).toMatchObject({ code: 0, stderr: expect.not.stringContaining('another state') })
  expect(JSON.parse((await here.run('state', 'pull')).stdout)).toStrictEqual(before)
  await cp(manifest, join(old, 'deploymgmt.yaml'))
  const other = within(here, old)
  expect(await other.run('state', 'list')).toMatchObject({ code: 0 })
})

it('a manifest that names the new place already has nothing more to be said', async () => {
  const here = await withFileState()
  const manifest = join(here.folder, 'deploymgmt.yaml')
  expect((await here.run(...COPY)).stderr).toContain('Next: write `state: git:origin` at the top')
  await writeFile(manifest, `${await readFile(manifest, 'utf8')}state: kept.json\n`)
  const { stderr } = await here.run('state', 'copy', '--from', 'git:origin', '--to', 'kept.json')
  expect(stderr).toContain('The manifest already names it.')
  expect(stderr).not.toContain('Next: write')
})

it('a marker in a branch names a file of the checkout as each clone has it, and one of elsewhere as it is', async () => {
  const here = await withFileState()
  expect(await here.run(...COPY)).toMatchObject({ code: 0 })
  const move = (to: string) => here.run('state', 'copy', '--from', 'git:origin', '--to', to)
  const inClone = await mkdtemp(FOLDER)
  onTestFinished(() => rm(inClone, { recursive: true, force: true }))
  const clone = join(inClone, 'clone')
  await git(here.folder, 'clone', '--quiet', here.bare, clone)
  const seen = async () => (await within(here, clone).run('state', 'list', '--state', 'git:origin')).stderr
  await mkdir(join(here.folder, 'kept'))
  expect(await move('kept/state.json')).toMatchObject({ code: 0 })
  const said = await seen()
  expect(said).toContain('the state was moved to kept/state.json\n')
  expect(said).toContain('The path is relative to the folder of the manifest.')
  expect(said).not.toContain(here.folder)
  await git(here.folder, 'push', '--quiet', 'origin', '--delete', 'deploymgmt/test')
  const back = ['state', 'copy', '--from', 'kept/state.json', '--to', 'git:origin']
  expect(await here.run(...back)).toMatchObject({ code: 0 })
  const other = join(inClone, 'other.json')
  expect(await move(other)).toMatchObject({ code: 0 })
  const elsewhere = await seen()
  expect(elsewhere).toContain(`the state was moved to ${other}\n`)
  expect(elsewhere).toContain('a file on the machine where the state was moved')
})

it('a state that moves back is told to delete the marker first, and which', async () => {
  const here = await withFileState()
  expect(await here.run(...COPY)).toMatchObject({ code: 0 })
  const refused = await here.run('state', 'copy', '--from', 'git:origin', '--to', 'deploymgmt.state.json')
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-CONFLICT') })
  expect(refused.stderr).toContain('the state was moved to git:origin#deploymgmt/test')
  expect(refused.stderr).toContain('delete the marker first: that file.')
  expect(refused.stderr).not.toContain('update the checkout')
  await rm(join(here.folder, 'deploymgmt.state.json'))
  expect(
    await here.run('state', 'copy', '--from', 'git:origin', '--to', 'deploymgmt.state.json'),
  ).toMatchObject({
    code: 0,
  })
  const again = await here.run(...COPY)
  expect(again.stderr).toContain('delete the marker first: that branch.')
})

it('a state is stored without characters that a terminal obeys, and pulled as it is stored', async () => {
  const here = await begin({
    manifest: only(
      'maintenanceWindows',
      '  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: "a\\u0085b\\u202Ec" }',
    ),
  })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const { stdout } = await here.run('state', 'pull')
  expect(stdout).toContain(String.raw`"a\u0085b\u202ec"`)
  expect(await readFile(join(here.folder, 'deploymgmt.state.json'), 'utf8')).toBe(stdout)
  // The plan compares the declaration with the record.
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('a request of unknown outcome has to be settled first, with the commands that do', async () => {
  const here = await begin({ manifest: manifestWith() })
  await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after' })
  await here.run('apply', '--auto-approve')
  const ran = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json')
  expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining('DM-UNKNOWN-OUTCOME') })
  expect(ran.stderr).toContain('maintenanceWindows.migration')
  expect(await here.run('state', 'pull', '--state', 'other.json')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DM-STATE-MISSING'),
  })
})

it('a state of another manifest is not moved with this one', async () => {
  const here = await begin({ manifest: manifestWith().replace('name: test', 'name: other') })
  const ran = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('belongs to the manifest "test"') })
})

const TO_OTHER = ['state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'kept/other.json']

it('a copy to itself names the state, also where silences are beside it', async () => {
  const here = await begin({ manifest: manifestWith() })
  await here.run(...QUIET)
  const itself = ['--from', 'deploymgmt.state.json', '--to', './deploymgmt.state.json']
  const { code, stderr } = await here.run('state', 'copy', ...itself)
  expect({ code, lines: stderr.split('\n') }).toEqual({
    code: 1,
    lines: [
      'Error DM-STATE-ADDRESS: a state cannot be copied to itself',
      `  ${join(here.folder, 'deploymgmt.state.json')}`,
      '  Name another place with --to.',
      '',
    ],
  })
})

it('silences move with the state that they are beside, also once a copy was cut off between the two', async () => {
  const here = await begin({ manifest: manifestWith(), proxied: true })
  await mkdir(join(here.folder, 'kept'))
  await killedAsItOpens(here)
  // The window may still run; first it has to be settled whether it was made.
  expect(await here.run(...TO_OTHER)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('deploymgmt silence end'),
  })
  expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
  expect(await here.run(...QUIET)).toMatchObject({ code: 0 })
  const { endDate } = (await silences(here)).at(-1)
  const other = join(here.folder, 'kept', 'other.json')
  const [from, to] = [join(here.folder, 'deploymgmt.state.json'), other].map((statePath) =>
    whereSilencesAre({ statePath, name: 'test' }),
  ) as [{ statePath: string; name: string }, { statePath: string; name: string }]
  const expected = { name: from.name, baseUrl: String(here.env['DEPLOYMGMT_BASE_URL']) }
  await copyState({ from, to, expect: expected })
  const copied = await here.run(...TO_OTHER)
  expect(copied).toMatchObject({ code: 0 })
  const { stderr } = await here.run('silence', 'list')
  expect(stderr).toContain('DM-STATE-MOVED')
  // Silences have no address of their own, so the message is about the address of the state.
  expect(stderr).toContain('name the new place of the state under `state`')
  here.env['DEPLOYMGMT_STATE'] = other
  expect((await silences(here)).at(-1)).toMatchObject({ endDate })
  expect((await here.json('drift')).document.unmanaged.map(({ kind }: any) => kind)).not.toContain(
    'maintenance_window',
  )
})

it.each([
  [
    'another one is in the way',
    1,
    async (here: Scene) => writeFile(join(here.folder, 'kept', 'other.json'), '{}'),
  ],
  [
    'a request has an unknown outcome',
    3,
    async (here: Scene) => {
      await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after' })
      expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    },
  ],
])('silences stay beside a state that is not moved because %s', async (_, code, hinder) => {
  const here = await begin({ manifest: manifestWith() })
  await mkdir(join(here.folder, 'kept'))
  expect(await here.run(...QUIET)).toMatchObject({ code: 0 })
  await hinder(here)
  expect(await here.run(...TO_OTHER)).toMatchObject({ code })
  expect(await silences(here)).toHaveLength(1)
  expect(await here.run('silence', 'end')).toMatchObject({ code: 0 })
})
