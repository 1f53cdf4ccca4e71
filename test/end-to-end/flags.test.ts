import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Command } from 'commander'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { programFor } from '../../reconciler/cli.ts'
import { period } from '../../reconciler/commands/line/period.ts'
import { concealingIo, processIo } from '../../reconciler/io.ts'
import { MARKS } from '../../reconciler/text/style.ts'
import { runHere } from '../support/command.ts'
import { failing, manifestWith, PROJECT } from '../support/installation.ts'
import { manyManifest, manyProjects } from '../support/many-projects.ts'
import { begin, only } from '../support/scene.ts'

/**
 * The flags that each command has read, by command name. Copying all flags does not count as reading them, and what is
 * read from a copy is not seen: a flag that is only read there is shown by what it changes.
 */
const looked = new Map<string, Set<string>>()
const offered = new Map<string, Set<string>>()

const nameOf = (command: Command): string =>
  command.parent === null ? '' : `${nameOf(command.parent)} ${command.name()}`.trim()

const flat = (command: Command): string[] =>
  command.commands.flatMap((each) => [nameOf(each).replace(/^deploymgmt /, ''), ...flat(each)])

const watched = (values: object, seen: Set<string>): object => {
  const copied = new Set<PropertyKey>()
  return new Proxy(values, {
    ownKeys(target) {
      const keys = Reflect.ownKeys(target)
      for (const key of keys) copied.add(key)
      return keys
    },
    get(target, key) {
      if (!copied.delete(key)) seen.add(String(key))
      return Reflect.get(target, key)
    },
  })
}

beforeEach(() => {
  looked.clear()
  // oxlint-disable-next-line unbound-method -- it is called with its command
  const { opts } = Command.prototype
  Command.prototype.opts = function (this: Command) {
    const name = nameOf(this)
    const seen = looked.get(name) ?? new Set()
    looked.set(name, seen)
    offered.set(
      name,
      new Set(this.options.filter(({ hidden }) => !hidden).map((option) => option.attributeName())),
    )
    return watched(opts.call(this), seen)
  } as typeof opts
  onTestFinished(() => {
    Command.prototype.opts = opts
  })
})
const PLAN = ['plan', '--detailed-exitcode']
const DATA = ['get', 'alert_configurations', '--project-id', PROJECT]
const LOCK = JSON.stringify({
  id: 'an-id',
  pid: 1,
  host: 'elsewhere',
  command: 'apply',
  at: '2026-12-01T00:00:00Z',
})
const rescueOf = ({ lineage, name, baseUrl }: any): string => {
  const at = '2026-12-01T00:00:00Z'
  const header = { type: 'header', version: 1, lineage, serial: 1, digest: '', name, baseUrl, at }
  const left = { header, journal: [], owed: [], withdrawn: [], state: {} }
  return JSON.stringify({ type: 'rescue', version: 1, place: 'a-file', lock: 'an-id', at, ...left })
}
const RUNS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  init: [['init', '-f', 'other.yaml', '--state', 'other.json', '--name', 'other']],
  validate: [['validate']],
  // The last plan has nothing left to do.
  plan: [['plan', '--out', 'saved'], ['apply', '--auto-approve'], PLAN],
  apply: [['apply', '--auto-approve']],
  drift: [['apply', '--auto-approve'], ['drift']],
  'drift accept': [
    ['apply', '--auto-approve'],
    ['drift', 'accept', '--baseline', '--reason', 'as found'],
  ],
  'state init': [['state', 'init', '--state', 'other.json']],
  'state list': [['state', 'list']],
  'state show': [
    ['apply', '--auto-approve'],
    ['state', 'show', 'users.dana'],
  ],
  'state mv': [
    ['apply', '--auto-approve'],
    ['state', 'mv', 'users.dana', 'users.dane'],
  ],
  'state forget': [
    ['apply', '--auto-approve'],
    ['state', 'forget', 'users.dana'],
  ],
  'state accept': [
    ['apply', '--auto-approve'],
    ['state', 'accept', 'users.dana'],
  ],
  'state disown': [['state', 'disown', '--everything']],
  'state resolve': [
    ['apply', '--auto-approve'],
    ['state', 'resolve', 'maintenanceWindows.migration', '--created', '6b00c3f15d1113b25a115342'],
  ],
  'state copy': [
    ['state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'http://192.0.2.1/state'],
    ['state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json'],
  ],
  'state transfer': [
    ['apply', '--auto-approve'],
    ['init', '-f', 'other.yaml', '--state', 'there.json', '--name', 'other'],
    ['state', 'transfer', 'users.dana', '--to', 'there.json'],
    ['state', 'transfer', '*', '--from', 'there.json', '--to', 'http://192.0.2.1/state'],
  ],
  'state pull': [['state', 'pull']],
  'state push': [['state', 'push', 'rescue.json']],
  'state unlock': [['state', 'unlock', 'an-id']],
  adopt: [['adopt', '--state', 'other.json']],
  inventory: [['inventory'], ['inventory', '--watch', '--output', 'x']],
  schema: [['schema']],
  silence: [['silence', '--project', PROJECT, '--types', 'HOST', '--max', '1m', '--', 'true']],
  'silence list': [
    ['silence', '--project', PROJECT, '--types', 'HOST', '--max', '1m'],
    ['silence', 'list'],
  ],
  'silence end': [['silence', 'end', '--everything']],
  'wait automation': [['wait', 'automation', '--project', PROJECT, '--timeout', '0s']],
  'wait alerts': [['wait', 'alerts', '--project', PROJECT, '--none-open', '--timeout', '0s']],
  'wait agents': [['wait', 'agents', '--project', PROJECT, '--active', '--timeout', '0s']],
  'get alert_configurations': [DATA, ['get', 'alert_configurations', '--project-id', 'payments']],
}

