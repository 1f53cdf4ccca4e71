import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { fixtureWith, ORG, PROJECT } from '../support/installation.ts'
import {
  actionsIn,
  applied,
  at,
  begin,
  beginApplied,
  only,
  OTHER_PROJECT,
  readsIn,
  twoProjects,
  writesIn,
  type Scene,
} from '../support/scene.ts'

let here: Scene

const LIST = `/groups/${PROJECT}/integrations`
const PAGING = { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0004' }
const CHAT = { type: 'CHAT_A', apiToken: 'chat-canary-0005', teamName: 'payments', channelName: 'alerts' }
const HOOK = { type: 'WEBHOOK', url: 'https://hooks.example.com/canary-0006', secret: 'hook-canary-0007' }
const SCRAPER = {
  type: 'METRICS_SCRAPER',
  username: 'scraper',
  listenAddress: '0.0.0.0:9216',
  enabled: true,
  tlsPemPassword: 'pem-canary-0008',
}
const CHAT_C = { type: 'CHAT_C', chatCWebhookUrl: 'https://chat.example.com/canary-0009' }

const declare = (...entries: string[]): string =>
  only('integrations', entries.map((entry) => `  ${entry}`).join('\n'))
const start = async (
  integrations: object[],
  more: { settings?: object; proxied?: boolean } = {},
): Promise<void> => {
  const { settings = {}, proxied = false } = more
  here = await begin({
    fixture: fixtureWith({ integrations }),
    settings: settings as Record<string, string>,
    proxied,
  })
}
const several = (allowed: string): string =>
  declare(`list: { projectIds: [${PROJECT}, ${OTHER_PROJECT}], only: [${allowed}] }`)
const put = (integrations: object[]) => here.control('PUT', `projects/${PROJECT}/integrations`, integrations)
const typesAt = async (project = 0): Promise<string[]> =>
  (await here.control('GET', 'dump')).projects[project].integrations.map(({ type }: any) => type)

/** With an alert configuration, which is read in order to release it. */
const alsoAlerting = (project: string): string =>
  only(
    'integrations',
    `  paging: { projectId: ${project}, type: PAGING }`,
    `alertConfigurations:
  down: { projectId: ${project}, select: { eventTypeName: HOST_DOWN }, enabled: false, onRemove: restore }
`,
  )

describe('ensure', () => {
  it('of what an apply cannot make is pending with what a person does, in every format, and no undoing', async () => {
    await start([])
    await here.manifest(declare('hooks: { type: WEBHOOK }'))
    await here.run('state', 'init')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 2 })
    const formats = ['text', 'markdown', 'html', 'junit']
    const drift = async (...words: string[]): Promise<string[]> => {
      await here.run('drift', ...words, ...formats.flatMap((each) => ['--format', `${each}=drift.${each}`]))
      const texts = formats.map((each) => readFile(join(here.folder, `drift.${each}`), 'utf8'))
      return (await Promise.all(texts)).map((text) => text.replaceAll(/\s+/g, ' '))
    }
    const byHand = `By hand: Project payments → Integrations → WEBHOOK, then plan again.`
    for (const shown of [...(await drift()), ...(await drift('--pending-for', '0s'))]) {
      expect(shown).toContain(byHand)
      expect(shown).not.toContain(`: ${byHand}`)
      expect(shown).not.toMatch(/undo: By hand|Undo: By hand|Undo it/)
    }
    const { document } = await here.json('drift')
    expect(document.resources).toMatchObject([{ verdict: 'pending', byHand }])
  })

  it('demands what is present, deletes what is absent without a flag, and forgets with no request', async () => {
    await start([PAGING, CHAT], { settings: { 'open.deleteIntegrationStatus': '200' } })
    await applied(
      here,
      declare(
        'paging: { type: PAGING }',
        'chat: { type: CHAT_A, ensure: absent }',
        'apm: { type: APM_SERVICE, ensure: absent }',
      ),
    )
    expect(await writesIn(here)).toEqual([`DELETE ${LIST}/CHAT_A`])
    expect(await readsIn(here)).toEqual([LIST])
    expect(await typesAt()).toEqual(['PAGING'])
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
    await here.forgetRequests()
    await applied(here, declare())
    expect((await here.requests()).log).toEqual([])
    expect((await here.state()).resources).toEqual({})
  })

  it.each([
    ['404', false],
    ['204', true],
  ])('counts what is gone already as deleted, answered %s', async (status, drops) => {
    await start([PAGING, CHAT], { settings: { 'open.deleteAbsentIntegration': status }, proxied: true })
    here.proxy.steer(async ({ method, write }, forward) => {
      if (write > 0 && method === 'DELETE') await put([])
      return forward()
    })
    const manifest = drops
      ? declare('some: { only: [PAGING] }')
      : declare('chat: { type: CHAT_A, ensure: absent }')
    await applied(here, manifest, '--allow-delete')
    expect(await writesIn(here)).toEqual([`DELETE ${LIST}/CHAT_A`])
    expect((await here.run('drift')).code).toBe(0)
  })

  it('is drifted where an absent one is back, or a present one is gone', async () => {
    await start([PAGING, CHAT])
    const manifest = declare('paging: { type: PAGING }', 'chat: { type: CHAT_A, ensure: absent }')
    await applied(here, manifest)
    await put([CHAT])
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document.resources).toMatchObject([
      { address: 'integrations.chat', verdict: 'drifted', reason: expect.stringContaining('is back') },
      {
        address: 'integrations.paging',
        verdict: 'drifted',
        reason: 'it is gone at the service; this API has no call to create an integration',
        evidence: { note: 'No documented event names an integration.' },
        undo: { text: 'By hand: Project payments → Integrations → PAGING, then plan again.' },
      },
    ])
    // An event of an undocumented type may tell who did it.
    const { stdout } = await here.run('drift')
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      `no documented event shows who removed it; another event may: deploymgmt get organization_events --org-id ${ORG}`,
    )
    expect(stdout).not.toMatch(/no event tells|No documented event names/)
    const planned = (await here.json('plan')).document
    expect(at(planned, 'integrations.paging')).toMatchObject({
      action: 'blocked',
      byHand: 'By hand: Project payments → Integrations → PAGING, then plan again.',
    })
    expect(at(planned, 'integrations.chat')).toMatchObject({ action: 'delete' })
  })

  it('is settled by an apply where it is gone and declared no more', async () => {
    await start([PAGING, CHAT])
    await applied(here, declare('paging: { type: PAGING }', 'chat: { type: CHAT_A }'))
    await put([CHAT])
    await here.manifest(declare('chat: { type: CHAT_A }'))
    expect(at((await here.json('drift')).document, 'integrations.paging')).toMatchObject({
      verdict: 'drifted',
      undo: {
        text: 'it is no longer declared: put its entry back first. By hand: Project payments → Integrations → PAGING, then plan again.',
      },
      keep: {
        command: 'deploymgmt apply --target integrations.paging',
        text: 'it is no longer declared: this drops its record',
      },
    })
    // The list of its project, which another entry needs, has shown that nothing stays there.
    expect(at((await here.json('plan')).document, 'integrations.paging')).toMatchObject({
      action: 'release',
      reason: 'no longer declared, and gone at the service',
    })
    expect(await here.run('apply', '--auto-approve', '--target', 'integrations.paging')).toMatchObject({
      code: 0,
    })
    expect(await here.run('drift')).toMatchObject({ code: 0 })
  })

  it('does not stay at the service where its whole project is gone, as another kind has seen', async () => {
    here = await begin({ fixture: twoProjects({}, { integrations: [PAGING] }), proxied: true })
    await applied(here, alsoAlerting(PROJECT))
    here.proxy.steer(async ({ path }, forward) =>
      path.startsWith(`/groups/${PROJECT}/`)
        ? {
            status: 404,
            headers: {},
            body: '{"error":404,"errorCode":"GROUP_NOT_FOUND","detail":"No project."}',
          }
        : forward(),
    )
    await here.manifest(alsoAlerting(OTHER_PROJECT))
    expect(at((await here.json('plan')).document, 'integrations.paging[replaced PAGING]')).toMatchObject({
      action: 'release',
      reason: 'its entry is there, but no longer stands for it, and gone at the service',
    })
  })

  it('is taken at its new word where an entry was turned round', async () => {
    await start([PAGING, CHAT])
    await applied(here, declare('chat: { type: CHAT_A, ensure: absent }'))
    await put([PAGING, CHAT])
    await applied(here, declare('chat: { type: CHAT_A, ensure: present }'))
    expect((await here.run('drift')).code).toBe(0)
    await applied(here, declare('chat: { type: PAGING, ensure: absent }'))
    expect(await typesAt()).toEqual(['CHAT_A'])
    await applied(here, declare('chat: { only: [CHAT_A] }'))
    await applied(here, declare('chat: { type: CHAT_A }'))
    expect((await here.state()).resources['integrations.chat']).toMatchObject({
      identity: { type: 'CHAT_A' },
      applied: { ensure: 'present' },
    })
    expect((await here.state()).resources['integrations.chat'].standing).toBeUndefined()
    await put([])
    expect((await here.run('drift')).code).toBe(2)
  })

  it('is blocked for what endpoint 18 does not delete, or what protect keeps', async () => {
    await start([SCRAPER, CHAT_C, PAGING])
    await here.manifest(
      declare(
        'scraper: { type: METRICS_SCRAPER, ensure: absent }',
        'chat: { type: CHAT_C, ensure: absent }',
        'paging: { type: PAGING, ensure: absent, protect: true }',
      ),
    )
    const { code, document } = await here.json('apply', '--auto-approve')
    expect(code).toBe(2)
    expect(document.blocked).toMatchObject([
      {
        reason: expect.stringContaining('METRICS_SCRAPER'),
        byHand: expect.stringContaining('METRICS_SCRAPER → Remove'),
      },
      { reason: expect.stringContaining('endpoint 18 does not list CHAT_C') },
      { reason: expect.stringContaining('protect') },
    ])
    expect(await writesIn(here)).toEqual([])
  })
})

