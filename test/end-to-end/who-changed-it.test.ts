import { describe, expect, it } from 'vitest'
import { CI, ONCALL, ORG, PROJECT, fixtureWith } from '../support/installation.ts'
import { REPORTER } from '../support/people.ts'
import { windowsAt } from '../support/one-window.ts'
import { applied, begin, beginApplied, only } from '../support/scene.ts'

const ID = '5d1113b25a115342acc2d0a1'
const window =
  '  taken: { alertTypeNames: [HOST], startDate: 2035-01-01T00:00:00Z, endDate: 2035-01-02T00:00:00Z }'

it('a plan names all who have changed what no endpoint shows, as drift does', async () => {
  const here = await begin()
  await applied(here, only('maintenanceWindows', window))
  const [{ id }] = await windowsAt(here)
  const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
  await here.control('POST', 'clock', { advance: 'PT5M' })
  await here.outside('PATCH', path, { description: 'one' }, CI)
  await here.control('POST', 'clock', { advance: 'PT5M' })
  await here.outside('PATCH', path, { description: 'two' }, ONCALL)
  const names = /2 events\s+about it after the last write, by key "oncall" and key "ciadmin"/
  expect((await here.run('drift')).stdout.replaceAll(/\s+/g, ' ')).toMatch(names)
  expect((await here.run('plan')).stdout.replaceAll(/\s+/g, ' ')).toMatch(names)
})

describe('of what the calling key did outside of its recorded writes', () => {
  it('plan, apply and drift say that the key is their own', async () => {
    const here = await begin()
    await applied(here, only('maintenanceWindows', window))
    const [{ id }] = await windowsAt(here)
    await here.control('POST', 'clock', { advance: 'PT5M' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'one' }, ONCALL)
    expect((await here.run('drift')).stdout).not.toContain('calling key')
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'one' }, CI)
    for (const command of [['drift'], ['plan'], ['apply', '--auto-approve']])
      expect((await here.run(...command)).stdout.replaceAll(/\s+/gv, ' ')).toContain(
        'key "ciadmin" is the calling key, and one of the events shown comes from no write that the state records',
      )
    for (const command of [['drift'], ['plan']])
      expect((await here.run(...command)).stdout).not.toContain('calling key')
  })

  it('nothing is said where nothing of it is shown', async () => {
    const here = await begin({
      fixture: fixtureWith({ alertConfigs: [{ id: ID, eventTypeName: 'HOST_DOWN', enabled: true }] }),
    })
    await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: false }`))
    await here.control('POST', 'clock', { advance: 'PT5M' })
    for (const enabled of [true, false])
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ID}`, { enabled }, CI)
    for (const command of [
      ['drift', '--all'],
      ['plan', '--all'],
    ])
      expect((await here.run(...command)).stdout).not.toMatch(/calling key|after the last write/v)
  })
})

it('drift and plan say where no event tells who changed what they show, and a plan of an edit says nothing of that', async () => {
  const here = await begin({
    fixture: fixtureWith({ alertConfigs: [{ id: ID, eventTypeName: 'HOST_DOWN', enabled: true }] }),
  })
  await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: true }`))
  await here.control('POST', 'faults', {
    method: 'PATCH',
    path: 'alertConfigs',
    fault: 'lose-events',
    count: 1,
  })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ID}`, { enabled: false })
  expect((await here.run('drift')).stdout).toContain('no event shows who changed it')
  expect((await here.run('plan')).stdout).toContain('Changed outside, and no event shows who did it.')
  await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: true }`))
  await here.manifest(only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: false }`))
  expect((await here.run('plan')).stdout).not.toContain('no event tells')
})

it('what we wrote back since, of which the event is lost, leaves it to who changed it after that', async () => {
  const here = await begin({
    fixture: fixtureWith({ alertConfigs: [{ id: ID, eventTypeName: 'HOST_DOWN', enabled: true }] }),
  })
  await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: false }`))
  await here.control('POST', 'faults', {
    method: 'PATCH',
    path: 'alertConfigs',
    fault: 'lose-events',
    count: 1,
  })
  await applied(here, only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: true }`))
  await here.control('POST', 'clock', { advance: 'PT5M' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ID}`, { enabled: false }, ONCALL)
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([{ verdict: 'drifted', actor: { publicKey: ONCALL.publicKey } }])
})

it('a saved plan that is stale says what was changed since, and by whom', async () => {
  const here = await begin({
    fixture: fixtureWith({ alertConfigs: [{ id: ID, eventTypeName: 'HOST_DOWN', enabled: true }] }),
  })
  const pool = only('alertConfigurations', `  pool: { alertConfigId: ${ID}, enabled: true }`)
  await applied(here, pool)
  await here.run('plan', '--out', 'plan.bin')
  await here.control('POST', 'clock', { advance: 'PT5M' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${ID}`, { enabled: false }, ONCALL)
  const { code, stderr } = await here.run('apply', 'plan.bin', '--auto-approve')
  expect(code).toBe(1)
  expect(stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /alertConfigurations\.pool: enabled true → false \(key "oncall", [\d-]+ [\d:]+ UTC, ALERT_CONFIG_DISABLED_AUDIT, event [0-9a-f]{24}\)/,
  )
})

