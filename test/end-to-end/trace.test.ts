import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CI, failing, manifestWith, PASSWORD, PROJECT } from '../support/installation.ts'
import { begin, type Scene } from '../support/scene.ts'

/** What a trace must not contain: keys, parts of credentials, and secrets that are sent or read. */
const SECRETS = [CI.privateKey, PASSWORD, 'canary', 'Digest', 'response=', 'dana@example.com', 'cnonce']

const LINE =
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (GET|POST|PATCH|DELETE) \/\S+ → (\d{3}|no answer) in \d+ ms( · .+)?$/

const linesIn = (text: string): string[] => text.split('\n').filter((line) => LINE.test(line))
const requestsOf = async (here: Scene): Promise<string[]> =>
  (await here.requests()).log.map(({ method, path, status }) => `${method} ${path} → ${status}`)
const shortly = (line: string): string => line.slice(25).replace(/ in \d+ ms.*/, '')

const traced = async (here: Scene, ...words: string[]) => {
  const file = join(here.folder, 'trace.log')
  here.env['DEPLOYMGMT_TRACE'] = 'trace.log'
  const ran = await here.run(...words)
  return { ...ran, file, text: await readFile(file, 'utf8') }
}

describe('a trace', () => {
  it('has a line for each request, with what it was for, and no secret', async () => {
    const here = await begin({ manifest: manifestWith() })
    await here.forgetRequests()
    const { text, code, file } = await traced(here, 'apply', '--auto-approve')
    expect(code).not.toBe(1)
    const lines = linesIn(text)
    expect(text).toBe(lines.map((line) => `${line}\n`).join(''))
    expect(lines.map(shortly).toSorted()).toEqual((await requestsOf(here)).toSorted())
    expect(lines[0]).toContain('asks for a challenge')
    expect(text).toMatch(
      /POST .*maintenanceWindows\/ → 20\d in \d+ ms · maintenanceWindows.migration, creates maintenance_window \(endpoint 14\)/,
    )
    expect(text).toContain('reads alert_configurations (endpoint 5)')
    for (const secret of SECRETS) expect(text).not.toContain(secret)
    expect((await stat(file)).mode & 0o777).toBe(0o600)
  })

  it('goes to stderr with --trace, of any command that sends something', async () => {
    const here = await begin({ manifest: manifestWith() })
    for (const words of [['plan'], ['drift'], ['get', 'alerts', '--project-id', PROJECT]]) {
      await here.forgetRequests()
      const { stderr } = await here.run(...words, '--trace')
      expect(linesIn(stderr).map(shortly).toSorted()).toEqual((await requestsOf(here)).toSorted())
    }
    expect(linesIn((await here.run('plan')).stderr)).toEqual([])
  })

  it('says why a request is sent again, and how long it has waited', async () => {
    const here = await begin({ manifest: manifestWith() })
    await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 503, count: 1 })
    const { text } = await traced(here, 'plan')
    expect(text).toMatch(/→ 503 in/)
    expect(text).toMatch(/→ 200 in .*attempt 2, after DM-SERVICE-FAILURE, waited \d+ ms/)
    await failing(here, 'GET', 'alertConfigs', { fault: 'reset-before', count: 1 })
    expect((await traced(here, 'plan')).text).toMatch(/→ no answer in \d+ ms/)
    await failing(here, 'GET', '', { fault: 'stale-nonce', count: 1 })
    expect((await traced(here, 'plan')).text).toMatch(/after a nonce that is stale/)
  })

  it('stops nothing where the disk becomes full, and says that it is not whole', async () => {
    const here = await begin({ manifest: manifestWith() })
    here.env['DEPLOYMGMT_TRACE'] = '/dev/full'
    expect(await here.run('plan')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(
        'Warning: the trace in /dev/full is not whole: the disk is full (ENOSPC)',
      ),
    })
  })

  it('adds to what was traced before, and leaves alone what is no trace', async () => {
    const here = await begin({ manifest: manifestWith() })
    const first = (await traced(here, 'plan')).text
    expect((await traced(here, 'plan')).text.startsWith(first)).toBe(true)
    await here.forgetRequests()
    await writeFile(join(here.folder, 'notes.txt'), 'mine\n')
    here.env['DEPLOYMGMT_TRACE'] = 'notes.txt'
    expect(await here.run('plan')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/DM-OUTPUT: the trace cannot be written: the file holds something else/),
    })
    expect(await requestsOf(here)).toEqual([])
    expect(await readFile(join(here.folder, 'notes.txt'), 'utf8')).toBe('mine\n')
    await writeFile(join(here.folder, 'empty.log'), '', { mode: 0o644 })
    here.env['DEPLOYMGMT_TRACE'] = 'empty.log'
    expect(await here.run('plan')).toMatchObject({ code: 0 })
    expect((await stat(join(here.folder, 'empty.log'))).mode & 0o777).toBe(0o600)
    here.env['DEPLOYMGMT_TRACE'] = 'no/folder.log'
    expect(await here.run('plan')).toMatchObject({ code: 1 })
  })
  it.each([
    ['deploymgmt.yaml', ['plan']],
    ['deploymgmt.state.json', ['plan']],
    ['./deploymgmt.state.journal', ['drift']],
    ['deploymgmt.state.json.lock', ['apply', '--auto-approve']],
    ['deploymgmt.accepted.yaml', ['drift']],
    ['deploymgmt.silences.json', ['get', 'alerts', '--project-id', PROJECT]],
    ['r.html', ['plan', '--format', 'html=r.html']],
    ['saved.plan', ['plan', '--out', './saved.plan']],
  ])('is not written over %s, there or not', async (file, words) => {
    const here = await begin({ manifest: manifestWith() })
    const before = await readdir(here.folder)
    await here.forgetRequests()
    here.env['DEPLOYMGMT_TRACE'] = file
    expect(await here.run(...words)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/DM-USAGE: .*DEPLOYMGMT_TRACE=/),
    })
    expect([await requestsOf(here), await readdir(here.folder)]).toEqual([[], before])
    expect(await readFile(join(here.folder, 'deploymgmt.yaml'), 'utf8')).toBe(manifestWith())
  })
})
