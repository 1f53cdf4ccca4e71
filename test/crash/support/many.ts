import { expect } from 'vitest'
import { CI, ORG, PROJECT } from '../../support/installation.ts'
import { pass, type Passed, type Passing, type Steer } from '../../support/proxy.ts'
import { start } from '../../support/process.ts'
import { begin, type Scene } from '../../support/scene.ts'
import { tell } from '../../support/soak.ts'
import { addressesIn, namedIn, resolve as decideOn, unknownIn } from './unknown.ts'

const AT_ONCE = 10

interface Size {
  readonly windows: number
  readonly users: number
}
export const MANY: Size = { windows: 170, users: 30 }
export const FEW: Size = { windows: 40, users: 10 }

const two = (number: number): string => String(number).padStart(2, '0')
const windowLine = (index: number): string => {
  const [month, day] = [two((index % 12) + 1), two((index % 28) + 1)]
  const types = index % 3 === 0 ? 'HOST' : index % 3 === 1 ? 'HOST, AGENT' : 'BACKUP'
  // Every fifth window has no description, so its candidates are asked by their alert types.
  const description = index % 5 === 0 ? '' : `, description: w${index}`
  return `  w${index}: { alertTypeNames: [${types}], startDate: 2035-${month}-${day}T02:00:00Z, endDate: ${2036 + index}-01-01T00:00:00Z${description} }`
}
const userLine = (index: number): string =>
  `  u${index}: { username: u${index}@example.com, emailAddress: u${index}@example.com, firstName: U, lastName: ${index}, mobileNumber: "212555${1000 + index}", password: { env: DANA_INITIAL_PASSWORD }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }] }`

const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const manifestOf = ({ windows, users }: Size): string => `version: 1
name: test
projects:
  payments: { id: ${PROJECT}, orgId: ${ORG} }
defaults:
  orgId: ${ORG}
  projectId: ${PROJECT}
users:
${lines(users, userLine)}
maintenanceWindows:
${lines(windows, windowLine)}
`

/** What a series of kills has led to. */
export interface Figures {
  readonly kills: number
  /** Outcomes that were unknown after a kill. */
  readonly unknown: number
  /** Those that no evidence settled. */
  readonly forPerson: number
}

export const tellOf = (under: string, { kills, unknown, forPerson }: Figures): void =>
  tell('Under', under, { Applies: 1, Kills: kills, Unknown: unknown, 'For a person': forPerson })

/** Random numbers from a seed, so that a failing run can be repeated (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The end year identifies a declared window, whatever its description says. */
const nameOf = ({ endDate }: any): string =>
  `maintenanceWindows.w${Number(String(endDate).slice(0, 4)) - 2036}`

interface Killing extends Size {
  readonly settings?: Readonly<Record<string, string>>
  /** Whether somebody else makes windows with the same key at the same time. */
  readonly strangers?: boolean
}

/**
 * Kills an apply of many windows and users with ten writes in flight, each done or not done by the service, again and
 * again until everything exists. Then expects that nothing was lost, doubled or taken over wrongly.
 */
export const killUntilDone = async (
  seed: number,
  { settings = {}, strangers = false, ...size }: Killing,
): Promise<Figures> => {
  const here = await begin({ settings, manifest: manifestOf(size), proxied: true })
  const random = randomFrom(seed)
  let [kills, unknown, forPerson, isDone] = [0, 0, 0, false]
  const theirs: any[] = []
  while (!isDone) {
    isDone = await killOnce(here, await missing(here, size), random)
    if (!isDone) kills += 1
    const stranger = strangers && random() < 0.5 ? await strangersWindow(here, theirs.length) : undefined
    if (stranger !== undefined) theirs.push(stranger)
    unknown += (await unknownIn(here)).length
    await later(here, 'PT3M')
    forPerson += await recover(here, random)
    // Nothing is created until the stranger is disowned.
    if (stranger !== undefined)
      expect(await here.run('state', 'disown', stranger.id)).toMatchObject({ code: 0 })
  }
  await expectWhole(here, size, theirs)
  return { kills, unknown, forPerson }
}

/** How many windows and users do not exist yet. */
const missing = async (here: Scene, { windows, users }: Size): Promise<number> => {
  const dump = await here.control('GET', 'dump')
  return windows + users - oursIn(dump).length - dump.users.length
}

/**
 * Runs an apply. From a random write on, each write is done or lost, and with ten of them in flight the apply is
 * killed.
 */