describe('an only-list', () => {
  it('deletes any other type, with --allow-delete alone', async () => {
    await start([PAGING, CHAT, HOOK])
    await here.manifest(declare('list: { only: [PAGING, ALERTING_B] }'))
    const { document } = await here.json('plan')
    expect(document.changes).toMatchObject([
      { address: 'integrations.list[CHAT_A]', action: 'delete', needs: [{ flag: '--allow-delete' }] },
      { address: 'integrations.list[WEBHOOK]', action: 'delete', needs: [{ flag: '--allow-delete' }] },
    ])
    const refused = await here.run('apply', '--auto-approve')
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain('--allow-delete')
    expect(await typesAt()).toHaveLength(3)
    expect((await here.run('apply', '--auto-approve', '--allow-delete')).code).toBe(0)
    expect((await writesIn(here)).toSorted()).toEqual([`DELETE ${LIST}/CHAT_A`, `DELETE ${LIST}/WEBHOOK`])
    expect(Object.keys((await here.state()).resources)).toEqual(['integrations.list'])
    expect((await here.run('plan', '--detailed-exitcode')).code).toBe(0)
  })

  it('is drifted by a type that appears later, and pending where the list itself was edited', async () => {
    here = await beginApplied(several('PAGING, WEBHOOK'), {
      fixture: twoProjects({ integrations: [PAGING, HOOK] }, { integrations: [PAGING] }),
    })
    await put([PAGING, HOOK, CHAT])
    await here.manifest(several('WEBHOOK'))
    const { code, document } = await here.json('drift')
    expect(code).toBe(2)
    expect(document.resources.map(({ address, verdict }: any) => [address, verdict])).toEqual([
      [`integrations.list[${PROJECT}/PAGING]`, 'pending'],
      [`integrations.list[${PROJECT}/CHAT_A]`, 'drifted'],
      [`integrations.list[${OTHER_PROJECT}/PAGING]`, 'pending'],
    ])
  })

  it('is pending for what was there before it and is not deleted yet, and drifted by what comes back after that', async () => {
    await start([PAGING, CHAT, HOOK], { proxied: true })
    here.proxy.steer(async ({ method, path }, forward) =>
      method === 'DELETE' && path.endsWith('/CHAT_A')
        ? { status: 403, headers: {}, body: '{"error":403,"errorCode":"FORBIDDEN","detail":"Not now."}' }
        : forward(),
    )
    const verdicts = async (): Promise<string[][]> => {
      const { document } = await here.json('drift')
      return document.resources.map(({ address, verdict }: any) => [address, verdict])
    }
    await here.manifest(declare('list: { only: [PAGING] }'))
    expect((await here.run('apply', '--auto-approve', '--allow-delete')).code).toBe(1)
    expect(await typesAt()).toEqual(['PAGING', 'CHAT_A'])
    expect(await verdicts()).toEqual([['integrations.list[CHAT_A]', 'pending']])
    // To accept what others did makes it nobody's doing either.
    expect((await here.run('state', 'accept', 'integrations.list')).code).toBe(0)
    expect(await verdicts()).toEqual([['integrations.list[CHAT_A]', 'pending']])
    await put([PAGING, CHAT, HOOK])
    expect(await verdicts()).toEqual([
      ['integrations.list[CHAT_A]', 'pending'],
      ['integrations.list[WEBHOOK]', 'drifted'],
    ])
    here.proxy.steer(async (_, forward) => forward())
    await applied(here, declare('list: { only: [PAGING] }'), '--allow-delete')
    await put([PAGING, CHAT])
    expect(await verdicts()).toEqual([['integrations.list[CHAT_A]', 'drifted']])
    // A new name changes nothing of that.
    await here.manifest(declare('allowed: { only: [PAGING] }'))
    expect(await verdicts()).toContainEqual(['integrations.allowed[CHAT_A]', 'drifted'])
    // Nor does an entry of its own.
    await here.manifest(declare('list: { only: [PAGING] }', 'chat: { type: CHAT_A, ensure: absent }'))
    expect(await verdicts()).toEqual([['integrations.chat', 'drifted']])
    expect((await here.json('drift')).document.resources).toMatchObject([{ reasonCode: 'not-listed' }])
  })

  it('says how a type that appears later may stay, and then it may', async () => {
    here = await beginApplied(declare('list: { only: [PAGING] }'), {
      fixture: twoProjects({ integrations: [PAGING] }),
    })
    await put([PAGING, CHAT])
    const { document } = await here.json('drift')
    expect(document.resources.map(({ keep }: any) => keep.text)).toEqual([
      'add CHAT_A to only at deploymgmt.yaml:9',
    ])
    await here.manifest(declare('list: { only: [PAGING, CHAT_A] }'))
    expect(await here.json('drift')).toMatchObject({ code: 0 })
  })

  it('that is taken out is in force until an apply has forgotten it', async () => {
    here = await beginApplied(declare('list: { only: [PAGING] }'), {
      fixture: twoProjects({ integrations: [PAGING] }),
    })
    await here.manifest(declare())
    const found = await here.json('drift', '--unmanaged', 'off')
    expect(found).toMatchObject({ code: 0, document: { inSync: false, summary: { pending: 1 } } })
    expect(at(found.document, 'integrations.list')).toMatchObject({
      verdict: 'pending',
      reasonCode: 'undeclared-forgotten',
    })
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await here.json('drift', '--unmanaged', 'off')).toMatchObject({ document: { inSync: true } })
  })

  it('that is renamed takes its records over, each that of its project', async () => {
    here = await beginApplied(several('PAGING'), {
      fixture: twoProjects({ integrations: [PAGING] }, { integrations: [PAGING] }),
    })
    await here.manifest(several('PAGING').replace('list:', 'allowed:'))
    expect((await here.json('drift')).document).toMatchObject({ inSync: false, summary: { pending: 2 } })
    const { document } = await here.json('plan')
    expect(document.changes.map(({ address, action, from }: any) => [address, action, from])).toEqual(
      [PROJECT, OTHER_PROJECT].map((each) => [
        `integrations.allowed[${each}]`,
        'moved',
        `integrations.list[${each}]`,
      ]),
    )
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await here.json('plan')).toMatchObject({ document: { inSync: true } })
  })

  it('blocks a type that cannot be deleted or is not known, and deletes the others', async () => {
    await start([CHAT, SCRAPER], { proxied: true })
    here.proxy.steer(async ({ method, path }, forward) => {
      const answer = await forward()
      if (method !== 'GET' || !path.startsWith(LIST) || answer.status !== 200) return answer
      const page = JSON.parse(answer.body.toString())
      const results = [...page.results, { type: 'SMOKE_SIGNALS' }]
      return { ...answer, body: JSON.stringify({ ...page, results, totalCount: results.length }) }
    })
    await here.manifest(declare('list: { only: [] }'))
    const { code, document } = await here.json('apply', '--auto-approve', '--allow-delete')
    expect(code).toBe(2)
    expect(document.blocked.map(({ address }: any) => address)).toEqual([
      'integrations.list[METRICS_SCRAPER]',
      'integrations.list[SMOKE_SIGNALS]',
    ])
    expect(await typesAt()).toEqual(['METRICS_SCRAPER'])
  })

  it('gives way to an entry of its own, which needs no flag', async () => {
    await start([PAGING, CHAT])
    await here.manifest(declare('list: { only: [PAGING] }', 'chat: { type: CHAT_A, ensure: absent }'))
    expect(actionsIn((await here.json('plan')).document)).toEqual([['integrations.chat', 'delete']])
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
  })
})

