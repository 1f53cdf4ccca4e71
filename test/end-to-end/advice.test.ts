import { execFileSync } from 'node:child_process'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { CI, failing, fixtureWith, manifestWith, ONCALL, ORG, PROJECT } from '../support/installation.ts'
import { runHere, type Ran } from '../support/command.ts'
import {
  applied,
  at,
  begin,
  beginApplied,
  only,
  OTHER_PROJECT,
  twoProjects,
  type Scene,
} from '../support/scene.ts'

let here: Scene

const NOISY = '5d1113b25a115342acc2d1aa'
const DOWN = '5d1113b25a115342acc2d0f3'
const CONFIGURATIONS = `/groups/${PROJECT}/alertConfigs`
const window = (more = ''): string =>
  `  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z${more} }`

const ADOPTED = only(
  'alertConfigurations',
  `  # adopted
  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }
  noisy: { alertConfigId: ${NOISY}, enabled: false }
`,
)
const downs = (also = ''): string =>
  only('alertConfigurations', `  down: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n${also}`)

/** Runs a printed command, as a user copies it. */
const typed = (text: string, label: string): Promise<Ran> => {
  const command = new RegExp(`${label}: deploymgmt ([^\\n]+?)(?:     |\\n|$)`).exec(text)?.[1] ?? ''
  const words = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  return here.run(...words, ...(words[0] === 'apply' ? ['--auto-approve'] : []))
}

/** Applies the patch that keeps everything live, and returns the requests of a plan after that. */
const keep = async (count = 1): Promise<any[]> => {
  const { resources, patch } = (await here.json('drift')).document
  expect(resources.filter((each: any) => each.keep?.patch)).toHaveLength(count)
  execFileSync('git', ['apply'], { cwd: here.folder, input: patch })
  const { summary, changes } = (await here.json('plan')).document
  expect(summary).toMatchObject({ create: 0, update: 0, adopt: 0, delete: 0, release: 0, blocked: 0 })
  return changes.flatMap(({ requests }: any) => requests)
}

