import * as fc from 'fast-check'
import { expect } from 'vitest'
import { REPORTER } from '../../support/people.ts'
import {
  addressesOf,
  CONFIGS,
  hclOf,
  PROJECTS,
  type Config,
  type Declared,
  type User,
  type Window,
} from './declared.ts'
import {
  apply,
  carryOut,
  checkFailure,
  checkReleased,
  differences,
  momentOf,
  plan,
  type Oracle,
} from './oracle.ts'
import { ORG, PROJECT, type World } from './world.ts'

export type Step = fc.AsyncCommand<Oracle, World>

/** Long enough that nothing is close to a write of ours. */
const BETWEEN_MS = 600_000

const step = (
  said: string,
  run: (oracle: Oracle, world: World) => Promise<unknown>,
  check: (oracle: Readonly<Oracle>) => boolean = () => true,
): Step => ({
  check,
  async run(oracle, world) {
    world.pass(BETWEEN_MS)
    await run(oracle, world)
  },
  toString: () => said,
})

const edit = (said: string, change: (declared: Declared) => Declared): Step =>
  step(
    said,
    async (oracle, world) => {
      oracle.declared = change(oracle.declared)
      await world.configure(hclOf(oracle.declared))
    },
    ({ declared }) => JSON.stringify(change(declared)) !== JSON.stringify(declared),
  )

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as T

type Table = 'configs' | 'windows'
const put = (table: Table, name: string, value: Config | Window): Step =>
  edit(`${table}.${name} = ${JSON.stringify(value)}`, (declared) =>
    // Terraform refuses a name that a moved block moves away.
    declared.moved.some(([from]) => table === 'windows' && from === name)
      ? declared
      : { ...declared, [table]: { ...declared[table], [name]: value } },
  )
const take = (table: Table, name: string): Step =>
  edit(`no ${table}.${name}`, (declared) => ({ ...declared, [table]: without(declared[table], name) }))
const set = <K extends keyof Declared>(name: K, value: Declared[K]): Step =>
  edit(`${name} = ${JSON.stringify(value) ?? 'nothing'}`, (declared) => ({ ...declared, [name]: value }))

const INDEX = { x: 0, y: 1, z: 2 } as const
const configName = fc.constantFrom('x', 'y', 'z' as const)
const ofConfig = fc.record({
  enabled: fc.boolean(),
  onRemove: fc.constantFrom('forget', 'restore' as const),
})
const window: fc.Arbitrary<Window> = fc.record({
  project: fc.constantFrom('payments', 'payments', 'ledger' as const),
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  day: fc.integer({ min: 30, max: 32 }),
  hours: fc.integer({ min: 1, max: 3 }),
  description: fc.constantFrom('one', 'two'),
  onRemove: fc.constantFrom('end', 'end', 'forget' as const),
})
const windowName = fc.constantFrom('a', 'b')
const user: fc.Arbitrary<User> = fc.record({
  roles: fc.constantFrom(['member'], ['member', 'reader'], ['creator', 'member'] as const),
  onRemove: fc.constantFrom('forget', 'revoke' as const),
})
const key = fc.record({
  desc: fc.constantFrom('Reports', 'Exports'),
  role: fc.constantFrom('ORG_MEMBER', 'ORG_READ_ONLY'),
})

/** With a `moved` block. */
const rename = (from: string, to: string): Step =>
  edit(`${from} among windows is called ${to} now`, (declared) => {
    const { windows, moved } = declared
    const taken = new Set([...Object.keys(windows), ...moved.flat()])
    if (windows[from] === undefined || taken.has(to) || moved.flat().includes(from)) return declared
    return {
      ...declared,
      windows: { ...without(windows, from), [to]: windows[from] },
      moved: [...moved, [from, to]],
    }
  })

