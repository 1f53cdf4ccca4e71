import { chmod, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import {
  applied,
  at,
  begin,
  beginApplied,
  only,
  OTHER_PROJECT,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'
import { start } from '../support/process.ts'

const NOISY = '5d1113b25a115342acc2d1aa'
const DOWN = '5d1113b25a115342acc2d0f3'
const CONFIGURATIONS = `/groups/${PROJECT}/alertConfigs`
const UNDONE = 'An apply still undoes it: to keep it for good, edit the manifest or use ignoreChanges.'
const FILE = 'deploymgmt.accepted.yaml'
const PAGING = { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0004' }
const DECLARED = only(
  'alertConfigurations',
  `  noisy: { alertConfigId: ${NOISY}, enabled: true }\n  down: { alertConfigId: ${DOWN}, enabled: false }`,
)
const SELECTING = only(
  'alertConfigurations',
  '  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }',
)

const drifted = async (): Promise<Scene> => {
  const here = await beginApplied(DECLARED)
  await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
  return here
}
/** The manifest with `noisy` under the name `loud`. */
const renamed = (enabled: boolean): string =>
  only(
    'alertConfigurations',
    `  loud: { alertConfigId: ${NOISY}, enabled: ${enabled} }\n  down: { alertConfigId: ${DOWN}, enabled: false }`,
  )
const WINDOW = 'maintenanceWindows.migration'
/** All four fields of the window are in doubt: no endpoint shows them, and an event is about the window. */
const driftedWindow = async (): Promise<Scene> => {
  const here = await beginApplied(
    only(
      'maintenanceWindows',
      '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ours }',
    ),
  )
  await here.control('POST', 'clock', { advance: 'PT1M' })
  const { id } = (await here.state()).resources[WINDOW].identity
  await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
  return here
}
const of = (name: string): string[] => ['-f', 'base.yaml', '-f', `${name}.yaml`]
/** The day that it is in an hour, so that it cannot end during a test. */
const today = (): string => new Date(Date.now() + 3_600_000).toISOString().slice(0, 10)
const because = (text: string): string[] => ['--reason', text, '--until', today()]
const accept = (here: Scene, ...words: string[]) => here.run('drift', 'accept', ...words)
const written = ({ folder }: Scene): Promise<string> => readFile(join(folder, FILE), 'utf8')
const write = ({ folder }: Scene, text: string): Promise<void> => writeFile(join(folder, FILE), text)

const fileWith = (reason: string): string => `# ours
version: 1
accepted:
  # the loud one
  - address: alertConfigurations.noisy
    value: ${reason === 'old' ? 'true' : 'false'}
    field: enabled
    reason: ${reason}

  - address: users.zoe # last
    is: gone-at-service
    reason: left
# the end
`

it('is not lost when the disk is too full for another one', async () => {
  const here = await beginApplied(DECLARED)
  await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
  await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: true })
  await accept(here, 'alertConfigurations.noisy', ...because('first '.repeat(50)))
  await chmod(join(here.folder, FILE), 0o640)
  const before = await written(here)
  // Files cannot grow beyond a block.
  const launcher = ['/bin/sh', '-c', `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`, process.execPath]
  const words = ['drift', 'accept', 'alertConfigurations.down', ...because('second '.repeat(50))]
  const { code, stderr } = await start(here, words, launcher).ended
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(FILE) })
  expect(await written(here)).toBe(before)
  expect(await here.run(...words)).toMatchObject({ code: 0 })
  expect(await written(here)).toMatch(/second[^]*first/)
  expect((await stat(join(here.folder, FILE))).mode & 0o777).toBe(0o640)
  expect((await readdir(here.folder)).filter((name) => name.startsWith(`${FILE}.`))).toStrictEqual([])
})