describe('a command that is printed to be copied', () => {
  it('means the same declaration, variables and state as the one that printed it', async () => {
    here = await begin()
    const text = only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: "\${var.on}" }`)
    await writeFile(join(here.folder, 'infra.yaml'), `${text}variables: { on: {} }\n`)
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'prod.json'))
    const flags = ['-f', 'infra.yaml', '--var', 'on=false', '--state', 'prod.json']
    expect(await here.run('apply', '--auto-approve', ...flags)).toMatchObject({ code: 0 })
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    const { stdout, code } = await here.run('drift', ...flags)
    expect(code).toBe(2)
    expect(stdout).toContain(`undo: deploymgmt apply --target alertConfigurations.noisy ${flags.join(' ')}`)
    expect(await typed(stdout, 'undo')).toMatchObject({ code: 0 })
    expect((await here.run('drift', ...flags)).code).toBe(0)
  })

  it('undoes several drifts that are the same at once, and is printed once for them', async () => {
    const ids = ['f3', 'f4'].map((end) => `5d1113b25a115342acc2d0${end}`)
    const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true }))
    here = await begin({ fixture: fixtureWith({ alertConfigs }) })
    await writeFile(join(here.folder, 'infra.yaml'), downs())
    const flags = ['-f', 'infra.yaml']
    expect(await here.run('apply', '--auto-approve', ...flags)).toMatchObject({ code: 0 })
    for (const id of ids) await here.outside('PATCH', `${CONFIGURATIONS}/${id}`, { enabled: false })
    const { stdout } = await here.run('drift', ...flags)
    const targets = ids.map((id) => `--target 'alertConfigurations.down[${id}]'`).join(' ')
    expect(stdout).toContain(` undo these 2: deploymgmt apply ${targets} -f infra.yaml\n`)
    expect(stdout).toContain(' keep these 2: declare each by itself, in alertConfigurations, beside ')
    expect(stdout.match(/beside infra\.yaml/g)).toHaveLength(1)
    for (const id of ids)
      expect(stdout).toMatch(
        new RegExp(`^ +down-\\w+: \\{ projectId: payments, alertConfigId: ${id}, enabled: false \\}$`, 'm'),
      )
    expect(await typed(stdout, 'undo these 2')).toMatchObject({ code: 0 })
    expect((await here.run('drift', ...flags)).code).toBe(0)
  })

  it('carries out a plan that was saved beside another state', async () => {
    here = await begin({ manifest: only('maintenanceWindows', window()) })
    await rename(join(here.folder, 'deploymgmt.state.json'), join(here.folder, 'prod.json'))
    const { stderr } = await here.run('plan', '--state', 'prod.json', '--out', 'p.json')
    expect(await typed(stderr, 'To carry out exactly this')).toMatchObject({ code: 0 })
    expect(await here.run('plan', '--state', 'prod.json', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('carries out a plan that was saved into the folder of its manifests', async () => {
    here = await begin({ manifest: only('maintenanceWindows', window()) })
    await here.run('plan', '-f', '.', '--output', 'report.json', '--format', 'json')
    const { stderr } = await here.run('plan', '-f', '.', '--out', 'plan.json')
    expect(await typed(stderr, 'To carry out exactly this')).toMatchObject({ code: 0 })
    await rm(join(here.folder, 'deploymgmt.yaml'))
    expect((await here.run('validate', '-f', '.')).stderr).toContain('has no manifest')
  })
})

describe('a drift report', () => {
  it('knows what another key of ours has written by the record', async () => {
    here = await beginApplied(only('maintenanceWindows', window()))
    const env = {
      ...here.env,
      DEPLOYMGMT_PUBLIC_KEY: ONCALL.publicKey,
      DEPLOYMGMT_PRIVATE_KEY: ONCALL.privateKey,
    }
    const drift = await runHere({ folder: here.folder, env }, ['drift'])
    expect(drift).toMatchObject({ code: 0 })
    expect(drift.stdout).toContain('No event about it since')
    const plan = await runHere({ folder: here.folder, env }, ['plan', '--detailed-exitcode'])
    expect(plan).toMatchObject({ code: 0 })
  })

  it('says once the manifest has followed what is live', async () => {
    here = await begin()
    const declared = (enabled: boolean): string =>
      only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: ${enabled} }`)
    await here.manifest(declared(false))
    await here.run('apply', '--auto-approve')
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    expect((await here.run('drift')).stdout).toMatch(/keep: set enabled: true at deploymgmt\.yaml:\d+/)
    await here.manifest(declared(true))
    const { stdout } = await here.run('drift')
    expect(stdout).not.toContain('undo:')
    const next = /declared as it is now: deploymgmt (.*) records it/.exec(stdout)?.[1] ?? ''
    expect(await here.run(...next.split(' '), '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.run('drift')).code).toBe(0)
  })

  it('names the entry to add for one of several that an entry stands for', async () => {
    here = await beginApplied(downs(), {
      fixture: fixtureWith({
        alertConfigs: [DOWN, '5d1113b25a115342acc2d0f4'].map((id) => ({
          id,
          eventTypeName: 'HOST_DOWN',
          enabled: true,
        })),
      }),
    })
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    const { stdout } = await here.run('drift', '--format', 'json')
    const { text, patch } = JSON.parse(stdout).resources.find(
      ({ verdict }: any) => verdict === 'drifted',
    ).keep
    expect(patch).toBeUndefined()
    const own =
      /^declare it by itself: add (.+) to alertConfigurations, beside deploymgmt\.yaml:\d+, which stands for others too$/.exec(
        text,
      )?.[1]
    expect(own).toBe(`down-c2d0f3: { projectId: payments, alertConfigId: ${DOWN}, enabled: false }`)
    await here.manifest(downs(`  ${own}\n`))
    const { changes } = (await here.json('plan')).document
    expect(changes.flatMap(({ requests }: any) => requests)).toEqual([])
  })

  it('gives that entry what the other says of all that it stands for', async () => {
    const ids = [DOWN, '5d1113b25a115342acc2d0f4']
    const guarded = downs().replace('enabled: true', 'enabled: true, onRemove: restore, protect: true')
    here = await beginApplied(guarded, {
      fixture: fixtureWith({
        alertConfigs: ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true })),
      }),
    })
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    const { text } = (await here.json('drift')).document.resources.find(
      ({ verdict }: any) => verdict === 'drifted',
    ).keep
    expect(text).toContain('enabled: false, onRemove: restore, protect: true } to alertConfigurations')
  })

  it.each([
    [false, 'keep', { declared: 'as live' }],
    [true, 'undo', { keep: { patch: expect.stringContaining('enabled: false') } }],
  ])(
    'names what is declared by itself since (enabled: %s) by its new address, once, and %s works',
    async (enabled, label, also) => {
      const ids = [DOWN, '5d1113b25a115342acc2d0f4']
      here = await beginApplied(downs(), {
        fixture: fixtureWith({
          alertConfigs: ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: true })),
        }),
      })
      await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
      await here.manifest(downs(`  down-c2d0f3: { alertConfigId: ${DOWN}, enabled: ${enabled} }\n`))
      const { document } = await here.json('drift')
      expect(document.summary).toMatchObject({ drifted: 1, pending: 0, 'in-sync': 1 })
      const drift = at(document, `alertConfigurations.down[${DOWN}]`)
      expect(drift).toMatchObject({
        verdict: 'drifted',
        movedTo: 'alertConfigurations.down-c2d0f3',
        declaredAt: 'deploymgmt.yaml:10:3',
        ...also,
      })
      const { stdout } = await here.run('drift')
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'recorded under this address, and now declared as alertConfigurations.down-c2d0f3',
      )
      const command = (drift[label].command as string).replace('deploymgmt ', '').split(' ')
      expect(await here.run(...command, '--auto-approve')).toMatchObject({ code: 0 })
      expect((await here.json('drift')).document.summary).toMatchObject({ drifted: 0, 'in-sync': 2 })
      const live = await here.outside('GET' as never, `${CONFIGURATIONS}/${DOWN}`)
      expect(live.enabled).toBe(enabled)
    },
  )

  it('says what it is under an address of before, where a selector stands for it by now', async () => {
    const byId = `  one: { alertConfigId: ${DOWN}, enabled: true }\n`
    here = await beginApplied(downs(byId), {
      fixture: fixtureWith({ alertConfigs: [{ id: DOWN, eventTypeName: 'HOST_DOWN', enabled: true }] }),
    })
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    await here.manifest(downs())
    const { document } = await here.json('drift')
    expect(at(document, 'alertConfigurations.one')).toMatchObject({
      verdict: 'drifted',
      what: 'HOST_DOWN',
      movedTo: `alertConfigurations.down[${DOWN}]`,
    })
  })

  it('does not say that events are invisible when none was there to be accepted, and older ones are not read', async () => {
    here = await beginApplied(
      only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting }'),
    )
    await here.control('POST', 'clock', { advance: 'PT1H' })
    expect(await here.run('state', 'accept', 'apiKeys.reporting')).toMatchObject({ code: 0 })
    const { document } = await here.json('plan', '--all')
    expect(at(document, 'apiKeys.reporting').evidence.note).toMatch(
      /everything until [^,]+ was accepted; no event about it since/i,
    )
  })

  it('does not say that no event came when one was accepted', async () => {
    here = await beginApplied(
      only('apiKeys', '  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting }'),
    )
    await here.control('POST', 'clock', { advance: 'PT1M' })
    const { projects: _, organizations } = await here.control('GET', 'dump')
    await here.outside('PATCH', `/orgs/${organizations[0].id}/apiKeys/5c47503320eef5699e1cce8f`, {
      desc: 'x',
    })
    await here.run('state', 'accept', 'apiKeys.reporting')
    const { stdout } = await here.run('drift')
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /everything until [^,]+ was accepted; no event about it since/i,
    )
  })
})

