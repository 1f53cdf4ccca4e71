import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { status } from '@grpc/grpc-js'
import { describe, expect, it } from 'vitest'
import { decodeDynamicValue, encodeDynamicValue } from '../../../provider/terraform/wire/dynamic-value.ts'
import { type TerraformObject, UNKNOWN } from '../../../provider/terraform/wire/value.ts'
import { type DynamicValue, Severity } from '../../../provider/terraform/wire/common-messages.ts'
import {
  ServingStatus,
  emptyMessage,
  healthCheckRequest,
  healthCheckResponse,
} from '../../../provider/terraform/wire/plugin-messages.ts'
import { selfSigned } from '../../provider/api/support/certificate.ts'
import { StartedProvider, temporaryFolder } from './support/plugin-host.ts'
import { thingType } from './support/thing.ts'

const state = (fields: TerraformObject): DynamicValue => encodeDynamicValue(fields, thingType)

const stateIn = (value: DynamicValue | undefined): unknown => decodeDynamicValue(value, thingType)

describe('a provider that Terraform starts', () => {
  it('prints one line: versions, a private socket, and its certificate', async () => {
    const provider = new StartedProvider()
    const { core, protocol, network, kind, address, certificate } = await provider.handshake()
    expect({ core, protocol, network, kind }).toEqual({
      core: '1',
      protocol: '6',
      network: 'unix',
      kind: 'grpc',
    })
    expect(dirname(dirname(address))).toBe(provider.folder)
    expect(certificate).toMatch(/^[A-Za-z0-9+/]+$/)
  })

  it('describes its schema', async () => {
    const client = await new StartedProvider().connect()
    const answer = await client.call('getProviderSchema', {})
    const block = answer.resourceSchemas?.['toy_thing']?.block
    expect(answer.serverCapabilities).toMatchObject({ planDestroy: true, getProviderSchemaOptional: true })
    expect(block?.attributes?.map(({ name }) => name)).toEqual([
      'id',
      'name',
      'size',
      'labels',
      'secret',
      'parts',
    ])
    expect(block?.attributes?.[4]).toMatchObject({ writeOnly: true, optional: true })
    expect(block?.attributes?.[5]?.nestedType?.attributes[0]).toMatchObject({ name: 'kind', required: true })
  })

  it('keeps unknown values unknown and a tenth a tenth', async () => {
    const client = await new StartedProvider().connect()
    const labels: TerraformObject = { known: 'a', later: UNKNOWN }
    for (const size of [0.1, -7]) {
      const proposedNewState = state({
        name: UNKNOWN,
        size,
        labels,
        parts: [{ kind: 'k', weights: UNKNOWN }],
      })
      const { plannedState } = await client.call('planResourceChange', {
        typeName: 'toy_thing',
        proposedNewState,
      })
      expect(stateIn(plannedState)).toEqual({
        id: UNKNOWN,
        name: UNKNOWN,
        size,
        labels,
        secret: null,
        parts: [{ kind: 'k', weights: UNKNOWN }],
      })
    }
  })

  it('points at the attribute that a diagnostic is about', async () => {
    const client = await new StartedProvider().connect()
    const { diagnostics } = await client.call('validateResourceConfig', {
      typeName: 'toy_thing',
      config: state({ name: 'refused' }),
    })
    expect(diagnostics).toMatchObject([
      {
        severity: Severity.error,
        summary: 'No such name',
        attribute: { steps: [{ attributeName: 'name' }] },
      },
    ])
  })

  it('turns what a handler throws into a diagnostic, and keeps the state', async () => {
    const client = await new StartedProvider().connect()
    const priorState = state({ id: 'thing-1', name: 'was' })
    const answer = await client.call('applyResourceChange', {
      typeName: 'toy_thing',
      priorState,
      plannedState: state({ id: 'thing-1', name: 'broken' }),
    })
    expect(answer.diagnostics).toMatchObject([
      {
        severity: Severity.error,
        summary: 'The provider could not apply a change',
        detail: 'The toy is broken.',
      },
    ])
    expect(stateIn(answer.newState)).toMatchObject({ id: 'thing-1', name: 'was' })
  })

  it('answers what it does not serve with UNIMPLEMENTED, and functions with none', async () => {
    const client = await new StartedProvider().connect()
    await expect(client.call('importResourceState', { id: 'x' })).rejects.toMatchObject({
      code: status.UNIMPLEMENTED,
    })
    await expect(
      client.unary('/tfplugin6.Provider/GetResourceIdentitySchemas', emptyMessage, emptyMessage, {}),
    ).rejects.toMatchObject({ code: status.UNIMPLEMENTED })
    expect(await client.call('getFunctions', {})).toEqual({ diagnostics: [] })
  })

  it('carries states of any size', async () => {
    const client = await new StartedProvider().connect()
    const name = 'n'.repeat(20_000_000)
    const { newState } = await client.call('readResource', {
      typeName: 'toy_thing',
      currentState: state({ name }),
    })
    expect((stateIn(newState) as TerraformObject)['name']).toHaveLength(name.length)
  })

  it('is healthy as a plugin, and as nothing else', async () => {
    const client = await new StartedProvider().connect()
    const check = (service: string): Promise<{ status: number }> =>
      client.unary('/grpc.health.v1.Health/Check', healthCheckRequest, healthCheckResponse, { service })
    expect(await check('plugin')).toEqual({ status: ServingStatus.serving })
    await expect(check('another')).rejects.toMatchObject({ code: status.NOT_FOUND })
  })

  it('prints nothing on stdout but the handshake, whatever is printed within', async () => {
    const provider = new StartedProvider()
    const client = await provider.connect()
    await client.call('applyResourceChange', {
      typeName: 'toy_thing',
      plannedState: state({ id: UNKNOWN, name: 'noisy' }),
    })
    await client.unary('/plugin.GRPCController/Shutdown', emptyMessage, emptyMessage, {})
    expect(await provider.ended()).toBe(0)
    expect(await provider.stdout).toBe(`${await provider.line()}\n`)
    expect(await provider.stderr).toMatch(/a library prints\nand so does another\n/)
  })

  it.each([
    ['the path of a socket would be too long', 'long'.repeat(20), true],
    ['there is no folder for one, as where everything is read-only', 'nowhere', false],
  ])('uses a port where %s, with the same certificates', async (_case, name, isThere) => {
    const folder = join(temporaryFolder(), name)
    if (isThere) mkdirSync(folder)
    const provider = new StartedProvider({ env: { TMPDIR: folder } })
    expect((await provider.handshake()).address).toMatch(/^127\.0\.0\.1:\d+$/)
    const client = await provider.connect()
    expect(await client.call('validateProviderConfig', {})).toEqual({ diagnostics: [] })
    const stranger = await provider.connect(selfSigned())
    await expect(stranger.call('validateProviderConfig', {})).rejects.toMatchObject({
      code: status.UNAVAILABLE,
    })
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })
})

