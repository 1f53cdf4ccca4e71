import * as fc from 'fast-check'
import {
  manifestOf,
  type Declared,
  type DeclaredConfig,
  type DeclaredUser,
  type DeclaredWindow,
} from '../known/declared.ts'
import { step, type Step } from './step.ts'

const edit = (what: string, change: (declared: Declared) => Declared): Step =>
  step(
    `edit: ${what}`,
    async (oracle, world) => {
      oracle.declared = change(oracle.declared)
      await world.manifest(manifestOf(oracle.declared))
    },
    ({ declared }) => JSON.stringify(change(declared)) !== JSON.stringify(declared),
  )

const set = <K extends keyof Declared>(name: K, value: Declared[K]): Step =>
  edit(`${name} = ${JSON.stringify(value) ?? 'nothing'}`, (declared) => ({ ...declared, [name]: value }))

type Table = 'configs' | 'windows' | 'users'

const put = (table: Table, name: string, value: object): Step =>
  edit(`${table} ${name} = ${JSON.stringify(value)}`, (declared) => ({
    ...declared,
    [table]: { ...declared[table], [name]: value },
  }))

export const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as T

const take = (table: Table, name: string): Step =>
  edit(`no ${name} among ${table}`, (declared) => ({ ...declared, [table]: without(declared[table], name) }))

export const rename = (table: Table, from: string, to: string): Step =>
  edit(`${from} among ${table} is called ${to} now`, (declared) => {
    const values = declared[table]
    if (values[from] === undefined || values[to] !== undefined) return declared
    return { ...declared, [table]: { ...without(values, from), [to]: values[from] } }
  })

const rarely = fc.nat(9).map((n) => n === 9)
const seldom = fc.nat(3).map((n) => n === 3)

export const window: fc.Arbitrary<DeclaredWindow> = fc.record({
  project: fc.constantFrom('payments', 'payments', 'ledger'),
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  start: fc.oneof(fc.constantFrom(24, 48), fc.integer({ min: -3, max: 400 })),
  hours: fc.integer({ min: 1, max: 48 }),
  description: fc.constantFrom('one', 'two'),
  onRemove: fc.constantFrom('end', 'end', 'forget'),
  protect: rarely,
})
const windowName = fc.constantFrom('a', 'b')

/** Something that an apply has to create or to change. */
export const newWindows = fc.tuple(windowName, window).map(([name, values]) => put('windows', name, values))

const INDEX = { x: 0, y: 1, z: 2 } as const
const configName = fc.constantFrom('x', 'y', 'z' as const)
const config: fc.Arbitrary<Omit<DeclaredConfig, 'index'>> = fc.record({
  enabled: fc.boolean(),
  onRemove: fc.constantFrom('forget', 'restore'),
  isIgnored: rarely,
  protect: seldom,
})

const user: fc.Arbitrary<DeclaredUser> = fc.record({
  roles: fc.constantFrom(
    ['member'],
    ['member', 'reader'],
    ['creator', 'member'],
    ['member', 'creator', 'reader'],
  ),
  onRemove: fc.constantFrom('forget', 'revoke'),
})
const userName = fc.constantFrom('dana', 'dora')

const PLAIN = { onRemove: 'forget', isIgnored: false, protect: false } as const

const off = (name: keyof typeof INDEX, more: Partial<DeclaredConfig>): Step =>
  put('configs', name, { index: INDEX[name], enabled: false, ...PLAIN, ...more })

const on = (name: keyof typeof INDEX): DeclaredConfig => ({ index: INDEX[name], enabled: true, ...PLAIN })

export const twoAlone = edit('x and y each have an entry, and are on', (declared) => ({
  ...declared,
  configs: { ...declared.configs, x: on('x'), y: on('y') },
}))

export const twoSelected = edit('x and y have one entry together, and are on', (declared) => ({
  ...declared,
  configs: Object.fromEntries(Object.entries(declared.configs).filter(([, each]) => each?.index === INDEX.z)),
  selected: { enabled: true, onRemove: 'forget' },
}))