describe('what adopt has written with selectors', () => {
  it('says why there is no patch of a manifest outside the folder', async () => {
    here = await beginApplied(ADOPTED)
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    const folder = join(here.folder, 'a', 'b')
    await mkdir(folder, { recursive: true })
    const { stdout } = await runHere({ folder, env: here.env }, [
      'drift',
      '--format',
      'json',
      '-f',
      '../../deploymgmt.yaml',
    ])
    expect(JSON.parse(stdout).resources[0].keep).toEqual({
      text: expect.stringMatching(
        /^set enabled: false at .*; there is no patch of a file outside this folder/,
      ),
    })
    execFileSync('git', ['apply', '--allow-empty'], { cwd: here.folder, input: '' })
  })

  it('is kept by a patch where a selector stands for one thing', async () => {
    here = await beginApplied(ADOPTED)
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    expect((await here.run('drift')).stdout).toMatch(
      /keep: set enabled: false at deploymgmt\.yaml:\d+ \(it stands for what is added later,\s+too\)/,
    )
    expect(await keep()).toEqual([])
  })

  it('is kept by one patch of lines that are neighbours', async () => {
    here = await beginApplied(ADOPTED)
    await here.outside('PATCH', `${CONFIGURATIONS}/${DOWN}`, { enabled: false })
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    expect(await keep(2)).toEqual([])
  })
})

