import * as fc from 'fast-check'
import { manifestOf, type Declared, type DeclaredWindow } from './declared.ts'
import { step, type Step } from './step.ts'

const edit = (what: string, change: (declared: Declared) => Declared): Step =>
  step(`edit: ${what}`, async (oracle, world) => {
    oracle.declared = change(oracle.declared)
    await world.manifest(manifestOf(oracle.declared))
  })

const windowValues: fc.Arbitrary<DeclaredWindow> = fc.record({
  types: fc.constantFrom(['HOST'], ['HOST', 'AGENT'], ['BACKUP']),
  start: fc.integer({ min: -3, max: 400 }),
  hours: fc.integer({ min: 1, max: 48 }),
  description: fc.constantFrom('one', 'two'),
})
export const windowName = fc.constantFrom('a', 'b')
const configName = fc.constantFrom('x', 'y')
const INDEX = { x: 0, y: 1 } as const

const without = <T extends object>(values: T, name: string): T =>
  Object.fromEntries(Object.entries(values).filter(([each]) => each !== name)) as T

export const edits: fc.Arbitrary<Step> = fc.oneof(
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