const edits: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(configName, ofConfig)
      .map(([name, values]) => put('configs', name, { ...values, index: INDEX[name] })),
  },
  { weight: 2, arbitrary: configName.map((name) => take('configs', name)) },
  { weight: 1, arbitrary: fc.option(ofConfig, { nil: undefined }).map((each) => set('selected', each)) },
  { weight: 4, arbitrary: fc.tuple(windowName, window).map(([name, value]) => put('windows', name, value)) },
  { weight: 2, arbitrary: windowName.map((name) => take('windows', name)) },
  { weight: 1, arbitrary: fc.constantFrom(rename('a', 'b'), rename('b', 'c'), rename('a', 'c')) },
  { weight: 2, arbitrary: fc.option(key, { nil: undefined }).map((each) => set('key', each)) },
  { weight: 2, arbitrary: fc.option(user, { nil: undefined }).map((each) => set('pat', each)) },
  {
    weight: 1,
    arbitrary: user.map((each) =>
      edit(`dana = ${JSON.stringify(each)}`, (declared) =>
        // She is created once: a second creation would be refused.
        declared.dana === undefined ? declared : { ...declared, dana: each },
      ),
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom(set('chat', 'absent'), set('chat', undefined)) },
)

/** What somebody else does. */
interface Deed {
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

const deeds: fc.Arbitrary<Deed> = fc.oneof(
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
        const endDate = new Date(Date.parse(found.endDate) + 3_600_000).toISOString().replace('.000Z', 'Z')
        const path = `/groups/${found.projectId}/maintenanceWindows/${found.id}`
        await world.outside('PATCH', path, isProlonged ? { endDate } : { description: 'theirs' })
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

const accepting: fc.Arbitrary<Step> = fc.constantFrom('dana', 'pat').map((name) =>
  step(`${name} accepts the invitations`, async (_, world) => {
    const { id: userId } = (await world.truth()).users.get(`${name}@example.com`) ?? {}
    if (userId !== undefined) await world.control('POST', 'invitations', { userId, accept: true })
  }),
)

const anApply = step('apply', (oracle, world) => apply(oracle, world))

/** What Terraform's state holds is brought up to date, and nothing is sent. */
const refresh = step('apply -refresh-only', async (oracle, world) => {
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, ['apply', '-refresh-only', '-auto-approve'])
  expect(ended.wrote).toEqual([])
  if (ended.code !== 0) checkFailure(oracle, before, ended)
})

/** Of all that is declared or in the state, one address. */
const target = fc.nat(20).map((n) =>
  step(`apply -target of the ${n}. address`, async (oracle, world) => {
    const before = await momentOf(world)
    const all = [...new Set([...addressesOf(oracle.declared), ...before.state.keys()])]
    // Terraform moves what has a moved block only along with its target.
    if (all.length === 0 || oracle.declared.moved.length > 0) return
    const address = all[n % all.length] ?? ''
    const words = ['apply', '-auto-approve', `-target=deploymgmt_${address}`]
    const ended = await carryOut(oracle, world, words, { within: [address] })
    if (ended.code !== 0) return checkFailure(oracle, before, ended)
    const after = await momentOf(world)
    expect(differences(oracle, after)).not.toContain(address)
    const kept = all.filter((each) => each !== address || addressesOf(oracle.declared).includes(each))
    checkReleased(oracle, { before, after, ended, now: world.now(), kept })
  }),
)

const replace = windowName.map((name) =>
  step(`apply -replace of window ${name}`, async (oracle, world) => {
    const { state } = await momentOf(world)
    const address = `maintenance_window.${name}`
    if (!state.has(address) || oracle.declared.windows[name] === undefined) return
    await apply(oracle, world, ['apply', '-auto-approve', `-replace=deploymgmt_${address}`])
  }),
)

/** A plan is saved, somebody or nobody does something, and the plan is applied. */
const saved = fc.option(deeds, { nil: undefined }).map((between) =>
  step(`plan -out; ${between?.said ?? 'nothing'}; apply of it`, async (oracle, world) => {
    const planned = await world.terraform(['plan', '-out=saved.plan'])
    if (planned.code !== 0) return checkFailure(oracle, await momentOf(world), planned)
    const known = await momentOf(world)
    if (between === undefined) return void (await apply(oracle, world, ['apply', 'saved.plan']))
    const wasForeign = new Set(oracle.foreign)
    world.pass(BETWEEN_MS)
    await between.carryOut(oracle, world)
    world.pass(BETWEEN_MS)
    const before = await momentOf(world)
    const ended = await carryOut(oracle, world, ['apply', 'saved.plan'])
    const isStale = ended.said.includes('DM-PLAN-STALE')
    if (ended.code !== 0) {
      if (!isStale) checkFailure(oracle, known, ended)
      return
    }
    // What somebody did after the plan stays as it is.
    const after = await momentOf(world)
    const since = [...oracle.foreign].filter((id) => !wasForeign.has(id))
    for (const id of since)
      expect({
        id,
        said: ended.said,
        is: [after.truth.configs.get(id), after.truth.windows.get(id)],
      }).toMatchObject({
        is: [before.truth.configs.get(id), before.truth.windows.get(id)],
      })
    oracle.declared = { ...oracle.declared, moved: [] }
    await world.configure(hclOf(oracle.declared))
  }),
)

/** The resource is taken out of the state, and imported again. */
const reimport = fc.nat(20).map((n) =>
  step(`state rm and import of the ${n}. address`, async (oracle, world) => {
    const { state } = await momentOf(world)
    if (oracle.declared.moved.length > 0) return
    const declared = addressesOf(oracle.declared)
    const found = [...state].filter(
      ([each]) => declared.includes(each) && importId(each, state) !== undefined,
    )
    if (found.length === 0) return
    const [address] = found[n % found.length] ?? ['']
    const id = importId(address, state) ?? ''
    await world.terraform(['state', 'rm', `deploymgmt_${address}`])
    const before = await momentOf(world)
    const ended = await carryOut(oracle, world, ['import', `deploymgmt_${address}`, id])
    expect(ended.wrote).toEqual([])
    if (ended.code !== 0) return checkFailure(oracle, before, ended)
    // What nobody can read is asserted by the next apply.
    await apply(oracle, world)
  }),
)

const importId = (
  address: string,
  state: ReadonlyMap<string, { readonly values: any }>,
): string | undefined => {
  const {
    id,
    project_id: project,
    alert_config_id: config,
    user_id: userId,
  } = state.get(address)?.values ?? {}
  if (address.startsWith('maintenance_window.')) return `${project}/${id}`
  if (address === 'api_key.reporting') return `${ORG}/${REPORTER}`
  if (config !== undefined && config !== null) return `${project}/${config}`
  if (address.startsWith('user.')) return userId ?? undefined
  return undefined
}

const destroy = step('destroy', async (oracle, world) => {
  if (oracle.declared.dana !== undefined) return
  const before = await momentOf(world)
  const ended = await carryOut(oracle, world, ['destroy', '-auto-approve'])
  if (ended.code !== 0) return checkFailure(oracle, before, ended)
  const after = await momentOf(world)
  expect([...after.state.keys()]).toEqual([])
  checkReleased(oracle, { before, after, ended, now: world.now(), kept: [] })
})

/** The next write is lost on its way, or its answer is; then all is applied, if need be twice. */
const meeting = (method: string, fault: string): Step =>
  step(`apply whose next ${method} meets ${fault}`, async (oracle, world) => {
    const status = fault === 'status' ? { status: 503 } : {}
    await world.control('POST', 'faults', { method, path: '.', fault, count: 1, ...status })
    oracle.isFaulty = true
    const { code } = await apply(oracle, world)
    await world.control('DELETE', 'faults')
    oracle.isFaulty = false
    if (code !== 0) await applyAfterFailure(oracle, world)
  })

const FAULTS = fc.constantFrom('reset-after', 'reset-after', 'reset-before', 'status')
const lost = fc
  .tuple(fc.constantFrom('PATCH', 'POST', 'DELETE'), FAULTS)
  .map(([method, fault]) => meeting(method, fault))

/** The creation of a window is. */
const lostCreation = fc.tuple(windowName, window, FAULTS).map(([name, value, fault]) => {
  const [declares, applies] = [put('windows', name, value), meeting('POST', fault)]
  return step(
    `${String(declares)}; ${String(applies)}`,
    async (oracle, world) => {
      await declares.run(oracle, world)
      await applies.run(oracle, world)
    },
    (oracle) => oracle.declared.windows[name] === undefined && declares.check(oracle),
  )
})

/** What a creation that failed has left is kept, as the docs say. */
const applyAfterFailure = async (oracle: Oracle, world: World): Promise<void> => {
  world.pass(BETWEEN_MS)
  for (const [address, { isTainted }] of await world.state())
    if (isTainted) await world.terraform(['untaint', `deploymgmt_${address}`])
  const { code, said } = await apply(oracle, world)
  if (code === 0 || !said.includes('exists already')) return
  // Nothing tells the id of a person whose creation no state has: somebody else has to look.
  oracle.declared = { ...oracle.declared, dana: undefined }
  await world.configure(hclOf(oracle.declared))
  await apply(oracle, world)
}

/** Somebody writes while an apply is under way: it goes on or is refused, and the next one reaches what is declared. */
const disturbed = fc.tuple(deeds, fc.integer({ min: 1, max: 14 })).map(([{ said, carryOut: does }, at]) =>
  step(`apply, and before its ${at}. request: ${said}`, async (oracle, world) => {
    oracle.isUnclear = true
    const before = await momentOf(world)
    const meanwhile = { at, carryOut: () => does(oracle, world) }
    const ended = await carryOut(oracle, world, ['apply', '-auto-approve'], { meanwhile })
    if (ended.code !== 0 && !ended.said.includes('DM-PLAN-STALE')) checkFailure(oracle, before, ended)
    if (ended.code === 0) {
      oracle.declared = { ...oracle.declared, moved: [] }
      await world.configure(hclOf(oracle.declared))
    }
    await applyAfterFailure(oracle, world)
  }),
)

/** Terraform and its provider are killed within an apply. */
const killed = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.boolean()).map(([at, isDone]) =>
  step(
    `apply that is killed at its ${at}. write, which is ${isDone ? 'done' : 'lost'}`,
    async (oracle, world) => {
      const before = await momentOf(world)
      const ended = await carryOut(oracle, world, ['apply', '-auto-approve'], { killed: { at, isDone } })
      if (ended.code !== null) {
        if (ended.code !== 0) checkFailure(oracle, before, ended)
        return
      }
      const { truth, state } = await momentOf(world)
      const known = new Set([...state.values()].map(({ values }) => values.id))
      // Terraform keeps no journal.
      for (const id of truth.windows.keys())
        if (!before.truth.windows.has(id) && !known.has(id)) oracle.left.add(id)
      await applyAfterFailure(oracle, world)
    },
  ),
)

