import { expect, it } from 'vitest'
import { intoFullDevice } from './support/processes.ts'
import { APPLY, scene, WINDOW } from './support/provocation.ts'

const broken = {
  now: (): Date => {
    throw new TypeError('no such clock')
  },
}
/** A clock that throws once, after this many calls. */
const breakingAfter = (times: number): typeof broken => {
  let asked = 0
  return { now: () => (asked++ === times ? broken.now() : new Date()) }
}

it.each([
  ['a word that no command knows', {}, ['plan', '--nope'], 'DM-USAGE'],
  ['a defect', broken, ['plan'], 'DM-INTERNAL'],
  ['a manifest with an error', {}, ['validate', '--var', 'x=y'], 'DM-VARIABLE'],
])('%s is a document for whoever reads JSON', async (_, io, words, code) => {
  const { runIn } = await scene()
  const ran = await runIn(io, ...words, '--format', 'json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout)).toMatchObject({
    formatVersion: 1,
    error: { code, message: expect.any(String), hint: expect.any(String) },
  })
  expect(ran.stderr).toContain(`Error ${code}: `)
})

it('a defect in an apply ends its lines with a summary that tells of it', async () => {
  const { runIn, manifest } = await scene()
  await manifest(WINDOW)
  const ran = await runIn(breakingAfter(1), ...APPLY, '--format', 'json')
  expect(ran.code).toBe(1)
  expect(JSON.parse(ran.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
    type: 'summary',
    exitCode: 1,
    error: { code: 'DM-INTERNAL' },
  })
})

it('an apply whose output cannot be written is carried out and recorded all the same', async () => {
  const here = await scene()
  await here.manifest(WINDOW)
  const { code, stderr } = await intoFullDevice(here, [...APPLY, '--format', 'json'])
  expect([code, stderr.match(/^Error .*/m)?.[0]]).toEqual([
    1,
    'Error DM-OUTPUT: the output cannot be written (ENOSPC)',
  ])
  expect(Object.keys((await here.state()).resources)).toEqual(['maintenanceWindows.migration'])
})

it.each([
  ['--version'],
  ['--help'],
  ['help', 'plan'],
  ['completion', 'bash'],
  ['serve', '--port', '0'],
  ['serve', '--port', '0', '--format', 'json'],
])(
  '%s ends with an error if its output cannot be written, and leaves no service running',
  async (...words) => {
    const { code, stderr } = await intoFullDevice(await scene(), words)
    expect([code, stderr.match(/^Error .*/m)?.[0]]).toEqual([
      1,
      'Error DM-OUTPUT: the output cannot be written (ENOSPC)',
    ])
    expect(stderr).not.toContain(' at ')
    // Not each of them has this flag.
    expect(stderr).not.toContain('--output')
  },
)

it.each([
  'plan',
  'apply',
  'drift',
  'drift accept users.x --reason r',
  'adopt',
  'state accept users.x',
  'state disown --everything',
  'silence list',
  'silence end',
])('%s reports an error in a manifest rather than the missing address of the service', async (words) => {
  const { runIn, manifest } = await scene()
  await manifest('version: 1\nname: a\nuser: {}\n')
  const wrong = await runIn({ env: {} }, ...words.split(' '))
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining('did you mean users?') })
  expect(wrong.stderr).not.toContain('DM-SETTING-MISSING')
  await manifest('version: 1\nname: a\n')
  expect((await runIn({ env: {} }, ...words.split(' '))).stderr).toContain(
    'Error DM-SETTING-MISSING: DEPLOYMGMT_BASE_URL',
  )
})

it('words that are misspelt are told with what was probably meant', async () => {
  const { run } = await scene()
  expect((await run('plna')).stderr).toBe(
    "Error DM-USAGE: unknown command 'plna'; did you mean plan?\n  deploymgmt help lists the commands; deploymgmt help COMMAND explains one of them.\n",
  )
})

/** A flag of one value with two, the error, and the help that it names. */
const twice = (
  command: string,
  flag: string,
  ...[one, other]: [string, string]
): [words: string[], said: string, help: string] => [
  [...command.split(' '), flag, one, flag, other],
  `${flag} takes one value, and is given twice`,
  `deploymgmt ${command} --help`,
]

