import fc from 'fast-check'
import { expect } from 'vitest'
import { manifestOf, type Declared, type DeclaredWindow } from './declared.ts'
import { CONFIGS, KEY, ONCALL, ORG, PROJECT, recordsOf, type World } from './installation.ts'
import { checkApplied, checkDrift, checkPlan, type Oracle } from './oracle.ts'

type Step = fc.AsyncCommand<Oracle, World>

/** Each step is a sentence of a history: a failing one is printed as a list of them. */
abstract class Sentence implements Step {
  check(): boolean {
    return true
  }
  abstract run(oracle: Oracle, world: World): Promise<void>
  abstract toString(): string
}

class Edit extends Sentence {
  readonly #what: string
  readonly #edit: (declared: Declared) => Declared

  constructor(what: string, edit: (declared: Declared) => Declared) {
    super()
    this.#what = what
    this.#edit = edit
  }
  async run(oracle: Oracle, world: World): Promise<void> {
    oracle.declared = this.#edit(oracle.declared)
    await world.here.manifest(manifestOf(oracle.declared))
  }
  toString(): string {
    return `edit: ${this.#what}`
  }
}

class Apply extends Sentence {
  async run(oracle: Oracle, world: World): Promise<void> {
    const before = await world.truth()
    const { code, document, said } = await world.json(
      ...['apply', '--auto-approve', '--allow-mass-removal', '--allow-owner-removal'],
    )
    if (oracle.isUncertain && code !== 0) return undefined
    expect({ code, said, problems: document?.problems }).toMatchObject({ code: 0 })
    return checkApplied(world, oracle, before)
  }
  toString(): string {
    return 'apply'
  }
}

class Plan extends Sentence {
  run(oracle: Oracle, world: World): Promise<void> {
    return checkPlan(world, oracle)
  }
  toString(): string {
    return 'plan'
  }
}

class Drift extends Sentence {
  run(oracle: Oracle, world: World): Promise<void> {
    return checkDrift(world, oracle)
  }
  toString(): string {
    return 'drift'
  }
}

class Pause extends Sentence {
  readonly #ms: number

  constructor(ms: number) {
    super()
    this.#ms = ms
  }
  run(_: Oracle, world: World): Promise<void> {
    return world.pause(this.#ms)
  }
  toString(): string {
    return `pause ${this.#ms} ms`
  }
}

/** One answer to a write of this path is lost, after the service has done it, or before. */
class LoseAnswer extends Sentence {
  readonly #method: string
  readonly #path: string
  readonly #fault: 'reset-after' | 'reset-before'

  constructor(method: string, path: string, fault: 'reset-after' | 'reset-before') {
    super()
    this.#method = method
    this.#path = path
    this.#fault = fault
  }
  async run(oracle: Oracle, world: World): Promise<void> {
    await world.here.control('DELETE', 'faults')
    const fault = { method: this.#method, path: this.#path, fault: this.#fault, count: 1 }
    await world.here.control('POST', 'faults', fault)
    oracle.isUncertain = true
  }
  toString(): string {
    return `the next answer to ${this.#method} ${this.#path} is lost (${this.#fault})`
  }
}

/** A person looks at the service, and says what is true of everything whose outcome is unknown. */
class Resolve extends Sentence {
  async run(_: Oracle, world: World): Promise<void> {
    await world.here.control('DELETE', 'faults')
    const { stdout } = await world.run('state', 'list', '--format', 'json')
    const rows = JSON.parse(stdout).filter(({ status }: any) => status === 'unknown')
    const known = new Set(Object.values(await recordsOf(world)).map(({ identity }: any) => identity.id))
    for (const { address } of rows) {
      const made = [...(await world.truth()).windows.keys()].find((id) => !known.has(id))
      const isWindow = address.startsWith('maintenanceWindows.')
      const how = isWindow && made !== undefined ? ['--created', made] : ['--not-created']
      if (made !== undefined) known.add(made)
      const { code } = await world.run('state', 'resolve', address, ...how)
      expect([0, 1]).toContain(code)
    }
  }
  toString(): string {
    return 'a person resolves what is unknown'
  }
}

/** Events are told in whole seconds: what others do within two seconds of a write of ours cannot be told from before it. */
const APART_MS = 5_000
const apart = async (world: World, act: () => Promise<unknown>): Promise<void> => {
  // What was to be lost was to be ours.
  await world.here.control('DELETE', 'faults')
  await world.pause(APART_MS)
  await act()
  await world.pause(APART_MS)
}

/** Another key turns a configuration over. */
class FlipOutside extends Sentence {
  readonly #index: number

