import { alertConfiguration, maintenanceWindow, user } from '@deploymgmt/provider/kinds'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { providerBlock, resourceBlock } from '@deploymgmt/provider/core'
import { blockType } from '../../provider/terraform/codec/schema.ts'
import { Severity } from '../../provider/terraform/wire/common-messages.ts'
import { decodeDynamicValue, encodeDynamicValue } from '../../provider/terraform/wire/dynamic-value.ts'
import { UNKNOWN, type TerraformObject } from '../../provider/terraform/wire/value.ts'
import { startProxy } from '../support/proxy.ts'
import { fixtureWith, install, ORG, PASSWORD, PROJECT, failing } from '../support/installation.ts'
import { connectTo, type PluginClient } from './protocol/support/plugin-host.ts'
import { serveProvider } from './support/provider.ts'

/** Calls that Terraform itself does not make in this way, made by hand. */

const blocks = {
  deploymgmt_user: resourceBlock(user),
  deploymgmt_maintenance_window: resourceBlock(maintenanceWindow),
  deploymgmt_alert_configuration: resourceBlock(alertConfiguration),
}
type TypeName = keyof typeof blocks

const valueOf = (typeName: TypeName, values: TerraformObject | null) => {
  const { attributes } = blocks[typeName]
  const nulls = Object.fromEntries(attributes.map(({ name }) => [name, null]))
  return encodeDynamicValue(values === null ? null : { ...nulls, ...values }, blockType({ attributes }))
}
const objectIn = (typeName: TypeName, value: Parameters<typeof decodeDynamicValue>[0]): any =>
  decodeDynamicValue(value, blockType(blocks[typeName]))

const dana = {
  username: 'dana@example.com',
  email_address: 'dana@example.com',
  first_name: 'Dana',
  last_name: 'Reyes',
  mobile_number: '2125550198',
  password: PASSWORD,
  roles: [{ role_name: 'ORG_MEMBER', org_id: ORG, project_id: null }],
}
const window = {
  project_id: PROJECT,
  alert_type_names: ['HOST'],
  start_date: '2035-01-06T02:00:00Z',
  end_date: '2035-01-06T04:00:00Z',
}
const CAPABLE = { deferralAllowed: false, writeOnlyAttributesAllowed: true }

/** A configured provider, its service, and a proxy between the two. */
const begin = async (fixture: object = fixtureWith(), configuration: TerraformObject = {}) => {
  const here = await install({ fixture })
  const proxy = await startProxy(here.baseUrl)
  const reattach = await serveProvider({
    ...here.env,
    DEPLOYMGMT_BASE_URL: proxy.baseUrl,
  })
  onTestFinished(async () => {
    await proxy.close()
    await here.close()
  })
  const [{ Addr }] = Object.values(JSON.parse(reattach)) as [{ Addr: { String: string } }]
  const client = connectTo(Addr.String)
  const nulls = Object.fromEntries(providerBlock.attributes.map(({ name }) => [name, null]))
  const config = encodeDynamicValue({ ...nulls, ...configuration }, blockType(providerBlock))
  await client.call('configureProvider', { config })
  return { here, proxy, client }
}

const plan = async (
  client: PluginClient,
  typeName: TypeName,
  prior: TerraformObject | null,
  config: TerraformObject,
) => {
  const answer = await client.call('planResourceChange', {
    typeName,
    priorState: valueOf(typeName, prior),
    proposedNewState: valueOf(typeName, { ...prior, ...config }),
    config: valueOf(typeName, config),
    clientCapabilities: CAPABLE,
  })
  return { ...answer, plannedPrivate: answer.plannedPrivate ?? new Uint8Array() }
}

describe('a project that the configuration names', () => {
  const GONE = '5c8100bcf2a30b12ff880000'

  it('is called by its name beside its id, also where a request fails', async () => {
    const { here, client } = await begin(fixtureWith(), { projects: { payments: PROJECT, gone: GONE } })
    const told = async (project: string): Promise<string> => {
      const type = 'deploymgmt_alert_configuration'
      const config = { project_id: project, alert_config_id: '5d1113b25a115342acc2d1ff', enabled: true }
      const { diagnostics } = await plan(client, type, null, config)
      return (diagnostics ?? []).map(({ summary, detail }) => `${summary}\n${detail ?? ''}`).join('\n')
    }
    expect(await told(GONE)).toContain(`was not found at the service: gone (${GONE})\n`)
    await failing(here, 'GET', '.', { fault: 'status', status: 403, count: 50 })
    const failed = await told(PROJECT)
    expect(failed).toContain(`/groups/${PROJECT}/alertConfigs`)
    expect(failed).toContain(`\n${PROJECT} is the project payments.`)
  })
})