test('the rules of a manifest refuse entries of one project that disagree, at both places, and speak of type and only', async () => {
  await start([])
  await here.manifest(
    declare(
      'a: { type: PAGING }',
      'b: { only: [WEBHOOK] }',
      'c: { only: [WEBHOOK, CHAT_A] }',
      'neither: { ensure: present }',
      'both: { type: CHAT_B, only: [CHAT_B] }',
      'wrong: { type: PAGNG }',
      `elsewhere: { projectId: ${OTHER_PROJECT}, only: [] }`,
    ),
  )
  const { code, stderr } = await here.run('validate')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^deploymgmt\.yaml:9:3 .*PAGING must be present here/m)
  expect(stderr).toMatch(/^deploymgmt\.yaml:11:3 .*CHAT_A is allowed by one only/m)
  expect(stderr.match(/exactly one of them/g)).toHaveLength(2)
  expect(stderr).toContain('did you mean PAGING')
  expect(stderr).not.toContain('integrations.elsewhere')
})

test('a list says nothing beside a type, and is not to be absent: each is one mistake', async () => {
  await start([])
  await here.manifest(
    declare('list: { only: [PAGING], ensure: absent }', 'both: { type: PAGING, only: [WEBHOOK] }'),
  )
  const { stderr } = await here.run('validate')
  expect(stderr).toMatch(
    /list\.ensure: ensure applies to one type; only deletes every type that it does not name/,
  )
  expect(stderr).toMatch(/both: give one of type and only/)
  expect(stderr).toContain('the manifest has 2 errors')
})

test.each(['trailing', 'full'])(
  'secrets of integrations are in no output and no file, with redaction %s',
  async (redaction) => {
    await start([PAGING, CHAT, HOOK, SCRAPER, CHAT_C], {
      settings: { 'open.integrationRedaction': redaction },
    })
    await here.manifest(declare('list: { only: [PAGING, WEBHOOK] }', 'hook: { type: WEBHOOK }'))
    const ran = [
      await here.run('plan', '--all', '--out', 'plan.bin'),
      await here.run('plan', '--all', '--format', 'json'),
      await here.run('apply', '--auto-approve', '--allow-delete', '--format', 'json'),
      await here.run('drift', '--all'),
      await here.run('get', 'integrations', '--project-id', PROJECT),
      await here.run('get', 'integrations', '--project-id', PROJECT, '--format', 'json'),
    ]
    const names = await readdir(here.folder)
    const files = await Promise.all(names.map((name) => readFile(join(here.folder, name), 'utf8')))
    const shown = [...ran.map(({ stdout, stderr }) => stdout + stderr), ...files].join('\n')
    expect(shown).toContain('WEBHOOK')
    expect(shown).not.toMatch(/-canary|canary-0006/)
  },
)