const killOnce = async (here: Scene, left: number, random: () => number): Promise<boolean> => {
  const first = 1 + Math.floor(random() * 40)
  // Near the end, fewer writes are left.
  const most = Math.max(1, Math.min(AT_ONCE, left - first + 1))
  const { promise: full, resolve } = Promise.withResolvers<'full'>()
  let held = 0
  const steer: Steer = async ({ write }: Passing, forward: () => Promise<Passed>) => {
    if (write === 0 || write < first) return forward()
    if (random() < 0.5) await forward()
    held += 1
    if (held === most) resolve('full')
    return 'silence'
  }
  here.proxy.steer(steer)
  const { child, ended } = start(here, [
    'apply',
    '--auto-approve',
    '--concurrency',
    String(AT_ONCE),
    '--quiet',
  ])
  const how = await Promise.race([full, ended])
  child.kill('SIGKILL')
  await ended
  await here.proxy.drained()
  here.proxy.steer(pass)
  return typeof how !== 'string' && how.code === 0
}

/** Applies again without faults, and lets a person decide the rest; returns how many outcomes that were. */
const recover = async (here: Scene, random: () => number): Promise<number> => {
  const words = ['apply', '--auto-approve', '--quiet', ...(await targets(here))]
  for (let tries = 0; tries < 3; tries += 1) {
    const { code, stderr } = await here.run(...words)
    if (code !== 3) {
      expect({ code, stderr }).toMatchObject({ code: 0 })
      return 0
    }
    await later(here, random() < 0.5 ? 'PT40S' : 'PT6M')
  }
  const left = namedIn((await here.run(...words)).stderr)
  await decide(here, left)
  return left.length
}

/**
 * Only targets what is already recorded: it may be written again to show that events are not late, but nothing else is
 * created. That is left for the next kill.
 */
const targets = async (here: Scene): Promise<string[]> => {
  const recorded = await addressesIn(here, 'recorded')
  return (recorded.length === 0 ? ['users.u0'] : recorded).flatMap((address) => ['--target', address])
}

/** Resolves outcomes truthfully, as a person would after a look at the service. */
const decide = async (here: Scene, addresses: readonly string[]): Promise<void> => {
  const { users, projects } = await here.control('GET', 'dump')
  const ids = new Map<string, string>([
    ...projects[0].maintenanceWindows.map((window: any) => [nameOf(window), window.id] as const),
    ...users.map(({ username, id }: any) => [`users.${username.split('@')[0]}`, id] as const),
  ])
  for (const address of addresses) {
    const id = ids.get(address)
    const truth = id === undefined ? ['--not-created'] : ['--created', id]
    await decideOn(here, address, ...truth)
  }
}

const later = (here: Scene, advance: string): Promise<void> => here.control('POST', 'clock', { advance })

/** The windows that were not made by somebody else. */
const oursIn = ({ projects }: any): any[] =>
  projects[0].maintenanceWindows.filter(({ endDate }: any) => Number(String(endDate).slice(0, 4)) < 3000)

const strangersWindow = (here: Scene, index: number): Promise<any> =>
  here.outside(
    'POST',
    `/groups/${PROJECT}/maintenanceWindows`,
    {
      alertTypeNames: ['CLUSTER'],
      startDate: '2035-07-01T00:00:00Z',
      endDate: `${3000 + index}-01-01T00:00:00Z`,
      description: 'theirs',
    },
    CI,
  )

/** Expects every window and user once, as declared, and recorded under its own id. */
const expectWhole = async (here: Scene, size: Size, theirs: readonly any[]): Promise<void> => {
  // What a person decided is written first; after that, nothing is left to do.
  expect(await here.run('apply', '--auto-approve', '--quiet')).toMatchObject({ code: 0 })
  const { code, document } = await here.json('plan', '--detailed-exitcode')
  expect({ code, summary: document.summary }).toMatchObject({ code: 0 })
  const { users, projects } = await here.control('GET', 'dump')
  const { resources } = await here.state()
  const windows: any[] = projects[0].maintenanceWindows
  const ours = oursIn({ projects })
  expect(ours.map((window) => resources[nameOf(window)]?.identity.id)).toEqual(ours.map(({ id }) => id))
  expect(new Set(ours.map(nameOf)).size).toBe(size.windows)
  expect(ours).toHaveLength(size.windows)
  for (const window of ours) {
    const { alertTypeNames, startDate, description } = resources[nameOf(window)].applied
    expect({ ...window, alertTypeNames: window.alertTypeNames.toSorted() }).toMatchObject({
      alertTypeNames: alertTypeNames.toSorted(),
      ...(description === undefined ? {} : { description }),
    })
    expect(Date.parse(window.startDate)).toBe(Date.parse(startDate))
  }
  for (const { id, alertTypeNames, startDate, endDate } of theirs)
    expect(windows.find((window) => window.id === id)).toMatchObject({ alertTypeNames, startDate, endDate })
  expect(users.map(({ username }: any) => username).toSorted()).toEqual(
    Array.from({ length: size.users }, (_, index) => `u${index}@example.com`).toSorted(),
  )
  for (const { username, id } of users)
    expect([undefined, id]).toContain(resources[`users.${username.split('@')[0]}`].identity.userId)
}