describe('an accepted drift', () => {
  it('is written to be reviewed, listed apart, and does not fail', async () => {
    const here = await drifted()
    await here.forgetRequests()
    expect(
      await accept(
        here,
        'alertConfigurations.noisy.enabled',
        '--reason',
        'Too loud',
        '--until',
        '2099-12-31',
      ),
    ).toMatchObject({
      code: 0,
      stdout: `alertConfigurations.noisy.enabled is accepted as it is now, until 2099-12-31.\nCommit ${FILE}. ${UNDONE}\n`,
    })
    expect(await writesIn(here)).toEqual([])
    expect(await written(here)).toContain(`accepted:
  - address: alertConfigurations.noisy
    field: enabled
    value: false
    reason: Too loud
    until: 2099-12-31
`)
    const { code, document } = await here.json('drift')
    expect(code).toBe(0)
    expect(document).toMatchObject({
      exitCode: 0,
      inSync: false,
      summary: { drifted: 0, accepted: 1, 'in-sync': 1 },
      accepted: [
        {
          address: 'alertConfigurations.noisy',
          fields: [{ path: 'enabled', before: true, after: false }],
          acceptance: { reason: 'Too loud', until: '2099-12-31', at: `${FILE}:5:5` },
        },
      ],
      warnings: [],
    })
    expect((await here.run('drift')).stdout).toContain(
      'accepted        alertConfigurations.noisy (REPLICA_SET; enabled false): Too loud',
    )
  })

  it('is named in a plan that ends it, and its apply too, as long as it holds', async () => {
    const here = await drifted()
    const words = ['--reason', 'Too loud', '--until', '2099-12-31']
    await accept(here, 'alertConfigurations.noisy.enabled', ...words)
    const { document } = await here.json('plan', '--out', 'saved.plan')
    expect(document.changes).toMatchObject([
      {
        address: 'alertConfigurations.noisy',
        endsAcceptances: [
          { reason: 'Too loud', until: '2099-12-31', at: `${FILE}:5:5`, fields: ['enabled'] },
        ],
      },
    ])
    const said = `enabled was accepted as it is until 2099-12-31: Too loud (${FILE}:5); this apply undoes it; remove that entry, or the same drift is accepted again when it returns`
    for (const format of ['text', 'markdown', 'html']) {
      const { stdout } = await here.run('plan', '--format', format)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said)
    }
    await write(here, (await written(here)).replace('value: false', 'value: [false]'))
    expect(JSON.stringify(await here.json('plan'))).not.toContain('endsAcceptances')
    await write(here, 'version: [')
    const broken = {
      code: 0,
      document: { warnings: [expect.stringContaining('what is accepted is not shown')] },
    }
    expect(await here.json('plan')).toMatchObject(broken)
    expect(await here.json('apply', 'saved.plan', '--auto-approve')).toMatchObject(broken)
  })

  it.each([
    ['it has another name', `  loud: { alertConfigId: ${NOISY}, enabled: true }`],
    ['a selector has it', '  loud: { select: { eventTypeName: REPLICA_SET }, enabled: true }'],
  ])('is named in a plan that ends it where %s by now', async (_, text) => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    const down = `  down: { alertConfigId: ${DOWN}, enabled: false }`
    await here.manifest(only('alertConfigurations', `${text}\n${down}`))
    const { changes } = (await here.json('plan')).document
    expect(changes).toMatchObject([
      { action: 'moved' },
      { action: 'update', endsAcceptances: [{ reason: 'Too loud', fields: ['enabled'] }] },
    ])
    expect(changes[0]).not.toHaveProperty('endsAcceptances')
  })

  it('of a thing that is renamed has its line named by plan and apply, as drift no longer finds it', async () => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    const loud = `  loud: { alertConfigId: ${NOISY}, enabled: true, ignoreChanges: [enabled] }`
    const down = `  down: { alertConfigId: ${DOWN}, enabled: false }`
    await here.manifest(only('alertConfigurations', `${loud}\n${down}`))
    const said = `accepted at ${FILE}:5 as alertConfigurations.noisy: write alertConfigurations.loud there, or drift fails again`
    expect((await here.json('plan')).document.changes).toMatchObject([
      { action: 'moved', leavesAcceptances: [{ reason: 'Too loud', at: `${FILE}:5:5` }] },
    ])
    expect((await here.json('drift')).document.warnings).toEqual([
      `alertConfigurations.noisy has not drifted, and is now declared as alertConfigurations.loud: at ${FILE}:5:5, write that address, or remove what is accepted of it`,
    ])
    for (const words of [['plan'], ['plan', '--format', 'markdown'], ['apply', '--auto-approve']])
      expect(
        (await here.run(...words)).stdout.replaceAll(/\\|\s+/g, (found) => (found === '\\' ? '' : ' ')),
      ).toContain(said)
    expect((await here.json('drift')).document.warnings).toEqual([
      `alertConfigurations.noisy is neither declared nor recorded, and accepted at ${FILE}:5:5; if it was renamed, write its new address there; if another manifest has it now, name that manifest there as "manifest"; otherwise remove it`,
    ])
  })

  it('of a thing that is renamed stands under its new name, too, before the apply that moves it', async () => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    await here.manifest(renamed(true))
    await write(here, (await written(here)).replace('noisy', 'loud'))
    const { code, document } = await here.json('drift')
    expect({ code, accepted: document.accepted, warnings: document.warnings }).toMatchObject({
      code: 0,
      accepted: [{ address: 'alertConfigurations.noisy', acceptance: { reason: 'Too loud' } }],
      warnings: [],
    })
  })

  it('of a thing that is renamed does not make a saved plan stale', async () => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    await here.manifest(renamed(false))
    await here.run('plan', '--out', 'saved.plan')
    expect(await here.run('apply', 'saved.plan', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it.each(['text', 'markdown', 'html'])('among targets is not reported as nothing: %s', async (format) => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    const { stdout } = await here.run('drift', '--target', '*.noisy', '--format', format)
    expect(stdout).toMatch(/1 accepted/)
    expect(stdout).not.toMatch(/nothing among/i)
  })

  it('is drift again once it has changed further', async () => {
    const here = await beginApplied(
      only('apiKeys', `  old: { apiKeyId: 5c47503320eef5699e1cce8f, desc: ours, roles: [ORG_READ_ONLY] }`),
    )
    const patch = (desc: string) =>
      here.outside('PATCH', `/orgs/${ORG}/apiKeys/5c47503320eef5699e1cce8f`, { desc })
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await patch('theirs')
    expect(await here.json('drift')).toMatchObject({ code: 2 })
    expect(await accept(here, 'apiKeys.old', '--reason', 'They know')).toMatchObject({ code: 0 })
    expect(await written(here)).toMatch(/events:\n {6}- "[0-9a-f]{24}"\n/)
    expect(await here.json('drift')).toMatchObject({ code: 0, document: { summary: { accepted: 1 } } })
    expect((await here.run('drift')).stdout).toContain(
      'accepted        apiKeys.old (desc (not known; API_KEY_DESCRIPTION_CHANGED says: theirs))',
    )
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await patch('theirs again')
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, 'apiKeys.old')).toMatchObject({
      verdict: 'drifted',
      acceptanceChanged: [{ reason: 'They know', fields: ['desc'] }],
    })
    expect((await here.run('drift')).stdout).toContain('it was accepted, but has changed again since')
  })

  it('fails again once its time is over, and says so', async () => {
    const here = await drifted()
    const until = today()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'For today', '--until', until)
    expect((await here.json('drift')).code).toBe(0)
    await here.control('POST', 'clock', { advance: 'PT25H' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document).toMatchObject({
      summary: { drifted: 1, accepted: 0 },
    })
    expect(at(document, 'alertConfigurations.noisy')).toMatchObject({
      verdict: 'drifted',
      acceptanceEnded: [{ reason: 'For today', until, fields: ['enabled'] }],
    })
    expect((await here.run('drift')).stdout).toMatch(
      /it was accepted until [-\d]+, which has passed: For\s+today/,
    )
  })

  it('whose time is over, and which has changed once more, says both', async () => {
    const here = await drifted()
    await write(
      here,
      'version: 1\naccepted:\n  - { address: alertConfigurations.noisy, field: enabled, value: true, reason: old, until: 2020-01-01 }\n',
    )
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(at(document, 'alertConfigurations.noisy')).toMatchObject({
      acceptanceEnded: [{ reason: 'old', fields: ['enabled'] }],
      acceptanceChanged: [{ reason: 'old', fields: ['enabled'] }],
    })
    const { stdout } = await here.run('drift')
    expect(stdout).toContain('it was accepted until 2020-01-01, which has passed')
    expect(stdout).toContain('it was accepted, but has changed again since')
    for (const format of ['markdown', 'junit', 'sarif'])
      expect((await here.run('drift', '--format', format)).stdout).toContain('has changed again since')
  })

  it('ends field by field, and what is reported names the one that has', async () => {
    const here = await driftedWindow()
    const until = today()
    await accept(here, `${WINDOW}.description`, '--reason', 'For today', '--until', until)
    await accept(here, `${WINDOW}.startDate`, '--reason', 'For good')
    await here.control('POST', 'clock', { advance: 'PT25H' })
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document).toMatchObject({ accepted: [{ fields: [{ path: 'startDate' }] }] })
    const left = at(document, WINDOW)
    expect(left.fields.map(({ path }: any) => path)).toEqual(['alertTypeNames', 'endDate', 'description'])
    expect(left.acceptanceEnded).toEqual([
      { reason: 'For today', until, at: expect.any(String), fields: ['description'] },
    ])
    expect(left.undo.text).toBe('it undoes startDate too, which is accepted')
    const { runs } = JSON.parse((await here.run('drift', '--format', 'sarif', '--unmanaged', 'off')).stdout)
    expect(
      runs[0].results.map(({ ruleId, message }: any) => [ruleId, message.text.split(':')[1].trim()]),
    ).toEqual([
      ['acceptance-ended', 'description'],
      ['event-since', 'alertTypeNames'],
      ['event-since', 'endDate'],
      ['event-since', 'startDate'],
    ])
    expect((await here.run('drift')).stdout).toContain(
      `description was accepted until ${until}, which has passed`,
    )
    expect((await here.run('drift', '--format', 'brief')).stdout).toContain('1 thing may have been changed')
  })

  it('is called superfluous once nothing has drifted there', async () => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'For now')
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    expect(await here.json('drift')).toMatchObject({
      code: 0,
      document: {
        warnings: [
          `alertConfigurations.noisy has not drifted: what is accepted of it at ${FILE}:5:5 can be removed`,
        ],
      },
    })
    const down = await here.json('drift', '--target', 'alertConfigurations.down')
    expect(down.document.warnings).toEqual([])
  })

  it('with a misspelt address is reported with the likely one, and with an unknown address as removable', async () => {
    const here = await drifted()
    await accept(here, 'alertConfigurations.noisy', '--reason', 'For now')
    const file = join(here.folder, FILE)
    const text = await readFile(file, 'utf8')
    const warned = async (address: string): Promise<unknown> => {
      await writeFile(file, text.replace('alertConfigurations.noisy', address))
      return (await here.json('drift')).document.warnings
    }
    expect(await warned('alertConfigurations.nosiy')).toEqual([
      `alertConfigurations.nosiy is neither declared nor recorded, and accepted at ${FILE}:5:5; did you mean alertConfigurations.noisy?`,
    ])
    expect((await here.run('drift')).stdout).toMatch(/did you\s+mean alertConfigurations\.noisy\?\n/)
    // Another team's thing is not meant, however little there is besides.
    expect(await warned('alertConfigurations.quiet')).toEqual([
      `alertConfigurations.quiet is neither declared nor recorded, and accepted at ${FILE}:5:5; if it was renamed, write its new address there; if another manifest has it now, name that manifest there as "manifest"; otherwise remove it`,
    ])
    expect(await warned('users.somebody-else')).toEqual([
      `users.somebody-else is neither declared nor recorded, and accepted at ${FILE}:5:5; if it was renamed, write its new address there; if another manifest has it now, name that manifest there as "manifest"; otherwise remove it`,
    ])
  })

  it('holds for what is gone, as long as it is gone', async () => {
    const here = await beginApplied(only('integrations', '  chat: { type: CHAT_A, ensure: present }'))
    await here.outside('DELETE', `/groups/${PROJECT}/integrations/CHAT_A`)
    expect(await accept(here, '--baseline', '--reason', 'Moved')).toMatchObject({ code: 0 })
    expect(await written(here)).toContain('is: gone-at-service\n')
    expect(await here.json('drift')).toMatchObject({ code: 0, document: { summary: { accepted: 1 } } })
  })
})

