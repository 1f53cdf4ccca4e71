import { expect } from 'vitest'
import {
  EPOCH,
  HORIZON,
  OCCURRENCE_HOURS,
  occurrences,
  PROJECTS,
  windowValues,
  type DeclaredUser,
} from '../known/declared.ts'
import { BYSTANDER, CONFIGS, LEDGER, PROJECT, REPORTER } from '../fixture.ts'
import { idAt } from './check-apply.ts'
import { madeByRuns } from './check-touched.ts'
import { isBlurred, latestOf, roleText, roleTexts, type Oracle } from '../known/oracle.ts'
import type { Truth, World } from '../world.ts'

/** The world after an apply that did all it could. */
export interface After {
  readonly world: World
  readonly oracle: Oracle
  readonly truth: Truth
  readonly records: any
  /** Addresses that the apply reported as blocked. */
  readonly blocked: ReadonlySet<string>
}

/** Everything that is declared, and not reported as blocked, is so at the service. */
export const checkDeclared = (after: After): void => {
  checkConfigs(after)
  for (const [name, each] of Object.entries(after.oracle.declared.windows))
    if (each !== undefined) {
      const values = { ...windowValues(each), projectId: PROJECTS[each.project] }
      checkWindow(after, `maintenanceWindows.${name}`, values, each.windowId)
    }
  checkWeekly(after)
  checkPeople(after)
  const { chat, listed } = after.oracle.declared
  const { integrations } = after.truth
  const isThere = integrations.get(PROJECT)?.includes('CHAT_A')
  if (chat !== undefined && !after.blocked.has('integrations.chat')) expect(isThere).toBe(chat === 'present')
  if (listed !== undefined)
    expect((integrations.get(LEDGER) ?? []).filter((type) => !listed.includes(type))).toEqual([])
}

const checkConfigs = ({ oracle, truth, records, blocked }: After): void => {
  expect(truth.configs.get(BYSTANDER)).toBe(true)
  const isKept = (id: string): boolean =>
    [...blocked].some((address) => idAt(records, address) === id || oracle.configAt(address) === id)
  for (const id of CONFIGS) {
    const wanted = oracle.wants(id)
    if (wanted !== undefined && !isKept(id)) expect([id, truth.configs.get(id)]).toEqual([id, wanted])
  }
}

const checkWindow = (
  { world, oracle, truth, records, blocked }: After,
  address: string,
  values: ReturnType<typeof windowValues> & { readonly projectId: string },
  id?: string,
): void => {
  const record = records[address]
  const isOver = Date.parse(values.endDate) <= latestOf(world, oracle)
  if (blocked.has(address) || (isOver && record === undefined)) return
  const live = truth.windows.get(record?.identity.id)
  expect({ address, live }).toMatchObject({ live: id === undefined ? {} : { id } })
  if (isOver || isBlurred(world, oracle, live.id)) return
  const told = { ...live, alertTypeNames: live.alertTypeNames.toSorted() }
  expect({ address, live: told }).toMatchObject({ address, live: values })
}

const checkWeekly = (after: After): void => {
  const { world, oracle, records } = after
  const { weekly } = oracle.declared
  const now = (world.now - EPOCH) / 3_600_000
  const starts = weekly === undefined ? [] : occurrences(weekly, now + 0.1, now + HORIZON - 0.1)
  const expected = starts.map((start) => {
    const values = windowValues({ types: ['HOST'], start, hours: OCCURRENCE_HOURS, description: 'weekly' })
    const address = `maintenanceWindows.weekly[${values.startDate}]`
    checkWindow(after, address, { ...values, projectId: PROJECT })
    return address
  })
  const recorded = Object.keys(records).filter((address) => address.startsWith('maintenanceWindows.weekly['))
  const isToCome = (address: string): boolean =>
    Date.parse(records[address].applied.startDate) > world.now + 360_000 &&
    Date.parse(records[address].applied.startDate) < world.now + (HORIZON - 0.1) * 3_600_000
  expect(recorded.filter(isToCome).toSorted()).toEqual(expected.toSorted())
}

const checkPeople = ({ world, oracle, truth, blocked }: After): void => {
  const { key, users, pat } = oracle.declared
  // What a person has accepted is reported as blocked, and left as it is.
  const isLeft = blocked.has('apiKeys.reporting')
  const isGone = oracle.gone === REPORTER
  if (
    key !== undefined &&
    !isGone &&
    !(isLeft && key.protect === true) &&
    !isBlurred(world, oracle, REPORTER)
  ) {
    const wanted = Object.entries({ roles: [key.role], desc: key.desc })
    const demanded = wanted.filter(([field]) => !(isLeft && isOfOthers(world, REPORTER, field)))
    expect(truth.key).toEqual({ ...truth.key, ...Object.fromEntries(demanded) })
  }
  const all: [string, DeclaredUser | undefined][] = [...Object.entries(users), ['pat', pat]]
  for (const [name, declared] of all) {
    if (declared === undefined || blocked.has(`users.${name}`)) continue
    const user = truth.users.get(`${name}@example.com`)
    expect({ name, user }).toMatchObject({ user: {} })
    if (world.service.acts.some(({ id, by }) => id === user.id && by !== 'run')) continue
    const effective = user.roles.map(roleText)
    const wanted = roleTexts(declared.roles)
    expect([...effective, ...user.invitations.map(roleText)]).toEqual(expect.arrayContaining(wanted))
    if (!world.service.joined.has(user.id))
      expect(effective.filter((role: string) => !wanted.includes(role))).toEqual([])
  }
}

/**
 * No two addresses share a window; each recorded window was made by a run or declared by its id; and no window that a
 * run made is still to come but recorded nowhere.
 */
export const checkNothingTwice = ({ world, oracle, truth, records }: After): void => {
  const ours = Object.keys(records).filter((address) => address.startsWith('maintenanceWindows.'))
  const ids = new Set(ours.map((address) => records[address].identity.id))
  expect(ids.size).toBe(ours.length)
  const made = new Set(madeByRuns(world).map(({ id }) => id))
  expect(
    ours
      .map((address) => records[address].identity.id)
      .filter((id) => !made.has(id) && !oracle.taken.has(id)),
    'recorded, and made by somebody else',
  ).toEqual([])
  const lost = [...made].filter((id) => {
    const window = truth.windows.get(id)
    const isToCome =
      window !== undefined &&
      Date.parse(window.endDate) > latestOf(world, oracle) + 3_000 &&
      // A window that is ended before it starts is moved to last one second, some seconds ahead if the service takes no
      // past time. It does not count as still to come.
      Date.parse(window.endDate) - Date.parse(window.startDate) > 1_000
    return isToCome && !ids.has(id) && !oracle.left.has(id) && !wasLastChangedByOthers(world, id)
  })
  expect(lost, 'made by a run, still to come, and not recorded').toEqual([])
}

/** Whether somebody else was the last to set a field. */
const isOfOthers = ({ service }: World, id: string, field: string): boolean => {
  const last = service.acts.findLast((act) => act.id === id && act.body?.[field] !== undefined)
  return last !== undefined && last.by !== 'run'
}

const wasLastChangedByOthers = ({ service }: World, id: string): boolean =>
  service.acts.findLast((act) => act.id === id)?.by !== 'run'
