import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { releaseBytes } from '@deploymgmt/provider/api'
import { loadState, readSession } from '../../../reconciler/state/index.ts'
import { fingerprint, serializeState } from '../../../reconciler/state/contents/serialize.ts'
import { statePathIn, temporaryFolder } from './support/folder.ts'
import { expected, sample } from './support/samples.ts'

/** A state of more than a megabyte. */
const large = async () => {
  const path = statePathIn(await temporaryFolder())
  const addresses = Array.from({ length: 4000 }, (_, index) => `things.t${index}`)
  const resources = Object.fromEntries(addresses.map((address) => [address, sample(address)]))
  const bytes = serializeState({ version: 1, ...expected, lineage: 'l', serial: 3, resources })
  expect(bytes.byteLength).toBeGreaterThan(1_000_000)
  await writeFile(path, bytes, { mode: 0o600 })
  return { path, bytes, print: fingerprint(bytes) }
}

test('bytes that nobody reads again are gone at once, and what shares its memory with others stays', () => {
  const own = Buffer.alloc(2_000_000, 1)
  releaseBytes(own)
  expect(own.byteLength).toBe(0)
  const whole = Buffer.alloc(4_000_000, 1)
  releaseBytes(whole.subarray(1_000_000, 3_000_000))
  const small = Buffer.from('a')
  releaseBytes(small)
  expect([whole.byteLength, small.toString()]).toEqual([4_000_000, 'a'])
})

test('a large state is read as a small one is, and again', async () => {
  const { path, print } = await large()
  for (const _ of [1, 2]) {
    const { state, fingerprint: told } = await readSession({ statePath: path, expect: expected })
    expect([told, state.resources['things.t3999']]).toEqual([print, sample('things.t3999')])
  }
})

test.each([
  ['a key twice', (text: string) => text.replace('"serial": 3,', '"serial": 3,\n  "serial": 3,'), ':7:3'],
  ['no JSON', (text: string) => text.replace('"serial": 3,', '"serial": 3'), ':7:3'],
])('a large state with %s is told with its place', async (_what, spoilt, place) => {
  const { path } = await large()
  await writeFile(path, spoilt(await readFile(path, 'utf8')))
  await expect(loadState(path, expected)).rejects.toMatchObject({
    code: 'DM-STATE-CORRUPT',
    where: `${path}${place}`,
  })
})