describe('drift accept', () => {
  it('accepts all of today with --baseline, and nothing twice', async () => {
    const here = await drifted()
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: true })
    await accept(here, 'alertConfigurations.noisy', '--reason', 'Too loud')
    expect((await accept(here, '--baseline', '--reason', 'As found')).stdout).toBe(
      `alertConfigurations.down is accepted as it is now.\nCommit ${FILE}. ${UNDONE}\n`,
    )
    expect((await here.json('drift')).document).toMatchObject({ exitCode: 0, summary: { accepted: 2 } })
    expect((await accept(here, '--baseline', '--reason', 'As found')).stdout).toBe(
      'Nothing has drifted that is not accepted.\n',
    )
  })

  it('keeps with --baseline what was said of single fields, with reason and end, and adds the others', async () => {
    const here = await driftedWindow()
    const until = ['--until', '2099-12-31']
    await accept(here, `${WINDOW}.description`, '--reason', 'They said so', ...until)
    const before = await written(here)
    const { code, stdout } = await accept(here, '--baseline', '--reason', 'As found')
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.not.stringContaining('description') })
    expect(stdout).toContain(`${WINDOW}.endDate is accepted as it is now.\n`)
    const after = await written(here)
    expect(after).toContain(before.slice(before.indexOf('  - address')))
    expect(after.match(/reason: As found/g)).toHaveLength(3)
    expect((await here.json('drift')).code).toBe(0)
    expect(await accept(here, WINDOW, '--reason', 'All of it')).toMatchObject({ code: 0 })
    expect((await written(here)).match(/reason: .*/g)).toEqual(['reason: All of it'])
  })

  it('keeps comments and order, and replaces what is there', async () => {
    const here = await drifted()
    await write(here, fileWith('old'))
    expect((await here.json('drift')).code).toBe(2)
    await accept(here, 'alertConfigurations.noisy.enabled', '--reason', 'new')
    expect(await written(here)).toBe(
      fileWith('new').replace('value: false\n    field: enabled', 'field: enabled\n    value: false'),
    )
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: true })
    await accept(here, 'alertConfigurations.down', '--reason', 'Also')
    const lines = (await written(here)).split('\n').filter((line) => /address|#/.test(line))
    expect(lines.map((line) => line.trim())).toEqual([
      '# ours',
      '- address: alertConfigurations.down',
      '# the loud one',
      '- address: alertConfigurations.noisy',
      '- address: users.zoe # last',
      '# the end',
    ])
    expect((await here.json('drift')).code).toBe(0)
  })

  it.each([
    [['alertConfigurations.down'], 'has not drifted: it is as it was last applied'],
    [['alertConfigurations.nosiy'], 'Did you mean alertConfigurations.noisy?'],
    [['alertConfigurations.noisy.desc'], 'What has drifted of it: enabled.'],
    [['alertConfigurations.noisy', '--until', '2020-01-01'], '--until 2020-01-01 is in the past'],
    [['alertConfigurations.noisy', '--until', '2020-01-01'], 'Give a day or an instant in the future'],
    [['alertConfigurations.noisy', '--until', '2026-02-30'], '--until 2026-02-30 is not a date'],
    [['alertConfigurations.noisy', '--baseline'], 'give one ADDRESS, or --baseline'],
    [[], 'give one ADDRESS, or --baseline'],
    [['alertConfigurations.*'], 'is a pattern for 2 addresses: each is accepted by itself'],
    [['alertConfigurations.n*'], 'What has drifted: alertConfigurations.noisy. --baseline accepts all'],
    [['users.*'], 'is a pattern for 0 addresses'],
    [['--baseline', '--accepted', 'deploymgmt.yaml'], 'deploymgmt.yaml is a file of the manifest'],
    [['alertConfigurations.noisy', '--accepted', 'a.json'], 'name it .yaml'],
  ])('refuses %j', async (words, said) => {
    const here = await drifted()
    const { code, stderr } = await accept(here, ...words, '--reason', 'x')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
  })

  it.each(['alertConfigurations.down.enabled', 'alertConfigurations.down'])(
    'takes the only thing that a selector stands for by %s',
    async (named) => {
      const here = await beginApplied(SELECTING)
      await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
      expect(await accept(here, named, '--reason', 'x')).toMatchObject({ code: 0 })
      expect(await written(here)).toContain(`alertConfigurations.down[${DOWN}]`)
      expect((await here.json('drift')).code).toBe(0)
    },
  )

  it('names the addresses with the field where an entry stands for several', async () => {
    const alertConfigs = [DOWN, NOISY].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true }))
    const here = await beginApplied(SELECTING, { fixture: fixtureWith({ alertConfigs }) })
    const whole = ['alertConfigurations.down', '--reason', 'x']
    expect((await accept(here, ...whole)).stderr).toContain('None of them has drifted.')
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    expect((await accept(here, ...whole)).stderr).toContain(
      `What has drifted: alertConfigurations.down[${DOWN}].`,
    )
    const { code, stderr } = await accept(here, 'alertConfigurations.down.enabled', '--reason', 'x')
    expect(code).toBe(1)
    expect(stderr).toContain('alertConfigurations.down stands for 2 addresses: each is accepted by itself')
    expect(stderr).toContain(`What has drifted: alertConfigurations.down[${DOWN}].enabled.`)
    expect(await accept(here, 'alertConfigurations.down.protect', '--reason', 'x')).toMatchObject({
      stderr: expect.stringContaining('None of them has drifted in protect.'),
    })
  })

  it('takes what an entry stands for in one project as other commands do, and names nothing of another kind', async () => {
    const alertConfigs = [DOWN, NOISY].map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true }))
    const other = { id: '5d1113b25a115342acc2d1ff', eventTypeName: 'HOST_DOWN', enabled: true }
    const everywhere = '  down: { projectIds: all, select: { eventTypeName: HOST_DOWN }, enabled: true }'
    const manifest = `${only('alertConfigurations', everywhere)}integrations:\n  dawn: { projectIds: all, type: PAGING }\n`
    const projects = `projects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`
    const here = await beginApplied(manifest.replace(/projects:\n.*\n/, projects), {
      fixture: twoProjects(
        { alertConfigs, integrations: [PAGING] },
        { alertConfigs: [other], integrations: [PAGING] },
      ),
    })
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    const whole = `alertConfigurations.down[${PROJECT}`
    for (const named of ['alertConfigurations.down[payments]', `${whole}]`]) {
      const { code, stderr } = await accept(here, named, '--reason', 'x')
      expect(code).toBe(1)
      expect(stderr).toContain(`${whole}] stands for 2 addresses: each is accepted by itself`)
      expect(stderr).toContain(`What has drifted: ${whole}/${DOWN}].`)
    }
    expect(
      (await accept(here, 'alertConfigurations.down[payments].enabled', '--reason', 'x')).stderr,
    ).toContain(`What has drifted: ${whole}/${DOWN}].enabled.`)
    const unknown = await accept(here, `alertConfigurations.dawn[${PROJECT}]`, '--reason', 'x')
    expect(unknown.stderr).toContain('nothing is declared or recorded at')
    expect(unknown.stderr).not.toContain('integrations')
    // If only one thing is meant, the project alone is enough.
    await here.outside('PATCH', `/groups/${OTHER_PROJECT}/alertConfigs/${other.id}`, { enabled: false })
    expect(await accept(here, 'alertConfigurations.down[ledger].enabled', '--reason', 'x')).toMatchObject({
      code: 0,
    })
    expect(await written(here)).toContain(`alertConfigurations.down[${OTHER_PROJECT}/${other.id}]`)
  })

  it('is no manifest of the folder that it is in, even if nothing can be read from it', async () => {
    const here = await drifted()
    const inFolder = ['-f', '.', '--accepted', 'ours.yaml']
    await accept(here, 'alertConfigurations.noisy', ...because('Too loud'), ...inFolder)
    const { code, stdout, stderr } = await here.run('drift', ...inFolder)
    expect([code, stdout, stderr]).toEqual([0, expect.stringContaining('Too loud'), ''])
    await writeFile(join(here.folder, 'ours.yaml'), 'version: [')
    const broken = await here.run('drift', ...inFolder)
    expect([broken.code, broken.stderr]).toEqual([1, expect.stringContaining('Error DM-ACCEPTED')])
  })

  it('takes flags behind its name alone, and a file that is named', async () => {
    const here = await drifted()
    expect(
      await here.run('drift', '-f', 'deploymgmt.yaml', 'accept', '--baseline', '--reason', 'x'),
    ).toMatchObject({ code: 1, stderr: expect.stringContaining('put --file after "accept"') })
    const named = ['-f', 'deploymgmt.yaml', '--accepted', 'other.yaml']
    expect(await accept(here, '--baseline', '--reason', 'x', ...named)).toMatchObject({ code: 0 })
    expect((await here.json('drift', ...named)).code).toBe(0)
    expect((await here.json('drift')).code).toBe(2)
    expect(await here.run('drift', '--accepted', 'none.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('there is no file none.yaml'),
    })
  })

  it('leaves a folder of manifests one declaration', async () => {
    const here = await drifted()
    await accept(here, '--baseline', '--reason', 'x', '-f', '.')
    expect((await here.json('drift', '-f', '.')).code).toBe(0)
  })

  it('has one entry for one thing, with the folder named or not', async () => {
    const here = await drifted()
    const flags = [[], ['-f', '.'], []]
    for (const [index, each] of flags.entries()) {
      const ran = await accept(here, 'alertConfigurations.noisy', '--reason', `r${index}`, ...each)
      expect(ran).toMatchObject({ code: 0 })
      expect((await written(here)).match(/(?:manifest|reason): .*/g)).toEqual([`reason: r${index}`])
    }
  })

  it('replaces what is of the manifest alone, however its files are named', async () => {
    const here = await drifted()
    const stale = '    manifest: test\n    value: true\n    field: enabled\n    reason: old\n'
    await write(here, `version: 1\naccepted:\n  - address: alertConfigurations.noisy\n${stale}`)
    for (const meant of ['alertConfigurations.noisy.enabled', 'alertConfigurations.noisy']) {
      expect(await accept(here, meant, '--reason', 'new')).toMatchObject({ code: 0 })
      expect((await written(here)).match(/(?:manifest|reason): .*/g)).toEqual([
        'manifest: test',
        'reason: new',
      ])
      expect((await here.json('drift')).code).toBe(0)
    }
  })

  it('of a whole address counts before what is of one of its fields in any manifest', async () => {
    const here = await drifted()
    await rename(join(here.folder, 'deploymgmt.yaml'), join(here.folder, 'other.yaml'))
    await write(here, fileWith('old'))
    const named = ['-f', 'other.yaml']
    await accept(here, 'alertConfigurations.noisy', '--reason', 'new', ...named)
    expect((await here.json('drift', ...named)).code).toBe(0)
    expect(await written(here)).toContain('reason: old')
  })
})

