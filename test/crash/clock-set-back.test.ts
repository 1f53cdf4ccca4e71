import { describe, expect, it } from 'vitest'
import { runHere, type Ran } from '../support/command.ts'
import { ONCALL, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { only, type Scene } from '../support/scene.ts'
import { after, before, expectWhole, killAt, resolveAll, scene } from './support/kill.ts'
import { namedIn, unknownIn } from './support/unknown.ts'

let here: Scene

/** The creations among the writes of an apply of all five kinds, by position, and what is created. */
const CREATIONS: ReadonlyMap<number, readonly string[]> = new Map([
  [3, ['users.dana']],
  [6, ['maintenanceWindows.migration']],
])
const CASES = [2, 3, 6].flatMap((n) => [
  { n, when: 'before the service has it', fate: before },
  { n, when: 'after the service has committed it', fate: after },
])

const BACK_MS = 10 * 60_000
const ADDRESS = 'maintenanceWindows.lost'
const WINDOW = only(
  'maintenanceWindows',
  '  lost: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }',
)
const later = (advance: string): Promise<void> => here.control('POST', 'clock', { advance })
const held = (): Promise<any[]> => windowsAt(here)

/** Runs a command on the machine whose clock was set back after the last one was killed. */
const setBack = (words: readonly string[], byMs = BACK_MS): Promise<Ran> =>
  runHere(here, words, { now: () => new Date(Date.now() - byMs) })

describe('a machine whose clock is set back after a kill', () => {
  it.each(CASES)('takes up from a kill at write $n, $when', async ({ n, fate }) => {
    here = await scene()
    await killAt(here, ({ write }) => write === n, fate)
    await later('PT3M')
    const first = await setBack(['apply', '--auto-approve'])
    const left = await unknownIn(here)
    expect({ code: first.code, left, stderr: first.stderr }).toMatchObject({ code: left.length > 0 ? 3 : 0 })
    // With nothing of its kind recorded, no write can settle a lost creation: the first window and the first user are
    // left to a person, whatever the clock says.
    expect(left).toEqual(fate === before ? (CREATIONS.get(n) ?? []) : [])
    await resolveAll(here, left)
    expect(await setBack(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    await expectWhole(here)
    expect(await setBack(['drift'])).toMatchObject({ code: 0 })
    expect(await setBack(['plan', '--detailed-exitcode'])).toMatchObject({ code: 0 })
  })

  it('shows what others change after that, and names them', async () => {
    here = await scene({ manifest: WINDOW })
    await killAt(here, ({ method, write }) => method === 'POST' && write > 0, after)
    expect(await setBack(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    await later('PT10S')
    const [{ id }] = await held()
    const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
    await here.outside('PATCH', path, { endDate: '2035-01-06T08:00:00Z' }, ONCALL)
    const { code, stdout } = await setBack(['drift', '--format', 'json'])
    expect(code).toBe(2)
    expect(JSON.parse(stdout).resources).toMatchObject([
      { verdict: 'drifted', actor: { publicKey: 'oncall' } },
    ])
  })

  it('waits for what can still take effect by the service’s clock, and no longer', async () => {
    here = await scene({ manifest: WINDOW })
    await killAt(here, ({ method, write }) => method === 'POST' && write > 0, before)
    const early = await setBack(['apply', '--auto-approve'])
    expect({ code: early.code, stderr: early.stderr }).toMatchObject({ code: 3 })
    expect(early.stderr).toContain('Run deploymgmt apply after')
    expect(early.stderr).not.toContain('--not-created')
    await later('PT3M')
    const late = await setBack(['apply', '--auto-approve'])
    expect(late).toMatchObject({ code: 3 })
    expect(namedIn(late.stderr)).toEqual([ADDRESS])
    expect(late.stderr).toContain('--not-created')
    expect(late.stderr).not.toContain('Run deploymgmt apply after')
  })

  it('accepts --not-created only once its own clock has passed that time', async () => {
    here = await scene({ manifest: WINDOW })
    await killAt(here, ({ method, write }) => method === 'POST' && write > 0, before)
    const resolve = ['state', 'resolve', ADDRESS, '--not-created']
    expect(await setBack(resolve)).toMatchObject({ code: 3 })
    expect(await setBack(resolve, -180_000)).toMatchObject({ code: 0 })
    expect(await setBack(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    expect(await held()).toHaveLength(1)
  })

  it('recovers a state whose journal has records of a later time, and its dead owner’s lock', async () => {
    here = await scene()
    await killAt(here, ({ method, write }) => method === 'PATCH' && write > 2, after)
    const listed = await setBack(['state', 'list', '--format', 'json'])
    expect(listed).toMatchObject({ code: 0 })
    expect(await setBack(['apply', '--auto-approve'])).toMatchObject({ code: 0 })
    await expectWhole(here)
  })
})
