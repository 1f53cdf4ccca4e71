/** What is declared differently from then on. */
import * as fc from 'fast-check'
import { hclOf, type Config, type Declared, type User, type Window } from './declared.ts'
import type { Oracle } from './oracle.ts'
import type { World } from './world.ts'

export type Step = fc.AsyncCommand<Oracle, World>

/** Long enough that nothing is close to a write of ours. */
export const BETWEEN_MS = 600_000

export const step = (
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
export const put = (table: Table, name: string, value: Config | Window): Step =>
  edit(`${table}.${name} = ${JSON.stringify(value)}`, (declared) =>
    // Terraform refuses a name that a moved block moves away.
    declared.moved.some(([from]) => table === 'windows' && from === name)
      ? declared
      : { ...declared, [table]: { ...declared[table], [name]: value } },
  )
export const take = (table: Table, name: string): Step =>
  edit(`no ${table}.${name}`, (declared) => ({ ...declared, [table]: without(declared[table], name) }))
const set = <K extends keyof Declared>(name: K, value: Declared[K]): Step =>
  edit(`${name} = ${JSON.stringify(value) ?? 'nothing'}`, (declared) => ({ ...declared, [name]: value }))

export const INDEX = { x: 0, y: 1, z: 2 } as const
const configName = fc.constantFrom('x', 'y', 'z' as const)
const ofConfig = fc.record({
  enabled: fc.boolean(),
  onRemove: fc.constantFrom('forget', 'restore' as const),
})
export const anyWindow: fc.Arbitrary<Window> = fc.record({
  project: fc.constantFrom('payments', 'payments', 'ledger' as const),
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  day: fc.integer({ min: 30, max: 32 }),
  hours: fc.integer({ min: 1, max: 3 }),
  description: fc.constantFrom('one', 'two'),
  onRemove: fc.constantFrom('end', 'end', 'forget' as const),
})
export const windowName = fc.constantFrom('a', 'b')
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

export const edits: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(configName, ofConfig)
      .map(([name, values]) => put('configs', name, { ...values, index: INDEX[name] })),
  },
  { weight: 2, arbitrary: configName.map((name) => take('configs', name)) },
  { weight: 1, arbitrary: fc.option(ofConfig, { nil: undefined }).map((each) => set('selected', each)) },
  {
    weight: 4,
    arbitrary: fc.tuple(windowName, anyWindow).map(([name, value]) => put('windows', name, value)),
  },
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
  windows: some(['a', 'b'], anyWindow),
  key: fc.option(key, { nil: undefined }),
  dana: fc.option(user, { nil: undefined, freq: 2 }),
  pat: fc.option(user, { nil: undefined, freq: 2 }),
  chat: fc.constantFrom(undefined, 'present' as const),
  moved: fc.constant([]),
})