describe('a file of accepted drift', () => {
  const HEAD = 'version: 1\naccepted:\n'
  it.each([
    ['accepted: []\n', '1:1', 'version is missing'],
    ['version: 2\naccepted: []\n', '1:10', 'version 1'],
    ['version: 1\nacepted: []\n', '2:1', 'accepted'],
    ['- a: 1\n', '1:1', 'a mapping with version: 1'],
    ['version: 1\naccepted: { a: 1 }\n', '2:11', 'this has to be a list'],
    [`${HEAD}  - just: &a [*a]\n`, '3:', 'stands within what it names'],
    [`${HEAD}  - text\n`, '3:5', 'each item is a mapping'],
    [`${HEAD}  - { adress: a.b, reason: x, value: 1, field: f }\n`, '3:7', 'an accepted drift has no adress'],
    [`${HEAD}  - { address: a.b, is: gone-at-service }\n`, '3:5', 'the reason is missing'],
    [`${HEAD}  - { address: a.b, reason: x }\n`, '3:5', 'does not say what was accepted'],
    [`${HEAD}  - { address: a.b, reason: x, value: 1 }\n`, '3:', 'a value is of a field'],
    [`${HEAD}  - { address: a.b, reason: x, field: f, values: [1] }\n`, '3:', 'values are a mapping'],
    [`${HEAD}  - { address: a.b, reason: x, events: {} }\n`, '3:', 'events are a list of ids'],
    [`${HEAD}  - { address: a.b, reason: x, is: y, until: soon }\n`, '3:', 'this has to be a day'],
    [`${HEAD}  - { address: a.b, reason: 5, is: y }\n`, '3:29', 'a text that says why'],
    [`${HEAD}  - { address: a.b, reason: x, is: 9 }\n`, '3:36', 'the code of a reason'],
    [`${HEAD}  - { address: 7, reason: x, is: y }\n`, '3:16', 'an address: SECTION.NAME'],
    [`${HEAD}  - { address: nope, reason: x, is: y }\n`, '3:16', 'an address: SECTION.NAME'],
    [`${HEAD}  - { address: a.b, reason: x, field: 3, value: 1 }\n`, '3:39', 'the name of a field'],
    [`${HEAD}  - { address: [], reason: {}, is: y }\n`, '3:', 'an address: SECTION.NAME'],
    [
      `${HEAD}  - { address: a.b, reason: x, is: y }\n  - { address: a.b, reason: x, is: z }\n`,
      '4:16',
      'accepted twice',
    ],
    [`${HEAD}  - { address: a.b, reason: x, is: y\n`, '', 'not valid YAML'],
  ])('%j is refused at its place, before anything is sent', async (text, place, said) => {
    const here = await begin({ manifest: DECLARED })
    await write(here, text)
    const { code, stderr } = await here.run('drift')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    expect(stderr).toContain(`${FILE}:${place}`)
    expect(stderr).toContain('DM-ACCEPTED')
    expect((await here.requests()).log).toEqual([])
  })
})

