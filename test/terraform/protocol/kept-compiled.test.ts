import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { emptyMessage } from '../../../provider/terraform/wire/plugin-messages.ts'
import { StartedProvider, temporaryFolder } from './support/plugin-host.ts'

/** Starts a provider, asks for its schema and shuts it down, as Terraform does. */
const served = async (cache: string): Promise<void> => {
  const provider = new StartedProvider({ env: { XDG_CACHE_HOME: cache } })
  const client = await provider.connect()
  const { resourceSchemas } = await client.call('getProviderSchema', {})
  expect(Object.keys(resourceSchemas ?? {})).toContain('toy_thing')
  await client.unary('/plugin.GRPCController/Shutdown', emptyMessage, emptyMessage, {})
  client.client.close()
  expect(await provider.ended()).toBe(0)
  expect(await provider.stderr).toBe('')
}

const keptIn = (cache: string): string[] => readdirSync(join(cache, 'deploymgmt'))

describe.skipIf(process.platform === 'win32')('what a provider keeps compiled', () => {
  it('lies in a folder of the user, where nobody else can look into it', async () => {
    const cache = temporaryFolder()
    await served(cache)
    const [name = '', ...others] = keptIn(cache)
    expect(others).toEqual([])
    expect(name).toMatch(/^provider-main-[\da-f]{8}-[\da-f]{8}$/)
    expect(statSync(join(cache, 'deploymgmt')).mode & 0o777).toBe(0o700)
    expect(statSync(join(cache, 'deploymgmt', name)).mode & 0o777).toBe(0o600)
  })

  it('is not believed where it is damaged, and written anew', async () => {
    const cache = temporaryFolder()
    await served(cache)
    const path = join(cache, 'deploymgmt', keptIn(cache)[0] ?? '')
    const broken = readFileSync(path)
    broken.writeUInt8(broken.readUInt8(12_345) ^ 255, 12_345)
    writeFileSync(path, broken)
    await served(cache)
    const mended = readFileSync(path)
    expect(mended.readUInt32LE(4)).toBe(crc32(mended.subarray(16)))
  })

  it('is written by several at once, and left whole', async () => {
    const cache = temporaryFolder()
    await Promise.all([served(cache), served(cache), served(cache)])
    const [name = '', ...others] = keptIn(cache)
    expect(others).toEqual([])
    const kept = readFileSync(join(cache, 'deploymgmt', name))
    expect(kept.readUInt32LE(4)).toBe(crc32(kept.subarray(16)))
  })

  it('is neither read nor written where others can write', async () => {
    const cache = temporaryFolder()
    mkdirSync(join(cache, 'deploymgmt'))
    chmodSync(join(cache, 'deploymgmt'), 0o777)
    await served(cache)
    expect(keptIn(cache)).toEqual([])
  })

  it('is not needed where no folder can be made', async () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, '')
    await served(file)
    expect(readFileSync(file, 'utf8')).toBe('')
  })
})