it.each([
  [['plan', '--no-such'], "unknown option '--no-such'", 'deploymgmt plan --help'],
  [['get', 'global-alert', '--no-such'], "unknown option '--no-such'", 'deploymgmt get global_alert --help'],
  [['drift', '--reason', 'fine', 'accept'], 'put --reason after "accept"', 'deploymgmt drift accept --help'],
  [
    ['drift', '-f', 'x.yaml', 'accept', '--baseline', '--reason', 'fine'],
    'put --file after "accept"',
    'deploymgmt drift accept --help',
  ],
  [
    ['drift', '--unmanaged', 'fail', 'accept', '--baseline', '--reason', 'fine'],
    "unknown option '--unmanaged'",
    'deploymgmt drift accept --help',
  ],
  // The value of an option is not taken for a command.
  [['drift', '--reason', 'accept'], "unknown option '--reason'", 'deploymgmt drift --help'],
  [['silence', '--why', 'list'], "unknown option '--why'", 'deploymgmt silence --help'],
  [['silence', '--state', 'x.json', 'end'], 'put --state after "end"', 'deploymgmt silence end --help'],
  [['silence', '--max', '2h', 'list'], "unknown option '--max'", 'deploymgmt silence list --help'],
  [['state', '-f', 'x.yaml', 'list'], 'put -f after "list"', 'deploymgmt state list --help'],
  [['apply', '--auto-approve=yes'], '--auto-approve takes no value', 'deploymgmt apply --help'],
  [['plan', '--stat=x'], "unknown option '--stat=x'", 'deploymgmt plan --help'],
  twice('serve', '--fixture', 'a', 'b'),
  [
    ['get', 'alert_configurations', '--project', 'a', '--project', 'b'],
    '--project (--project-id) takes one value, and is given twice',
    'deploymgmt get alert_configurations --help',
  ],
  [
    ['adopt', '--policy', '--no-policy'],
    '--policy and --no-policy exclude each other',
    'deploymgmt adopt --help',
  ],
  twice('schema', '--output', 'a', 'a'),
  twice('wait agents', '--timeout', '5m', '1h'),
  twice('state list', '--state', 'a', 'b'),
  twice('apply', '--format', 'text', 'json'),
  twice('drift accept', '--until', '2030-01-01', '2031-01-01'),
  // Errors that a command finds by itself.
  [
    ['inventory', '--watch', '--every', '0s'],
    '--every has to be at least one second',
    'deploymgmt inventory --help',
  ],
  [['state', 'resolve', '--again'], 'give the ADDRESS that this is about', 'deploymgmt state resolve --help'],
  [['state', 'pull', 'extra'], "too many arguments for 'pull'", 'deploymgmt state pull --help'],
  [['state', 'lst'], "unknown command 'lst'; did you mean list?", 'deploymgmt state --help'],
  // Words and flags of other tools.
  [['state', 'rm', 'a.b'], "unknown command 'rm'; did you mean forget?", 'deploymgmt state --help'],
  [['state', 'remove', 'a.b'], "unknown command 'remove'; did you mean forget?", 'deploymgmt state --help'],
  [['plan', '-var', 'a=b'], "unknown option '-var'; did you mean --var?", 'deploymgmt plan --help'],
  [
    ['apply', '-auto-approve'],
    "unknown option '-auto-approve'; did you mean --auto-approve?",
    'deploymgmt apply --help',
  ],
  [['plan', '-out=p'], "unknown option '-out=p'; did you mean --out?", 'deploymgmt plan --help'],
  [
    ['drift', 'accept', 'a.b', '--until'],
    "option '--until <DATE>' argument missing",
    'deploymgmt drift accept --help',
  ],
  [
    ['schema', 'plam'],
    "DOCUMENT 'plam' is invalid; did you mean plan? Allowed choices are",
    'deploymgmt schema --help',
  ],
  [
    ['plan', '--format', 'md'],
    "option '--format <FORMAT>' argument 'md' is invalid; did you mean markdown? Allowed choices",
    'deploymgmt plan --help',
  ],
  [
    ['get', 'alerts', '--format', 'jsno'],
    "option '--format <FORMAT>' argument 'jsno' is invalid; did you mean json?",
    'deploymgmt get alerts --help',
  ],
  [['get', 'alerts', '--nope'], "unknown option '--nope'", 'deploymgmt get alerts --help'],
])(
  'words that a command does not take are told with the help that lists what it takes: %j',
  async (words, said, help) => {
    const { run } = await scene()
    const { code, stderr } = await run(...words)
    const [first, second] = stderr.split('\n')
    expect({ code, first, second }).toEqual({
      code: 1,
      first: expect.stringContaining(`Error DM-USAGE: ${said}`),
      second: `  ${help} shows what is available.`,
    })
    expect((await run(...help.split(' ').slice(1))).code).toBe(0)
  },
)