/** Words with which adopt prints something else, by the flag that only a copy of its options is asked for. */
const CHANGING: Readonly<Record<string, readonly string[]>> = {
  split: ['--split'],
  policy: ['--no-policy'],
  except: ['--except', 'alertConfigurations.*'],
  again: ['--again'],
}

/**
 * Flags that only matter in other runs, for example if something is in the way, or that ask for what is the default
 * here.
 */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  // A test below has a lock in the way.
  adopt: [...Object.keys(CHANGING), 'lockTimeout'],
  silence: ['color', 'bestEffort', 'format'],
  'wait automation': ['except'],
  'wait alerts': ['except', 'noneOpen'],
  'wait agents': ['except', 'active'],
}

test.each(Object.entries(RUNS))('%s looks at each flag that its help offers', async (name, runs) => {
  const here = await begin({ manifest: manifestWith() })
  if (name === 'adopt') await here.manifest(only('users', ''))
  if (name === 'state resolve') await failing(here, 'POST', 'maintenanceWindows', { fault: 'reset-after' })
  if (name === 'state unlock') await writeFile(join(here.folder, 'deploymgmt.state.json.lock'), LOCK)
  if (name === 'state push') await writeFile(join(here.folder, 'rescue.json'), rescueOf(await here.state()))
  for (const words of runs) await here.run(...words)
  const seen = looked.get(name)
  const unseen = [...(offered.get(name) ?? [])].filter((flag) => seen?.has(flag) !== true)
  expect(unseen.filter((flag) => ELSEWHERE[name]?.includes(flag) !== true)).toEqual([])
  expect(seen?.size).toBeGreaterThan(0)
})

