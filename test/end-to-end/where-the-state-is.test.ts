import { execFileSync } from 'node:child_process'
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, expect, it } from 'vitest'
import { runHere, type Ran } from '../support/command.ts'
import { install, PROJECT, type Installation } from '../support/installation.ts'
import { COMMAND, start } from '../support/process.ts'
import { only } from '../support/scene.ts'

const WINDOW = only(
  'maintenanceWindows',
  `  night: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`,
)

/** A manifest in a folder below the one where commands run. */
const below = async (text = WINDOW): Promise<Installation & { at: string }> => {
  const here = await install()
  onTestFinished(() => here.close())
  const at = join(here.folder, 'site')
  await mkdir(at)
  await writeFile(join(at, 'deploymgmt.yaml'), text)
  return { ...here, at }
}

const within = ({ env, at }: { env: Record<string, string>; at: string }, ...words: string[]): Promise<Ran> =>
  runHere({ folder: at, env }, words)

it('a state stands beside the first manifest, from whichever folder the command is run', async () => {
  const here = await below()
  const begun = await here.run('state', 'init', '-f', 'site')
  expect(begun.stderr).toContain('An empty state was written to site/deploymgmt.state.json.')
  expect(await within(here, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
  const again = await here.json('plan', '-f', 'site/deploymgmt.yaml')
  expect(again.document).toMatchObject({ inSync: true, summary: { create: 0 } })
  expect((await readdir(here.folder)).toSorted()).toStrictEqual(['site'])
})

/** The command with the manifest on stdin, from a pipe or from the file itself. */
const STREAMS = ['cat site/deploymgmt.yaml | "$@"', '"$@" < site/deploymgmt.yaml']
const streamed = (place: Installation, line: string, ...words: string[]): Promise<Ran> =>
  start(place, [...words, '-f', '-'], ['sh', '-c', line, 'sh', process.execPath]).ended

it.each(STREAMS)(
  'what stands beside a manifest is in the current folder if that is stdin: %s',
  async (line) => {
    const here = await below()
    const begun = await streamed(here, line, 'state', 'init')
    expect(begun).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^An empty state was written to deploymgmt\.state\.json\. /),
    })
    expect(begun.stderr).not.toContain('Could not find out')
    // A command to copy takes a manifest from the same place.
    expect(begun.stderr).toContain('deploymgmt plan -f -')
    expect(await streamed(here, line, 'adopt')).toMatchObject({ code: 0 })
    expect(await streamed(here, line, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await streamed(here, line, 'plan', '--format', 'json')).stdout).toContain('"inSync": true')
    expect(await readdir(here.folder)).toEqual(
      expect.arrayContaining(['deploymgmt.adopted.yaml', 'deploymgmt.state.json']),
    )
    expect(await readdir(here.at)).toStrictEqual(['deploymgmt.yaml'])
  },
)

it.each(STREAMS)('and so is a state that such a manifest names: %s', async (line) => {
  const here = await below(`${WINDOW}state: mine.json\n`)
  await streamed(here, line, 'state', 'init')
  expect((await readdir(here.folder)).toSorted()).toStrictEqual(['mine.json', 'site'])
})

it('stdin can be a socket, as a program in Node.js gives it', async () => {
  const here = await below()
  const words = [COMMAND, 'validate', '-f', '-']
  const said = execFileSync(process.execPath, words, { cwd: here.folder, env: here.env, input: WINDOW })
  expect(said.toString()).toMatch(/1 entry, all valid/)
})

it('a manifest can say where, with variables, and its path stands beside it', async () => {
  const here = await below(
    `${WINDOW}variables: { stage: { default: test } }\nstate: states/\${var.stage}.state.json\n`,
  )
  await mkdir(join(here.at, 'states'))
  await here.run('state', 'init', '-f', 'site')
  await here.run('state', 'init', '-f', 'site', '--var', 'stage=live')
  expect((await readdir(join(here.at, 'states'))).toSorted()).toStrictEqual([
    'live.state.json',
    'test.state.json',
  ])
})

