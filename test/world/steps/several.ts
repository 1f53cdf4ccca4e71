import * as fc from 'fast-check'
import { expect } from 'vitest'
import { applyIn } from './applies.ts'
import { checkApplied, idAt } from '../checks/check-apply.ts'
import { entryOf, PROJECTS, type DeclaredWindow } from '../known/declared.ts'
import { declare, inTurn, step, type Step } from './step.ts'
import type { Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { recordsOf, type World } from '../world.ts'

/** The names of entries for one project or several. */
const NAMES = ['p', 'q', 'r', 's'] as const
type Name = (typeof NAMES)[number]
type Project = DeclaredWindow['project']
const ALL: readonly Project[] = ['payments', 'ledger']

/** How an entry names its projects. */
interface Spelt {
  readonly name: Name
  readonly projects: readonly Project[]
  readonly isList: boolean
}

const declared = (
  spelt: readonly Spelt[],
  window: Omit<DeclaredWindow, 'project'>,
): [string, DeclaredWindow][] =>
  spelt.flatMap(({ name, projects, isList }) =>
    projects.map((project): [string, DeclaredWindow] => [
      isList ? `${name}[${PROJECTS[project]}]` : name,
      { ...window, project },
    ]),
  )

const ofSeveral = (name: string): boolean => NAMES.some((each) => each === entryOf(name))

const put = async (
  oracle: Oracle,
  world: World,
  entries: readonly (readonly [string, DeclaredWindow])[],
): Promise<void> => {
  const others = Object.entries(oracle.declared.windows).filter(([name]) => !ofSeveral(name))
  await declare(oracle, world, { windows: Object.fromEntries([...others, ...entries]) })
}

const spelling: fc.Arbitrary<Spelt> = fc.oneof(
  fc.record({
    name: fc.constantFrom(...NAMES),
    projects: fc.subarray([...ALL], { minLength: 1 }),
    isList: fc.constant(true),
  }),
  fc.record({
    name: fc.constantFrom(...NAMES),
    projects: fc.constantFrom<Project[]>(['payments'], ['ledger']),
    isList: fc.constant(false),
  }),
)

const window: fc.Arbitrary<Omit<DeclaredWindow, 'project'>> = fc.record({
  types: fc.constantFrom(['HOST'], ['BACKUP']),
  start: fc.oneof(fc.constantFrom(24, 48), fc.integer({ min: 10, max: 400 })),
  hours: fc.integer({ min: 1, max: 48 }),
  description: fc.constantFrom('one', 'two'),
  onRemove: fc.constantFrom('end', 'end', 'forget'),
  protect: fc.constant(false),
})

/** Declares a window in some projects; what an earlier entry declared elsewhere is no longer declared. */
const spread = fc
  .tuple(spelling, window)
  .map(([spelt, values]) =>
    step(
      `edit: ${spelt.name} in ${spelt.isList ? `[${spelt.projects.join()}]` : spelt.projects.join()} = ${JSON.stringify(values)}`,
      (oracle, world) => put(oracle, world, declared([spelt], values)),
    ),
  )

/** Two entries for one project each, with names that nothing has, or one entry that keeps the name. */
const otherwise = (before: readonly string[], projects: readonly Project[], isApart: boolean): Spelt[] => {
  const taken = new Set(before.map(entryOf))
  const free = NAMES.filter((each) => !taken.has(each))
  const name = NAMES.find((each) => taken.has(each)) ?? 'p'
  if (isApart)
    return projects.map((project, index) => ({
      name: free[index] ?? 'p',
      projects: [project],
      isList: index === 0,
    }))
  return [{ name, projects, isList: projects.length > 1 || taken.size > 1 || before.includes(name) }]
}

/**
 * An entry stands for other projects than before: what it means in the projects that stay is the same window. If it only
 * says the same in another way, nothing is sent.
 */
const respell = async (
  oracle: Oracle,
  world: World,
  { to, isApart }: { readonly to: readonly Project[] | 'the same'; readonly isApart: boolean },
): Promise<void> => {
  const { code } = await world.json(['plan', '--detailed-exitcode'])
  const before = Object.entries(oracle.declared.windows).filter(([name]) => ofSeveral(name))
  const [first] = before
  if (code !== 0 || oracle.isUncertain || first?.[1] === undefined) return
  const { project: _, ...values } = first[1]
  const old = before.flatMap(([, each]) => (each === undefined ? [] : [each.project]))
  const projects = to === 'the same' ? old : to
  const records = await recordsOf(world)
  const idsBefore = new Map(
    before.map(([name, each]) => [each?.project, idAt(records, `maintenanceWindows.${name}`)]),
  )
  const names = before.map(([name]) => name)
  await put(oracle, world, declared(otherwise(names, projects, isApart), values))
  const ended = await applyIn(world, oracle)
  count(
    `an entry for ${old.length} stands for ${to === 'the same' ? 'the same' : to.length}${isApart ? ', apart' : ''}`,
  )
  if (to === 'the same') expect(world.actsOf(ended.number)).toEqual([])
  await checkApplied(world, oracle, ended)
  if (ended.code !== 0) return
  const after = await recordsOf(world)
  for (const [name, each] of Object.entries(oracle.declared.windows)) {
    const id = idsBefore.get(each?.project)
    if (!ofSeveral(name) || id === undefined || id === '') continue
    expect({ name, id: idAt(after, `maintenanceWindows.${name}`) }).toEqual({ name, id })
  }
}

const respelt = fc
  .record({
    to: fc.constantFrom<readonly Project[] | 'the same'>(
      'the same',
      'the same',
      ALL,
      ['payments'],
      ['ledger'],
    ),
    isApart: fc.boolean(),
  })
  .map((how) =>
    step(
      `an entry for several projects stands for ${how.to === 'the same' ? 'the same' : how.to.join(' and ')} in another way${how.isApart ? ', each apart' : ''}; apply`,
      (oracle, world) => respell(oracle, world, how),
    ),
  )

/** Entries that stand for windows in several projects. */
export const several = (apply: fc.Arbitrary<Step>): fc.Arbitrary<Step> =>
  fc.tuple(spread, apply, respelt).map((all) => inTurn(...all))
