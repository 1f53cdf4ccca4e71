import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import { manifestWith, ONCALL, ORG, PASSWORD, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { at, begin, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const FILE = 'cdktf.out/stacks/test/cdk.tf.json'
const made = (name: string): object => ({ metadata: { path: `test/${name}`, uniqueId: name } })

/** A stack that declares the same as the manifest of `manifestWith`. */
const resource = {
  deploymgmt_api_key: {
    reporting: {
      '//': made('reporting'),
      org_id: ORG,
      api_key_id: '5c47503320eef5699e1cce8f',
      desc: 'Reporting',
      roles: ['ORG_MEMBER'],
      access_list: ['192.0.2.0/24', '198.51.100.7'],
    },
  },
  deploymgmt_user: {
    dana: {
      '//': made('dana'),
      username: 'dana@example.com',
      email_address: 'dana@example.com',
      first_name: 'Dana',
      last_name: 'Reyes',
      mobile_number: '2125550198',
      password: '${var.dana_password}',
      roles: [
        { role_name: 'ORG_MEMBER', org_id: ORG },
        { role_name: 'GROUP_READ_ONLY', project_id: '${local.payments}' },
      ],
    },
  },
  deploymgmt_alert_configuration: {
    'host-down': { project_id: '${local.payments}', select: { event_type_name: 'HOST_DOWN' }, enabled: true },
    noisy: {
      project_id: PROJECT,
      alert_config_id: '5d1113b25a115342acc2d1aa',
      enabled: false,
      on_remove: 'restore',
    },
  },
  deploymgmt_maintenance_window: {
    migration: {
      '//': made('migration'),
      project_id: PROJECT,
      alert_type_names: ['HOST', 'REPLICA_SET'],
      start_date: '2035-01-06T02:00:00Z',
      end_date: '2035-01-06T04:00:00Z',
      description: 'Storage migration',
    },
  },
  deploymgmt_integration: {
    paging: { project_id: PROJECT, type: 'PAGING', ensure: 'present' },
    'old-chat': { project_id: PROJECT, type: 'CHAT_A', ensure: 'absent' },
  },
}

const alertOf = (event_type_name: string): object => ({
  deploymgmt_alert_configuration: {
    own: { project_id: PROJECT, select: { event_type_name }, enabled: true },
  },
})

const synthesized = async (parts: object = {}): Promise<void> => {
  await mkdir(join(here.folder, 'cdktf.out/stacks/test'), { recursive: true })
  const stack = {
    '//': { metadata: { backend: 'local', stackName: 'test', version: '0.21.0' } },
    provider: { deploymgmt: [{ org_id: ORG, base_url: '${var.base_url}' }] },
    terraform: { required_providers: { deploymgmt: { source: 'deploymgmt/deploymgmt', version: '0.1.0' } } },
    variable: {
      base_url: { default: here.env['DEPLOYMGMT_BASE_URL'], type: 'string' },
      dana_password: { sensitive: true, type: 'string' },
    },
    locals: { payments: PROJECT },
    output: { window: { value: '${deploymgmt_maintenance_window.migration.id}' } },
    resource,
    ...parts,
  }
  await writeFile(join(here.folder, FILE), JSON.stringify(stack, null, 2))
  here.env['TF_VAR_dana_password'] = PASSWORD
}

/** Writes without ids, so that two installations can be compared. */
const writes = async (): Promise<string[]> =>
  (await writesIn(here)).map((write) => write.replace(/[0-9a-f]{24}$/, 'ID')).toSorted()

/** The parts of changes that do not depend on where they were declared. */
const shown = (changes: any[]): unknown[] =>
  changes.map(({ address, action, fields, requests }) => ({ address, action, fields, requests }))

/** A drift report for a stack whose project has unmanaged things. */
const drift = async (format: string): Promise<string> => {
  here = await begin()
  const { deploymgmt_maintenance_window } = resource
  await synthesized({ resource: { deploymgmt_maintenance_window } })
  expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
  return (await here.run('drift', '-f', FILE, '--format', format)).stdout
}

describe('a stack that cdktf synth wrote', () => {
  it('is applied with the writes of the manifest that says the same, and then in sync', async () => {
    here = await begin({ manifest: manifestWith() })
    const expected = await here.json('plan', '--all')
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    const manifestWrites = await writes()
    const dumped = await here.control('GET', 'dump')
    here = await begin()
    await synthesized()
    const { document } = await here.json('plan', '--all', '-f', FILE)
    expect(shown(document.changes)).toEqual(shown(expected.document.changes))
    expect(at(document, 'maintenanceWindows.migration').declaredAt).toMatch(
      /^cdktf\.out\/.*cdk\.tf\.json:\d+:7$/,
    )
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve', '-f', FILE)
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 })
    expect(await writes()).toEqual(manifestWrites)
    const own = await here.control('GET', 'dump')
    for (const part of ['users', 'projects'] as const)
      expect(own[part].map(comparable)).toEqual(dumped[part].map(comparable))
    expect(await here.run('plan', '--detailed-exitcode', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await here.run('drift', '-f', FILE)).toMatchObject({ code: 0 })
  })

  it('shares a state with a manifest in turns: renames send nothing, and both name who changed something', async () => {
    here = await begin({ manifest: manifestWith() })
    await here.run('apply', '--auto-approve')
    const [{ id }] = await windowsAt(here)
    const deploymgmt_maintenance_window = { 'the-move': resource.deploymgmt_maintenance_window.migration }
    await synthesized({ resource: { ...resource, deploymgmt_maintenance_window }, output: {} })
    const stack = ['-f', FILE, '--state', 'deploymgmt.state.json']
    const turns = [[stack, [], 'the-move'] as const, [[], stack, 'migration'] as const]
    for (const [own, other, name] of turns) {
      await here.forgetRequests()
      expect((await here.json('apply', '--auto-approve', ...own)).code).toBe(0)
      expect(await writesIn(here)).toEqual([])
      await here.control('POST', 'clock', { advance: 'PT5M' })
      await here.outside('PATCH', `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'by hand' })
      const changed = { verdict: 'drifted', actor: { publicKey: ONCALL.publicKey } }
      for (const door of [own, other]) {
        const { document } = await here.json('drift', ...door)
        expect(at(document, `maintenanceWindows.${name}`)).toMatchObject(changed)
      }
      expect((await here.json('apply', '--auto-approve', ...own)).code).toBe(0)
    }
    expect(await windowsAt(here)).toMatchObject([{ id, description: 'Storage migration' }])
  })

  describe('whose project has something unmanaged', () => {
    it('is told in the words of its program how to declare it', async () => {
      expect(JSON.parse(await drift('json')).unmanaged[1]).toMatchObject({
        declare: {
          text: `declare a deploymgmt_alert_configuration with { project_id: ${PROJECT}, alert_config_id: 5d1113b25a115342acc2d1aa, enabled: true } in the program`,
        },
      })
    })

    it.each(['text', 'markdown', 'html', 'brief', 'sarif', 'json'])(
      'is told no way of manifests: %s',
      async (format) => {
        const said = await drift(format)
        expect(said).toContain('5d1113b25a115342acc2d1aa')
        expect(said).not.toMatch(/deploymgmt adopt|unmanaged\.ignore|alertConfigId:/)
      },
    )
  })

  it('calls projects by the names that the provider gives them, and takes ids alone', async () => {
    here = await begin()
    const provider = { deploymgmt: [{ org_id: ORG, projects: { payments: '${local.payments}' } }] }
    await synthesized({ provider })
    const { stdout } = await here.run('plan', '--all', '-f', FILE)
    expect(stdout).toContain('payments')
    const { document } = await here.json('drift', '-f', FILE)
    expect(document.about.projects).toEqual([{ id: PROJECT, name: 'payments' }])
    await synthesized({
      provider,
      locals: { payments: PROJECT },
      resource: {
        deploymgmt_integration: { paging: { project_id: 'payments', type: 'PAGING' } },
      },
    })
    expect((await here.json('plan', '-f', FILE)).document.changes[0].after.projectId).toBe('payments')
  })

  it.each(['validate', 'plan'])('has its fields spelt as it spells them: %s', async (command) => {
    here = await begin()
    const sam = {
      user_id: '5d2e1f0a9b8c7d6e5f4a3b2c',
      roles: [{ role_name: 'ORG_MEMBER', org_id: ORG }],
    }
    await synthesized({ resource: { deploymgmt_user: { sam } } })
    const { stdout, stderr } = await here.run(command, '-f', FILE)
    expect(stdout + stderr).toContain('adopting needs roles_complete = true')
    expect(stdout + stderr).not.toContain('rolesComplete')
  })

  it('warns of a word in a selector that is not known where it meets nothing, as a manifest does', async () => {
    here = await begin()
    const own = [{ eventTypeName: 'OWN_TYPE', enabled: true }]
    await here.control('PUT', `projects/${PROJECT}/alertConfigs`, own)
    await synthesized({ resource: alertOf('OWN_TYPE') })
    expect((await here.run('plan', '-f', FILE)).stderr).toBe('')
    await synthesized({ resource: alertOf('OWN_TPYE') })
    expect((await here.run('plan', '-f', FILE)).stderr).toContain('"OWN_TPYE" is not an event type')
  })

  it('of windows that nobody knows is told of what a stack can do alone', async () => {
    here = await begin()
    const { deploymgmt_maintenance_window } = resource
    await synthesized({ resource: { deploymgmt_maintenance_window } })
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
    await rm(join(here.folder, 'deploymgmt.state.json'))
    expect(await here.run('state', 'init', '-f', FILE)).toMatchObject({ code: 0 })
    const { code, stdout } = await here.run('plan', '-f', FILE)
    expect(code).toBe(3)
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`deploymgmt state disown --everything -f ${FILE}`)
    expect(stdout).not.toMatch(/windowId|otherStates/)
    expect(await here.run('state', 'disown', '--everything', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
  })

  it('shows drift with who caused it, since the provider names the organization of the events', async () => {
    here = await begin()
    await synthesized()
    await here.run('apply', '--auto-approve', '-f', FILE)
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
    const { code, document } = await here.json('drift', '-f', FILE)
    expect(code).toBe(2)
    expect(at(document, 'alertConfigurations.noisy')).toMatchObject({
      verdict: 'drifted',
      actor: { publicKey: 'oncall' },
    })
  })

  it('shows on_remove and prevent_destroy that were edited as a change, and records them without a request', async () => {
    here = await begin()
    const { migration } = resource.deploymgmt_maintenance_window
    const stack = (more: object) =>
      synthesized({ resource: { deploymgmt_maintenance_window: { migration: { ...migration, ...more } } } })
    await stack({})
    await here.run('apply', '--auto-approve', '-f', FILE)
    await stack({ on_remove: 'forget', lifecycle: { prevent_destroy: true } })
    await here.forgetRequests()
    const { code, document } = await here.json('plan', '--detailed-exitcode', '-f', FILE)
    expect(code).toBe(2)
    expect(at(document, 'maintenanceWindows.migration')).toMatchObject({
      action: 'update',
      fields: [{ path: 'onRemove' }, { path: 'protect' }],
    })
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toEqual([])
    expect((await here.state()).resources['maintenanceWindows.migration']).toMatchObject({
      onRemove: 'forget',
      protect: true,
    })
  })

  it('calls protect prevent_destroy, since a stack has nothing of the other name', async () => {
    here = await begin()
    const { noisy } = resource.deploymgmt_alert_configuration
    const declared = (lifecycle: object) => ({
      resource: { deploymgmt_alert_configuration: { noisy: { ...noisy, lifecycle } } },
    })
    await synthesized(declared({}))
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
    await synthesized(declared({ prevent_destroy: true }))
    const { document } = await here.json('plan', '-f', FILE)
    expect(at(document, 'alertConfigurations.noisy')).toMatchObject({
      reason: 'protected: enabled would be narrowed, and the entry says prevent_destroy = true',
      byHand: 'Remove prevent_destroy = true to allow the write, or declare what is there.',
    })
    const report = (await here.json('drift', '-f', FILE)).document
    expect(at(report, 'alertConfigurations.noisy').undo).toMatchObject({
      text: 'prevent_destroy = true stands in the way of enabled: take it out first',
    })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, {
      enabled: false,
    })
    expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
    await synthesized({ resource: {} })
    const removed = (await here.json('plan', '-f', FILE)).document
    expect(at(removed, 'alertConfigurations.noisy')).toMatchObject({
      reason: 'protected: it was declared with prevent_destroy = true, so nothing removes or narrows it',
      byHand: expect.stringMatching(/^Declare it again without prevent_destroy and apply, or use /),
    })
  })

  it('leaves no password in state, saved plan or output', async () => {
    here = await begin()
    await synthesized()
    const ran = [
      await here.run('plan', '-f', FILE, '--out', 'plan.bin'),
      await here.run('apply', 'plan.bin', '--auto-approve', '--format', 'json'),
    ]
    expect(ran.map(({ code }) => code)).toEqual([0, 0])
    const names = (await readdir(here.folder)).filter((name) => name !== 'cdktf.out')
    const files = await Promise.all(names.map((name) => readFile(join(here.folder, name), 'utf8')))
    const said = [...ran.map(({ stdout, stderr }) => stdout + stderr), ...files].join('\n')
    expect(said).not.toContain(PASSWORD)
  })

  it('without the password of a user fails that creation alone, and names the variable', async () => {
    here = await begin()
    await synthesized()
    delete here.env['TF_VAR_dana_password']
    expect(await here.run('plan', '-f', FILE)).toMatchObject({ code: 0 })
    const { code, stdout, stderr } = await here.run('apply', '--auto-approve', '-f', FILE)
    expect(code).toBe(1)
    expect(stdout + stderr).toContain('TF_VAR_dana_password')
    expect(Object.keys((await here.state()).resources)).not.toContain('users.dana')
  })

  it('is refused with its JSON paths offline, and with nothing sent', async () => {
    here = await begin()
    await synthesized({
      module: { network: { source: './network' } },
      resource: {
        deploymgmt_maintenance_window: {
          migration: {
            ...resource.deploymgmt_maintenance_window.migration,
            count: 2,
            description: '${upper("x")}',
          },
        },
        random_password: { dana: { length: 20 } },
      },
    })
    for (const words of [['validate'], ['plan'], ['apply', '--auto-approve'], ['drift']]) {
      const { code, stderr } = await here.run(...words, '-f', FILE)
      expect(code).toBe(1)
      expect(stderr).toContain('module: modules are put together by Terraform')
      expect(stderr).toContain('resource.random_password: random_password is a resource of another provider')
      expect(stderr).toContain('resource.deploymgmt_maintenance_window.migration.count: count is worked out')
      expect(stderr).toMatch(
        /^cdktf\.out\/stacks\/test\/cdk\.tf\.json:\d+:\d+ .*migration\.description: \$\{upper\("x"\)} is a function of Terraform.*\(construct test\/migration\)$/m,
      )
    }
    expect((await here.requests()).log).toEqual([])
  })

  it('for another service than that of the environment is refused', async () => {
    here = await begin()
    await synthesized()
    const { code, stderr } = await here.run(
      'plan',
      '-f',
      FILE,
      '--var',
      'base_url=https://x.example.com/api/public/v1.0',
    )
    expect(code).toBe(1)
    expect(stderr).toContain(
      'provider.deploymgmt[0].base_url: "https://x.example.com/api/public/v1.0" is not what',
    )
    expect((await here.requests()).log).toEqual([])
  })
})

const guarded = (allow: object): object => ({
  resource: {
    deploymgmt_integration: { all: { project_id: PROJECT, only: ['PAGING'], ...allow } },
    deploymgmt_api_key: {
      ci: {
        org_id: ORG,
        api_key_id: '5c47503320eef5699e1cce8e',
        roles: ['ORG_MEMBER'],
        allow: ['owner-removal'],
      },
    },
  },
})

test('allow on a resource is the flag for that resource, and for no other', async () => {
  here = await begin()
  await synthesized(guarded({}))
  const refused = await here.run('apply', '--auto-approve', '-f', FILE)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toContain('--allow-delete')
  expect(refused.stderr).not.toContain('--allow-owner-removal')
  expect(await writes()).toEqual([])
  await synthesized(guarded({ allow: ['delete'] }))
  expect(await here.run('apply', '--auto-approve', '-f', FILE)).toMatchObject({ code: 0 })
  expect(await writes()).toEqual([
    `DELETE /groups/${PROJECT}/integrations/CHAT_A`,
    `PATCH /orgs/${ORG}/apiKeys/ID`,
  ])
})

const comparable = (thing: any): unknown =>
  JSON.parse(JSON.stringify(thing), (name, value: unknown) =>
    ['id', 'created', 'updated', 'events', 'createdAt', 'invitations'].includes(name) ? undefined : value,
  )