test('a plan calls projects by their names, and says what a removal does', async () => {
  here = await begin({ fixture: twoProjects() })
  const projects = `projects: { payments: { id: ${PROJECT} }, ledger: { id: ${OTHER_PROJECT} } }\n`
  const text = (section: string, entries: string): string =>
    only(section, entries).replace(/projects:\n.*\n/, projects)
  await here.manifest(text('maintenanceWindows', window(', projectId: "${projects.ledger.id}"')))
  const created = await here.run('apply', '--auto-approve')
  expect(created).toMatchObject({ code: 0 })
  expect(created.stdout).toContain('projectId        ledger (5c8100bcf2a30b12ff882590)')
  await here.manifest(text('integrations', '  chat: { type: CHAT_A, ensure: absent }'))
  const { stdout } = await here.run('plan')
  expect(stdout).toMatch(/- integrations\.chat {2}\(CHAT_A, payments\)/)
  expect(stdout).toMatch(/< maintenanceWindows\.migration .*ledger\)/)
  expect(stdout).toContain('onRemove: end')
  expect(stdout).toMatch(/end.* early|Ends|ended/i)
})

test('state commands need no more of the manifest than its name', async () => {
  here = await begin({
    manifest:
      manifestWith({ maintenanceWindows: window(', description: "${var.day}"') }) +
      'variables: { day: {} }\n',
  })
  expect(
    await here.run('apply', '--auto-approve', '--var', 'day=x', '--target', 'integrations.*'),
  ).toMatchObject({ code: 0 })
  expect((await here.run('state', 'list')).stdout).toContain('integrations.paging')
  expect(await here.run('state', 'show', 'integrations.paging')).toMatchObject({ code: 0 })
  expect(await here.run('state', 'forget', 'integrations.paging')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(
      'the next apply brings it under management again, so remove the entry first.',
    ),
  })
  await mkdir(join(here.folder, 'other'))
  expect(await here.run('state', 'init', '--state', 'other/state.json')).toMatchObject({ code: 0 })
})

test('a state is made beside a manifest with errors, which are said', async () => {
  here = await begin({ manifest: only('integrations', '  chat: { type: CHAT_A, enshure: present }') })
  const { code, stdout, stderr } = await here.run('state', 'init', '--state', 'new.json')
  expect({ code, said: `${stdout}${stderr}` }).toEqual({
    code: 0,
    said: expect.stringMatching(/did you mean ensure\?.*The manifest has 1 error\. Next: correct that/s),
  })
})

test('a declared id that is not there is to be checked before anything is added by hand, which gets another id', async () => {
  here = await begin({
    manifest: only(
      'alertConfigurations',
      '  noisy: { alertConfigId: 5d1113b25a115342acc2dead, enabled: false }',
    ),
  })
  const { stdout } = await here.run('plan')
  expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
    /Check alertConfigId first; whatever is added by hand gets an id of its own, .*\. By hand: /,
  )
  const { stdout: ended } = await here.run('apply', '--auto-approve', '--format', 'json')
  expect(JSON.parse(ended.trimEnd().split('\n').at(-1) ?? '').blocked).toMatchObject([
    { byHand: expect.stringMatching(/^Check alertConfigId first; .* declared\. By hand: /) },
  ])
})