describe('a stranger', () => {
  it.each([
    ['without a certificate', 'none'],
    ['with a certificate of its own', selfSigned()],
    ['without TLS', 'plaintext'],
  ] as const)('%s is refused, and Terraform still served', async (_case, identity) => {
    const provider = new StartedProvider()
    const stranger = await provider.connect(identity)
    await expect(stranger.call('getProviderSchema', {})).rejects.toMatchObject({ code: status.UNAVAILABLE })
    const client = await provider.connect()
    expect(await client.call('validateProviderConfig', {})).toEqual({ diagnostics: [] })
  })
})

describe('a start that is not by Terraform', () => {
  it('says what the program is, and fails', async () => {
    const provider = new StartedProvider({ env: { TF_PLUGIN_MAGIC_COOKIE: '' } })
    expect(await provider.ended()).toBe(1)
    expect(await provider.stdout).toBe('')
    expect(await provider.stderr).toMatch(/^This is a Terraform provider: .* run terraform there\.\n$/)
  })

  it.each([
    [
      'another protocol alone',
      { PLUGIN_PROTOCOL_VERSIONS: '5,4' },
      /speaks plugin protocol 6, and was offered 5, 4/,
    ],
    ['no certificate', { PLUGIN_CLIENT_CERT: '' }, /sent no PLUGIN_CLIENT_CERT/],
    ['a broken certificate', { PLUGIN_CLIENT_CERT: 'nonsense' }, /holds no certificate/],
  ])('fails with %s', async (_case, env, message) => {
    const provider = new StartedProvider({ env })
    expect(await provider.ended()).toBe(1)
    // Terraform shows what is not a handshake on stdout, and nothing of stderr.
    for (const stream of [provider.stdout, provider.stderr]) expect(await stream).toMatch(message)
    expect(readdirSync(provider.folder)).toEqual([])
  })

  it('serves without TLS where Terraform was told to do without', async () => {
    const provider = new StartedProvider({ env: { PLUGIN_CLIENT_CERT: '', TF_DISABLE_PLUGIN_TLS: '1' } })
    expect(await provider.handshake()).toMatchObject({ network: 'unix', certificate: '' })
    const client = await provider.connect('plaintext')
    expect(await client.call('validateProviderConfig', {})).toEqual({ diagnostics: [] })
    expect(existsSync((await provider.handshake()).address)).toBe(true)
  })
})