  constructor(index: number) {
    super()
    this.#index = index
  }
  async run(oracle: Oracle, world: World): Promise<void> {
    const id = CONFIGS[this.#index] ?? ''
    const enabled = (await world.truth()).configs.get(id) !== true
    await apart(world, () =>
      world.here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled }),
    )
    oracle.changed(id, 'enabled', ONCALL.publicKey)
  }
  toString(): string {
    return `another key turns configuration ${this.#index} over`
  }
}

class DescribeOutside extends Sentence {
  readonly #name: string

  constructor(name: string) {
    super()
    this.#name = name
  }
  async run(oracle: Oracle, world: World): Promise<void> {
    const id = (await recordsOf(world))[`maintenanceWindows.${this.#name}`]?.identity.id
    const window = (await world.truth()).windows.get(id)
    if (window === undefined || Date.parse(window.endDate) <= world.now + 1_000) return
    const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
    await apart(world, () => world.here.outside('PATCH', path, { description: 'theirs' }))
    oracle.changed(id, 'description', ONCALL.publicKey)
  }
  toString(): string {
    return `another key describes window ${this.#name}`
  }
}

class KeyOutside extends Sentence {
  async run(oracle: Oracle, world: World): Promise<void> {
    const path = `/orgs/${ORG}/apiKeys/${KEY}`
    await apart(world, () => world.here.outside('PATCH', path, { desc: 'theirs' }))
    if ((await recordsOf(world))['apiKeys.reporting'] !== undefined)
      oracle.changed(KEY, 'desc', ONCALL.publicKey)
  }
  toString(): string {
    return 'another key describes the reporting key'
  }
}

const windowArb: fc.Arbitrary<DeclaredWindow> = fc.record({
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  start: fc.integer({ min: -3, max: 400 }),
  hours: fc.integer({ min: 1, max: 48 }),
  description: fc.constantFrom('one', 'two'),
})

const windowName = fc.constantFrom('a', 'b', 'c')
const configName = fc.constantFrom('x', 'y', 'z')
const INDEX = { x: 0, y: 1, z: 2 } as const

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as T

const edits: fc.Arbitrary<Step> = fc.oneof(
  fc.tuple(windowName, windowArb).map(
    ([name, window]) =>
      new Edit(`window ${name} = ${JSON.stringify(window)}`, (declared) => ({
        ...declared,
        windows: { ...declared.windows, [name]: window },
      })),
  ),
  windowName.map(
    (name) =>
      new Edit(`no window ${name}`, (declared) => ({
        ...declared,
        windows: without(declared.windows, name),
      })),
  ),
  fc.tuple(windowName, windowName).map(
    ([from, to]) =>
      new Edit(`window ${from} is called ${to} now`, (declared) => {
        const window = declared.windows[from]
        if (window === undefined || declared.windows[to] !== undefined) return declared
        return { ...declared, windows: { ...without(declared.windows, from), [to]: window } }
      }),
  ),
  fc.tuple(configName, fc.boolean()).map(
    ([name, enabled]) =>
      new Edit(`configuration ${name} = ${String(enabled)}`, (declared) => ({
        ...declared,
        configs: { ...declared.configs, [name]: { index: INDEX[name], enabled } },
      })),
  ),
  configName.map(
    (name) =>
      new Edit(`no configuration ${name}`, (declared) => ({
        ...declared,
        configs: without(declared.configs, name),
      })),
  ),
  fc
    .tuple(fc.constantFrom('Reports', 'Exports'), fc.constantFrom('ORG_MEMBER', 'ORG_READ_ONLY'))
    .map(
      ([desc, role]) =>
        new Edit(`key = ${desc}, ${role}`, (declared) => ({ ...declared, key: { desc, role } })),
    ),
)

/** Steps that histories are made of; the more often one is met in life, the more often it comes. */
export const steps: fc.Arbitrary<Step>[] = [
  edits,
  edits,
  fc.constant(new Apply()),
  fc.constant(new Apply()),
  fc.constant(new Drift()),
  fc.constant(new Plan()),
  fc.constantFrom(3, 900, 2_500, 20_000, 3_600_000, 90_000_000, 700_000_000).map((ms) => new Pause(ms)),
  fc.integer({ min: 0, max: 2 }).map((index) => new FlipOutside(index)),
  windowName.map((name) => new DescribeOutside(name)),
  fc.constant(new KeyOutside()),
]

/** The same, with answers that get lost. */
export const troubledSteps: fc.Arbitrary<Step>[] = [
  ...steps,
  fc
    .tuple(
      fc.constantFrom(
        ['POST', 'maintenanceWindows'],
        ['PATCH', 'maintenanceWindows'],
        ['PATCH', 'alertConfigs'],
        ['PATCH', 'apiKeys'],
      ),
      fc.constantFrom<'reset-after' | 'reset-before'>('reset-after', 'reset-before'),
    )
    .map(([[method = '', path = ''], fault]) => new LoseAnswer(method, path, fault)),
  fc.constant(new Resolve()),
  fc.constant(new Apply()),
]
