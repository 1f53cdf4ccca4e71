/** What Terraform 1.12 and 1.14 ask for beyond 1.11: identities and queries, through the protocol itself. */
import { resourceBlock } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it, onTestFinished } from 'vitest'
import { identityBlock, listBlock, providerBlock, type Block } from '../../provider/core/surface.ts'
import { blockType } from '../../provider/terraform/codec/schema.ts'
import type { DynamicValue } from '../../provider/terraform/wire/common-messages.ts'
import { Severity } from '../../provider/terraform/wire/common-messages.ts'
import { decodeDynamicValue, encodeDynamicValue } from '../../provider/terraform/wire/dynamic-value.ts'
import type { IdentityData } from '../../provider/terraform/wire/identity-messages.ts'
import { UNKNOWN, type TerraformObject } from '../../provider/terraform/wire/value.ts'
import { failing, fixtureWith, install, ORG, PASSWORD, PROJECT } from '../support/installation.ts'
import { sam, SAM } from '../support/people.ts'
import { connectTo } from './protocol/support/plugin-host.ts'
import { HOST_DOWN, NOISY, REPORTER } from './support/hcl.ts'
import { serveProvider } from './support/provider.ts'

const CAPABLE = { deferralAllowed: false, writeOnlyAttributesAllowed: true }

const kindOf = (typeName: string) => {
  const found = kinds.find(({ kind }) => `deploymgmt_${kind}` === typeName)
  if (found === undefined) throw new RangeError(`there is no ${typeName}`)
  return found
}
const written = (block: Block, values: TerraformObject | null): DynamicValue => {
  const nulls = Object.fromEntries(block.attributes.map(({ name }) => [name, null]))
  return encodeDynamicValue(values === null ? null : { ...nulls, ...values }, blockType(block))
}
const valueOf = (typeName: string, values: TerraformObject | null) =>
  written(resourceBlock(kindOf(typeName)), values)
const objectIn = (typeName: string, value: DynamicValue | undefined): any =>
  decodeDynamicValue(value, blockType(resourceBlock(kindOf(typeName))))
const identityOf = (typeName: string, values: TerraformObject): IdentityData => ({
  identityData: written(identityBlock(kindOf(typeName)), values),
})
const identityIn = (typeName: string, identity: IdentityData | undefined): any =>
  identity === undefined
    ? undefined
    : decodeDynamicValue(identity.identityData, blockType(identityBlock(kindOf(typeName))))

const begin = async (fixture: object = fixtureWith()) => {
  const here = await install({ fixture })
  const reattach = await serveProvider(here.env)
  onTestFinished(() => here.close())
  const [{ Addr }] = Object.values(JSON.parse(reattach)) as [{ Addr: { String: string } }]
  const client = connectTo(Addr.String)
  const config = written(providerBlock, { org_id: ORG })
  const configure = () => client.call('configureProvider', { config })
  return { here, client, configure }
}
type Client = Awaited<ReturnType<typeof begin>>['client']

/** Plans, applies and reads, as Terraform does for a creation. */
const created = async (client: Client, typeName: string, values: TerraformObject) => {
  const config = valueOf(typeName, values)
  const planned = await client.call('planResourceChange', {
    typeName,
    priorState: valueOf(typeName, null),
    proposedNewState: config,
    config,
    clientCapabilities: CAPABLE,
  })
  const applied = await client.call('applyResourceChange', {
    typeName,
    priorState: valueOf(typeName, null),
    plannedState: planned.plannedState,
    plannedPrivate: planned.plannedPrivate ?? new Uint8Array(),
    config,
    plannedIdentity: planned.plannedIdentity,
  })
  const read = await client.call('readResource', {
    typeName,
    currentState: applied.newState,
    private: applied.private ?? new Uint8Array(),
    currentIdentity: applied.newIdentity,
  })
  return { config, planned, applied, read }
}

const window = {
  project_id: PROJECT,
  alert_type_names: ['HOST'],
  start_date: '2035-01-06T02:00:00Z',
  end_date: '2035-01-06T04:00:00Z',
}
const dana = {
  username: 'dana@example.com',
  email_address: 'dana@example.com',
  first_name: 'Dana',
  last_name: 'Reyes',
  mobile_number: '2125550198',
  password: PASSWORD,
  roles: [{ role_name: 'ORG_MEMBER', org_id: ORG, project_id: null }],
}
const noisy = { project_id: PROJECT, alert_config_id: NOISY, enabled: false }