test.each(['accessList: [192.0.2.0/24], ', ''])(
  'so is the id of a key, whether its access list (%j) or its first write is refused',
  async (accessList) => {
    here = await begin({
      manifest: only('apiKeys', `  one: { apiKeyId: 5c47503320eef5699e1cdead, ${accessList}desc: New }`),
    })
    const { stdout } = await here.run('apply', '--auto-approve')
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(/one not found.* Check apiKeyId first; .* By hand: [^!]*$/)
  },
)

test('drift says of a declared id that is gone what a plan says: what is added by hand has another', async () => {
  const id = '5d1113b25a115342acc2d0a1'
  here = await begin({
    manifest: only('alertConfigurations', `  noisy: { alertConfigId: ${id}, enabled: false }`),
    fixture: fixtureWith({ alertConfigs: [{ id, eventTypeName: 'HOST_DOWN', enabled: true }] }),
  })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.control('PUT', `projects/${PROJECT}/alertConfigs`, [])
  const warned =
    /Check alertConfigId first; whatever is added by hand gets an id of its own.* By hand: .*then plan again/
  const { document } = await here.json('drift')
  expect(document.resources).toMatchObject([
    { reasonCode: 'gone-at-service', undo: { text: expect.stringMatching(warned) } },
  ])
  for (const format of ['text', 'markdown', 'html', 'junit', 'sarif'])
    expect((await here.run('drift', '--format', format)).stdout.replaceAll(/\s+/g, ' ')).toMatch(warned)
  // `allowEmpty` puts nothing back, so it is offered to keep the change, but not to undo it.
  expect(document.resources[0]).toMatchObject({
    allowedBy: 'allowEmpty',
    undo: { text: expect.not.stringContaining('allowEmpty') },
    keep: { text: 'take it out at deploymgmt.yaml:9, or set allowEmpty: true there' },
  })
  expect((await here.run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain('or set allowEmpty: true')
})

const keyWith = (list: string): string =>
  only(
    'apiKeys',
    `  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, accessList: [${list}] }`,
  )

describe('the ways out of a drift', () => {
  it('name the project where there are several', async () => {
    const names = `projects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n  ledger: { id: ${OTHER_PROJECT}, orgId: ${ORG} }\n`
    const manifest = only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: false }`)
    here = await beginApplied(manifest.replace(/projects:\n.*\n/, names), { fixture: twoProjects() })
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    expect((await here.run('drift')).stdout).toMatch(/drifted +alertConfigurations\.noisy {2}\(payments\)/)
    const { document } = await here.json('drift')
    expect(document.resources).toMatchObject([{ identity: { projectId: PROJECT, alertConfigId: NOISY } }])
  })

  it('say that keeping a window leaves the record as it is', async () => {
    here = await beginApplied(only('maintenanceWindows', window()))
    await here.control('POST', 'clock', { advance: 'PT10S' })
    const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    const { stdout } = await here.run('drift')
    expect(stdout).toContain('keep: deploymgmt state accept maintenanceWindows.migration\n')
    expect(stdout).toContain('no endpoint shows it; the record keeps what was last applied')
  })

  it('are by hand for an access list, which no call of this API changes', async () => {
    here = await begin({ manifest: keyWith('192.0.2.0/24, 198.51.100.7'), proxied: true })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    here.proxy.steer(async ({ path }, forward) => {
      const answer = await forward()
      if (!path.includes('/accessList') || answer.status !== 200) return answer
      const body = JSON.parse(answer.body.toString())
      const results = body.results.slice(0, 1)
      return { ...answer, body: JSON.stringify({ ...body, results, totalCount: results.length }) }
    })
    const { code, stdout } = await here.run('drift')
    expect(code).toBe(2)
    expect(stdout).toMatch(/undo: By hand: Organization \w+ → Access Manager → API Keys/)
    expect(stdout).not.toContain('undo: deploymgmt apply')
    expect((await here.json('drift')).document.resources).toMatchObject([
      { reasonCode: 'part-differs', byHand: expect.stringContaining('Access List') },
    ])
    expect(await keep()).toEqual([])
  })

  it('keep what is gone by declaring it no more, after which a plan has nothing to send', async () => {
    const chat = only('integrations', '  chat: { type: CHAT_A, ensure: present }')
    here = await beginApplied(chat)
    await here.outside('DELETE', `/groups/${PROJECT}/integrations/CHAT_A`)
    const [resource] = (await here.json('drift')).document.resources
    expect(resource.keep).toEqual({ text: expect.stringMatching(/^take it out at deploymgmt\.yaml:\d+$/) })
    await here.manifest(only('integrations', ''))
    const { changes } = (await here.json('plan')).document
    expect(changes.flatMap(({ requests }: any) => requests)).toEqual([])
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.json('drift')).document).toMatchObject({ exitCode: 0, resources: [] })
  })

  it('are made of what is declared by now, and told with what was recorded', async () => {
    const declared = (enabled: boolean): string =>
      only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: ${enabled} } # mine`)
    here = await beginApplied(declared(true))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
    const [resource] = (await here.json('drift')).document.resources
    expect(resource).toMatchObject({
      fields: [{ path: 'enabled', before: true, after: false }],
      undo: { command: 'deploymgmt apply --target alertConfigurations.noisy' },
      keep: { text: expect.stringMatching(/^set enabled: false at deploymgmt\.yaml:\d+$/) },
    })
    expect(resource.fields[0]).not.toHaveProperty('declared')
    expect(await keep()).toEqual([])
    expect((await here.json('drift')).document.resources).toMatchObject([
      { declared: 'as live', fields: [{ before: true, after: false, declared: false }] },
    ])
  })
})