it('a drift without a state is an error that says what to do', async () => {
  const here = await begin({ manifest: DECLARED })
  const { code, stderr } = await here.run('drift', '--state', 'none.json')
  expect(code).toBe(1)
  expect(stderr).toContain('DM-STATE-MISSING')
  expect(stderr).toContain(
    'there is no state at none.json yet: nothing is recorded, so nothing can have drifted',
  )
  expect(stderr).toContain('deploymgmt state init')
  expect((await here.requests()).log).toEqual([])
  await applied(here, DECLARED)
  expect((await here.run('drift')).code).toBe(0)
})

const SHARED = 'integrations:\n  paging: { projectId: shop, type: PAGING }\n'

/** Applies two manifests, over one base or side by side; then the integration of each is deleted from outside. */
const twoManifests = async (flagsOf: (name: string) => string[]): Promise<Scene> => {
  const isLaid = flagsOf === of
  const here = await begin({ fixture: twoProjects({ integrations: [PAGING] }, { integrations: [PAGING] }) })
  const put = (name: string, text: string) => writeFile(join(here.folder, name), text)
  await put('base.yaml', `version: 1\nname: shop\n${SHARED}`)
  for (const [name, id] of [
    ['staging', PROJECT],
    ['production', OTHER_PROJECT],
  ] as const)
    await put(
      `${name}.yaml`,
      `version: 1\nname: ${name}\nstate: ${name}.json\nprojects: { shop: { id: ${id}, orgId: ${ORG} } }\n${isLaid ? '' : SHARED}`,
    )
  for (const name of ['staging', 'production']) {
    await here.run('state', 'init', ...flagsOf(name))
    expect(await here.run('apply', '--auto-approve', ...flagsOf(name))).toMatchObject({ code: 0 })
  }
  for (const id of [PROJECT, OTHER_PROJECT]) await here.outside('DELETE', `/groups/${id}/integrations/PAGING`)
  return here
}