const aPlan = step('plan', (oracle, world) => plan(oracle, world))

export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 10, arbitrary: edits },
  { weight: 5, arbitrary: deeds.map(({ said, carryOut: does }) => step(said, does)) },
  { weight: 1, arbitrary: accepting },
  { weight: 5, arbitrary: fc.constant(anApply) },
  { weight: 4, arbitrary: fc.constant(aPlan) },
  { weight: 1, arbitrary: fc.constant(refresh) },
  { weight: 1, arbitrary: target },
  { weight: 1, arbitrary: replace },
  { weight: 2, arbitrary: saved },
  { weight: 1, arbitrary: reimport },
  { weight: 1, arbitrary: fc.constant(destroy) },
  { weight: 1, arbitrary: lost },
  { weight: 2, arbitrary: lostCreation },
  { weight: 2, arbitrary: disturbed },
  { weight: 2, arbitrary: killed },
)

const some = <T>(names: readonly string[], value: fc.Arbitrary<T>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })

/** What a history begins with. */
export const beginnings: fc.Arbitrary<Declared> = fc.record({
  configs: some(['x', 'z'], ofConfig).map(
    (configs) =>
      Object.fromEntries(
        Object.entries(configs).map(([name, each]) => [name, { ...each, index: name === 'x' ? 0 : 2 }]),
      ) as Declared['configs'],
  ),
  selected: fc.constant(undefined),
  windows: some(['a', 'b'], window),
  key: fc.option(key, { nil: undefined }),
  dana: fc.option(user, { nil: undefined, freq: 1 }),
  pat: fc.option(user, { nil: undefined, freq: 1 }),
  chat: fc.constantFrom(undefined, 'present' as const),
  moved: fc.constant([]),
})