it('the environment says it over the manifest, and --state over both, each beside the current folder', async () => {
  const here = await below(`${WINDOW}state: of-the-manifest.json\n`)
  here.env['DEPLOYMGMT_STATE'] = 'of-the-environment.json'
  await here.run('state', 'init', '-f', 'site')
  await here.run('state', 'init', '-f', 'site', '--state', 'of-the-flag.json')
  delete here.env['DEPLOYMGMT_STATE']
  await here.run('state', 'init', '-f', 'site')
  expect((await readdir(here.folder)).toSorted()).toStrictEqual([
    'of-the-environment.json',
    'of-the-flag.json',
    'site',
  ])
  expect(await readdir(here.at)).toContain('of-the-manifest.json')
  // The state is in the folder of the manifests, but is not taken for one of them.
  expect(await here.run('plan', '-f', 'site')).toMatchObject({ code: 0 })
})

it('what a state tells cannot say where it is', async () => {
  const here = await below(`${WINDOW}state: \${maintenanceWindows.night.id}.json\n`)
  const checked = await here.run('validate', '-f', 'site')
  expect(checked).toMatchObject({ code: 1 })
  expect(checked.stdout + checked.stderr).toContain('the state has to be known before what is recorded')
  const planned = await here.run('plan', '-f', 'site')
  expect(planned).toMatchObject({ code: 1 })
  expect(await readdir(here.at)).toStrictEqual(['deploymgmt.yaml'])
})

it('a state at the previous place is named, and never ignored', async () => {
  const here = await below()
  await here.run('state', 'init', '-f', 'site')
  expect(await here.run('apply', '-f', 'site', '--auto-approve')).toMatchObject({ code: 0 })
  const old = join(here.folder, 'deploymgmt.state.json')
  await rename(join(here.at, 'deploymgmt.state.json'), old)
  for (const words of [
    ['plan'],
    ['apply', '--auto-approve'],
    ['drift'],
    ['state', 'init'],
    ['state', 'list'],
  ]) {
    const ran = await here.run(...words, '-f', 'site')
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
    expect(ran.stderr).toContain(old)
  }
  expect(await here.run('plan', '-f', 'site', '--state', 'deploymgmt.state.json')).toMatchObject({ code: 0 })
  expect(await readdir(here.at)).toStrictEqual(['deploymgmt.yaml'])
  const { stderr } = await here.run('plan', '-f', 'site')
  expect(await here.run(...advisedIn(stderr))).toMatchObject({ code: 0 })
  expect(await here.run('plan', '--detailed-exitcode', '-f', 'site')).toMatchObject({ code: 0 })
})

/** The words of the advised command, as a shell splits them. */
const advisedIn = (stderr: string): string[] => {
  const [, words = ''] = /deploymgmt (state copy .*?)\. Or/.exec(stderr.replaceAll(/\s+/g, ' ')) ?? []
  return execFileSync('sh', ['-c', `printf '%s\\0' ${words}`])
    .toString()
    .split('\0')
    .slice(0, -1)
}

it('a state at the previous place is moved by the advised command, also to a path with a blank', async () => {
  const here = await below()
  await here.run('state', 'init', '-f', 'site')
  await mkdir(join(here.at, 'my states'))
  await writeFile(join(here.at, 'deploymgmt.yaml'), `${WINDOW}state: my states/new.json\n`)
  const { stderr } = await here.run('plan', '-f', 'site')
  expect(await here.run(...advisedIn(stderr))).toMatchObject({ code: 0 })
  expect(await here.run('plan', '-f', 'site')).toMatchObject({ code: 0 })
})

it('a new address does not start an empty state while the previous one exists', async () => {
  const here = await below()
  await here.run('state', 'init', '-f', 'site')
  await writeFile(join(here.at, 'deploymgmt.yaml'), `${WINDOW}state: elsewhere.json\n`)
  const ran = await here.run('state', 'init', '-f', 'site')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
})

it.each([
  ['is of a later version', '{ "version": 99, "name": "test" }'],
  ['is cut off', '{ "version": 1, "na'],
])('a state at the previous place that %s is named too', async (_, text) => {
  const here = await below()
  const old = join(here.folder, 'deploymgmt.state.json')
  await writeFile(old, text, { mode: 0o600 })
  const ran = await here.run('state', 'init', '-f', 'site')
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
  expect(ran.stderr).toContain(old)
  expect(await readdir(here.at)).toStrictEqual(['deploymgmt.yaml'])
})

