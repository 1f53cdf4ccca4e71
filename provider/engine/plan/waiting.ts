import { reason, type Reason } from '../reason.ts'
import { entryOf, isReplaced } from '../values/address.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Entry, Records, Waiting } from '../values/model.ts'
import type { PlannedChange, Work } from './work.ts'

/**
 * Marks changes whose fields refer to something that another change of this plan will provide, such as an id. A
 * change that waits for something that this plan does not provide is blocked.
 */
export const withWaiting = (planned: readonly PlannedChange[], records: Records): PlannedChange[] => {
  if (planned.every(({ work }) => waitingFields(work).length === 0)) return [...planned]
  const fieldsBy = new Map(planned.map((each) => [each, waitingFields(each.work)] as const))
  const byAddress = Map.groupBy(planned, ({ change }) => change.address)
  const tells = (awaited: Waiting): boolean =>
    (byAddress.get(awaited.for) ?? []).some(({ work }) => isTold(work, awaited.needs))
  const fieldsAt = (address: string): readonly Waiting[] =>
    (byAddress.get(address) ?? []).flatMap((each) => fieldsBy.get(each) ?? [])
  const isReachable = reachability(fieldsAt, tells)
  return planned.map((each) => {
    const fields = fieldsBy.get(each) ?? []
    const lost = fields.find((one) => !isReachable(one))
    if (lost !== undefined) return blocked(each, whyLost(lost, { each, records, byAddress, fieldsAt }))
    return fields.length === 0 ? each : waits(each, fields)
  })
}

/** Whether an awaited field will be provided. Looked up once for each address; circles count as unreachable. */
const reachability = (
  fieldsAt: (address: string) => readonly Waiting[],
  tells: (awaited: Waiting) => boolean,
): ((awaited: Waiting) => boolean) => {
  const known = new Map<string, boolean>()
  const isReachable = (awaited: Waiting): boolean => {
    if (!tells(awaited)) return false
    const said = known.get(awaited.for)
    if (said !== undefined) return said
    // While in progress, the address counts as unreachable, which ends a circle.
    known.set(awaited.for, false)
    const answer = fieldsAt(awaited.for).every(isReachable)
    known.set(awaited.for, answer)
    return answer
  }
  return isReachable
}

/** Only fields that are about to be sent can wait. Unchanged and ignored fields do not count. */
const waitingFields = (work: Work): readonly Waiting[] => {
  if (work.do !== 'create' && work.do !== 'write') return NONE
  const { waiting = [] } = work.instance.entry
  return work.do === 'create' ? waiting : waiting.filter(({ field }) => work.fields.includes(field))
}

const NONE: readonly Waiting[] = []

/**
 * Whether carrying out the work tells the field: answers to creations and writes do, and so does what adoption has
 * read.
 */
const isTold = (work: Work, field: string): boolean =>
  work.do === 'create' ||
  work.do === 'write' ||
  (work.do === 'record' && (work.put.answer?.[field] ?? work.put.identity[field] ?? null) !== null)

const waits = ({ change, work }: PlannedChange, fields: readonly Waiting[]): PlannedChange => {
  const addresses = [...new Set(fields.map((each) => each.for))]
  const names = [...new Set(fields.map(({ field }) => field))]
  const note = reason('known-once-applied', { fields: names, addresses })
  return {
    change: { ...change, waitsFor: addresses, awaited: names, notes: [...(change.notes ?? []), note] },
    work,
  }
}

interface Context {
  readonly each: PlannedChange
  readonly records: Records
  readonly byAddress: ReadonlyMap<string, readonly PlannedChange[]>
  readonly fieldsAt: (address: string) => readonly Waiting[]
}

/** Why this plan does not provide the field. Reasons that would hold in any plan come first. */
const whyLost = (
  { field, for: address, needs }: Waiting,
  { each, records, byAddress, fieldsAt }: Context,
): Reason => {
  const isKnown = records[address] !== undefined || byAddress.has(address)
  if (!isKnown && standsForSeveral(address, [...byAddress.keys(), ...Object.keys(records)]))
    return reason('reference-to-several', { field, address, needs })
  const circle = circleFrom(each.change.address, address, fieldsAt)
  if (circle !== undefined) return reason('reference-in-circle', { field, addresses: circle })
  return records[address] === undefined
    ? reason('reference-not-recorded', { field, address })
    : reason('reference-not-told', { field, address, needs })
}

/** An entry with a reference that an apply does not resolve. */
export interface Untold {
  readonly entry: Entry
  readonly because: Reason
  /** `never`: no apply can resolve it. `unless-recorded`: an apply can, as long as what it refers to is recorded. */
  readonly told: 'never' | 'unless-recorded'
}

/**
 * References that cannot be resolved, as far as that is known before anything is recorded or read, with the reasons
 * that a plan would give. A reference to several things resolves to none, and in a circle nothing comes first.
 * References use recorded ids, though, so a circle works while its ids are recorded.
 *
 * @param isSound whether the entry can be expanded
 */
export const untold = (
  entries: readonly Entry[],
  definitions: readonly KindDefinition[],
  now: Date,
  isSound: (entry: Entry) => boolean = () => true,
): Untold[] => {
  if (entries.every(({ waiting = [] }) => waiting.length === 0)) return []
  const isItself = (entry: Entry): boolean =>
    definitions.some(
      (definition) => definition.kind === entry.kind && standsForItself(definition, entry, now),
    )
  const addresses = new Set(entries.map(({ address }) => address))
  const several = new Set([
    ...entries.filter((entry) => isSound(entry) && !isItself(entry)).map(({ address }) => address),
    ...[...addresses].map(entryOf).filter((address) => !addresses.has(address)),
  ])
  const fieldsBy = new Map(entries.map(({ address, waiting = [] }) => [address, waiting]))
  return entries.flatMap((entry): Untold[] => {
    const { waiting = [] } = entry
    const lost = waiting.find((each) => several.has(each.for))
    if (lost !== undefined) {
      const { field, for: address, needs } = lost
      return [{ entry, because: reason('reference-to-several', { field, address, needs }), told: 'never' }]
    }
    for (const { field, for: address } of waiting) {
      const circle = circleFrom(entry.address, address, (at) => fieldsBy.get(at) ?? [])
      if (circle === undefined) continue
      const because = reason('reference-in-circle', { field, addresses: circle })
      return [{ entry, because, told: 'unless-recorded' }]
    }
    return []
  })
}

/** Whether the entry has an instance at its own address, whatever is live. */
const standsForItself = ({ expand }: KindDefinition, { values }: Entry, now: Date): boolean =>
  expand
    .instances({ values, live: [], recorded: [], now })
    .some((each) => each.is === 'in-force' || (each.is === 'instance' && each.key === undefined))

const standsForSeveral = (address: string, addresses: readonly string[]): boolean =>
  addresses.some((one) => one !== address && entryOf(one) === address && !isReplaced(one))

/** The addresses on the way from what is awaited back to the change that waits for it. */
const circleFrom = (
  start: string,
  first: string,
  fieldsAt: (address: string) => readonly Waiting[],
): readonly string[] | undefined => {
  const seen = new Set<string>()
  const from = (address: string): readonly string[] | undefined => {
    if (address === start) return [address]
    if (seen.has(address)) return undefined
    seen.add(address)
    for (const next of fieldsAt(address)) {
      const rest = from(next.for)
      if (rest !== undefined) return [address, ...rest]
    }
    return undefined
  }
  return from(first)
}

const blocked = ({ change }: PlannedChange, because: Reason): PlannedChange => ({
  change: { ...change, action: 'blocked', reason: because, requests: [] },
  work: { do: 'keep' },
})
