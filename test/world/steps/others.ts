import * as fc from 'fast-check'
import type { Actor } from '../known/acts.ts'
import { HOUR } from '../known/declared.ts'
import { CONFIGS, LEDGER, ORG, PASSWORD, PROJECT, REPORTER } from '../fixture.ts'
import { inTurn, step, type Step } from './step.ts'
import { truthOf, type World } from '../world.ts'

/** What somebody else does to the service, between two commands or during an apply. */
export interface Deed {
  readonly said: string
  readonly carryOut: (world: World) => Promise<unknown>
}

const asStep = ({ said, carryOut }: Deed): Step =>
  step(said, async (_, world) => {
    await carryOut(world)
  })

const who = fc.constantFrom('oncall', 'sam', 'twin' as const)

/** The windows that can still be changed, in the order in which they were made. */
const openWindows = (world: World): any[] =>
  [...truthOf(world).windows.values()].filter(({ endDate }) => Date.parse(endDate) > world.now)

const turnsOver = (by: Exclude<Actor, 'run'>, index: number): Deed => ({
  said: `${by} turns configuration ${index} over`,
  carryOut(world) {
    const id = CONFIGS[index] ?? ''
    const enabled = truthOf(world).configs.get(id) !== true
    return world.write(by, 'PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled })
  },
})

const turnOver = fc.tuple(who, fc.nat(2)).map(([by, index]) => turnsOver(by, index))

const changesWindow = (by: Exclude<Actor, 'run'>, index: number, what: 'describes' | 'prolongs'): Deed => ({
  said: `${by} ${what} the ${index + 1}. window`,
  async carryOut(world) {
    const windows = openWindows(world)
    const window = windows[index % Math.max(1, windows.length)]
    if (window === undefined) return
    const endDate = new Date(Date.parse(window.endDate) + HOUR).toISOString().replace('.000Z', 'Z')
    const body = what === 'describes' ? { description: 'theirs' } : { endDate }
    await world.write(by, 'PATCH', `/groups/${window.projectId}/maintenanceWindows/${window.id}`, body)
  },
})

const changeWindow = fc
  .tuple(who, fc.nat(3), fc.constantFrom('describes', 'prolongs' as const))
  .map((each) => changesWindow(...each))

/** With the dates that are declared most often, or with others. */
const makeWindow = fc
  .tuple(fc.constantFrom('oncall', 'twin' as const), fc.constantFrom(24, 2_000))
  .map(([by, start]): Deed => ({
    said: `${by} makes a window of their own that starts in ${start} hours`,
    carryOut(world) {
      const at = (ms: number): string =>
        new Date(Math.floor((world.now + ms) / HOUR) * HOUR).toISOString().replace('.000Z', 'Z')
      const dates = { startDate: at(start * HOUR), endDate: at((start + 2) * HOUR) }
      const body = { alertTypeNames: ['HOST'], ...dates, description: 'theirs' }
      return world.write(by, 'POST', `/groups/${PROJECT}/maintenanceWindows`, body)
    },
  }))

const describeKey = who.map((by): Deed => ({
  said: `${by} describes the reporting key`,
  carryOut: (world) => world.write(by, 'PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' }),
}))

const NAMES = fc.constantFrom('dana', 'dora', 'pat')

const ROLE_NAMES = fc.constantFrom('ORG_READ_ONLY', 'ORG_READ_ONLY', 'ORG_OWNER')

const changeRoles = fc.tuple(who, NAMES, ROLE_NAMES).map(([by, name, roleName]): Deed => ({
  said: `${by} gives ${name} the role ${roleName} alone`,
  async carryOut(world) {
    const user = truthOf(world).users.get(`${name}@example.com`)
    if (user === undefined) return
    await world.write(by, 'PATCH', `/users/${user.id}`, { roles: [{ roleName, orgId: ORG }] })
  },
}))

const changeKeyRoles = fc.tuple(who, ROLE_NAMES).map(([by, roleName]): Deed => ({
  said: `${by} gives the reporting key the role ${roleName} alone`,
  carryOut: (world) => world.write(by, 'PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { roles: [roleName] }),
}))

/** Takes a name before a run can create it. */
const createUser = fc.tuple(fc.constantFrom('dana', 'dora'), ROLE_NAMES).map(([name, roleName]): Deed => ({
  said: `oncall creates ${name} with the role ${roleName}`,
  carryOut: (world) =>
    world.write('oncall', 'POST', '/users', {
      username: `${name}@example.com`,
      emailAddress: `${name}@example.com`,
      firstName: name,
      lastName: 'Other',
      mobileNumber: '2125550199',
      password: PASSWORD,
      roles: [{ roleName, orgId: ORG }],
    }),
}))

const accept = NAMES.map((name): Deed => ({
  said: `${name} accepts what they are invited to`,
  async carryOut(world) {
    const user = truthOf(world).users.get(`${name}@example.com`)
    if (user !== undefined) world.service.acceptInvitations(user.id)
  },
}))

const integrate = fc
  .constantFrom(
    { what: 'the chat', projectId: PROJECT, type: 'CHAT_A' },
    { what: 'the hook of the other project', projectId: LEDGER, type: 'WEBHOOK' },
  )
  .map(({ what, projectId, type }): Deed => ({
    said: `somebody adds ${what} again by hand`,
    async carryOut(world) {
      world.service.integrate(projectId, type)
    },
  }))

/** A window that is believed to be over may not be. */
export const prolonged: fc.Arbitrary<Step> = fc
  .tuple(who, fc.nat(3))
  .map(([by, index]) => asStep(changesWindow(by, index, 'prolongs')))

/** Nobody does anything, but time passes: what was read is no longer new. */
export const delays: fc.Arbitrary<Deed> = fc.constantFrom(20_000, 3_600_000).map((ms) => ({
  said: `${ms} ms pass`,
  async carryOut(world) {
    world.now += ms
  },
}))

export const deeds: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: turnOver },
  { weight: 6, arbitrary: changeWindow },
  { weight: 1, arbitrary: createUser },
  { weight: 2, arbitrary: makeWindow },
  { weight: 2, arbitrary: describeKey },
  { weight: 2, arbitrary: changeRoles },
  { weight: 2, arbitrary: changeKeyRoles },
  { weight: 2, arbitrary: accept },
  { weight: 2, arbitrary: integrate },
)

/** What others do between two commands. */
export const others: fc.Arbitrary<Step> = deeds.map(asStep)

/** Turns every configuration over. */
export const turnedOver: fc.Arbitrary<readonly Step[]> = who.map((by) =>
  CONFIGS.map((_, index) => asStep(turnsOver(by, index))),
)

export const turnedOverAt = (index: number): fc.Arbitrary<Step> =>
  who.map((by) => asStep(turnsOver(by, index)))

/** Describes every window, unless there are many. */
export const described: fc.Arbitrary<Step> = who.map((by) =>
  inTurn(...[0, 1, 2].map((index) => asStep(changesWindow(by, index, 'describes')))),
)

/** The events of what others do next are lost or late. */
export const unseen: fc.Arbitrary<Step> = fc
  .constantFrom(0, 900, 60_000, 3_600_000)
  .map((ms) =>
    step(`the next event of somebody else is ${ms === 0 ? 'lost' : `late by ${ms} ms`}`, async (_, world) =>
      world.service.fault(
        'others',
        ms === 0 ? { fault: 'lose-events', count: 1 } : { fault: 'late-events', ms, count: 1 },
      ),
    ),
  )
