import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixtureWith, manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { applied, at, beginApplied, only, writesIn, type Scene } from '../support/scene.ts'

const NOISY = '5d1113b25a115342acc2d1aa'
const CONFIGURATIONS = `/groups/${PROJECT}/alertConfigs`

const alerts = (enabled: boolean, more = ''): string =>
  only('alertConfigurations', `  noisy: { alertConfigId: ${NOISY}, enabled: ${enabled}${more} }`)
const selecting = (eventTypeName: string): string =>
  only('alertConfigurations', `  some: { select: { eventTypeName: ${eventTypeName} }, enabled: true }`)
const windows = (description: string, more = ''): string =>
  only(
    'maintenanceWindows',
    `  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description}${more} }`,
  )
const chat = (ensure: string): string => only('integrations', `  chat: { type: CHAT_A, ensure: ${ensure} }`)
const REPORTING = '5c47503320eef5699e1cce8f'
const reporting = (accessList: string, more = ''): string =>
  only(
    'apiKeys',
    `  reporting: { apiKeyId: ${REPORTING}, desc: Reporting, roles: [ORG_MEMBER], accessList: ${accessList}${more} }`,
  )
const nothing = manifestWith({
  apiKeys: '',
  users: '',
  alertConfigurations: '',
  maintenanceWindows: '',
  integrations: '',
})

/** What a drift report says about one address, and the exit code. */
const pendingAt = async (here: Scene, address: string, ...words: string[]): Promise<any> => {
  const { code, document } = await here.json('drift', '--unmanaged', 'off', ...words)
  const { fields, reasonCode, isLate, verdict, declaredAt } = at(document, address)
  return {
    code,
    inSync: document.inSync,
    pending: document.summary.pending,
    verdict,
    reasonCode,
    fields,
    ...(declaredAt === undefined ? {} : { declaredAt }),
    ...(isLate === undefined ? {} : { isLate }),
  }
}