it('of what two have changed, each field has its own, in every format', async () => {
  const strange = { publicKey: 'strange', privateKey: '2b3c4d5e-canary-0009' }
  const roles = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const fixture = fixtureWith() as { organizations: { apiKeys: object[] }[] }
  fixture.organizations[0]?.apiKeys.push({ id: '5c47503320eef5699e1cce90', desc: 'S', ...strange, roles })
  const here = await beginApplied(
    only('apiKeys', `  reporting: { apiKeyId: ${REPORTER}, desc: Reporting, roles: [ORG_MEMBER] }`),
    { fixture },
  )
  const path = `/orgs/${ORG}/apiKeys/${REPORTER}`
  await here.outside('PATCH', path, { roles: ['ORG_OWNER'] }, strange)
  await here.outside('PATCH', path, { desc: 'theirs' }, ONCALL)
  const { document } = await here.json('drift')
  const [drifted] = document.resources
  expect(drifted.actor).toBeUndefined()
  expect(drifted.fields).toMatchObject([
    { path: 'roles', actor: { publicKey: 'strange', eventTypeName: 'API_KEY_ROLES_CHANGED' } },
    { path: 'desc', actor: { publicKey: 'oncall', eventTypeName: 'API_KEY_DESCRIPTION_CHANGED' } },
  ])
  for (const format of ['text', 'markdown', 'junit', 'sarif', 'brief', 'html']) {
    const { stdout } = await here.run('drift', '--format', format)
    const said = stdout
      .replaceAll(/<(?:style|script)[\s\S]*?<\/\w+>/g, '')
      .replaceAll(/<[^>]*>|\\/g, format === 'junit' ? '$&' : '')
      .replaceAll(/&quot;|&#34;/g, '"')
      .replaceAll(/\s+/g, ' ')
    const each = /roles by `?key "strange"`?.*desc by `?key "oncall"/
    expect({ format, said }).toEqual({
      format,
      said: expect.stringMatching(format === 'brief' ? /by key "strange" and key "oncall"/ : each),
    })
  }
  const { stdout } = await here.run('drift', '--format', 'markdown')
  expect(stdout).toMatch(/^\| by `key "oncall"` .*`apiKeys\.reporting\.desc`/m)
  expect(stdout).toMatch(/^\| by `key "strange"` .*`apiKeys\.reporting\.roles`/m)
})

it('a change back to what adoption had met is told also where the apply that would undo it is lost', async () => {
  const id = '5d1113b25a115342acc2d1aa'
  const here = await beginApplied(
    only('alertConfigurations', `  noisy: { alertConfigId: ${id}, enabled: false }`),
  )
  // By our own key, whose events count as nobody else's.
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true }, CI)
  const verdict = async (): Promise<string> => (await here.json('drift')).document.resources[0].verdict
  expect(await verdict()).toBe('drifted')
  await here.control('POST', 'faults', { method: 'PATCH', count: 1, fault: 'reset-before' })
  expect((await here.run('apply', '--auto-approve')).code).toBe(3)
  expect(await verdict()).toBe('drifted')
})

it.each([
  ['high', 'by', 'exactly one event can explain the current value', [ONCALL]],
  ['medium', 'likely by', 'several events could explain it', [ONCALL, ONCALL]],
])(
  'who is named with confidence %s is so in the same words in every format',
  async (confidence, by, means, keys) => {
    const here = await beginApplied(only('apiKeys', `  reporting: { apiKeyId: ${REPORTER}, desc: ours }`))
    for (const key of keys) {
      await here.control('POST', 'clock', { advance: 'PT5M' })
      await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' }, key)
    }
    expect((await here.json('drift')).document.resources[0].actor).toMatchObject({ confidence })
    for (const format of ['text', 'markdown', 'html', 'junit', 'sarif', 'brief']) {
      const { stdout } = await here.run('drift', '--format', format)
      const said = stdout
        .replaceAll(/<(?:style|script)[\s\S]*?<\/\w+>/g, '')
        .replaceAll(/<[^>]*>|[\\`]/g, (found) => (format === 'junit' ? found : ''))
        .replaceAll(/&quot;|&#34;/g, '"')
        .replaceAll(/\s+/g, ' ')
      expect({ format, said }).toEqual({ format, said: expect.stringContaining(`${by} key "oncall"`) })
      expect({ format, said }).not.toEqual({ format, said: expect.stringMatching(/surely|not certain/) })
      const saysMeaning = format === 'html' || (by !== 'by' && (format === 'text' || format === 'markdown'))
      expect(said).toMatch(new RegExp(saysMeaning ? means : '', 'i'))
    }
  },
)
