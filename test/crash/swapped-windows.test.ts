import { describe, expect, it } from 'vitest'
import { CI, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { pass } from '../support/proxy.ts'
import { begin, beginApplied, writesIn, type Scene } from '../support/scene.ts'
import { inOppositeOrder, makingOnly } from '../support/swapped.ts'
import { after, killAt } from './support/kill.ts'
import { expectConverged, unknownIn } from './support/unknown.ts'
import { ownKey, windows } from './support/two-windows.ts'

interface Declared {
  readonly name: string
  readonly types?: string
  readonly description?: string
}

const NAMES = Array.from({ length: 11 }, (_, index) => `w${String(index + 1).padStart(2, '0')}`)

const line = ({ name, types = 'HOST', description }: Declared): string => {
  const day = `2035-03-${name.slice(1)}`
  const described = description === undefined ? '' : `, description: ${description}`
  return `  ${name}: { alertTypeNames: [${types}], startDate: ${day}T02:00:00Z, endDate: ${day}T04:00:00Z${described} }`
}

/** An installation whose windows were all made, each at the place of another, and none of whose answers came. */
const swapped = async (declared: readonly Declared[]): Promise<Scene> => {
  const here = await begin({
    settings: { 'open.rawDocument': 'empty' },
    proxied: true,
    manifest: windows(...declared.map(line)),
  })
  // A second apart, so that events tell the order.
  const aSecond = () => here.control('POST', 'clock', { advance: 'PT1S' })
  here.proxy.steer(inOppositeOrder(declared.length, aSecond))
  const all = String(declared.length)
  expect(await here.run('apply', '--auto-approve', '--concurrency', all)).toMatchObject({ code: 3 })
  here.proxy.steer(pass)
  await here.control('POST', 'clock', { advance: 'PT3M' })
  await here.forgetRequests()
  return here
}

/** Expects that each address has one window, with its own values and nothing of another one. */
const expectOwn = async (here: Scene, declared: readonly Declared[]): Promise<void> => {
  const held = await windowsAt(here)
  const { resources } = await here.state()
  expect(Object.keys(resources)).toHaveLength(held.length)
  for (const { name, types = 'HOST', description } of declared) {
    const { id } = resources[`maintenanceWindows.${name}`].identity
    const window = held.find((each) => each.id === id)
    expect({ name, ...window, description: window.description }).toMatchObject({
      alertTypeNames: [types],
      startDate: `2035-03-${name.slice(1)}T02:00:00Z`,
      endDate: `2035-03-${name.slice(1)}T04:00:00Z`,
      description,
    })
  }
  await expectConverged(here)
}

const DESCRIBED = NAMES.map((name) => ({ name, description: name }))
const HALF = NAMES.map((name, index) => (index % 2 === 0 ? { name } : { name, description: name }))
const MIXED = HALF.map((each, index) => ({ ...each, types: index % 3 === 0 ? 'BACKUP' : 'HOST' }))

it.each([
  ['all have a description', DESCRIBED, 2 * NAMES.length],
  ['some have none, which could not be removed from them', HALF, NAMES.length],
  ['some have none, and their types differ', MIXED, 2 * NAMES.length],
])(
  'lost windows are recorded for what made them, and need no consent to many changes, where %s',
  async (_, declared, mostWrites) => {
    const here = await swapped(declared)
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect((await writesIn(here)).length).toBeLessThanOrEqual(mostWrites)
    expect(stderr).not.toContain('another lost creation')
    await expectOwn(here, declared)
  },
)

/** Kills an apply while it asks: of the requests that it has sent by then, one has no answer. */
const killedAsking = (here: Scene): Promise<unknown> => killAt(here, ({ write }) => write === 4, after)

it('where some were asked by an earlier run, each keeps the thing that it was asked for, and gets its own values', async () => {
  const here = await swapped(DESCRIBED)
  await killedAsking(here)
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toContain(
    "its answer has the values of another lost creation; this one's are written over them",
  )
  await expectOwn(here, DESCRIBED)
})

it('where that could leave one the description of another, they wait for the next apply', async () => {
  const here = await swapped(MIXED)
  await killedAsking(here)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await expectOwn(here, MIXED)
})

it('where another one was refused meanwhile, they are recorded for what made them by the next apply', async () => {
  const here = await swapped(MIXED)
  let asked = 0
  here.proxy.steer(async ({ method }, forward) => {
    asked += method === 'PATCH' ? 1 : 0
    return method === 'PATCH' && asked === 1 ? { status: 403, headers: {}, body: '{}' } : forward()
  })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  const { code, stderr } = await here.run('apply', '--auto-approve')
  expect({ code, stderr }).toMatchObject({ code: 0 })
  await expectOwn(here, MIXED)
})

/** Runs an apply that loses the answers to two creations, and the one of the first; returns the id of the second. */
const applyAndLose = async (here: Scene): Promise<string> => {
  here.proxy.steer(makingOnly('2035-03-02').steer)
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  here.proxy.steer(pass)
  await here.control('POST', 'clock', { advance: 'PT3M' })
  return (await windowsAt(here)).find(({ startDate }) => startDate.startsWith('2035-03-02')).id
}

describe.each([
  [
    'has a description, and the one that was not made has none',
    { name: 'w02', description: 'w02' },
    { name: 'w01' },
  ],
  ['has none, and the one that was not made has one', { name: 'w02' }, { name: 'w01', description: 'w01' }],
])('the only one that was made, where it %s,', (_, made, notMade) => {
  const both = [notMade, made].map(line)

  /** Applies, and expects that each has its own; returns the id that is recorded for the one that was made. */
  const recorded = async (here: Scene, ...more: readonly Declared[]): Promise<string> => {
    const { code, stderr } = await here.run('apply', '--auto-approve')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    await expectOwn(here, [made, notMade, ...more])
    return (await here.state()).resources['maintenanceWindows.w02'].identity.id
  }
  const settings = { 'open.rawDocument': 'empty' }

  it('is recorded for what made it', async () => {
    const here = await begin({ settings, proxied: true, manifest: windows(...both) })
    const id = await applyAndLose(here)
    expect(await recorded(here)).toBe(id)
  })

  it('is, too, where nothing else uses the key', async () => {
    const manifest = ownKey(windows(...both))
    const here = await begin({ settings, proxied: true, manifest })
    const id = await applyAndLose(here)
    expect(await recorded(here)).toBe(id)
  })

  it('is, too, where the other one is made later, which is recorded as well', async () => {
    const here = await begin({ settings, proxied: true, manifest: windows(...both) })
    const { steer, makeOthers } = makingOnly('2035-03-02')
    here.proxy.steer(steer)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    here.proxy.steer(pass)
    const [{ id }] = await windowsAt(here)
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.w01'])
    await makeOthers()
    await here.control('POST', 'clock', { advance: 'PT3M' })
    expect(await recorded(here)).toBe(id)
    expect(await windowsAt(here)).toHaveLength(2)
  })

  it('is, too, where a later event shows that no more was made', async () => {
    const other = { name: 'w11', description: 'other' }
    const here = await beginApplied(windows(line(other)), { settings, proxied: true })
    await here.manifest(windows(line(other), ...both))
    const id = await applyAndLose(here)
    const [{ id: fence }] = (await windowsAt(here)).filter(({ description }) => description === 'other')
    await here.outside(
      'PATCH',
      `/groups/${PROJECT}/maintenanceWindows/${fence}`,
      { description: 'other' },
      CI,
    )
    expect(await recorded(here, other)).toBe(id)
  })
})
