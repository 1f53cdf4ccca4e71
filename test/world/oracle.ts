import { expect } from 'vitest'
import { windowValues, type Declared } from './declared.ts'
import { BYSTANDER, CI, CONFIGS, recordsOf, type Truth, type World } from './installation.ts'

/** Who changed what since it was last written or accepted from here: what a report may say of others. */
interface Foreign {
  readonly fields: Set<string>
  readonly by: string
}

/** What really happened, kept beside the world: it shares nothing with what it judges. */
export class Oracle {
  declared: Declared
  /** By the id of the thing. */
  readonly foreign = new Map<string, Foreign>()
  /** The value of each configuration when it was last applied or accepted. */
  readonly applied = new Map<string, boolean>()
  /** An answer was lost: until an apply ends well, what the last one reached is not known here either. */
  isUncertain = false

  constructor(declared: Declared) {
    this.declared = declared
  }

  /** Somebody else changed a field. */
  changed(id: string, field: string, by: string): void {
    const known = this.foreign.get(id)
    this.foreign.set(id, { fields: new Set([...(known?.fields ?? []), field]), by })
  }
}

const addressesOf = ({ configs, windows, key }: Declared): string[] => [
  ...Object.keys(configs).map((name) => `alertConfigurations.${name}`),
  ...Object.keys(windows).map((name) => `maintenanceWindows.${name}`),
  ...(key === undefined ? [] : ['apiKeys.reporting']),
]

/** After an apply that says it is done: everything declared is so, nothing else was touched, nothing is left to do. */
export const checkApplied = async (
  world: World,
  oracle: Oracle,
  before: Truth,
  { code: ended, document: summary, said }: Awaited<ReturnType<World['json']>>,
): Promise<void> => {
  if (oracle.isUncertain && ended !== 0) return
  if (ended === 2) return checkBlocked(world, oracle, summary)
  expect({ ended, said, problems: summary?.problems }).toMatchObject({ ended: 0 })
  // What was to be lost and was never sent is not lost later on.
  await world.here.control('DELETE', 'faults')
  const truth = await world.truth()
  const { declared } = oracle
  const records = await recordsOf(world)
  const declaredIds = new Set<string | undefined>(
    Object.values(declared.configs).map((each) => CONFIGS[each?.index ?? 0]),
  )
  for (const each of Object.values(declared.configs))
    if (each !== undefined) expect(truth.configs.get(CONFIGS[each.index] ?? '')).toBe(each.enabled)
  for (const [id, enabled] of before.configs)
    if (!declaredIds.has(id)) expect([id, truth.configs.get(id)]).toEqual([id, enabled])
  expect(truth.configs.get(BYSTANDER)).toBe(true)
  const ids = new Set<string>()
  for (const [name, each] of Object.entries(declared.windows)) {
    const record = records[`maintenanceWindows.${name}`]
    if (each === undefined) continue
    const values = windowValues(each)
    const isOver = Date.parse(values.endDate) <= world.now
    if (record === undefined) {
      expect(isOver).toBe(true)
      continue
    }
    const live = truth.windows.get(record.identity.id)
    expect(live).toBeDefined()
    ids.add(record.identity.id)
    if (isOver) continue
    expect({ ...live, alertTypeNames: live.alertTypeNames.toSorted() }).toMatchObject(values)
  }
  // Two addresses never share a window, and no window that is still to come was made and then forgotten.
  const ours = Object.keys(records).filter((address) => address.startsWith('maintenanceWindows.'))
  expect(new Set(ours.map((address) => records[address].identity.id)).size).toBe(ours.length)
  for (const [id, window] of truth.windows)
    if (Date.parse(window.endDate) > world.now + 2_000)
      expect([id, ours.some((address) => records[address].identity.id === id)]).toEqual([id, true])
  if (declared.key !== undefined) {
    expect(truth.key.desc).toBe(declared.key.desc)
    expect(truth.key.roles).toEqual([declared.key.role])
  }
  oracle.applied.clear()
  for (const [id, enabled] of truth.configs) oracle.applied.set(id, enabled)
  oracle.foreign.clear()
  oracle.isUncertain = false
  const { code, document } = await world.json('plan', '--detailed-exitcode', '--all')
  expect({ code, left: document.changes.filter(isLeft) }).toEqual({ code: 0, left: [] })
}

/** All that may be blocked here is a window that should be over, and that somebody else may have prolonged. */
const checkBlocked = async (world: World, oracle: Oracle, summary: any): Promise<void> => {
  const records = await recordsOf(world)
  for (const { address } of summary.blocked) {
    const { identity, applied } = records[address]
    expect(Date.parse(applied.endDate)).toBeLessThanOrEqual(world.now)
    expect(oracle.foreign.has(identity.id)).toBe(true)
  }
}

const isLeft = ({ action }: any): boolean => action !== 'unchanged' && action !== 'expired'

/** A drift report against what really is, and who really did it. */
export const checkDrift = async (world: World, oracle: Oracle): Promise<void> => {
  const { code, document } = await world.json('drift')
  // An outcome that no evidence settles stops everything, and is the only thing that does.
  if (oracle.isUncertain && code === 3) return
  expect([0, 2]).toContain(code)
  expect(code === 2).toBe(document.summary.drifted > 0)
  const truth = await world.truth()
  const records = await recordsOf(world)
  expect(document.resources.map(({ address }: any) => address)).toEqual(
    expect.arrayContaining(addressesOf(oracle.declared).filter((address) => records[address] !== undefined)),
  )
  for (const resource of document.resources.filter(({ address }: any) => records[address] !== undefined))
    judge(resource, records[resource.address], truth, oracle)
}

const judge = (resource: any, record: any, truth: Truth, oracle: Oracle): void => {
  const { address, verdict, actor } = resource
  const said = { address, verdict }
  if (actor !== undefined) expect({ address, by: actor.publicKey }).not.toEqual({ address, by: CI.publicKey })
  if (address.startsWith('alertConfigurations.')) {
    const id = record.identity.alertConfigId
    const isSame = truth.configs.get(id) === record.applied.enabled
    expect(said).toEqual({ address, verdict: isSame ? 'in-sync' : 'drifted' })
    if (!isSame && !oracle.isUncertain) expect(actor?.publicKey).toBe(oracle.foreign.get(id)?.by)
    return
  }
  const id = record.identity.id ?? record.identity.apiKeyId
  if (oracle.isUncertain) return
  // What no endpoint shows is never in sync, and drifted only where somebody else has really changed it.
  expect(verdict).not.toBe('in-sync')
  const foreign = oracle.foreign.get(id)
  if (foreign === undefined) expect(said).toEqual({ address, verdict: 'unverifiable' })
  else {
    expect(said).toEqual({ address, verdict: 'drifted' })
    expect(actor?.publicKey).toBe(foreign.by)
  }
}

/** A plan sends nothing but reads, and its exit code fits its document. */
export const checkPlan = async (world: World, oracle: Oracle): Promise<void> => {
  await world.here.forgetRequests()
  const { code, document } = await world.json('plan', '--detailed-exitcode', '--all')
  const { log } = await world.here.requests()
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
  if (oracle.isUncertain && code === 3) return undefined
  return expect(code).toBe(document.changes.some(isLeft) ? 2 : 0)
}
