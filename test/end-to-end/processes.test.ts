import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { selfSigned } from '../provider/api/support/certificate.ts'
import { forwardProxy } from '../support/forward-proxy.ts'
import { manifestWith } from '../support/installation.ts'
import { runProcess, start } from '../support/process.ts'
import { startProxy } from '../support/proxy.ts'
import { begin, writesIn, type Scene } from '../support/scene.ts'
import { CTRL_C, CTRL_D, onTerminal } from '../support/terminal.ts'

/**
 * These tests run the compiled command in processes of its own; all others in this folder run its sources in theirs.
 */

let here: Scene
beforeEach(async () => {
  here = await begin({ manifest: manifestWith() })
})

const QUESTION = 'Only "yes" is accepted: '

describe('the command in a process of its own', () => {
  it('plans, applies, finds nothing to do, and ends by itself with the exit code', async () => {
    expect((await runProcess(here, 'plan', '--detailed-exitcode')).code).toBe(2)
    expect(await runProcess(here, 'apply', '--auto-approve')).toMatchObject({ code: 0 })
    const { code, stdout } = await runProcess(here, 'plan', '--detailed-exitcode', '--format', 'json')
    expect([code, JSON.parse(stdout).inSync]).toEqual([0, true])
    const unknown = await runProcess(here, 'plna')
    expect(unknown).toMatchObject({ code: 1, stdout: '' })
    expect(unknown.stderr).toContain('did you mean plan?')
  })

  it.each([
    ['help', 0],
    ['help plan', 0],
    ['state help', 0],
    ['--help', 0],
    ['', 1],
    ['state', 1],
    ['wait', 1],
  ])('shows its help for %j, and ends with %i', async (words, expected) => {
    const { code, stdout, stderr } = await runProcess(here, ...words.split(' ').filter(Boolean))
    expect([code, `${stdout}${stderr}`]).toEqual([expected, expect.stringMatching(/^Usage: deploymgmt/)])
  })

  it('loads TLS of Node for an address that has it, and trusts no authority that is not named', async () => {
    const tls = selfSigned()
    const proxy = await startProxy(here.baseUrl, { tls })
    try {
      const ca = join(here.folder, 'ca.pem')
      const loaded = join(here.folder, 'loaded.cjs')
      await writeFile(ca, tls.cert)
      await writeFile(
        loaded,
        "process.on('exit', () => console.error(process.moduleLoadList.includes('NativeModule tls')))",
      )
      const plan = (env: Record<string, string>) =>
        start(
          { ...here, env: { ...here.env, ...env } },
          ['plan', '--state', 'none.json'],
          [process.execPath, '-r', loaded],
        ).ended
      const secure = { DEPLOYMGMT_BASE_URL: proxy.baseUrl }
      const [plain, refused, trusted] = [
        await plan({}),
        await plan(secure),
        await plan({ ...secure, DEPLOYMGMT_CA_FILE: ca }),
      ]
      expect([plain.code, refused.code, trusted.code]).toEqual([0, 1, 0])
      expect([plain.stderr, trusted.stderr]).toEqual(
        [/\bfalse\n$/v, /\btrue\n$/v].map((end) => expect.stringMatching(end)),
      )
      expect(refused.stderr).toContain('Error DM-TLS')
    } finally {
      await proxy.close()
    }
  })

  it('goes through the proxy of the environment, and names it in an error', async () => {
    const tls = selfSigned('192.0.2.1')
    const service = await startProxy(here.baseUrl, { tls })
    onTestFinished(() => service.close())
    const proxy = await forwardProxy(Number(new URL(service.baseUrl).port))
    const ca = join(here.folder, 'ca-far.pem')
    await writeFile(ca, tls.cert)
    const env = {
      ...here.env,
      DEPLOYMGMT_BASE_URL: service.baseUrl.replace('127.0.0.1', '192.0.2.1'),
      DEPLOYMGMT_CA_FILE: ca,
      https_proxy: proxy.host,
    }
    const plan = (more: object) =>
      runProcess({ ...here, env: { ...env, ...more } }, 'plan', '--state', 'none.json')
    expect(await plan({})).toMatchObject({ code: 0, stderr: '' })
    expect(new Set(proxy.asked.map(({ method }) => method))).toEqual(new Set(['CONNECT']))
    proxy.refusal = '403 Forbidden'
    const refused = await plan({})
    expect(refused.code).toBe(1)
    expect(refused.stderr).toContain(`through the proxy ${proxy.host} (the proxy answered 403 Forbidden)`)
    expect(refused.stderr).toContain('Check https_proxy')
  })

  it('says nothing of a reader that goes away, and applies all the same', async () => {
    const { child, ended } = start(here, ['apply', '--auto-approve', '--format', 'json'])
    child.stdout?.destroy()
    expect(await ended).toMatchObject({ code: 0, stderr: '' })
    expect(await writesIn(here)).toHaveLength(7)
    expect(await runProcess(here, 'plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('finds the files of serve where it was started', async () => {
    const text = 'organizations:\n  - { id: 7, nmae: Acme }\nusers: 5\n'
    await writeFile(join(here.folder, 'fixture.yaml'), text)
    expect(await runProcess(here, 'serve', '--fixture', 'fixture.yaml')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `Error DM-SERVE-FIXTURE: the fixture has errors:
  fixture.yaml:2:11  organizations[0].id: must be a string, and YAML reads it as a number: quote it
  fixture.yaml:2:14  organizations[0].nmae: unknown field; did you mean name?
  fixture.yaml:3:8  users: must be an array
  Correct what the message names.
`,
    })
  })

  it('serves until it is told to stop', async () => {
    const { child, ended } = start(here, ['serve', '--format', 'json'])
    child.stdout?.once('data', () => child.kill('SIGTERM'))
    const { code, stdout, stderr } = await ended
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(JSON.parse(stdout)).toMatchObject({ ready: true })
  })
})

describe('the question of apply on a real terminal', () => {
  it('is answered with yes', async () => {
    const terminal = onTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    terminal.type('yes\r')
    expect(await terminal.ended).toMatchObject({ code: 0 })
    expect(await readFile(join(here.folder, 'deploymgmt.state.json'), 'utf8')).toContain('apiKeys.reporting')
  })

  it.each([
    ['no', 'no\r', 1],
    ['the end of the input', CTRL_D, 1],
    ['Ctrl-C', CTRL_C, 130],
  ])('sends nothing after %s', async (_, keys, code) => {
    const terminal = onTerminal(here, 'apply')
    await terminal.waitFor(QUESTION)
    terminal.type(keys)
    const ended = await terminal.ended
    expect(ended).toMatchObject({ code })
    // It begins a line of its own, whether the person has ended that of the question or not.
    expect(ended.shown).toMatch(/\nError DM-NOT-CONFIRMED: /)
    expect(await writesIn(here)).toEqual([])
  })
})
