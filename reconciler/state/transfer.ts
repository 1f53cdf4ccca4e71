import { isDeepStrictEqual } from 'node:util'
import { thingKey, type Effect } from '@deploymgmt/provider/engine'
import { type System, systemWith } from './machine/system.ts'
import { noteProjects } from './notes.ts'
import { openSession, storeOf, type Stated } from './open.ts'
import type { Session } from './session.ts'
import type { Patience } from './wait-for-lock.ts'
import { withSession } from './with-session.ts'

/** Two states of one service, each with the manifest that must own it. */
interface Two extends Patience {
  readonly from: Stated
  readonly to: Stated
  /** The running command, without its arguments. */
  readonly command: string
}

/** The sessions of two states. */
export interface Both {
  readonly from: Session
  readonly to: Session
}

/**
 * Opens two states, and always closes both. Their locks are taken in the order of their places, so that two commands
 * with the same states never wait for each other.
 *
 * @param two not one state at two addresses: its own lock would keep it out
 * @throws what `openSession` throws
 */
export const withBoth = async <T>(
  two: Two,
  given: Partial<System>,
  act: (both: Both) => Promise<T>,
): Promise<T> => {
  const { from, to, ...more } = two
  const system = systemWith(given)
  const [source, target] = [(await storeOf(from, system)).place, (await storeOf(to, system)).place]
  const isFromFirst = source < target
  const [first, second] = isFromFirst ? [from, to] : [to, from]
  return withSession(await openSession({ ...first, ...more }, given), async (one) =>
    withSession(await openSession({ ...second, ...more }, given), (other) =>
      act(isFromFirst ? { from: one, to: other } : { from: other, to: one }),
    ),
  )
}

/**
 * Saves records in another state. `dropGiven` comes after that, so that a kill in between leaves a record in both and
 * never in none.
 *
 * @throws LedgerError
 */
export const giveRecords = async ({ from, to }: Both, addresses: readonly string[]): Promise<void> => {
  const { resources, projects = {} } = from.state
  const there = to.state.resources
  const puts = addresses.flatMap((address): Effect[] => {
    const resource = resources[address]
    const isThere = resource === undefined || isDeepStrictEqual(there[address], resource)
    return isThere ? [] : [{ op: 'put', address, resource }]
  })
  await to.effects(puts)
  await to.effects(knownBesides({ from, to }, addresses))
  noteLeft({ from, to }, addresses)
  noteProjects(to, new Map(Object.entries({ ...projects, ...to.state.projects })))
  await to.commit()
}

/** Drops records that were given away. @throws LedgerError */
export const dropGiven = async (
  { from }: Pick<Both, 'from'>,
  addresses: readonly string[],
): Promise<void> => {
  await from.effects(addresses.map((address) => ({ op: 'drop', address })))
}

/**
 * If no record stays behind, the state may be taken away: what else it knows would then be unknown everywhere, and
 * stop creations.
 */
const knownBesides = ({ from, to }: Both, addresses: readonly string[]): Effect[] => {
  const { resources, known = [] } = from.state
  const going = new Set(addresses)
  if (!Object.keys(resources).every((address) => going.has(address))) return []
  const recorded = new Set(Object.values(to.state.resources).map(thingKey))
  return known
    .filter((made) => !recorded.has(thingKey(made)))
    .map((made): Effect => ({ op: 'disown', ...made }))
}

/** Since when applies have left a change of these undone. */
const noteLeft = ({ from, to }: Both, addresses: readonly string[]): void => {
  const left = from.state.pending?.left ?? {}
  const { pending } = to.state
  const going = addresses.flatMap((address) => {
    const since = left[address]
    return since === undefined ? [] : [[address, since] as const]
  })
  if (pending === undefined || going.length === 0) return
  to.noted({ pending: { ...pending, left: { ...Object.fromEntries(going), ...pending.left } } })
}