describe('the identity of a resource', () => {
  it('has a schema for each kind: the path parameters that name it, all of which an import needs', async () => {
    const { client } = await begin()
    const { identitySchemas = {} } = await client.call('getResourceIdentitySchemas', {})
    const told = Object.entries(identitySchemas).map(([type, { version, identityAttributes }]) => [
      type,
      version,
      identityAttributes.map(({ name, requiredForImport, type: of }) =>
        requiredForImport ? `${name}: ${Buffer.from(of).toString()}` : name,
      ),
    ])
    expect(told).toEqual(
      expect.arrayContaining([
        ['deploymgmt_api_key', 0, ['org_id: "string"', 'api_key_id: "string"']],
        ['deploymgmt_user', 0, ['user_id: "string"']],
        ['deploymgmt_alert_configuration', 0, ['project_id: "string"', 'alert_config_id: "string"']],
        ['deploymgmt_maintenance_window', 0, ['project_id: "string"', 'id: "string"']],
        ['deploymgmt_integration', 0, ['project_id: "string"', 'type: "string"']],
      ]),
    )
    expect(told).toHaveLength(kinds.length)
  })

  it.each<[string, TerraformObject, (made: any) => unknown, unknown]>([
    [
      'deploymgmt_maintenance_window',
      window,
      ({ projects }) => ({ project_id: PROJECT, id: projects[0].maintenanceWindows[0].id }),
      { project_id: PROJECT, id: UNKNOWN },
    ],
    ['deploymgmt_user', dana, ({ users }) => ({ user_id: users[0].id }), { user_id: UNKNOWN }],
    [
      'deploymgmt_alert_configuration',
      noisy,
      () => ({ project_id: PROJECT, alert_config_id: NOISY }),
      { project_id: PROJECT, alert_config_id: NOISY },
    ],
    [
      'deploymgmt_integration',
      { project_id: PROJECT, type: 'PAGING' },
      () => ({ project_id: PROJECT, type: 'PAGING' }),
      { project_id: PROJECT, type: 'PAGING' },
    ],
    [
      'deploymgmt_api_key',
      { org_id: ORG, api_key_id: REPORTER, desc: 'Reporting' },
      () => ({ org_id: ORG, api_key_id: REPORTER }),
      { org_id: ORG, api_key_id: REPORTER },
    ],
  ])('of %s is planned, applied and read', async (typeName, values, is, planned) => {
    const { here, client, configure } = await begin()
    await configure()
    const made = await created(client, typeName, values)
    expect(identityIn(typeName, made.planned.plannedIdentity)).toEqual(planned)
    const whole = is(await here.control('GET', 'dump'))
    expect(identityIn(typeName, made.applied.newIdentity)).toEqual(whole)
    expect(identityIn(typeName, made.read.newIdentity)).toEqual(whole)
    const destroyed = await client.call('planResourceChange', {
      typeName,
      priorState: made.read.newState,
      proposedNewState: valueOf(typeName, null),
      config: valueOf(typeName, null),
      priorPrivate: made.read.private ?? new Uint8Array(),
      priorIdentity: made.read.newIdentity,
    })
    expect(identityIn(typeName, destroyed.plannedIdentity)).toEqual(whole)
  })

  it('is told of a state that was stored without one, and is the same in the plan of an update', async () => {
    const { client, configure } = await begin()
    await configure()
    const typeName = 'deploymgmt_alert_configuration'
    const { applied } = await created(client, typeName, noisy)
    const state = applied.newState
    const kept = applied.private ?? new Uint8Array()
    const read = await client.call('readResource', { typeName, currentState: state, private: kept })
    const whole = { project_id: PROJECT, alert_config_id: NOISY }
    expect(identityIn(typeName, read.newIdentity)).toEqual(whole)
    const config = valueOf(typeName, { ...noisy, enabled: true })
    const updated = await client.call('planResourceChange', {
      typeName,
      priorState: state,
      proposedNewState: valueOf(typeName, { ...objectIn(typeName, state), enabled: true }),
      config,
      priorPrivate: kept,
      priorIdentity: read.newIdentity,
    })
    expect(identityIn(typeName, updated.plannedIdentity)).toEqual(whole)
  })

  it('is none of a resource that stands for several things', async () => {
    const { client, configure } = await begin()
    await configure()
    const select = { event_type_name: 'HOST_DOWN', metric_name: null, matchers: null, created_before: null }
    const { planned, applied, read } = await created(client, 'deploymgmt_alert_configuration', {
      project_id: PROJECT,
      select,
      enabled: true,
    })
    expect(applied.diagnostics).toEqual([])
    for (const each of [planned.plannedIdentity, applied.newIdentity, read.newIdentity])
      expect(each).toBeUndefined()
  })

  it('stays what it was where a call fails, or the provider is not configured', async () => {
    const { here, client, configure } = await begin()
    const typeName = 'deploymgmt_alert_configuration'
    const whole = { project_id: PROJECT, alert_config_id: NOISY }
    const asked = {
      typeName,
      currentState: valueOf(typeName, noisy),
      private: Buffer.from('{}'),
      currentIdentity: identityOf(typeName, whole),
    }
    const unconfigured = await client.call('readResource', asked)
    expect(unconfigured.diagnostics).toMatchObject([{ severity: Severity.error }])
    expect(identityIn(typeName, unconfigured.newIdentity)).toEqual(whole)
    await configure()
    await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 403, count: 50 })
    const failed = await client.call('readResource', asked)
    expect(failed.diagnostics).toMatchObject([{ severity: Severity.error }])
    expect(identityIn(typeName, failed.newIdentity)).toEqual(whole)
  })

  it.each<[string, Readonly<Record<string, string>>, object]>([
    [
      'deploymgmt_alert_configuration',
      { project_id: PROJECT, alert_config_id: NOISY },
      { alert_config_id: NOISY, enabled: true, evidence: 'read' },
    ],
    ['deploymgmt_user', { user_id: SAM }, { user_id: SAM, id: SAM, evidence: 'unknown' }],
  ])('imports %s as its import id does', async (typeName, identity, told) => {
    const { client, configure } = await begin({ ...fixtureWith(), users: [sam()] })
    await configure()
    const [byIdentity, byId] = await Promise.all([
      client.call('importResourceState', { typeName, identity: identityOf(typeName, identity) }),
      client.call('importResourceState', { typeName, id: Object.values(identity).join('/') }),
    ])
    const [imported, other] = [byIdentity, byId].map((answer) => answer.importedResources?.[0])
    expect(imported?.state).toEqual(other?.state)
    for (const each of [imported, other]) expect(identityIn(typeName, each?.identity)).toEqual(identity)
    const read = await client.call('readResource', {
      typeName,
      currentState: imported?.state,
      private: imported?.private ?? new Uint8Array(),
    })
    expect(objectIn(typeName, read.newState)).toMatchObject(told)
  })

  it('that leads elsewhere, or lacks a part, imports nothing', async () => {
    const { here, client, configure } = await begin()
    await configure()
    await here.forgetRequests()
    const typeName = 'deploymgmt_alert_configuration'
    for (const alert_config_id of [null, '', '../../users', `${NOISY}/x`, 'noisy']) {
      const identity = identityOf(typeName, { project_id: PROJECT, alert_config_id })
      const { importedResources, diagnostics } = await client.call('importResourceState', {
        typeName,
        identity,
      })
      expect(importedResources).toEqual([])
      expect(diagnostics).toMatchObject([{ severity: Severity.error }])
    }
    expect((await here.requests()).log).toEqual([])
  })

  it('that was stored is read by the present schema', async () => {
    const { client } = await begin()
    const typeName = 'deploymgmt_user'
    const json = Buffer.from(JSON.stringify({ user_id: SAM, dropped: 1 }))
    const { upgradedIdentity } = await client.call('upgradeResourceIdentity', {
      typeName,
      rawIdentity: { json },
    })
    expect(identityIn(typeName, upgradedIdentity)).toEqual({ user_id: SAM })
  })
})

