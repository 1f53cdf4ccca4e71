import { isNone } from '../../core/operation.ts'
import { reason } from '../reason.ts'
import { isReplaced, wholesOf } from '../values/address.ts'
import { isComplete } from '../values/identity.ts'
import type { Records } from '../values/model.ts'
import type { Instance } from './expand.ts'
import type { PlannedChange } from './work.ts'

interface Around {
  readonly instances: readonly Instance[]
  /** What is recorded, without what steps aside. */
  readonly records: Records
  /** What steps aside, by the address that means another thing now. */
  readonly displaced: ReadonlyMap<string, string>
}

/**
 * Keeps what its entry no longer has for as long as what the entry has instead cannot be made: otherwise nothing would be
 * left of either.
 */
export const withHeld = (planned: readonly PlannedChange[], around: Around): readonly PlannedChange[] => {
  const blockedAt = new Set(
    planned.flatMap(({ change }) => (change.action === 'blocked' ? [change.address] : [])),
  )
  if (blockedAt.size === 0) return planned
  const isBlocked = ({ address }: Instance): boolean => blockedAt.has(address)
  const notMade = new Map<string, string>()
  for (const instance of around.instances.filter((each) => isBlocked(each) && isMade(each, around)))
    if (!notMade.has(instance.entry.address)) notMade.set(instance.entry.address, instance.address)
  const replacedBy = new Map([...around.displaced].map(([address, aside]) => [aside, address]))
  return planned.map((each) => {
    const { change, work } = each
    const { address } = change
    if (work.do !== 'release' && work.do !== 'drop') return each
    // What has stepped aside before this plan was replaced then.
    if (isReplaced(address)) {
      const by = replacedBy.get(address)
      return by !== undefined && blockedAt.has(by) ? held(each, by) : each
    }
    const instead = wholesOf(address).flatMap((whole) => notMade.get(whole) ?? [])
    // Letting go of a record takes nothing from the service.
    return work.do === 'release' && instead[0] !== undefined ? held(each, instead[0]) : each
  })
}

/** Whether an apply would make a new thing of it. */
const isMade = ({ definition, identity, address }: Instance, { records }: Around): boolean =>
  !isNone(definition.establish.create) && !isComplete(definition, identity) && records[address] === undefined

const held = ({ change }: PlannedChange, address: string): PlannedChange => {
  const { notes: _, ...kept } = change
  const because = reason('undeclared-held', { address })
  return {
    change: { ...kept, action: 'blocked', reason: because, fields: [], requests: [] },
    work: { do: 'keep' },
  }
}