it('two states of one manifest are told of, and the one beside it counts', async () => {
  const here = await below()
  await here.run('state', 'init', '-f', 'site')
  const state = await readFile(join(here.at, 'deploymgmt.state.json'))
  await writeFile(join(here.folder, 'deploymgmt.state.json'), state, { mode: 0o600 })
  const ran = await here.run('plan', '-f', 'site')
  expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining('another state of this manifest') })
})

it("another manifest's state in the current folder is nobody's concern", async () => {
  const here = await below(WINDOW.replace('name: test', 'name: other'))
  await here.manifest(WINDOW)
  await here.run('state', 'init')
  const ran = await here.run('state', 'init', '-f', 'site')
  expect(ran).toMatchObject({ code: 0 })
  expect((await here.run('plan', '-f', 'site')).stderr).not.toContain('another state')
})

it.each(['git+https://me:secret-canary@example.com/x', 'gopher://me@example.com/x'])(
  'an address that cannot be a state is refused, and no password of it is shown: %s',
  async (address) => {
    const here = await below()
    for (const how of [['--state', address], []]) {
      if (how.length === 0) here.env['DEPLOYMGMT_STATE'] = address
      const ran = await here.run('plan', '-f', 'site', ...how)
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
      expect(ran.stdout + ran.stderr).not.toContain('canary')
    }
  },
)

it('a lock is removed where the manifest says that the state is', async () => {
  const here = await below()
  await here.run('state', 'init', '-f', 'site')
  await writeFile(join(here.at, 'deploymgmt.state.json.lock'), 'nobody', { mode: 0o600 })
  const met = await here.run('apply', '-f', 'site', '--auto-approve')
  const id = /deploymgmt state unlock (\S+)/.exec(met.stderr)?.[1] ?? ''
  expect(await here.run('state', 'unlock', id, '-f', 'site')).toMatchObject({ code: 0 })
  expect(await here.run('apply', '-f', 'site', '--auto-approve')).toMatchObject({ code: 0 })
})

it.each([
  ['state: postgres://me:canary@example.com/states', 8],
  ['state: http://', 8],
  ['otherStates: ["git+https://example.com/x?token=canary"]', 15],
])(
  'an address that cannot be used is refused where it stands, also by validate: %s',
  async (line, column) => {
    const here = await below(`${line}\n${WINDOW}`)
    for (const command of line.startsWith('state') ? ['validate', 'plan'] : ['validate']) {
      const ran = await here.run(command, '-f', 'site')
      expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
      expect(ran.stderr).toContain(`  site/deploymgmt.yaml:1:${column}\n`)
      expect(ran.stdout + ran.stderr).not.toContain('canary')
    }
  },
)

it('an address as git alone has it is no path, unless something is there', async () => {
  const here = await below()
  const words = ['plan', '-f', 'site', '--state', 'git@example.com:acme/x.git']
  const refused = await here.run(...words)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-ADDRESS') })
  expect(refused.stderr).toContain('Write git+ssh://git@example.com/acme/x.git')
  await mkdir(join(here.folder, 'git@example.com:acme'))
  expect(await here.run(...words)).toMatchObject({ code: 0 })
})

it('a state that is not there is told of as that by what looks at it', async () => {
  const here = await below()
  const list = await here.run('state', 'list', '-f', 'site', '--state', 'nope.json')
  const nothing = {
    code: 0,
    stdout: 'Nothing is recorded.\n',
    stderr: 'There is no state at nope.json yet.\n',
  }
  expect(list).toMatchObject(nothing)
  const show = await here.run('state', 'show', 'users.dana', '-f', 'site', '--state', 'nope.json')
  expect(show).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no state at nope\.json yet\.\n.*DM-ADDRESS/),
  })
})

it('a rescue file that is not there is told of as one', async () => {
  const here = await below()
  const { code, stderr } = await here.run('state', 'push', 'nofile.json', '-f', 'site')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('it does not exist') })
  expect(stderr).not.toMatch(/folder does|--state/u)
})