describe('a write-only password', () => {
  it('is refused at its attribute where the client would store it', async () => {
    const { client } = await begin()
    const config = valueOf('deploymgmt_user', dana)
    const validate = (writeOnlyAttributesAllowed: boolean) =>
      client.call('validateResourceConfig', {
        typeName: 'deploymgmt_user',
        config,
        clientCapabilities: { deferralAllowed: false, writeOnlyAttributesAllowed },
      })
    expect((await validate(true)).diagnostics).toEqual([])
    expect((await validate(false)).diagnostics).toMatchObject([
      {
        severity: Severity.error,
        summary: 'this Terraform has no write-only attributes',
        attribute: { steps: [{ attributeName: 'password' }] },
      },
    ])
  })

  it('is null in the planned and the new state, is not in private state, and is sent', async () => {
    const { here, client } = await begin()
    const { plannedState, plannedPrivate } = await plan(client, 'deploymgmt_user', null, dana)
    expect(objectIn('deploymgmt_user', plannedState)).toMatchObject({ password: null, id: UNKNOWN })
    const applied = await client.call('applyResourceChange', {
      typeName: 'deploymgmt_user',
      priorState: valueOf('deploymgmt_user', null),
      plannedState,
      plannedPrivate,
      config: valueOf('deploymgmt_user', dana),
    })
    expect(applied.diagnostics).toMatchObject([{ severity: Severity.warning }])
    expect(objectIn('deploymgmt_user', applied.newState)).toMatchObject({
      password: null,
      evidence: 'recorded',
    })
    expect(Buffer.from(applied.private ?? []).toString()).not.toContain(PASSWORD)
    expect((await here.requests()).log.at(-1)).toMatchObject({ method: 'POST', path: '/users', status: 201 })
  })

  it('may be unknown when the creation is planned', async () => {
    const { client } = await begin()
    const { diagnostics } = await plan(client, 'deploymgmt_user', null, { ...dana, password: UNKNOWN })
    expect(diagnostics).toEqual([])
  })
})

describe('a plan', () => {
  it('is the same whatever the time, the service and the order of calls are', async () => {
    const { here, client } = await begin()
    const prior = {
      ...window,
      id: '5d1113b25a115342acc2d777',
      on_remove: 'end',
      evidence: 'recorded',
      ended: false,
    }
    const config = { ...window, description: 'Later' }
    const first = await plan(client, 'deploymgmt_maintenance_window', prior, config)
    await here.control('POST', 'clock', { now: '2040-01-01T00:00:00Z' })
    await failing(here, 'GET', '.', { fault: 'status', status: 403, count: 50 })
    const second = await plan(client, 'deploymgmt_maintenance_window', prior, config)
    expect(second).toEqual(first)
    expect(first.diagnostics).toEqual([])
  })

  it('of a creation leaves computed values unknown, though the service could tell them', async () => {
    const { client } = await begin()
    const typeName = 'deploymgmt_alert_configuration'
    const selected = { project_id: PROJECT, enabled: true }
    const select = { event_type_name: 'HOST_DOWN', metric_name: null, matchers: null }
    const { plannedState } = await plan(client, typeName, null, { ...selected, select })
    expect(objectIn(typeName, plannedState)).toMatchObject({
      configurations: UNKNOWN,
      present: UNKNOWN,
      id: UNKNOWN,
    })
  })
})

test('an apply takes what was read in the last seconds, and a plan what a write has answered', async () => {
  const { here, client } = await begin()
  const typeName = 'deploymgmt_alert_configuration'
  const config = { project_id: PROJECT, alert_config_id: '5d1113b25a115342acc2d1aa', enabled: false }
  const { plannedState, plannedPrivate } = await plan(client, typeName, null, config)
  await here.forgetRequests()
  const change = { typeName, plannedState, plannedPrivate, config: valueOf(typeName, config) }
  const { newState, private: kept } = await client.call('applyResourceChange', {
    ...change,
    priorState: valueOf(typeName, null),
  })
  const current = { typeName, currentState: newState, ...(kept === undefined ? {} : { private: kept }) }
  const read = await client.call('readResource', current)
  expect(objectIn(typeName, read.newState)).toMatchObject({ enabled: false, present: true })
  expect((await here.requests()).log.map(({ method }) => method)).toEqual(['PATCH'])
})

test('a stop lets the request under way end, sends nothing more, and keeps what was done', async () => {
  const ids = ['5d1113b25a115342acc2d001', '5d1113b25a115342acc2d002', '5d1113b25a115342acc2d003']
  const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false }))
  const { here, proxy, client } = await begin(fixtureWith({ alertConfigs }))
  const typeName = 'deploymgmt_alert_configuration'
  const select = { event_type_name: 'HOST_DOWN', metric_name: null, matchers: null }
  const config = { project_id: PROJECT, enabled: true, select }
  const { plannedState, plannedPrivate } = await plan(client, typeName, null, config)
  proxy.steer(async ({ write }, forward) => {
    if (write === 1) await client.call('stopProvider', {})
    return forward()
  })
  const { newState, diagnostics, ...kept } = await client.call('applyResourceChange', {
    typeName,
    priorState: valueOf(typeName, null),
    plannedState,
    plannedPrivate,
    config: valueOf(typeName, config),
  })
  const writes = (await here.requests()).log.filter(
    ({ method, status }) => method === 'PATCH' && status !== 401,
  )
  expect(writes).toHaveLength(1)
  expect(diagnostics?.some(({ severity }) => severity === Severity.error)).toBe(true)
  expect(objectIn(typeName, newState)).toMatchObject({ configurations: { [ids[0] ?? '']: true } })
  const { records } = JSON.parse(Buffer.from(kept.private ?? []).toString())
  expect(Object.keys(records)).toEqual([`${typeName}[${ids[0] ?? ''}]`])
  expect(records[`${typeName}[${ids[0] ?? ''}]`]).toMatchObject({
    adopted: { enabled: false },
    lastWrite: {},
  })
})