test.each(Object.entries(CHANGING))('adopt prints something else with --%s', async (flag, words) => {
  const here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
  if (flag === 'again') {
    await here.run('adopt', '--state', 'deploymgmt.state.json')
    await rm(join(here.folder, 'deploymgmt.adopted.yaml'))
  }
  const printed = async (...more: readonly string[]): Promise<string> => {
    const { code, stdout } = await here.run('adopt', '--output', '-', ...more)
    expect(code).toBe(0)
    return stdout.replaceAll(/^#.*$/gm, '')
  }
  expect(await printed(...words)).not.toBe(await printed())
})

test.each([
  [['--lock-timeout', '5m'], 0],
  [[], 1],
])('adopt with %j and a lock in the way ends with %i', async (words, ends) => {
  const here = await begin({ manifest: only('users', '') })
  const lock = join(here.folder, 'deploymgmt.state.json.lock')
  await writeFile(lock, LOCK)
  const ran = await runHere(here, ['adopt', '--state', 'deploymgmt.state.json', ...words], {
    pause: async () => rm(lock),
  })
  expect(ran).toMatchObject({ code: ends })
})

test('a command is the same whether it is built alone or with all others', async () => {
  const io = await concealingIo(processIo())
  const all = await programFor(io, ['help', 'get'], () => undefined)
  const told = (command: Command): unknown => [
    command.helpInformation(),
    command.options.map(({ flags, hidden, defaultValue }) => [flags, hidden, defaultValue]),
    command.commands.map(told),
  ]
  for (const command of all.commands) {
    const program = await programFor(io, [command.name()], () => undefined)
    const alone = program.commands.find((each) => each.name() === command.name())
    expect(told(alone ?? program)).toEqual(told(command))
    expect(program.commands.length).toBe(command.name() === 'completion' ? all.commands.length : 1)
  }
})

test('every command is covered here, except those that only have their own flags', async () => {
  const program = await programFor(await concealingIo(processIo()), ['help', 'get'], () => undefined)
  const names = flat(program).filter(
    (name) => !/^(?:help|get .*|get|state|wait|serve|completion)$|help$/.test(name),
  )
  expect(
    Object.keys(RUNS)
      .filter((name) => !name.startsWith('get'))
      .toSorted(),
  ).toEqual(names.toSorted())
})

test.each(['5', '5 m', '-1s', '1.5h', '169h', '8d', 'm', '', 'P', 'PT', 'P7DT1S', 'P1M', 'pt5m'])(
  'a time to wait of %o is refused',
  async (time) => {
    const here = await begin({ manifest: manifestWith() })
    const { code, stderr } = await here.run('apply', '--auto-approve', '--lock-timeout', time)
    expect(code).toBe(1)
    expect(stderr).toContain('It has to be a time up to 7 days, such as 30s, 5m, 1h, 7d or PT1H')
  },
)

test.each(['90s', 'PT90S', 'PT1M30S', 'P0DT90S'])('%s is a time, as a manifest says it too', (time) => {
  expect(period(time)).toBe(90_000)
})

test('help and completion offer a flag where it has an effect; elsewhere it is taken all the same', async () => {
  const here = await begin({ manifest: manifestWith() })
  expect((await here.run('state', 'unlock', '--help')).stdout).not.toContain('--target')
  expect((await here.run('completion', 'bash')).stdout).toMatch(
    /'state unlock'\) offers='--file --var --var-file --state --local --allow-http --no-color --format --output --owner-ended --help'/,
  )
  expect(await here.run('state', 'list', '--quiet', '--strict', '--target', 'users.*')).toMatchObject({
    code: 0,
  })
})

test('what a folder has of other tools is said in one line, but with --quiet', async () => {
  const here = await begin({ manifest: manifestWith() })
  await writeFile(join(here.folder, 'package.json'), '{"name":"site","version":"1.0.0"}')
  await writeFile(join(here.folder, 'compose.yaml'), 'name: site\nservices: {}\n')
  const said = 'Left out, because they are not manifests: compose.yaml'
  for (const command of ['validate', 'plan', 'drift']) {
    const ran = await here.run(command, '-f', '.')
    expect([ran.code === 1, ran.stderr.split('\n').filter((line) => line === said)]).toEqual([false, [said]])
    expect((await here.run(command, '-f', '.', '--quiet')).stderr).not.toContain('compose.yaml')
  }
  expect((await here.run('validate', '-f', 'compose.yaml')).code).toBe(1)
})

test('init names the next commands with the flags that it was given', async () => {
  const here = await begin()
  const { stderr } = await here.run('init', '-f', 'other.yaml', '--local')
  for (const next of ['adopt', 'validate', 'plan'])
    expect(stderr).toContain(`deploymgmt ${next} -f other.yaml --local`)
  here.env['DEPLOYMGMT_BASE_URL'] = ''
  const unknown = await here.run('init', '-f', 'third.yaml', '--state', 'third.json')
  expect(unknown.stderr).toContain('deploymgmt state init -f third.yaml --state third.json')
})

