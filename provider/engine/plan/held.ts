import { isNone } from '../../core/operation.ts'
import { reason } from '../reason.ts'
import { isReplaced, wholesOf } from '../values/address.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import type { Records } from '../values/model.ts'
import type { PlannedChange, Work } from './work.ts'

interface Context {
  readonly instances: readonly Instance[]
  /** The records, without the replaced ones. */
  readonly records: Records
  /** Addresses of replaced records, by the address that now means another thing. */
  readonly asides: ReadonlyMap<string, string>
}

/**
 * Holds back the release of what an entry no longer has while its replacement cannot be made. Otherwise neither
 * would be left.
 */
export const withHeld = (planned: readonly PlannedChange[], context: Context): readonly PlannedChange[] => {
  if (!planned.some(({ work }) => isLettingGo(work))) return planned
  const blockedAt = new Set(
    planned.flatMap(({ change }) => (change.action === 'blocked' ? [change.address] : [])),
  )
  const insteadOf = insteadBy(planned, blockedAt, context)
  const replacedBy = new Map([...context.asides].map(([address, aside]) => [aside, address]))
  return planned.map((each) => {
    const { change, work } = each
    const { address } = change
    if (!isLettingGo(work)) return each
    // If the record was replaced before this plan, its replacement exists already.
    if (isReplaced(address)) {
      const by = replacedBy.get(address)
      return by !== undefined && blockedAt.has(by) ? held(each, by) : each
    }
    // Dropping a record takes nothing from the service.
    if (work.do !== 'release') return each
    const found = wholesOf(address).flatMap((whole) => insteadOf.get(whole) ?? [])
    const blocker = found.find(({ blocked }) => blocked !== undefined)?.blocked
    if (blocker !== undefined) return held(each, blocker)
    const [first] = found
    return first === undefined ? each : { change, work: { ...work, instead: first.made } }
  })
}

interface Instead {
  /** Addresses at which this plan creates something. */
  readonly made: readonly string[]
  /** An address at which this plan should create something and cannot. */
  readonly blocked: string | undefined
}

/**
 * By entry, the replacements for what the entry no longer has: those that this plan creates, and those that are
 * blocked.
 */
const insteadBy = (
  planned: readonly PlannedChange[],
  blockedAt: ReadonlySet<string>,
  context: Context,
): ReadonlyMap<string, Instead> => {
  const created = new Set(
    planned.flatMap(({ change, work }) => (work.do === 'create' ? [change.address] : [])),
  )
  const isCreated = ({ address }: Instance): boolean => created.has(address)
  const isBlocked = (each: Instance): boolean => blockedAt.has(each.address) && isMade(each, context)
  const concerned = context.instances.filter((each) => isCreated(each) || isBlocked(each))
  const byEntry = Map.groupBy(concerned, ({ entry }) => entry.address)
  return new Map(
    [...byEntry].map(([entry, instances]) => [
      entry,
      {
        made: instances.filter(isCreated).map(({ address }) => address),
        blocked: instances.find(isBlocked)?.address,
      },
    ]),
  )
}

const isLettingGo = ({ do: act }: Work): boolean => act === 'release' || act === 'drop'

/** Whether an apply would create a new thing for the instance. */
const isMade = ({ definition, identity, address }: Instance, { records }: Context): boolean =>
  !isNone(definition.establish.create) && !isComplete(definition, identity) && records[address] === undefined

const held = ({ change }: PlannedChange, address: string): PlannedChange => {
  const { notes: _, ...kept } = change
  const because = reason('undeclared-held', { address })
  return {
    change: { ...kept, action: 'blocked', reason: because, fields: [], requests: [] },
    work: { do: 'keep' },
  }
}
