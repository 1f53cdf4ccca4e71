/** Services that limit how many requests a key may send in a minute. */
import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { Io } from '../../reconciler/io.ts'
import { runHere, type Ran } from '../support/command.ts'
import { PROJECT } from '../support/installation.ts'
import { applied, begin, only, writesIn, type Scene } from '../support/scene.ts'

const MOST = 8
const WINDOWS = 30

const windows = Array.from(
  { length: WINDOWS },
  (_, index) =>
    `  w${String(index)}: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: w${String(index)} }`,
)

/** Waits of a command pass at once, for the command and for the service; those that begin meanwhile end together. */
const passing = (here: Scene): Pick<Io, 'now' | 'pause'> => {
  let ahead = 0
  let advance: Promise<void> | undefined
  const pass = async (ms: number): Promise<void> => {
    await here.control('POST', 'clock', { advance: `PT${String(Math.ceil(ms / 1000))}S` })
    ahead += ms
    advance = undefined
  }
  return {
    now: () => new Date(Date.now() + ahead),
    pause: (ms) => (advance ??= pass(ms)),
  }
}

it('an apply of more than a minute allows takes as many minutes, and makes each thing once', async () => {
  const here = await begin({
    settings: { 'open.rateLimit': String(MOST) },
    manifest: only('maintenanceWindows', `\n${windows.join('\n')}\n`),
  })
  const passes = passing(here)
  const run = (...words: string[]): Promise<Ran> => runHere(here, words, passes)
  expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  const { length: sent } = await writesIn(here)
  expect(sent).toBeGreaterThanOrEqual(WINDOWS)
  // What was under way when the minute was used up is refused, and nothing else.
  expect(sent).toBeLessThanOrEqual(WINDOWS + 10 * Math.ceil(WINDOWS / MOST))
  const dump = await here.control('GET', 'dump')
  const project = dump.projects.find(({ id }: any) => id === PROJECT)
  expect(project.maintenanceWindows).toHaveLength(WINDOWS)
  await here.forgetRequests()
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toEqual([])
})

const LIMITED = {
  status: 429,
  headers: { 'content-type': 'application/json', 'retry-after': '100' },
  body: '{}',
}

describe('a write that has waited longer than what was written down of it lasts', () => {
  const first = only('maintenanceWindows', `\n${windows[0] ?? ''}\n`)

  /** Changes the window; its write is refused once, for 100 seconds, in which something else happens. */
  const applyLate = async (
    meanwhile: (here: Scene, path: string) => Promise<void>,
  ): Promise<Ran & { readonly here: Scene }> => {
    const here = await begin({ proxied: true })
    await applied(here, first)
    await here.manifest(first.replace('description: w0', 'description: later'))
    await here.forgetRequests()
    here.proxy.steer(async (request, forward) => {
      if (request.write !== 1) return forward()
      await meanwhile(here, request.path)
      return LIMITED
    })
    return { here, ...(await runHere(here, ['apply', '--auto-approve'], passing(here))) }
  }

  it('is written down and sent anew', async () => {
    const { here, code, stdout } = await applyLate(() => Promise.resolve())
    expect({ code, stdout }).toMatchObject({ code: 0 })
    expect(await writesIn(here)).toHaveLength(1)
    expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('is not sent if somebody else has changed the thing meanwhile', async () => {
    const { here, code, stdout } = await applyLate(async (scene, path) => {
      await scene.outside('PATCH', path, { description: 'theirs' })
    })
    expect(code).toBe(1)
    expect(stdout).toContain('--allow-overwrite: somebody else has changed it')
    expect(await writesIn(here)).toHaveLength(1)
  })
})

it.each([
  ['plan', 'GET'],
  ['apply --auto-approve', 'POST'],
])('%s says that it waits, and for how long', async (words, method) => {
  const here = await begin({ manifest: only('maintenanceWindows', `\n${windows[0] ?? ''}\n`), proxied: true })
  here.proxy.steer(async (request, forward) =>
    request.method === method
      ? { ...LIMITED, headers: { ...LIMITED.headers, 'retry-after': '120' } }
      : forward(),
  )
  let stop: (() => void) | undefined
  const stderr = Object.assign(
    new Writable({
      write(chunk: Buffer, _, done) {
        if (chunk.toString().includes('the service limits requests; the next request is sent in ')) {
          stop?.()
          // A second interrupt would end the process.
          stop = undefined
        }
        done()
      },
    }),
    { isTTY: true as const, columns: 100 },
  )
  const ran = await runHere(here, words.split(' '), {
    stderr,
    onInterrupt: (interrupt) => {
      stop = interrupt
      return () => {}
    },
  })
  expect(ran.code).toBe(130)
})