test('init says what it has named the installation after, and where that name is', async () => {
  const here = await begin()
  const { stderr } = await here.run('init', '-f', 'other.yaml', '--state', 'other.json')
  const name = /^name: (\S+)/m.exec(await readFile(join(here.folder, 'other.yaml'), 'utf8'))?.[1]
  expect(stderr).toContain(`other.yaml was written, named ${name} after this folder; --name gives another: `)
  expect(stderr).toContain(
    'An empty state of that name was written to other.json: for another name, edit both.',
  )
  const again = await here.run('init', '-f', 'third.yaml', '--state', 'other.json')
  expect(again.stderr).toContain('No manifest was written either.')
})

test.each(['acme-production', 'a: b # c', '𝒂'.repeat(255)])(
  'init --name names manifest and state %j, whatever the folder is called',
  async (name) => {
    const here = await begin()
    const flags = ['-f', 'other.yaml', '--state', 'other.json']
    const { code, stderr } = await here.run('init', '--name', name, ...flags)
    expect(code).toBe(0)
    expect(stderr).toContain(`other.yaml was written, named ${name}: declare what you have in it.`)
    expect(stderr).not.toContain('folder')
    expect(JSON.parse(await readFile(join(here.folder, 'other.json'), 'utf8')).name).toBe(name)
    expect((await here.run('plan', ...flags)).code).toBe(0)
  },
)

test.each([
  [['--name', ' '], 'no character that can be seen'],
  [['--name', 'n'.repeat(256)], 'more than 255 characters'],
  [['--name', 'acme', '--template', 'typescript'], 'a program names its stack itself'],
])('init refuses %j', async (words, said) => {
  const here = await begin()
  const { code, stderr } = await here.run('init', '-f', 'other.yaml', ...words)
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(said) })
  expect(await readdir(here.folder)).not.toContain('other.yaml')
})

test('the help of init says that -f names what it writes', async () => {
  const here = await begin()
  const helpOf = async (command: string): Promise<string> =>
    (await here.run(command, '--help')).stdout.replaceAll(/\s+/g, ' ')
  expect(await helpOf('init')).toContain('--file <PATH> the manifest to write')
  expect(await helpOf('init')).not.toContain('stdin')
  expect(await helpOf('plan')).toContain('- is stdin')
})

test.each(['true', 'null', '2026', 'n'.repeat(220)])(
  'what init writes in the folder %s is valid, and its state has the same name',
  async (called) => {
    const { folder: around, env } = await begin()
    const here = { folder: join(around, called), env }
    await mkdir(here.folder)
    expect(await runHere(here, ['init'])).toMatchObject({ code: 0 })
    expect((await runHere(here, ['validate'])).stdout).toContain(`${called}: 0 entries, all valid.`)
    expect(await runHere(here, ['plan'])).toMatchObject({ code: 0 })
  },
)

test.each(['plan', 'apply'])('the help of %s says what its marks mean', async (command) => {
  const here = await begin()
  const { stdout } = await here.run(command, '--help')
  const { unchanged: _, ...marks } = MARKS
  const said = stdout.split('Marks:')[1]
  expect(Object.values(marks).filter(({ symbol }) => said?.includes(`  ${symbol} `) !== true)).toEqual([])
})

test('init writes one manifest, and is told of one', async () => {
  const here = await begin()
  const { code, stderr } = await here.run('init', '-f', 'one.yaml', '-f', 'two.yaml')
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('one.yaml and two.yaml'),
  })
  expect(await readdir(here.folder)).not.toContain('one.yaml')
})

test('init leaves no manifest where the state is refused, since it exists', async () => {
  const here = await begin({ manifest: manifestWith() })
  const { code, stderr } = await here.run('init', '-f', 'other.yaml')
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-') })
  expect(await readdir(here.folder)).not.toContain('other.yaml')
})

test.each(['7d', 'P7D', '168h'])('a wait or a silence can last a week: %s', (time) => {
  expect(period(time)).toBe(7 * 86_400_000)
})
