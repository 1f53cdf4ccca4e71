import { AT_ONCE, runHere } from '../../support/command.ts'
import { emptyState } from '../../support/scene.ts'
import { install, type Installation } from '../../support/installation.ts'
import { resolve } from '../../crash/support/unknown.ts'
import type { Cell } from './fault-cells.ts'
import type { Row } from './fault-rows.ts'

const setUp = async ({ before }: Cell, fixture: object): Promise<Installation> => {
  const here = await install({ fixture })
  await emptyState(here)
  if (before !== undefined) {
    await here.manifest(before)
    const { code, stderr } = await here.run('apply', '--auto-approve')
    if (code !== 0) throw new Error(stderr)
    await here.control('POST', 'clock', { advance: 'PT5M' })
  }
  await here.forgetRequests()
  return here
}

/** What the service holds of the five kinds, except what differs from run to run. */
const liveIn = async (here: Installation): Promise<unknown> => {
  const { organizations, projects, users } = await here.control('GET', 'dump')
  const [{ alertConfigs, integrations, maintenanceWindows }] = projects
  return {
    keys: organizations[0].apiKeys.map(({ desc, roles }: any) => ({ desc, roles })),
    users: users.map(({ username, roles, invitations }: any) => ({ username, roles, invitations })),
    alertConfigs: alertConfigs.map(({ id, enabled }: any) => [id, enabled]),
    windows: maintenanceWindows.map(({ startDate, endDate, description }: any) => [
      startDate,
      endDate,
      description,
    ]),
    integrations: integrations.map(({ type }: any) => type),
  }
}

const sentIn = async (here: Installation, { method, path }: Cell): Promise<number> =>
  (await here.requests()).log.filter(
    (one) => one.method === method && one.status !== 401 && new RegExp(path).test(one.path),
  ).length

const apply = async (here: Installation) => (await runHere(here, ['apply', '--auto-approve'], AT_ONCE)).code

/** Resolves unknown outcomes truthfully, as a person would after a look at the service. */
const decide = async (here: Installation): Promise<void> => {
  const { document } = await here.json('state', 'list')
  const { users, projects } = await here.control('GET', 'dump')
  for (const { address, status } of document) {
    if (status !== 'unknown') continue
    const found = address.startsWith('users.')
      ? users.find(({ username }: any) => username === 'dana@example.com')
      : projects[0].maintenanceWindows.find(({ description }: any) => description === 'two')
    await resolve(here, address, ...(found === undefined ? ['--not-created'] : ['--created', found.id]))
  }
}

/** How a series of applies ended. */
export interface Met {
  readonly codes: readonly (number | null)[]
  /** How many times the first apply sent the request. */
  readonly sent: number
  /** At the end. */
  readonly live: unknown
  /** The exit code of a plan at the end. */
  readonly plan: number | null
}

/**
 * Applies the declaration of a cell with one fault for its request, then again without it, then again after a person
 * has decided.
 */
export const meet = async (cell: Cell, fixture: object, fault?: Row['fault']): Promise<Met> => {
  const here = await setUp(cell, fixture)
  try {
    await here.manifest(cell.declared)
    const { method, path } = cell
    if (fault !== undefined) await here.control('POST', 'faults', { method, path, count: 1, ...fault })
    const codes = [await apply(here)]
    const sent = await sentIn(here, cell)
    if (codes[0] !== 0) {
      await here.control('POST', 'clock', { advance: 'PT1M' })
      codes.push(await apply(here))
    }
    if (codes.at(-1) !== 0) {
      await decide(here)
      codes.push(await apply(here))
    }
    const { code: plan } = await here.run('plan', '--detailed-exitcode')
    return { codes, sent, live: await liveIn(here), plan }
  } finally {
    await here.close()
  }
}

/** In the terms of the page. */
export const became = ({ codes, sent }: Met, without: Met): string => {
  const [first, second, third] = codes
  if (first === 0) return sent === without.sent ? 'as without it' : 'sent again'
  if (second === 0)
    return first === 3 ? 'exit 3, settled by the next apply' : 'exit 1, done by the next apply'
  return third === 0 ? 'exit 3, until a person says' : `codes ${codes.join(', ')}`
}
