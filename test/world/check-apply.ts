import { expect } from 'vitest'
import { windowValues } from './declared.ts'
import { BYSTANDER, CONFIGS, REPORTER } from './fixture.ts'
import { isBlurred, type Oracle } from './oracle.ts'
import { recordsOf, truthOf, type Ended, type Truth, type World } from './world.ts'

/** Whatever becomes of an apply, it touches nothing but what is declared or was made by one. */
export const checkTouched = (world: World, oracle: Oracle, run: number): void => {
  const made = new Set(
    world.service.acts.flatMap(({ by, kind, id, before }) =>
      kind === 'window' && by === 'run' && before === undefined ? [id] : [],
    ),
  )
  const configs = new Set<string>(
    Object.values(oracle.declared.configs).map((each) => CONFIGS[each?.index ?? 0] ?? ''),
  )
  for (const { kind, id } of world.actsOf(run)) {
    if (kind === 'window') expect([...made], 'a window that no run has made').toContain(id)
    else if (kind === 'alertConfig')
      expect([...configs], 'a configuration that nobody declares').toContain(id)
    else expect({ kind, id }).toEqual({ kind: 'apiKey', id: REPORTER })
  }
}

/** After an apply that says it is done: everything declared is so, nothing else was touched, nothing is left to do. */
export const checkApplied = async (world: World, oracle: Oracle, ended: Ended): Promise<void> => {
  const { code, document: summary, said, number } = ended
  checkTouched(world, oracle, number)
  if (code === null || (oracle.isUncertain && code !== 0)) return
  if (code === 2) return checkBlocked(world, summary)
  expect({ code, said, problems: summary?.problems }).toMatchObject({ code: 0 })
  const truth = truthOf(world)
  const records = await recordsOf(world)
  checkDeclared(world, oracle, truth, records)
  checkNothingTwice(world, oracle, truth, records)
  oracle.isUncertain = false
  const { code: left, document } = await world.json(['plan', '--detailed-exitcode', '--all'])
  const isSure = ({ address }: any): boolean => !isBlurred(world, oracle, idAt(records, address))
  const changes = document.changes.filter(isLeft)
  expect(changes.filter(isSure)).toEqual([])
  expect(left).toBe(changes.length > 0 ? 2 : 0)
}

const idAt = (records: any, address: string): string => {
  const { id, apiKeyId, alertConfigId } = records[address]?.identity ?? {}
  return id ?? apiKeyId ?? alertConfigId ?? ''
}

const checkDeclared = (world: World, oracle: Oracle, truth: Truth, records: any): void => {
  const { declared } = oracle
  for (const each of Object.values(declared.configs))
    if (each !== undefined) expect(truth.configs.get(CONFIGS[each.index] ?? '')).toBe(each.enabled)
  expect(truth.configs.get(BYSTANDER)).toBe(true)
  for (const [name, each] of Object.entries(declared.windows)) {
    if (each === undefined) continue
    const record = records[`maintenanceWindows.${name}`]
    const values = windowValues(each)
    const isOver = Date.parse(values.endDate) <= world.now
    if (isOver && record === undefined) continue
    const live = truth.windows.get(record?.identity.id)
    expect(live, `window ${name}`).toBeDefined()
    if (isOver || isBlurred(world, oracle, live.id)) continue
    expect({ ...live, alertTypeNames: live.alertTypeNames.toSorted() }).toMatchObject(values)
  }
  if (declared.key === undefined || isBlurred(world, oracle, REPORTER)) return
  expect(truth.key).toEqual({ desc: declared.key.desc, roles: [declared.key.role] })
}

/** Two addresses never share a window, each was made by a run, and none that is still to come is made and forgotten. */
const checkNothingTwice = (world: World, oracle: Oracle, truth: Truth, records: any): void => {
  const ours = Object.keys(records).filter((address) => address.startsWith('maintenanceWindows.'))
  const ids = new Set(ours.map((address) => records[address].identity.id))
  expect(ids.size).toBe(ours.length)
  const made = new Set(
    world.service.acts.filter(({ by, before }) => by === 'run' && before === undefined).map(({ id }) => id),
  )
  expect(
    [...ids].filter((id) => !made.has(id)),
    'recorded, and made by somebody else',
  ).toEqual([])
  const lost = [...made].filter((id) => {
    const window = truth.windows.get(id)
    return window !== undefined && Date.parse(window.endDate) > world.now + 2_000 && !ids.has(id)
  })
  expect(
    lost.filter((id) => !oracle.left.has(id)),
    'made by a run, still to come, and not recorded',
  ).toEqual([])
}

/** All that may be blocked here is a window that should be over, and that somebody else may have prolonged. */
const checkBlocked = async (world: World, summary: any): Promise<void> => {
  const records = await recordsOf(world)
  for (const { address } of summary.blocked) {
    const { identity, applied } = records[address]
    expect(Date.parse(applied.endDate)).toBeLessThanOrEqual(world.now)
    expect(world.service.acts.some(({ id, by }) => id === identity.id && by !== 'run')).toBe(true)
  }
}

export const isLeft = ({ action }: any): boolean => action !== 'unchanged' && action !== 'expired'

/** A plan sends nothing but reads, and its exit code fits its document. */
export const checkPlan = async (world: World, oracle: Oracle): Promise<void> => {
  const { code, document, number } = await world.json(['plan', '--detailed-exitcode', '--all'])
  expect(world.actsOf(number)).toEqual([])
  if (oracle.isUncertain && code === 3) return undefined
  return expect(code).toBe(document.changes.some(isLeft) ? 2 : 0)
}