describe('what was edited and not applied', () => {
  it('is pending where the thing can be read, and not in sync', async () => {
    const here = await beginApplied(alerts(true))
    await here.manifest(alerts(false))
    expect(await pendingAt(here, 'alertConfigurations.noisy')).toEqual({
      code: 0,
      inSync: false,
      pending: 1,
      verdict: 'pending',
      reasonCode: 'declared-differs',
      declaredAt: 'deploymgmt.yaml:9:3',
      fields: [{ path: 'enabled', before: true, after: false }],
    })
    expect((await here.run('apply', '--auto-approve')).code).toBe(0)
    expect(await pendingAt(here, 'alertConfigurations.noisy')).toMatchObject({
      inSync: true,
      verdict: 'in-sync',
    })
  })

  it('is pending where no endpoint shows the thing, and is not verifiable all the same', async () => {
    const here = await beginApplied(windows('old'))
    await here.manifest(windows('new'))
    expect(await pendingAt(here, 'maintenanceWindows.migration')).toMatchObject({
      code: 0,
      verdict: 'pending',
      reasonCode: 'declared-differs',
      fields: [{ path: 'description', before: 'old', after: 'new' }],
    })
    expect((await here.json('drift', '--strict')).code).toBe(2)
  })

  it('is late once no apply has recorded anything for a day', async () => {
    const here = await beginApplied(alerts(true))
    await here.manifest(alerts(false))
    await here.control('POST', 'clock', { advance: 'PT25H' })
    expect(await pendingAt(here, 'alertConfigurations.noisy')).toMatchObject({
      code: 2,
      isLate: true,
      reasonCode: 'nothing-applied-since',
    })
  })

  it.each([
    ['what is recorded of its removal', windows('old', ', onRemove: forget'), 'onRemove', 'settings-differ'],
    ['its protection', windows('old', ', protect: true'), 'protect', 'settings-differ'],
  ])('is pending where it is %s', async (_, edited, path, reasonCode) => {
    const here = await beginApplied(windows('old'))
    await here.manifest(edited)
    expect(await pendingAt(here, 'maintenanceWindows.migration')).toMatchObject({
      verdict: 'pending',
      reasonCode,
      fields: [{ path }],
    })
  })

  it('is pending where nothing can apply it, with why', async () => {
    const here = await beginApplied(manifestWith())
    await here.manifest(manifestWith().replace('firstName: Dana', 'firstName: Danielle'))
    expect(await pendingAt(here, 'users.dana')).toMatchObject({
      verdict: 'pending',
      reasonCode: 'create-only',
      fields: [{ path: 'firstName', before: 'Dana', after: 'Danielle' }],
    })
  })

  it('is pending where it is to be deleted, and where it means another thing by now', async () => {
    const here = await beginApplied(chat('present'))
    await here.manifest(chat('absent'))
    expect(await pendingAt(here, 'integrations.chat')).toMatchObject({
      verdict: 'pending',
      reasonCode: 'must-be-absent',
    })
    await here.manifest(only('integrations', '  chat: { type: PAGING, ensure: present }'))
    expect(await pendingAt(here, 'integrations.chat')).toMatchObject({
      verdict: 'pending',
      // The thing that the entry means now, and the one it meant before.
      pending: 2,
    })
  })

  it('is pending where nothing declares it any more', async () => {
    const here = await beginApplied(windows('old'))
    await here.manifest(nothing)
    expect(await pendingAt(here, 'maintenanceWindows.migration')).toMatchObject({
      code: 0,
      verdict: 'pending',
      reasonCode: 'undeclared-released',
      fields: [],
    })
  })

  it('stays drift where somebody has changed it', async () => {
    const here = await beginApplied(windows('old'))
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${await idOf(here)}`, {
      description: 'theirs',
    })
    await here.manifest(windows('new'))
    const { document } = await here.json('drift')
    const { verdict, edited } = at(document, 'maintenanceWindows.migration')
    expect(verdict).toBe('drifted')
    // The edit is known, whatever is live by now.
    expect(edited.fields).toEqual([{ path: 'description', before: 'old', after: 'new' }])
    expect(document.summary).toMatchObject({ drifted: 1, pending: 0 })
    // The declared value is shown beside the field, so nothing is said twice.
    expect((await here.run('drift')).stdout).not.toContain('besides')
  })

  it('is not what the answer to a write has shown of somebody else: the manifest still declares what was applied', async () => {
    const here = await beginApplied(windows('old'))
    const path = `/groups/${PROJECT}/maintenanceWindows/${await idOf(here)}`
    await here.control('POST', 'faults', { method: 'PATCH', fault: 'lose-events', count: 1 })
    await here.outside('PATCH', path, { alertTypeNames: ['BACKUP'] })
    await here.manifest(windows('new'))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 1 })
    const { document } = await here.json('drift')
    const { fields, edited } = at(document, 'maintenanceWindows.migration')
    expect({ fields, edited }).toEqual({
      fields: [{ path: 'alertTypeNames', before: ['HOST'], after: ['BACKUP'] }],
      edited: undefined,
    })
  })

  it('is told beside what somebody has changed of the same thing, in every format, with why no call applies it', async () => {
    const here = await beginApplied(reporting('[192.0.2.0/24, 198.51.100.7]'))
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTING}`, { desc: 'Theirs' })
    await here.manifest(reporting('[192.0.2.0/24]'))
    const { document } = await here.json('drift', '--unmanaged', 'off')
    const reason = 'accessList also has 198.51.100.7/32; this API has no call to change it'
    expect(at(document, 'apiKeys.reporting')).toMatchObject({
      verdict: 'drifted',
      edited: { reason, fields: [{ path: 'accessList' }] },
    })
    expect(document.summary).toMatchObject({ drifted: 1, pending: 0 })
    for (const format of ['text', 'markdown', 'junit', 'sarif']) {
      const { stdout } = await here.run('drift', '--unmanaged', 'off', '--format', format)
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`also pending: ${reason}`)
    }
    expect((await here.run('drift', '--format', 'html')).stdout).toContain('<h3>Also pending</h3>')
    await here.control('POST', 'clock', { advance: 'PT25H' })
    expect((await here.run('drift')).stdout).toContain('also late: ')
  })

  it("stays pending after an apply that could not make it, and is nobody's doing", async () => {
    const here = await beginApplied(reporting('[192.0.2.0/24, 198.51.100.7]'))
    const edited = reporting('[192.0.2.0/24]')
    const pending = {
      code: 0,
      verdict: 'pending',
      reasonCode: 'part-differs',
      fields: [{ path: 'accessList', after: ['192.0.2.0/24'] }],
    }
    // With another field that is written, and alone.
    for (const manifest of [edited, edited.replace('desc: Reporting', 'desc: New')]) {
      await here.manifest(manifest)
      expect((await here.run('apply', '--auto-approve')).code).toBe(2)
      expect(await pendingAt(here, 'apiKeys.reporting')).toMatchObject(pending)
      expect((await here.state()).resources['apiKeys.reporting'].applied.accessList).toHaveLength(2)
    }
    // What is left to others, and never was as declared, was not applied either.
    await applied(here, reporting('[192.0.2.0/24]', ', ignoreChanges: [accessList]'))
    await here.manifest(edited)
    expect(await pendingAt(here, 'apiKeys.reporting')).toMatchObject(pending)
  })

  it('is pending where it was left to others from the beginning, and never was as declared', async () => {
    const here = await beginApplied(reporting('[192.0.2.0/24]', ', ignoreChanges: [accessList]'))
    await here.manifest(reporting('[192.0.2.0/24]'))
    const pending = { code: 0, verdict: 'pending', reasonCode: 'part-differs' }
    expect(await pendingAt(here, 'apiKeys.reporting')).toMatchObject(pending)
    expect((await here.run('apply', '--auto-approve')).code).toBe(2)
    expect(await pendingAt(here, 'apiKeys.reporting')).toMatchObject(pending)
  })

  it('is told once where it is a new name alone', async () => {
    const here = await beginApplied(alerts(true))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
    await here.manifest(alerts(true).replace('noisy:', 'quiet:'))
    const formats = ['text', 'markdown', 'junit', 'sarif', 'html']
    const said = async (): Promise<string[]> => {
      const ran = formats.map(async (format) => here.run('drift', '--unmanaged', 'off', '--format', format))
      return (await Promise.all(ran)).map(({ stdout }) => stdout.replaceAll(/\s+/g, ' '))
    }
    for (const stdout of await said()) {
      expect(stdout).toMatch(/[Dd]eclared as/)
      expect(stdout).not.toContain('besides')
    }
  })

  it('is told without its new name, which is told already', async () => {
    const here = await beginApplied(reporting('[192.0.2.0/24, 198.51.100.7]'))
    await here.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTING}`, { desc: 'Theirs' })
    await here.manifest(reporting('[192.0.2.0/24]').replace('reporting:', 'robot:'))
    const { document } = await here.json('drift', '--unmanaged', 'off')
    expect(at(document, 'apiKeys.reporting')).toMatchObject({
      verdict: 'drifted',
      movedTo: 'apiKeys.robot',
      edited: { reason: 'accessList also has 198.51.100.7/32; this API has no call to change it' },
    })
  })

  it('is pending, and late in its time, once what somebody has changed of the same thing is accepted', async () => {
    const here = await beginApplied(windows('old'))
    const address = 'maintenanceWindows.migration'
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${await idOf(here)}`, {
      description: 'theirs',
    })
    expect((await here.run('drift', 'accept', address, '--reason', 'fine so')).code).toBe(0)
    await here.manifest(windows('old').replace('[HOST]', '[HOST, AGENT]'))
    const accepted = async (): Promise<any> => (await here.json('drift')).document.accepted
    expect(await accepted()).toMatchObject([{ address, verdict: 'drifted' }])
    expect(await pendingAt(here, address)).toMatchObject({
      code: 0,
      inSync: false,
      pending: 1,
      verdict: 'pending',
      fields: [{ path: 'alertTypeNames', after: ['HOST', 'AGENT'] }],
    })
    await here.control('POST', 'clock', { advance: 'PT25H' })
    expect(await pendingAt(here, address)).toMatchObject({ code: 2, isLate: true })
    expect(await accepted()).toHaveLength(1)
  })

  it('stays drift where nothing declares it any more, and says that no apply asserts it', async () => {
    const here = await beginApplied(alerts(true))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
    await here.manifest(nothing)
    const { document } = await here.json('drift')
    const address = 'alertConfigurations.noisy'
    expect(at(document, address)).toMatchObject({
      verdict: 'drifted',
      undo: {
        command: `deploymgmt apply --target ${address}`,
        text: 'it is no longer declared: put its entry back first',
      },
      keep: { command: `deploymgmt plan --target ${address}` },
    })
    // The advice to undo it works.
    await here.manifest(alerts(true))
    expect((await here.run('apply', '--auto-approve', '--target', address)).code).toBe(0)
    expect((await here.json('drift')).code).toBe(0)
  })

  it('stays drift where its entry stands for other things by now, and no command is said to undo it', async () => {
    const here = await beginApplied(selecting('REPLICA_SET'))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
    await here.manifest(selecting('HOST_DOWN'))
    const { document } = await here.json('drift')
    const drift = at(document, `alertConfigurations.some[${NOISY}]`)
    expect(drift).toMatchObject({ verdict: 'drifted' })
    expect(drift.undo).toEqual({
      text: 'its entry no longer stands for it: an apply releases it, and asserts nothing',
    })
    expect(drift.keep).toMatchObject({
      command: expect.stringContaining('deploymgmt plan --target'),
      text: 'its entry no longer stands for it: the plan shows what an apply does',
    })
  })

  it('stays drift where its entry means another thing by now, and is neither kept nor undone by what that says', async () => {
    const here = await beginApplied(alerts(true))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: false })
    const other = '5d1113b25a115342acc2d0f3'
    await here.manifest(alerts(true).replace(NOISY, other))
    const { document } = await here.json('drift')
    const address = 'alertConfigurations.noisy'
    const drift = at(document, address)
    expect(drift).toMatchObject({
      verdict: 'drifted',
      fields: [{ path: 'enabled', before: true, after: false }],
      edited: { reason: `its entry now means ${other}`, fields: [] },
      undo: {
        command: `deploymgmt apply --target ${address}`,
        text: `its entry now means ${other}: let it mean this one again first`,
      },
      keep: { command: `deploymgmt plan --target ${address}` },
    })
    expect(drift.keep.patch).toBeUndefined()
    expect(document.patch).toBeUndefined()
    const stdout = (await here.run('drift')).stdout.replaceAll(/\s+/g, ' ')
    expect(stdout.split('no longer stands for it')).toHaveLength(2)
    expect(stdout).toContain(`also pending: its entry now means ${other}`)
    // The plan that shows what apply would do also shows that the former thing is given up.
    expect((await here.run('plan', '--target', address)).stdout).toContain(`${address}[replaced ${NOISY}]`)
    // The advice to undo it works.
    await here.manifest(alerts(true))
    expect((await here.run('apply', '--auto-approve', '--target', address)).code).toBe(0)
    expect((await here.json('drift')).code).toBe(0)
    await here.manifest(alerts(true).replace(NOISY, other))
    expect(await pendingAt(here, address)).toMatchObject({
      verdict: 'pending',
      reasonCode: 'means-another',
      declaredAt: 'deploymgmt.yaml:9:3',
      fields: [],
    })
  })

  it('is what a plan calls unchanged: then it is in sync', async () => {
    const here = await beginApplied(alerts(true))
    await here.outside('PATCH', `${CONFIGURATIONS}/${NOISY}`, { enabled: true })
    await here.manifest(alerts(true, ', ignoreChanges: [enabled]').replace('enabled: true', 'enabled: false'))
    expect(await pendingAt(here, 'alertConfigurations.noisy')).toMatchObject({ verdict: 'in-sync' })
  })

  it('is told in every format, with what is recorded and what is declared', async () => {
    const here = await beginApplied(alerts(true), { fixture: fixtureWith() })
    await here.manifest(alerts(false))
    await here.forgetRequests()
    const words = ['html', 'junit', 'markdown', 'text'].flatMap((name) => [
      '--format',
      `${name}=drift.${name}`,
    ])
    expect((await here.run('drift', ...words)).code).toBe(0)
    const read = (name: string): Promise<string> => readFile(join(here.folder, `drift.${name}`), 'utf8')
    expect((await read('text')).replaceAll(/\s+/g, ' ')).toContain(
      ' pending alertConfigurations.noisy (REPLICA_SET): the declared values differ from those last applied; enabled: true → false ',
    )
    expect(await read('text')).toContain('1 pending')
    expect(await read('markdown')).toMatch(/^### No drift: .*1 pending/m)
    expect(await read('markdown')).toContain(
      'the declared values differ from those last applied; enabled: true → false',
    )
    expect(await read('markdown')).toMatch(/^- `alertConfigurations\.noisy` \(REPLICA\\?_SET\)$/m)
    expect(await read('junit')).toContain(
      'pending: the declared values differ from those last applied; enabled: true → false',
    )
    expect(await read('html')).toContain('<th role="columnheader" scope="col">Declared</th>')
    expect(await writesIn(here)).toEqual([])
  })
})

const idOf = async (here: Scene): Promise<string> =>
  (await here.state()).resources['maintenanceWindows.migration'].identity.id
