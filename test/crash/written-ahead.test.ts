import { chmod, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkedJournal } from '../../reconciler/state/stores/journal-reader.ts'
import { bareRepository, git } from '../support/git.ts'
import { runHere } from '../support/command.ts'
import { PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { start } from '../support/process.ts'
import { pass, type Passed, type Passing } from '../support/proxy.ts'
import { begin, only, type Scene } from '../support/scene.ts'

const BRANCH = 'state'

/** Windows that cannot be confused: each is on a day of its own. */
const windows = (count: number, description = 'Night'): string =>
  only(
    'maintenanceWindows',
    Array.from({ length: count }, (_, index) => {
      const day = new Date(Date.UTC(2035, 0, 1 + index)).toISOString().slice(0, 10)
      return `  w${index}: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: ${day}T02:00:00Z, endDate: ${day}T04:00:00Z, description: ${description} }`
    }).join('\n'),
  )

interface InGit extends Scene {
  readonly bare: string
}

/** A scene whose state is in git, where one commit records many intents. */
const inGit = async (manifest: string): Promise<InGit> => {
  const bare = await bareRepository()
  const here = await begin({ proxied: true, manifest })
  await rm(join(here.folder, 'deploymgmt.state.json'))
  here.env['DEPLOYMGMT_STATE'] = `git+file://${bare}#${BRANCH}`
  expect(await here.run('state', 'init')).toMatchObject({ code: 0 })
  return { ...here, bare }
}

/** The subjects of all commits, oldest first. */
const subjectsIn = async (bare: string): Promise<string[]> =>
  (await git(bare, 'log', '--reverse', '--format=%s', BRANCH)).split('\n')

type Journal = ReturnType<typeof checkedJournal>

/** The journal after a commit: one process prints the lines of all its files, in their order. */
const journalAt = async (bare: string, sha: string): Promise<Journal | undefined> => {
  const found = await git(bare, 'grep', '-e', '', sha, '--', 'journal').catch((error: { code: unknown }) => {
    if (error.code === 1) return ''
    throw error
  })
  const lines = [...found.matchAll(/^[^:]+:journal\/(?<name>[^:]+):(?<text>.*)$/gmu)]
  const linesOf = (isAsked: (name: string) => boolean): unknown[] =>
    lines.flatMap(({ groups }) =>
      isAsked(groups?.['name'] ?? '') ? [JSON.parse(groups?.['text'] ?? '')] : [],
    )
  const records = linesOf((name) => name.endsWith('.jsonl'))
  if (records.length === 0) return undefined
  const [header] = linesOf((name) => name === 'header.json')
  return checkedJournal({ at: sha, header, records, droppedTail: false })
}

const journalsIn = async (bare: string): Promise<Journal[]> => {
  const shas = (await git(bare, 'log', '--reverse', '--format=%H', BRANCH)).split('\n')
  const journals = await Promise.all(shas.map((sha) => journalAt(bare, sha)))
  return journals.filter((each) => each !== undefined)
}

interface How {
  /** How far the clock advances with each write; `thenMs` changes that from one write on. */
  readonly msPerWrite: number
  readonly thenMs?: { readonly from: number; readonly ms: number }
  readonly concurrency?: number
  /** What happens to a write instead of being forwarded. */
  readonly instead?: (passing: Passing) => Promise<Passed | undefined> | Passed | undefined
  readonly onInterrupt?: (stop: () => void) => () => void
}

const apply = (here: InGit, { msPerWrite, thenMs, concurrency = 4, instead, onInterrupt }: How) => {
  let later = 0
  here.proxy.steer(async (passing, forward) => {
    if (passing.write === 0) return forward()
    const other = await instead?.(passing)
    const ms = thenMs !== undefined && passing.write >= thenMs.from ? thenMs.ms : msPerWrite
    later += ms
    if (ms >= 1000) await here.control('POST', 'clock', { advance: `PT${ms / 1000}S` })
    return other ?? forward()
  })
  const started = Date.now()
  const words = ['apply', '--auto-approve', '--allow-mass-change', '--concurrency', String(concurrency)]
  const now = (): Date => new Date(started + later)
  return runHere(here, words, { now, ...(onInterrupt === undefined ? {} : { onInterrupt }) })
}

const stepsIn = async ({ bare }: InGit, what: string): Promise<number> =>
  (await subjectsIn(bare)).filter((subject) => subject.startsWith(`deploymgmt apply ${what}`)).length

/** Expects all windows to exist once, and a plan to find nothing to do. */
const expectAll = async (here: InGit, count: number): Promise<void> => {
  const { code, stdout } = await here.run('plan', '--detailed-exitcode')
  expect({ code, stdout }).toMatchObject({ code: 0 })
  const days = (await windowsAt(here)).map(({ startDate }) => startDate)
  expect([days.length, new Set(days).size]).toStrictEqual([count, count])
}

const unknownIn = async (here: InGit): Promise<number> =>
  JSON.parse((await here.run('state', 'list', '--format', 'json')).stdout).filter(
    ({ status }: { readonly status: string }) => status === 'unknown',
  ).length

describe('where one commit is to record many intents', () => {
  it('an apply of 60 windows takes a few saves, and a loss at any of them leaves at most two batches unknown', async () => {
    const here = await inGit(windows(60))
    expect(await apply(here, { msPerWrite: 400 })).toMatchObject({ code: 0 })
    // The first batch has 4 writes, later ones what can be sent in five seconds.
    const [saves, journals] = [await stepsIn(here, 'writes down'), await journalsIn(here.bare)]
    expect(saves).toBeGreaterThan(3)
    expect(saves).toBeLessThan(8)
    expect(await stepsIn(here, 'saves the state')).toBe(1)
    // Not "intent 4": whoever reads the history would take that for the fourth.
    expect(await subjectsIn(here.bare)).toContain('deploymgmt apply writes down 4 intents [skip ci]')
    const open = journals.map(({ openIntents }) => openIntents.length)
    expect(Math.max(...open)).toBeLessThanOrEqual(2 * 16)
    await expectAll(here, 60)
  })

  it('changes are written ahead, too', async () => {
    const here = await inGit(windows(40))
    expect(await apply(here, { msPerWrite: 10 })).toMatchObject({ code: 0 })
    const before = await stepsIn(here, 'writes down')
    await here.manifest(windows(40, 'Day'))
    expect(await apply(here, { msPerWrite: 10 })).toMatchObject({ code: 0 })
    expect(await stepsIn(here, 'writes down')).toBeLessThanOrEqual(before + 3)
    await expectAll(here, 40)
  })

  it('no request leaves before its intent is in the branch', async () => {
    const here = await inGit(windows(24))
    const found: boolean[] = []
    const ran = await apply(here, {
      msPerWrite: 100,
      instead: async ({ method, path, body }) => {
        const { openIntents = [] } = (await journalAt(here.bare, BRANCH)) ?? {}
        const { startDate } = JSON.parse(body)
        found.push(
          openIntents.some(
            (each) =>
              each.method === method && each.path === path && (each.body as any).startDate === startDate,
          ),
        )
        return undefined
      },
    })
    expect(ran).toMatchObject({ code: 0 })
    expect(found).toStrictEqual(Array.from({ length: 24 }, () => true))
  })

  it('what waits too long for its turn is withdrawn, and written down anew', async () => {
    const here = await inGit(windows(24))
    const ages: number[] = []
    const ran = await apply(here, {
      msPerWrite: 100,
      thenMs: { from: 8, ms: 13_000 },
      concurrency: 2,
      instead: async ({ body }) => {
        const { openIntents = [] } = (await journalAt(here.bare, BRANCH)) ?? {}
        const { now } = await here.control('GET', 'clock')
        const own = openIntents.findLast(
          (each) => (each.body as any).startDate === JSON.parse(body).startDate,
        )
        ages.push(Date.parse(now) - Date.parse(own?.detail.sentAt ?? ''))
        return undefined
      },
    })
    expect(ran).toMatchObject({ code: 0 })
    // Some requests are sent again with a new nonce.
    expect(ages.length).toBeGreaterThanOrEqual(24)
    // A request may be delayed for a minute after its intent; then it is checked again and has half a minute.
    expect(Math.max(...ages)).toBeLessThan(90_000)
    const types = (await journalsIn(here.bare)).flatMap(({ entries }) => entries.map(({ type }) => type))
    expect(types).toContain('withdrawn')
    await expectAll(here, 24)
  })

  it('an interrupt leaves nothing unknown: what was not sent is withdrawn', async () => {
    const here = await inGit(windows(40))
    const stops: (() => void)[] = []
    const ran = await apply(here, {
      msPerWrite: 100,
      instead: ({ write }) => {
        if (write === 9) for (const stop of stops) stop()
        return undefined
      },
      onInterrupt: (stop) => {
        stops.push(stop)
        return () => undefined
      },
    })
    expect(ran).toMatchObject({ code: 130 })
    const made = (await windowsAt(here)).length
    expect(made).toBeLessThan(20)
    expect(
      Math.max(...(await journalsIn(here.bare)).map(({ openIntents }) => openIntents.length)),
    ).toBeGreaterThan(made)
    expect(await unknownIn(here)).toBe(0)
    expect(await journalAt(here.bare, BRANCH)).toBeUndefined()
    expect(await apply(here, { msPerWrite: 100 })).toMatchObject({ code: 0 })
    await expectAll(here, 40)
  })

  it('refused credentials leave nothing unknown either', async () => {
    const here = await inGit(windows(40))
    const body = JSON.stringify({ error: 403, errorCode: 'IP_ADDRESS_NOT_ON_ACCESS_LIST', detail: 'No.' })
    const status = 403
    const ran = await apply(here, {
      msPerWrite: 100,
      instead: ({ write }) =>
        write < 9 ? undefined : { status, headers: { 'content-type': 'application/json' }, body },
    })
    expect(ran).toMatchObject({ code: 1 })
    expect(await unknownIn(here)).toBe(0)
    here.proxy.steer(pass)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    await expectAll(here, 40)
  })

  it.each([
    ['arrives all the same', 0],
    ['does not arrive', 1],
  ])('an apply that is killed at any push, which %s, loses and doubles nothing', async (_, code) => {
    const here = await inGit(windows(1))
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    let [count, isKilled] = [1, true]
    for (let nth = 1; isKilled; nth += 1) {
      count += 12
      await here.manifest(windows(count))
      isKilled = await killedAtPush(here, nth, code)
      await here.control('POST', 'clock', { advance: 'PT3M' })
      const ran = await here.run('apply', '--auto-approve')
      expect(ran).toMatchObject({ code: 0 })
      await expectAll(here, count)
    }
    // Pushes of an apply: the lock, three batches, the state, the lock.
    expect(count).toBeGreaterThan(4 * 12)
  })
})

/**
 * Runs an apply that is killed by its n-th push; the push then ends with this exit code. Returns whether there was an
 * n-th push.
 */
const killedAtPush = async (here: InGit, nth: number, code: number): Promise<boolean> => {
  const at = (name: string): string => join(here.bare, name)
  await writeFile(at('pushes'), '')
  await writeFile(
    at('hooks/pre-receive'),
    `#!/bin/sh
printf x >> "${at('pushes')}"
[ "$(wc -c < "${at('pushes')}")" -eq ${nth} ] || exit 0
kill -9 "$(cat "${at('pid')}")"
exit ${code}
`,
  )
  await chmod(at('hooks/pre-receive'), 0o755)
  const { child, ended } = start(here, ['apply', '--auto-approve', '--concurrency', '2'])
  await writeFile(at('pid'), String(child.pid))
  const { signal } = await ended
  await writeFile(at('hooks/pre-receive'), '#!/bin/sh\nexit 0\n')
  return signal === 'SIGKILL'
}