/** What is set is left to others once it is there. */
export const ignored = fc
  .tuple(configName, fc.boolean())
  .map(([name, enabled]) => put('configs', name, { index: INDEX[name], ...PLAIN, enabled, isIgnored: true }))

/** Turned off before it is protected: a protected entry does not turn it off once somebody has turned it on. */
export const offAndProtected = configName.map((name) => [off(name, {}), off(name, { protect: true })])

/** Turned off and taken out again: it is put back as it was found, unless somebody has changed it since. */
export const offAndTaken = configName.map(
  (name) => [off(name, { onRemove: 'restore' }), take('configs', name)] as const,
)

const configEdits = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .tuple(configName, config)
      .map(([name, values]) => put('configs', name, { ...values, index: INDEX[name] })),
  },
  { weight: 1, arbitrary: configName.map((name) => take('configs', name)) },
  {
    weight: 1,
    arbitrary: fc
      .option(
        fc.record({
          enabled: fc.boolean(),
          onRemove: fc.constantFrom('forget', 'restore' as const),
          isBound: fc.boolean(),
        }),
        { nil: undefined },
      )
      .map((selected) => set('selected', selected)),
  },
)

const windowEdits = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(windowName, window).map(([name, values]) => put('windows', name, values)),
  },
  { weight: 2, arbitrary: windowName.map((name) => take('windows', name)) },
  { weight: 1, arbitrary: fc.tuple(windowName, windowName).map(([from, to]) => rename('windows', from, to)) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(undefined, ['SU'], ['WE'], ['WE', 'SU'] as const)
      .map((days) => set('weekly', days as Declared['weekly'])),
  },
)

const peopleEdits = fc.oneof(
  fc
    .tuple(fc.constantFrom('Reports', 'Exports'), fc.constantFrom('ORG_MEMBER', 'ORG_READ_ONLY'), seldom)
    .map(([desc, role, protect]) => set('key', { desc, role, ...(protect ? { protect } : {}) })),
  fc.constant(set('key', undefined)),
  fc.tuple(userName, user).map(([name, values]) => put('users', name, values)),
  userName.map((name) => take('users', name)),
  fc.option(user, { nil: undefined }).map((values) => set('pat', values)),
)

const integrationEdits = fc.oneof(
  fc.constantFrom('present', 'absent', undefined).map((chat) => set('chat', chat)),
  fc.constantFrom(undefined, ['PAGING'], ['PAGING', 'WEBHOOK']).map((types) => set('listed', types)),
)

export const edits: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: windowEdits },
  { weight: 3, arbitrary: configEdits },
  { weight: 2, arbitrary: peopleEdits },
  { weight: 1, arbitrary: integrationEdits },
)

const some = <T>(
  names: readonly string[],
  value: fc.Arbitrary<T>,
): fc.Arbitrary<Partial<Record<string, T>>> =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] })

const beginningConfigs = some(['x', 'y'], config).map((configs) =>
  Object.fromEntries(
    Object.entries(configs).flatMap(([name, each]) =>
      each === undefined ? [] : [[name, { ...each, index: name === 'x' ? INDEX.x : INDEX.y }]],
    ),
  ),
)

/** The declaration that a history begins with. */
export const beginnings: fc.Arbitrary<Declared> = fc.record({
  configs: beginningConfigs,
  selected: fc.constant(undefined),
  windows: some(['a', 'b'], window),
  weekly: fc.constantFrom(undefined, undefined, ['SU' as const]),
  key: fc.option(fc.constant({ desc: 'Reports', role: 'ORG_MEMBER' }), { nil: undefined }),
  users: some(['dana'], user),
  pat: fc.option(user, { nil: undefined, freq: 2 }),
  chat: fc.constantFrom(undefined, 'present' as const),
  listed: fc.constant(undefined),
  isLayered: fc.nat(2).map((n) => n === 2),
})
