import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { decodeDynamicValue, encodeDynamicValue } from '../../../provider/terraform/wire/dynamic-value.ts'
import { UNKNOWN } from '../../../provider/terraform/wire/value.ts'
import { emptyMessage } from '../../../provider/terraform/wire/plugin-messages.ts'
import { StartedProvider, connectTo, temporaryFolder } from './support/plugin-host.ts'
import { thingType } from './support/thing.ts'

/** A socket over which a slow call of the toy reports that it has begun. */
const slowCalls = async (): Promise<{ path: string; begun: Promise<unknown> }> => {
  const path = join(temporaryFolder(), 'report.sock')
  const server = createServer()
  const begun = once(server, 'connection')
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { path, begun }
}

const slow = encodeDynamicValue({ id: UNKNOWN, name: 'slow' }, thingType)

describe('the life of a provider', () => {
  it('ends with Shutdown, and leaves no socket', async () => {
    const provider = new StartedProvider()
    const client = await provider.connect()
    await client.unary('/plugin.GRPCController/Shutdown', emptyMessage, emptyMessage, {})
    client.client.close()
    expect(await provider.ended()).toBe(0)
    expect(readdirSync(provider.folder)).toEqual([])
  })

  it('ends after Shutdown though the connection and its streams are kept open', async () => {
    const provider = new StartedProvider()
    const client = await provider.connect()
    const output = client.stream('/plugin.GRPCStdio/StreamStdio')
    const broker = client.stream('/plugin.GRPCBroker/StartStream')
    await client.unary('/plugin.GRPCController/Shutdown', emptyMessage, emptyMessage, {})
    expect(await provider.ended()).toBe(0)
    expect(await output).toBe('broken off')
    expect(await broker).toBe('broken off')
  })

  it('ends when the connection is gone', async () => {
    const provider = new StartedProvider()
    const client = await provider.connect()
    await client.call('validateProviderConfig', {})
    client.client.close()
    expect(await provider.ended()).toBe(0)
    expect(readdirSync(provider.folder)).toEqual([])
  })

  it('goes on when a stranger leaves', async () => {
    const provider = new StartedProvider()
    const client = await provider.connect()
    await client.call('validateProviderConfig', {})
    const stranger = await provider.connect('none')
    await expect(stranger.call('validateProviderConfig', {})).rejects.toThrow(/UNAVAILABLE/)
    stranger.client.close()
    expect(await client.call('validateProviderConfig', {})).toEqual({ diagnostics: [] })
  })

  it.each([
    ['before anything is called', false],
    ['while connected', true],
  ])('ends when its parent is killed %s', async (_case, connected) => {
    const provider = new StartedProvider({ beneathShell: true })
    await provider.handshake()
    if (connected) await (await provider.connect()).call('validateProviderConfig', {})
    provider.process.kill('SIGKILL')
    // The provider holds the other end of stderr, so its end means that the provider has ended.
    await provider.stderr
    expect(readdirSync(provider.folder)).toEqual([])
  })

  it('lets a call finish that was under way when the connection went', async () => {
    const { path, begun } = await slowCalls()
    const provider = new StartedProvider({ env: { TOY_REPORT: path } })
    const client = await provider.connect()
    const call = client.call('applyResourceChange', { plannedState: slow })
    await begun
    client.breakOff()
    await expect(call).rejects.toThrow(/CANCELLED|UNAVAILABLE/)
    expect(await provider.ended()).toBe(0)
    expect(await provider.stderr).toMatch(/"the slow one was stopped"/)
  })

  it('takes no notice of an interrupt, and stops calls when it is told to', async () => {
    const { path, begun } = await slowCalls()
    const provider = new StartedProvider({ env: { TOY_REPORT: path } })
    const client = await provider.connect()
    const call = client.call('applyResourceChange', { plannedState: slow })
    await begun
    provider.process.kill('SIGINT')
    expect(await client.call('validateProviderConfig', {})).toEqual({ diagnostics: [] })
    expect(await client.call('stopProvider', {})).toEqual({ error: '' })
    const { newState } = await call
    expect(decodeDynamicValue(newState, thingType)).toMatchObject({ id: 'thing-slow' })
  })
})

describe('reattach', () => {
  it('serves one Terraform after another, each able to stop its own calls, until it is interrupted', async () => {
    const report = await slowCalls()
    const { provider, path } = await startDetached({ TOY_REPORT: report.path })
    const first = connectTo(path)
    await first.call('stopProvider', {})
    await first.unary('/plugin.GRPCController/Shutdown', emptyMessage, emptyMessage, {})
    first.client.close()
    const second = connectTo(path)
    await second.call('configureProvider', {})
    const call = second.call('applyResourceChange', { plannedState: slow })
    await report.begun
    await second.call('stopProvider', {})
    expect(decodeDynamicValue((await call).newState, thingType)).toMatchObject({ id: 'thing-slow' })
    provider.process.kill('SIGINT')
    expect(await provider.ended()).toBe(0)
    expect(await provider.stderr).toMatch(/"the slow one was stopped"/)
    expect(existsSync(path)).toBe(false)
  })

  it.each([
    ['x'.repeat(80), /^A socket in .* would have a path of \d+ bytes.*Set TMPDIR to .* shorter path\.\n$/],
    ['nowhere', /^No folder for a socket can be made in .* \(ENOENT\)\. Set TMPDIR to .*\n$/],
  ])(
    'opens no port where a socket is not possible, since it would be open to everyone',
    async (name, says) => {
      const folder = temporaryFolder(temporaryFolder(temporaryFolder()))
      const provider = new StartedProvider({ arguments: ['reattach'], env: { TMPDIR: join(folder, name) } })
      expect(await provider.ended()).toBe(1)
      expect(await provider.stderr).toMatch(says)
    },
  )
})

/** A provider started for reattaching, and the socket that it prints. */
const startDetached = async (
  env: Record<string, string>,
): Promise<{ provider: StartedProvider; path: string }> => {
  const provider = new StartedProvider({ arguments: ['reattach'], env })
  const [, json = ''] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(await provider.line()) ?? []
  const value = JSON.parse(json) as Record<string, { Addr: { String: string } }>
  expect(value).toMatchObject({
    'registry.terraform.io/example/toy': {
      Protocol: 'grpc',
      ProtocolVersion: 6,
      Pid: provider.process.pid,
      Test: true,
      Addr: { Network: 'unix' },
    },
  })
  return { provider, path: value['registry.terraform.io/example/toy']?.Addr.String ?? '' }
}