const alone = (name: string): string[] => ['-f', `${name}.yaml`]

describe('manifests in one folder', () => {
  it.each([
    ['laid over one base', of],
    ['beside one another', alone],
  ])('%s share a file, and what is accepted of one is not of another', async (_, flagsOf) => {
    const here = await twoManifests(flagsOf)
    const reason = ['--reason', 'none is needed there']
    const drift = async (name: string) => (await here.json('drift', ...flagsOf(name))).document
    expect(await accept(here, 'integrations.paging', ...reason, ...flagsOf('staging'))).toMatchObject({
      code: 0,
    })
    expect(await written(here)).toContain('    manifest: staging\n')
    expect((await drift('staging')).summary).toMatchObject({ drifted: 0, accepted: 1 })
    const { summary, warnings } = await drift('production')
    expect([summary.drifted, warnings.join()]).toEqual([1, expect.not.stringContaining('accepted')])
    expect(await accept(here, 'integrations.paging', ...reason, ...flagsOf('production'))).toMatchObject({
      code: 0,
    })
    expect((await written(here)).match(/manifest: \w+/g)).toEqual([
      'manifest: production',
      'manifest: staging',
    ])
    for (const name of ['staging', 'production'])
      expect((await drift(name)).summary).toMatchObject({ drifted: 0, accepted: 1 })
  })
})