describe('a query', () => {
  const typeName = 'deploymgmt_alert_configuration'
  const block = listBlock(kindOf(typeName)) ?? { type: '', summary: '', attributes: [] }
  const queried = (project_id: TerraformObject[string]) => written(block, { project_id })

  it('can be made of each kind that an endpoint lists, and of no other', async () => {
    const { client } = await begin()
    const { listResources = [] } = await client.call('getMetadata', {})
    const { listResourceSchemas = {} } = await client.call('getProviderSchema', {})
    const listed = ['deploymgmt_alert_configuration', 'deploymgmt_integration']
    expect(listResources.map((each) => each.typeName).toSorted()).toEqual(listed)
    expect(Object.keys(listResourceSchemas).toSorted()).toEqual(listed)
    expect(listResourceSchemas[typeName]?.block?.attributes).toMatchObject([
      { name: 'project_id', required: true },
    ])
    expect(kinds.filter((kind) => listBlock(kind) !== undefined).map(({ observe }) => observe.how)).toEqual([
      'everything',
      'everything',
    ])
  })

  it('lists what is there with its identity and a name, by one list', async () => {
    const { here, client, configure } = await begin()
    await configure()
    await here.forgetRequests()
    const events = await client.list('listResource', { typeName, config: queried(PROJECT), limit: 100 })
    expect(events.map(({ identity }) => identityIn(typeName, identity))).toEqual(
      [HOST_DOWN, NOISY].map((alert_config_id) => ({ project_id: PROJECT, alert_config_id })),
    )
    expect(events.map(({ displayName }) => displayName)).toEqual([
      expect.stringMatching(/host.?down/i),
      expect.stringMatching(/replica.?set/i),
    ])
    for (const { resourceObject, diagnostic } of events)
      expect({ resourceObject, diagnostic }).toEqual({ resourceObject: undefined, diagnostic: [] })
    expect(
      (await here.requests()).log.map(({ method, path }) => `${method} ${path.replace(/\?.*/, '')}`),
    ).toEqual([`GET /groups/${PROJECT}/alertConfigs`])
  })

  it('tells the whole resource where that is asked for, as an import of it does, and no secret', async () => {
    const { client, configure } = await begin()
    await configure()
    for (const [type, config] of [
      [typeName, queried(PROJECT)],
      ['deploymgmt_integration', queried(PROJECT)],
    ] as const) {
      const events = await client.list('listResource', {
        typeName: type,
        config,
        includeResourceObject: true,
        limit: 100,
      })
      expect(events).toHaveLength(2)
      expect(Buffer.concat(events.map((each) => Buffer.from(JSON.stringify(each)))).toString()).not.toContain(
        'canary',
      )
      for (const { identity, resourceObject } of events) {
        const { importedResources = [] } = await client.call('importResourceState', {
          typeName: type,
          identity,
        })
        const read = await client.call('readResource', {
          typeName: type,
          currentState: importedResources[0]?.state,
          private: importedResources[0]?.private ?? new Uint8Array(),
        })
        expect(objectIn(type, resourceObject)).toEqual(objectIn(type, read.newState))
      }
    }
  })

  it('ends at its limit', async () => {
    const { client, configure } = await begin()
    await configure()
    expect(await client.list('listResource', { typeName, config: queried(PROJECT), limit: 1 })).toHaveLength(
      1,
    )
  })

  it('says what is wrong with its configuration', async () => {
    const { client } = await begin()
    const found = async (project: TerraformObject[string]) =>
      (await client.call('validateListResourceConfig', { typeName, config: queried(project) })).diagnostics
    expect(await found(PROJECT)).toEqual([])
    expect(await found(UNKNOWN)).toEqual([])
    const at = { steps: [{ attributeName: 'project_id' }] }
    for (const wrong of [null, 'payments/x'])
      expect(await found(wrong)).toMatchObject([{ severity: Severity.error, attribute: at }])
  })

  it('of what is not there, and before the provider is configured, is one error', async () => {
    const { client, configure } = await begin()
    const ask = (project: string) =>
      client.list('listResource', { typeName, config: queried(project), limit: 9 })
    expect(await ask(PROJECT)).toMatchObject([{ diagnostic: [{ severity: Severity.error }] }])
    await configure()
    const gone = '5c8100bcf2a30b12ff880000'
    expect(await ask(gone)).toMatchObject([
      { diagnostic: [{ severity: Severity.error, summary: expect.stringContaining('DM-NOT-FOUND') }] },
    ])
  })
})