describe('a project whose id is wrong', () => {
  const WRONG = '5c8100bcf2a30b12ff882599'
  const entries: Record<string, [string, string]> = {
    'a window': ['maintenanceWindows', window(`, projectId: ${WRONG}`)],
    'a configuration by its id': [
      'alertConfigurations',
      `  noisy: { projectId: ${WRONG}, alertConfigId: ${NOISY}, enabled: false }`,
    ],
    'a selector': [
      'alertConfigurations',
      `  down: { projectId: ${WRONG}, select: { eventTypeName: HOST_DOWN }, enabled: false }`,
    ],
    'an integration': ['integrations', `  paging: { projectId: ${WRONG}, type: PAGING }`],
  }

  it.each(Object.entries(entries))('has one diagnosis, told by %s', async (_, [section, text]) => {
    here = await begin({ manifest: only(section, text) })
    const { document } = await here.json('plan')
    expect(document.changes).toMatchObject([
      {
        action: 'blocked',
        reasonCode: 'place-missing',
        reason: `the project or organization it is declared for was not found at the service: ${WRONG}`,
      },
    ])
  })

  it('is told of all that was recorded in it, which is declared all the same', async () => {
    here = await beginApplied(ADOPTED)
    await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 404, count: 1 })
    const { document } = await here.json('drift')
    const check = {
      text: 'Check the id. If the place is gone, take the entry out, or only that project if the entry has others.',
    }
    for (const address of [`alertConfigurations.down[${DOWN}]`, 'alertConfigurations.noisy'])
      expect(at(document, address)).toMatchObject({
        verdict: 'drifted',
        reasonCode: 'gone-at-service',
        declaredAt: expect.any(String),
        undo: check,
        keep: { text: expect.stringMatching(/^take it out at deploymgmt\.yaml:\d+/) },
      })
  })

  it('is not blamed where the thing alone is not there', async () => {
    here = await begin({
      manifest: only(
        'alertConfigurations',
        `  gone: { alertConfigId: 5d1113b25a115342acc2ffff, enabled: true }`,
      ),
    })
    expect((await here.json('plan')).document.changes).toMatchObject([{ reasonCode: 'missing' }])
  })
})

describe('an access list that was never as it is declared', () => {
  it('is blocked, and no drift: nobody has changed it, and no apply can undo it', async () => {
    here = await begin({ manifest: keyWith('192.0.2.0/24') })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
    expect((await here.json('plan')).document.changes).toMatchObject([
      { action: 'unchanged' },
      { action: 'blocked', reasonCode: 'part-differs' },
    ])
  })

  it('is recorded once it is as declared', async () => {
    here = await begin({ manifest: keyWith('192.0.2.0/24') })
    await here.run('apply', '--auto-approve')
    await here.manifest(keyWith('192.0.2.0/24, 198.51.100.7'))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect((await here.state()).resources['apiKeys.reporting'].applied.accessList).toHaveLength(2)
  })
})

