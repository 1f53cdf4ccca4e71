import type { Effect, RecordedResource } from '@deploymgmt/provider/engine'
import {
  type NewIntent,
  type JournalHeader,
  stateDigest,
  type StateFile,
} from '../../../../reconciler/state/index.ts'

export const expected = { name: 'acme', baseUrl: 'https://service.example.com/api/public/v1.0' }
export const at = '2026-11-20T12:00:00.000Z'

/** A record with one value that distinguishes versions. */
export const sample = (id: string, value: unknown = 1): RecordedResource => ({
  kind: 'thing',
  identity: { id },
  applied: { value },
  answer: null,
  adopted: null,
  onRemove: 'forget',
  lastWrite: null,
  watermark: at,
})

export const put = (address: string, value: unknown = 1): Effect => ({
  op: 'put',
  address,
  resource: sample(address, value),
})

export const stateWith = (resources: Record<string, RecordedResource> = {}, serial = 1): StateFile => ({
  version: 1,
  ...expected,
  lineage: '0b1f7c1e-7c54-4b53-9a56-3f0f6a6f7d10',
  serial,
  resources,
})

export const headerOf = (state: StateFile): JournalHeader => {
  const { lineage, serial, name, baseUrl } = state
  return { type: 'header', version: 1, lineage, serial, digest: stateDigest(state), name, baseUrl, at }
}

export const intentFor = (address: string): NewIntent => {
  const detail = { expected: sample(address), fields: ['value'], sentAt: at, by: 'ciadmin' }
  return { address, kind: 'thing', method: 'POST', path: '/things', detail }
}
