/** What others do: somebody with the key `oncall`, and the people themselves. */
import * as fc from 'fast-check'
import { REPORTER } from '../../support/people.ts'
import { CONFIGS, PROJECTS } from './declared.ts'
import { step, type Step } from './edits.ts'
import type { Oracle } from './oracle.ts'
import { ORG, PROJECT, type World } from './world.ts'

/** What somebody else does. */
export interface Deed {
  readonly said: string
  readonly carryOut: (oracle: Oracle, world: World) => Promise<void>
}

const deed = (said: string, carry: (oracle: Oracle, world: World) => Promise<string | undefined>): Deed => ({
  said: `oncall ${said}`,
  async carryOut(oracle, world) {
    const id = await carry(oracle, world)
    if (id !== undefined) oracle.foreign.add(id)
  },
})

const openWindows = async (world: World): Promise<any[]> =>
  [...(await world.truth()).windows.values()].filter(({ endDate }) => Date.parse(endDate) > world.now())

const pathOf = ({ projectId, id }: any): string => `/groups/${projectId}/maintenanceWindows/${id}`

export const prolong = (world: World, window: any): Promise<unknown> => {
  const endDate = new Date(Date.parse(window.endDate) + 3_600_000).toISOString().replace('.000Z', 'Z')
  return world.outside('PATCH', pathOf(window), { endDate })
}

export const deeds: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.nat(2).map((index) =>
      deed(`turns configuration ${index} over`, async (_, world) => {
        const id = CONFIGS[index] ?? ''
        const enabled = (await world.truth()).configs.get(id) !== true
        await world.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled })
        return id
      }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(2), fc.boolean()).map(([index, isProlonged]) =>
      deed(`${isProlonged ? 'prolongs' : 'describes'} the ${index + 1}. window`, async (_, world) => {
        const windows = await openWindows(world)
        const found = windows[index % Math.max(1, windows.length)]
        if (found === undefined) return undefined
        if (isProlonged) await prolong(world, found)
        else await world.outside('PATCH', pathOf(found), { description: 'theirs' })
        return found.id
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant(
      deed('makes a window', async (oracle, world) => {
        const at = (ms: number): string =>
          new Date(Math.floor((world.now() + ms) / 1000) * 1000).toISOString().replace('.000Z', 'Z')
        const dates = { startDate: at(40 * 86_400_000), endDate: at(41 * 86_400_000) }
        const body = { alertTypeNames: ['HOST'], ...dates, description: 'theirs' }
        const { id } = await world.outside('POST', `/groups/${PROJECTS.payments}/maintenanceWindows`, body)
        oracle.theirs.add(id)
        return undefined
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<object>({ desc: 'theirs' }, { roles: ['ORG_GROUP_CREATOR'] }).map((body) =>
      deed(`changes the key: ${JSON.stringify(body)}`, async (_, world) => {
        await world.outside('PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, body)
        return REPORTER
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom('dana', 'pat').map((name) =>
      deed(`makes ${name} a reader alone`, async (_, world) => {
        const { id } = (await world.truth()).users.get(`${name}@example.com`) ?? {}
        if (id === undefined) return undefined
        const roles = [{ roleName: 'ORG_READ_ONLY', orgId: ORG }]
        await world.outside('PATCH', `/users/${id}`, { roles })
        return id
      }),
    ),
  },
)

export const accepting: fc.Arbitrary<Step> = fc.constantFrom('dana', 'pat').map((name) =>
  step(`${name} accepts the invitations`, async (_, world) => {
    const { id: userId } = (await world.truth()).users.get(`${name}@example.com`) ?? {}
    if (userId !== undefined) await world.control('POST', 'invitations', { userId, accept: true })
  }),
)