describe('undo of what a plan blocks as a whole', () => {
  it('says what a person does, and proposes no apply that would be refused', async () => {
    here = await begin({ manifest: only('maintenanceWindows', window()) })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
    const endDate = '2035-01-06T08:00:00Z'
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { endDate })
    await here.control('POST', 'clock', { now: '2035-01-06T05:00:00Z' })
    const [found] = (await here.json('drift')).document.resources
    const [change] = (await here.json('plan')).document.changes
    expect(change).toMatchObject({ action: 'blocked', reasonCode: 'ended-or-prolonged' })
    expect(found).toMatchObject({ verdict: 'drifted', undo: { text: change.byHand } })
    expect(found.undo).not.toHaveProperty('command')
  })
})

describe('undo of what the entry protects', () => {
  it('says that protect stands in the way, and the blocked change what to do', async () => {
    here = await beginApplied(
      only('alertConfigurations', `  noisy: { alertConfigId: ${DOWN}, enabled: false, protect: true }`),
    )
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${DOWN}`, { enabled: true })
    const [found] = (await here.json('drift')).document.resources
    expect(found.protectedFields).toEqual(['enabled'])
    expect(found.undo).toEqual({
      command: 'deploymgmt apply --target alertConfigurations.noisy',
      text: 'protect: true stands in the way of enabled: take it out first',
    })
    const [change] = (await here.json('plan')).document.changes
    expect(change).toMatchObject({
      action: 'blocked',
      byHand: 'Remove protect: true to allow the write, or declare what is there.',
    })
  })

  it('says nothing of it for a window that was prolonged: an apply writes what is declared', async () => {
    here = await beginApplied(only('maintenanceWindows', window(', protect: true')))
    const { id } = (await here.state()).resources['maintenanceWindows.migration'].identity
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, {
      endDate: '2035-01-06T06:00:00Z',
    })
    const { undo } = (await here.json('drift')).document.resources[0]
    expect(undo).toEqual({ command: 'deploymgmt apply --target maintenanceWindows.migration' })
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
  })

  it('says so of a key as soon as an event tells its roles, and only where it would be narrowed', async () => {
    const key = '5c47503320eef5699e1cce8f'
    const path = `/orgs/${ORG}/apiKeys/${key}`
    here = await beginApplied(
      only('apiKeys', `  reporting: { apiKeyId: ${key}, desc: ours, roles: [ORG_MEMBER] }`),
    )
    await here.manifest(
      only('apiKeys', `  reporting: { apiKeyId: ${key}, desc: ours, roles: [ORG_MEMBER], protect: true }`),
    )
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    await here.outside('PATCH', path, { desc: 'theirs' })
    const undo = async (): Promise<unknown> => (await here.json('drift')).document.resources[0].undo
    const command = 'deploymgmt apply --target apiKeys.reporting'
    expect(await undo()).toEqual({ command })
    await here.outside('PATCH', path, { roles: ['ORG_OWNER'] })
    const text = 'protect: true stands in the way of roles: take it out first'
    expect(await undo()).toEqual({ command, text })
    const ran = await here.run('apply', '--auto-approve')
    expect(ran.code).toBe(2)
    expect(ran.stdout.replaceAll(/\s+/g, ' ')).toContain('Remove protect: true to allow the write')
    expect(await undo()).toEqual({ command, text })
  })

  it('says nothing of a key with nothing to send first, for an apply then writes its roles', async () => {
    const key = '5c47503320eef5699e1cce8f'
    const path = `/orgs/${ORG}/apiKeys/${key}`
    here = await begin()
    const manifest = only('apiKeys', `  reporting: { apiKeyId: ${key}, roles: [ORG_MEMBER], protect: true }`)
    const allowed = '--allow-owner-removal'
    await applied(here, manifest, allowed)
    await here.outside('PATCH', path, { roles: ['ORG_OWNER'] })
    const { undo } = (await here.json('drift')).document.resources[0]
    expect(undo).toEqual({ command: 'deploymgmt apply --target apiKeys.reporting' })
    await here.forgetRequests()
    expect((await here.run('apply', '--auto-approve', allowed)).code).toBe(0)
    const sent = (await here.requests()).log.filter(({ method }) => method === 'PATCH')
    expect(sent).toMatchObject([{ path, status: 200 }])
  })
})

test.each(['plan', 'drift'])(
  '%s takes the page of a proxy that knows no such path for no missing project',
  async (command) => {
    here = await begin({ manifest: ADOPTED, proxied: true })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    here.proxy.steer(async ({ authorized, path }, forward) =>
      authorized && path.startsWith(CONFIGURATIONS)
        ? { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>Not here</html>' }
        : forward(),
    )
    const { code, stderr } = await here.run(command)
    expect(code).toBe(1)
    expect(stderr).toContain(
      'DM-MALFORMED-ANSWER: it is not the service that has answered: the answer is text/html',
    )
  },
)

test.each([
  ['plan', CONFIGURATIONS],
  // What the key would need is no advice where the service was not asked.
  ['get global-alert --alert-id 5c47503320eef5699e1cce8f', '/globalAlerts/'],
])('%s says that a proxy in between may have refused a request', async (words, beginning) => {
  here = await begin({ manifest: ADOPTED, proxied: true })
  here.proxy.steer(async ({ authorized, path }, forward) =>
    authorized && path.startsWith(beginning)
      ? { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Access denied</html>' }
      : forward(),
  )
  const { code, stderr } = await here.run(...words.split(' '))
  expect(code).toBe(1)
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
    'DM-FORBIDDEN: a proxy in between may have refused this: the answer is text/html',
  )
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain('Have the proxy let this request through.')
})

describe('a refusal that no role of the key can change', () => {
  const CI_ID = '5c47503320eef5699e1cce8d'
  const owns = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const onlyOwner = (more: object = {}): object =>
    fixtureWith({}, { apiKeys: [{ id: CI_ID, desc: 'CI', ...CI, roles: owns, ...more }] })

  it.each([
    ['a plan', ['plan']],
    ['a reading', ['get', 'alerts', '--project-id', PROJECT]],
  ])('of %s from an address that is not on its access list names the list', async (_, words) => {
    const fixture = onlyOwner({ accessList: [{ cidrBlock: '203.0.113.0/24' }] })
    here = await begin({ fixture, settings: { 'open.accessListEnforced': 'true' }, manifest: downs() })
    const { code, stderr } = await here.run(...words)
    expect(code).toBe(1)
    expect(stderr).toContain('IP_ADDRESS_NOT_ON_ACCESS_LIST')
    expect(stderr).toContain('Add this address to the access list of the key')
    expect(stderr).not.toContain('Give the key a role')
  })

  it('which is about an access list, but not about this address, names no address', async () => {
    here = await begin({ manifest: downs(), proxied: true })
    const body = JSON.stringify({ error: 403, errorCode: 'ACCESS_LIST_ACCESS_DENIED', detail: 'No.' })
    here.proxy.steer(async ({ authorized }, forward) =>
      authorized ? { status: 403, headers: { 'content-type': 'application/json' }, body } : forward(),
    )
    const list = ['--user-id', '5d2e1f0a9b8c7d6e5f4a3b2c', '--access-list-entry', '203.0.113.5']
    const { stderr } = await here.run('get', 'user_access_list_entry', ...list)
    expect(stderr).toContain('ACCESS_LIST_ACCESS_DENIED')
    expect(stderr).not.toContain('Add this address')
  })

  it('because nobody else owns the organization says who has to be an owner first', async () => {
    const manifest = only('apiKeys', `  ci: { apiKeyId: ${CI_ID}, roles: [ORG_MEMBER] }`)
    here = await begin({ fixture: onlyOwner(), manifest })
    const { code, stdout } = await here.run('apply', '--auto-approve', '--allow-owner-removal')
    expect([code, stdout]).toEqual([1, expect.stringContaining('CANNOT_DEMOTE_LAST_ORG_OWNER')])
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('Make another user or key an owner first')
    expect(stdout).not.toContain('Give the key a role')
  })
})
