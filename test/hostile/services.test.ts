import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createClient } from '@deploymgmt/provider/api'
import { expectRecovered } from '../crash/support/kill.ts'
import { CI, fixtureWith, manifestWith, PROJECT } from '../support/installation.ts'
import { begin, only, type Scene } from '../support/scene.ts'
import { sent } from '../crash/support/unknown.ts'
import { selfSigned } from '../provider/api/support/certificate.ts'
import { closed, listen } from '../support/listen.ts'
import { startProxy } from '../support/proxy.ts'

let here: Scene

const BASE = '/api/public/v1.0'
const at = (baseUrl: string, more: Record<string, string> = {}): void => {
  Object.assign(here.env, { DEPLOYMGMT_BASE_URL: baseUrl, ...more })
}
const start = async (manifest = manifestWith(), options: Parameters<typeof begin>[0] = {}): Promise<void> => {
  here = await begin(options)
  await here.manifest(manifest)
}
const fault = (spec: object): Promise<unknown> => here.control('POST', 'faults', spec)

describe('a service that cannot be reached as it should be', () => {
  it('is named, when nobody listens at its address', async () => {
    await start()
    const server = createServer()
    const port = await listen(server)
    await closed(server)
    at(`http://127.0.0.1:${port}${BASE}`)
    const { code, stdout, stderr } = await here.run('get', 'alert_configurations', '--project-id', PROJECT)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('Error DM-UNREACHABLE: ')
    expect(stderr).toContain(`  GET http://127.0.0.1:${port}${BASE}/groups/${PROJECT}/alertConfigs`)
  })

  it('is refused over plain http beyond this machine, before anything is sent', async () => {
    await start()
    at(`http://192.0.2.1${BASE}`)
    const { code, stderr } = await here.run('plan')
    expect([code, stderr.includes('Error DM-INSECURE-URL: ')]).toEqual([1, true])
  })

  it('with a certificate of a private authority is trusted through DEPLOYMGMT_CA_FILE alone', async () => {
    await start()
    const tls = selfSigned()
    const proxy = await startProxy(here.baseUrl, { tls })
    onTestFinished(() => proxy.close())
    at(proxy.baseUrl)
    const words = ['get', 'alert_configurations', '--project-id', PROJECT]
    const refused = await here.run(...words)
    expect([refused.code, refused.stderr.includes('Error DM-TLS: ')]).toEqual([1, true])
    expect(refused.stderr).toContain('DEPLOYMGMT_CA_FILE')
    expect((await here.requests()).log).toEqual([])
    const path = join(here.folder, 'ca.pem')
    await writeFile(path, tls.cert)
    at(proxy.baseUrl, { DEPLOYMGMT_CA_FILE: path })
    expect(await here.run(...words)).toMatchObject({ code: 0 })
  })

  it('that redirects is not followed, and its other address is asked for nothing', async () => {
    await start(manifestWith(), { proxied: true })
    const asked: string[] = []
    const trap = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end('{}')
    })
    onTestFinished(() => void trap.close())
    const elsewhere = `http://127.0.0.1:${await listen(trap)}`
    here.proxy.steer(async () => ({ status: 307, headers: { location: `${elsewhere}/stolen` }, body: '' }))
    const { code, stderr } = await here.run('get', 'alert_configurations', '--project-id', PROJECT)
    expect([code, stderr.includes('Error DM-REDIRECT: ')]).toEqual([1, true])
    expect(stderr).toContain(elsewhere)
    expect(asked).toEqual([])
  })

  it('that is slow makes a deadline, and not a wait without end', async () => {
    await start(manifestWith(), { proxied: true })
    here.proxy.steer(async () => 'silence')
    const client = createClient({
      baseUrl: here.proxy.baseUrl,
      ...CI,
      deadlineMs: 200,
      delay: async () => {},
    })
    await expect(client.list(`/groups/${PROJECT}/alertConfigs`)).rejects.toMatchObject({
      code: 'DM-DEADLINE',
    })
    await client.close()
  })
})

