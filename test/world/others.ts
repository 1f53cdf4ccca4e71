import * as fc from 'fast-check'
import { CONFIGS, ORG, PROJECT, REPORTER } from './fixture.ts'
import { step, type Step } from './step.ts'
import { truthOf, type World } from './world.ts'

/** What somebody else does to the service; several of them can happen while an apply is under way. */
export interface Deed {
  readonly said: string
  readonly carryOut: (world: World) => Promise<void>
}

const who = fc.constantFrom('oncall', 'sam', 'twin' as const)

/** The windows of runs that can still be changed, in the order in which they were made. */
const openWindows = (world: World): any[] =>
  [...truthOf(world).windows.values()].filter(({ endDate }) => Date.parse(endDate) > world.now)

const turnOver = fc.tuple(who, fc.nat(2)).map(([by, index]): Deed => ({
  said: `${by} turns configuration ${index} over`,
  async carryOut(world) {
    const id = CONFIGS[index] ?? ''
    const enabled = truthOf(world).configs.get(id) !== true
    await world.write(by, 'PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled })
  },
}))

const HOUR = 3_600_000
const changeWindow = fc
  .tuple(who, fc.nat(3), fc.constantFrom('description', 'prolonged' as const))
  .map(([by, index, what]): Deed => ({
    said: `${by} changes the ${index + 1}. window: ${what}`,
    async carryOut(world) {
      const windows = openWindows(world)
      const window = windows[index % Math.max(1, windows.length)]
      if (window === undefined) return
      const endDate = new Date(Date.parse(window.endDate) + HOUR).toISOString()
      const body = what === 'description' ? { description: 'theirs' } : { endDate }
      await world.write(by, 'PATCH', `/groups/${window.projectId}/maintenanceWindows/${window.id}`, body)
    },
  }))

const makeWindow = fc
  .tuple(fc.constantFrom('oncall', 'twin' as const), fc.boolean())
  .map(([by, isFar]): Deed => ({
    said: `${by} makes a window of their own`,
    async carryOut(world) {
      const at = (ms: number): string => new Date(Math.floor((world.now + ms) / 1000) * 1000).toISOString()
      const far = isFar ? 2_000 : 20
      const body = {
        alertTypeNames: ['HOST'],
        startDate: at(far * HOUR),
        endDate: at((far + 2) * HOUR),
        description: 'theirs',
      }
      await world.write(by, 'POST', `/groups/${PROJECT}/maintenanceWindows`, body)
    },
  }))

const describeKey = who.map((by): Deed => ({
  said: `${by} describes the reporting key`,
  carryOut: async (world) =>
    void (await world.write(by, 'PATCH', `/orgs/${ORG}/apiKeys/${REPORTER}`, { desc: 'theirs' })),
}))

export const deeds: fc.Arbitrary<Deed> = fc.oneof(
  turnOver,
  turnOver,
  changeWindow,
  changeWindow,
  describeKey,
  makeWindow,
)

/** Between two commands. */
export const others: fc.Arbitrary<Step> = deeds.map(({ said, carryOut }) =>
  step(said, (_, world) => carryOut(world)),
)
