import { isReadable } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { JudgeContext } from '../judge/standing.ts'
import { reason } from '../reason.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { sortOf } from '../values/sort.ts'
import type { RecordedResource } from '../values/model.ts'
import { blocked } from './change.ts'
import type { Expected } from './expected.ts'
import { claimOf, formerRecords, holdersOf } from './holders.ts'
import { planInForce } from './in-force.ts'
import type { PlanInput } from './input.ts'
import { withMove } from './moved.ts'
import { planMissing, planReadable } from './readable.ts'
import { withAside, type setAside } from './replaced.ts'
import { withSettingsChanged } from './settings.ts'
import { planUnreadable } from './unreadable.ts'
import type { PlannedChange } from './work.ts'

const NOBODY: ReadonlyMap<string, string> = new Map()

/** Plans every declared instance. */
export const planDeclared = (
  input: PlanInput,
  { instances, moves }: Expected,
  { records, asides }: ReturnType<typeof setAside>,
): PlannedChange[] => {
  const movedTo = new Map(moves.map((move) => [move.to, move]))
  // The holders are needed only for instances without a record.
  const isAllRecorded = instances.every(
    (instance) => fittingRecord(instance, records[instance.address]) !== undefined,
  )
  const takenBy = isAllRecorded ? NOBODY : holdersOf(instances, records)
  const former = formerRecords(instances, records, input.definitions)
  const isAllInPlace = asides.size === 0 && former.size === 0
  return instances.flatMap((instance) => {
    const move = movedTo.get(instance.address)
    const record = fittingRecord(instance, records[instance.address])
    const replaced = records[asides.get(instance.address) ?? '']
    const planned = isMovedByItsId(instance, replaced)
      ? [blocked(instance, reason('not-movable', { field: instance.definition.identity.declaredAs }))]
      : withSettingsChanged(instance, record, planInstance(instance, record, input, takenBy))
    const own = isAllInPlace
      ? planned
      : planned.map((each) => withAdopted(withAside(each, asides), former.get(claimOf(instance) ?? '')))
    return move === undefined ? own : withMove(instance, move, own)
  })
}

/**
 * Whether the entry names the thing that was recorded, but in another place: ids are the service's own, and it moves
 * nothing.
 */
const isMovedByItsId = ({ definition, identity }: Instance, before: RecordedResource | undefined): boolean =>
  before !== undefined &&
  !isNone(definition.establish.create) &&
  isComplete(definition, identity) &&
  before.identity[definition.identity.key] === identity[definition.identity.key]

/** The record, if it is of the same sort as the instance. */
const fittingRecord = (
  { sort }: Instance,
  record: RecordedResource | undefined,
): RecordedResource | undefined => (record !== undefined && sortOf(record) === sort ? record : undefined)

const planInstance = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
  takenBy: ReadonlyMap<string, string>,
): PlannedChange[] => {
  const holder = record === undefined ? takenBy.get(claimOf(instance) ?? '') : undefined
  if (holder !== undefined && holder !== instance.address)
    return [blocked(instance, reason('recorded-elsewhere', { address: holder }))]
  if (instance.unmatched !== undefined) return [planMissing(instance, record)]
  if (instance.sort === 'in-force') return [planInForce(instance, record, context)]
  return isReadable(instance.definition)
    ? planReadable(instance, record, context)
    : planUnreadable(instance, record, context)
}

/** Keeps what the first adoption saw when a thing changes its address, because its release may restore that. */
const withAdopted = (planned: PlannedChange, former: RecordedResource | undefined): PlannedChange => {
  const adopted = former?.adopted ?? null
  const { work, change } = planned
  if (adopted === null) return planned
  if (work.do === 'record' && change.action === 'adopt')
    return { ...planned, work: { ...work, put: { ...work.put, adopted } } }
  if (work.do !== 'write' || work.record !== undefined) return planned
  return { ...planned, work: { ...work, seen: adopted } }
}
