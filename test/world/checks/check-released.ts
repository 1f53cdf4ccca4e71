import { expect } from 'vitest'
import type { Act } from '../known/acts.ts'
import { idAt } from './check-apply.ts'
import { CONFIGS } from '../fixture.ts'
import type { Oracle } from '../known/oracle.ts'
import { count } from '../tally.ts'
import { recordsOf, truthOf, type Ended, type World } from '../world.ts'

/** What is no longer declared is released in the way that its entry last said, and in no other. */
export const checkReleased = async (world: World, oracle: Oracle, { number }: Ended): Promise<void> => {
  // Requests of unknown outcome are settled by writes of what was declared then.
  if (oracle.isUncertain) return
  const { recordsThen } = oracle
  const now = await recordsOf(world)
  const places = Map.groupBy(Object.keys(now), (address) => idAt(now, address))
  for (const [address, record] of Object.entries<any>(recordsThen)) {
    const id = idAt(recordsThen, address)
    const isElsewhere = places.get(id)?.some((each) => each !== address) === true
    if (id === '' || id === oracle.gone || isElsewhere || isDeclared(oracle, address, id)) continue
    const acts = world.actsOf(number).filter((act) => act.id === id)
    const way = record.protect === true ? 'protected' : record.onRemove
    count(`release of ${record.kind}: ${way}, ${acts.length > 0 ? 'written' : 'left'}`)
    const release = { world, oracle, address, record, id, acts, isOver: !places.has(id) }
    if (way === 'revoke') checkRevoked(release)
    else if (way === 'restore') checkRestored(release)
    else if (way !== 'end') expect({ address, way, acts }).toEqual({ address, way, acts: [] })
  }
}

interface Release {
  readonly world: World
  readonly oracle: Oracle
  readonly address: string
  readonly record: any
  readonly id: string
  /** What the apply has written to it. */
  readonly acts: readonly Act[]
  /** It is no longer recorded. */
  readonly isOver: boolean
}

const isDeclared = (oracle: Oracle, address: string, id: string): boolean => {
  const { configs, key, users, pat, windows, weekly } = oracle.declared
  const [section, name = ''] = address.split(/[.[]/, 2)
  if (section === 'apiKeys') return key !== undefined
  if (section === 'users') return (name === 'pat' ? pat : users[name]) !== undefined
  if (section === 'alertConfigurations')
    return (
      oracle.wants(id) !== undefined ||
      Object.values(configs).some((each) => each !== undefined && CONFIGS[each.index] === id)
    )
  const isTaken = Object.values(windows).some((each) => each?.windowId === id)
  const own = name === 'weekly' ? weekly : windows[address.replace('maintenanceWindows.', '')]
  return section !== 'maintenanceWindows' || own !== undefined || isTaken
}

const checkRevoked = ({ address, acts, isOver }: Release): void => {
  const bodies = acts.map(({ body }) => body)
  expect({ address, bodies }).toEqual({ address, bodies: bodies.map(() => ({ roles: [] })) })
  if (isOver) expect({ address, isSent: acts.length > 0 }).toEqual({ address, isSent: true })
}

/**
 * It gets back the value that it was found with, if it still has the one that an apply gave it. What somebody else has
 * set since stays.
 */
const checkRestored = ({ world, oracle, address, record, id, acts, isOver }: Release): void => {
  const found = record.adopted?.enabled
  const { enabled } = record.applied
  const isAmong = world.service.acts.some(
    (act) => act.id === id && act.by !== 'run' && act.at >= oracle.beganAt,
  )
  if (isAmong) return
  for (const { before, after } of acts)
    expect({ address, before: before.enabled, after: after.enabled }).toEqual({
      address,
      before: enabled,
      after: found,
    })
  if (isOver && acts.length === 0 && found !== enabled)
    expect({ address, live: truthOf(world).configs.get(id) }).not.toEqual({ address, live: enabled })
}
