import * as fc from 'fast-check'
import { manifestOf, type Declared, type DeclaredWindow } from './declared.ts'
import { CONFIGS, KEY, ONCALL, ORG, PROJECT, recordsOf, type World } from './installation.ts'
import { checkApplied, checkDrift, checkPlan, type Oracle } from './oracle.ts'

type Step = fc.AsyncCommand<Oracle, World>

/** A step is a sentence of a history: a failing one is printed as a list of them. */
const step = (said: string, run: (oracle: Oracle, world: World) => Promise<void>): Step => ({
  check: () => true,
  run,
  toString: () => said,
})

const edit = (what: string, change: (declared: Declared) => Declared): Step =>
  step(`edit: ${what}`, async (oracle, world) => {
    oracle.declared = change(oracle.declared)
    await world.here.manifest(manifestOf(oracle.declared))
  })

const apply = step('apply', async (oracle, world) => {
  const before = await world.truth()
  const ran = await world.json('apply', '--auto-approve', '--allow-mass-removal', '--allow-mass-change')
  await checkApplied(world, oracle, before, ran)
})

const plan = step('plan', (oracle, world) => checkPlan(world, oracle))
const drift = step('drift', (oracle, world) => checkDrift(world, oracle))
const pause = (ms: number): Step => step(`pause ${ms} ms`, (_, world) => world.pause(ms))

/** One answer to a write of this path is lost, after the service has done it, or before. */
const loseAnswer = (method: string, path: string, fault: string): Step =>
  step(`the next answer to ${method} ${path} is lost (${fault})`, async (oracle, world) => {
    await world.here.control('DELETE', 'faults')
    await world.here.control('POST', 'faults', { method, path, fault, count: 1 })
    oracle.isUncertain = true
  })

/** A person looks at the service, and says what is true of everything whose outcome is unknown. */
const resolve = step('a person resolves what is unknown', async (_, world) => {
  await world.here.control('DELETE', 'faults')
  const { stdout } = await world.run('state', 'list', '--format', 'json')
  const rows = JSON.parse(stdout).filter(({ status }: any) => status === 'unknown')
  const known = new Set(Object.values(await recordsOf(world)).map(({ identity }: any) => identity.id))
  for (const { address } of rows) {
    const made = [...(await world.truth()).windows.keys()].find((id) => !known.has(id))
    const isMade = address.startsWith('maintenanceWindows.') && made !== undefined
    if (isMade) known.add(made)
    await world.run('state', 'resolve', address, ...(isMade ? ['--created', made] : ['--not-created']))
  }
})

/** Events are told in whole seconds: what others do within two seconds of a write of ours cannot be told from before it. */
const APART_MS = 5_000

/** Another key writes, and nothing of that is lost. */
const outside = async (world: World, path: string, body: object): Promise<void> => {
  await world.here.control('DELETE', 'faults')
  await world.pause(APART_MS)
  await world.here.outside('PATCH', path, body)
  await world.pause(APART_MS)
}

const turnOver = (index: number): Step =>
  step(`another key turns configuration ${index} over`, async (oracle, world) => {
    const id = CONFIGS[index] ?? ''
    const enabled = (await world.truth()).configs.get(id) !== true
    await outside(world, `/groups/${PROJECT}/alertConfigs/${id}`, { enabled })
    oracle.changed(id, 'enabled', ONCALL.publicKey)
  })

const describeWindow = (name: string): Step =>
  step(`another key describes window ${name}`, async (oracle, world) => {
    const id = (await recordsOf(world))[`maintenanceWindows.${name}`]?.identity.id
    const window = (await world.truth()).windows.get(id)
    if (window === undefined || Date.parse(window.endDate) <= world.now + 2 * APART_MS) return
    await outside(world, `/groups/${PROJECT}/maintenanceWindows/${id}`, { description: 'theirs' })
    oracle.changed(id, 'description', ONCALL.publicKey)
  })

const describeKey = step('another key describes the reporting key', async (oracle, world) => {
  await outside(world, `/orgs/${ORG}/apiKeys/${KEY}`, { desc: 'theirs' })
  if ((await recordsOf(world))['apiKeys.reporting'] !== undefined)
    oracle.changed(KEY, 'desc', ONCALL.publicKey)
})

const windowValues: fc.Arbitrary<DeclaredWindow> = fc.record({
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  start: fc.integer({ min: -3, max: 400 }),
  hours: fc.integer({ min: 1, max: 48 }),
  description: fc.constantFrom('one', 'two'),
})
const windowName = fc.constantFrom('a', 'b')
const configName = fc.constantFrom('x', 'y')
const INDEX = { x: 0, y: 1 } as const

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as T

const edits: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(windowName, windowValues).map(([name, window]) =>
    edit(`window ${name} = ${JSON.stringify(window)}`, (declared) => ({
      ...declared,
      windows: { ...declared.windows, [name]: window },
    })),
  ),
  windowName.map((name) =>
    edit(`no window ${name}`, (declared) => ({ ...declared, windows: without(declared.windows, name) })),
  ),
  fc.tuple(windowName, windowName).map(([from, to]) =>
    edit(`window ${from} is called ${to} now`, (declared) => {
      const window = declared.windows[from]
      if (window === undefined || declared.windows[to] !== undefined) return declared
      return { ...declared, windows: { ...without(declared.windows, from), [to]: window } }
    }),
  ),
  fc.tuple(configName, fc.boolean()).map(([name, enabled]) =>
    edit(`configuration ${name} = ${String(enabled)}`, (declared) => ({
      ...declared,
      configs: { ...declared.configs, [name]: { index: INDEX[name], enabled } },
    })),
  ),
  configName.map((name) =>
    edit(`no configuration ${name}`, (declared) => ({
      ...declared,
      configs: without(declared.configs, name),
    })),
  ),
  fc
    .tuple(fc.constantFrom('Reports', 'Exports'), fc.constantFrom('ORG_MEMBER', 'ORG_READ_ONLY'))
    .map(([desc, role]) =>
      edit(`key = ${desc}, ${role}`, (declared) => ({ ...declared, key: { desc, role } })),
    ),
)

/** Steps that histories are made of; the more often one is met in life, the more often it comes. */
export const steps: fc.Arbitrary<Step>[] = [
  edits,
  edits,
  fc.constant(apply),
  fc.constant(apply),
  fc.constant(drift),
  fc.constant(plan),
  fc.constantFrom(3, 900, 2_500, 20_000, 3_600_000, 90_000_000, 700_000_000).map(pause),
  fc.integer({ min: 0, max: 2 }).map(turnOver),
  windowName.map(describeWindow),
  fc.constant(describeKey),
]

const WRITES = [
  ['POST', 'maintenanceWindows'],
  ['PATCH', 'maintenanceWindows'],
  ['PATCH', 'alertConfigs'],
  ['PATCH', 'apiKeys'],
] as const

/** The same, with answers that get lost. */
export const troubledSteps: fc.Arbitrary<Step>[] = [
  ...steps,
  fc
    .tuple(fc.constantFrom(...WRITES), fc.constantFrom('reset-after', 'reset-before'))
    .map(([[method, path], fault]) => loseAnswer(method, path, fault)),
  fc.constant(resolve),
  fc.constant(apply),
]