it.each([
  [['validate', 'a.yaml'], '-f a.yaml'],
  [['drift', '.'], '-f .'],
  [['adopt', '../base/'], '-f ../base/'],
])('a manifest that is given without its flag is told with the flag: %j', async (words, flag) => {
  const { run } = await scene()
  expect((await run(...words)).stderr.split('\n')[1]).toBe(`  A manifest is named with a flag: ${flag}`)
})

it.each([
  ['import', 'adopt'],
  ['refresh', 'drift'],
  ['diff', 'plan'],
  ['preview', 'plan'],
  ['force-unlock', 'state unlock'],
  ['lint', 'validate'],
  ['status', 'drift'],
  ['accept', 'drift accept'],
  ['events', 'get organization_events'],
  ['mv', 'state mv'],
  ['state delete', 'state forget'],
  ['state rename', 'state mv'],
])('what other tools call %s is %s here', async (theirs, ours) => {
  const { run } = await scene()
  const [word, name] = [theirs, ours].map((each) => each.replace(theirs.includes(' ') ? 'state ' : '', ''))
  expect((await run(...theirs.split(' '), 'x')).stderr).toContain(
    `unknown command '${word}'; did you mean ${name}?`,
  )
  expect((await run('help', ...ours.split(' '))).stdout).toContain(`Usage: deploymgmt ${ours} `)
})

it('a command that other tools have for their version is a flag here', async () => {
  const { run } = await scene()
  expect((await run('version')).stderr).toContain("unknown command 'version'; did you mean --version?")
})

it.each([
  [['help', 'plna'], "unknown command 'plna'; did you mean plan?"],
  [['drift', 'acept'], "unknown command 'acept'; did you mean accept?"],
  [['drift', 'acept', 'a.b', '--reason', 'x'], "unknown command 'acept'; did you mean accept?"],
  [['help', 'drift', 'acept'], "unknown command 'acept'; did you mean accept?"],
  [['drift', 'acept', '--help'], "unknown command 'acept'; did you mean accept?"],
  [['drift', 'help', 'acept'], "unknown command 'acept'; did you mean accept?"],
  [['plna', '--help'], "unknown command 'plna'; did you mean plan?"],
  [['help', 'nope'], "unknown command 'nope'"],
  [['help', 'state', 'lst'], "unknown command 'lst'; did you mean list?"],
  [['state', 'help', 'lst'], "unknown command 'lst'; did you mean list?"],
  [['state', 'lst', '-h'], "unknown command 'lst'; did you mean list?"],
  [['help', 'get', 'alrts'], 'there is no data source "alrts"; did you mean alerts?'],
])('help on what is no command is an error: %j', async (words, said) => {
  const { run } = await scene()
  const { code, stdout, stderr } = await run(...words)
  expect({ code, stdout, first: stderr.split('\n')[0] }).toEqual({
    code: 1,
    stdout: '',
    first: `Error DM-USAGE: ${said}`,
  })
})

it.each([
  [['help', 'help'], 'deploymgmt [options]'],
  [['help', 'plan'], 'deploymgmt plan '],
  [['help', 'state', 'help'], 'deploymgmt state '],
  [['state', 'help', 'list'], 'deploymgmt state list '],
])('help on a command shows that one: %j', async (words, usage) => {
  const { run } = await scene()
  const { code, stdout } = await run(...words)
  expect({ code, isOfIt: stdout.startsWith(`Usage: ${usage}`) }).toEqual({ code: 0, isOfIt: true })
})

it('help that was asked for is no error, and a missing command is answered with it', async () => {
  const { run } = await scene()
  expect(await run('help')).toMatchObject({ code: 0, stderr: '' })
  const { code, stderr } = await run('state')
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^Usage: deploymgmt state /)])
})
