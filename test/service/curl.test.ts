import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { endpointCases, windowed, windowId } from './support/endpoints.ts'
import { ids, keys } from './support/fixture.ts'
import { serve } from './support/service.ts'

test.each(endpointCases)('endpoint $number answers $status to curl --digest', async (one) => {
  const { baseUrl } = await serve({ fixture: windowed })
  const { publicKey, privateKey } = one.key ?? keys.ci
  const body = one.body ? ['-H', 'Content-Type: application/json', '-d', JSON.stringify(one.body)] : []
  const url = baseUrl + one.path.replace(windowId, ids.absent)
  const options = ['-s', '--digest', '-u', `${publicKey}:${privateKey}`, '-X', one.method]
  const { stdout } = await promisify(execFile)('curl', [
    ...options,
    '-w',
    String.raw`\n%{http_code}`,
    ...body,
    url,
  ])
  expect(stdout.slice(stdout.lastIndexOf('\n') + 1)).toBe(String(one.status))
})