describe('an apply against a service in trouble', () => {
  it('stops the one thing that is not permitted, and does the others', async () => {
    await start()
    await fault({ method: 'PATCH', path: '/apiKeys/', fault: 'status', status: 401 })
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect(code).toBe(1)
    expect(stdout).toContain('DM-FORBIDDEN')
    expect(stdout).toContain('1 failed')
    expect(Object.keys((await here.state()).resources)).toEqual([
      'alertConfigurations.host-down[5d1113b25a115342acc2d0f3]',
      'alertConfigurations.noisy',
      'integrations.old-chat',
      'integrations.paging',
      'maintenanceWindows.migration',
      'users.dana',
    ])
    await here.control('DELETE', 'faults')
    await expectRecovered(here)
  })

  it('heeds a Retry-After, also for what creates, and makes nothing twice', async () => {
    await start()
    for (const method of ['POST', 'PATCH', 'DELETE'])
      await fault({ method, fault: 'status', status: 429, retryAfter: 0, count: 2 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await expectRecovered(here)
  })

  it('does not repeat a creation after a 429 that names no time', async () => {
    await start(
      manifestWith({ apiKeys: '', alertConfigurations: '', maintenanceWindows: '', integrations: '' }),
    )
    await fault({ method: 'POST', fault: 'status', status: 429 })
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect([code, stdout.includes('DM-RATE-LIMITED')]).toEqual([1, true])
    expect(await sent(here, 'POST')).toBe(1)
  })

  it('takes a new nonce whenever its own is stale, and makes nothing twice', async () => {
    await start()
    for (const method of ['POST', 'PATCH', 'DELETE']) await fault({ method, fault: 'stale-nonce', count: 2 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await expectRecovered(here)
  })

  it('gives up on nonces that are always stale, with nothing unknown', async () => {
    await start()
    await fault({ method: 'POST', fault: 'stale-nonce' })
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect([code, stdout.includes('DM-AUTH-UNSUPPORTED')]).toEqual([1, true])
    expect((await here.json('state', 'list')).document.map(({ status }: any) => status)).not.toContain(
      'unknown',
    )
    await here.control('DELETE', 'faults')
    await expectRecovered(here)
  })
})

describe('a list whose pages shift while they are read', () => {
  const ids = Array.from({ length: 600 }, (_, index) =>
    index.toString(16).padStart(24, '5d0000000000000000000000'),
  )
  const alertConfigs = ids.map((id) => ({ id, eventTypeName: 'HOST_DOWN', enabled: false }))
  const all = only('alertConfigurations', '  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }')

  it('is read again, and nothing is missed or taken twice', async () => {
    await start(all, { fixture: fixtureWith({ alertConfigs }) })
    await fault({ method: 'GET', path: '/alertConfigs$', fault: 'shift-pages', count: 2 })
    const { code, document } = await here.json('plan')
    expect([code, document.summary.adopt]).toEqual([0, 600])
    expect(document.requestsSent).toBe(7)
  })

  it('each time is an error, never a shorter list', async () => {
    await start(all, { fixture: fixtureWith({ alertConfigs }) })
    await fault({ method: 'GET', path: '/alertConfigs$', fault: 'shift-pages' })
    const { code, stdout, stderr } = await here.run('plan')
    expect([code, stdout, stderr.includes('Error DM-LIST-UNSTABLE: ')]).toEqual([1, '', true])
  })

  it('with a thing gone and another one new, so that the count stays, loses no recorded thing', async () => {
    const onRemove = only(
      'alertConfigurations',
      '  all: { select: { eventTypeName: HOST_DOWN }, enabled: true, onRemove: restore }',
    )
    await start(onRemove, { fixture: fixtureWith({ alertConfigs }), proxied: true })
    expect(await here.run('apply', '--auto-approve', '--allow-mass-change')).toMatchObject({ code: 0 })
    // What was the first thing of the second page has moved to the first page, which is read already.
    here.proxy.steer(async ({ path }, forward) => {
      const answer = await forward()
      if (!/alertConfigs\?.*pageNum=2/u.test(path) || answer.status !== 200) return answer
      const body = JSON.parse(String(answer.body))
      const [, ...results] = body.results
      const added = { ...results.at(-1), id: '5dffffffffffffffffffffff' }
      return { ...answer, body: JSON.stringify({ ...body, results: [...results, added] }) }
    })
    const { document } = await here.json('plan')
    expect(document.summary).toMatchObject({ release: 0, adopt: 1, unchanged: 600 })
    const drift = await here.json('drift')
    expect([drift.code, drift.document.summary.drifted]).toEqual([0, 0])
  })
})
