import { reason, type Reason } from '../reason.ts'
import { entryOf, isReplaced } from '../values/address.ts'
import type { KindDefinition } from '../../core/definition.ts'
import type { Entry, Records, Waiting } from '../values/model.ts'
import { circlesIn, settledIn } from './circles.ts'
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
  const awaited = new Map([...byAddress.keys()].map((address) => [address, fieldsAt(address)] as const))
  const told = settledIn(mapped(awaited, (one) => (tells(one) ? one.for : NOTHING)))
  const circleOf = circlesIn(mapped(awaited, (one) => one.for))
  const several = standingForSeveral([...byAddress.keys(), ...Object.keys(records)])
  return planned.map((each) => {
    const fields = fieldsBy.get(each) ?? []
    const lost = fields.find((one) => !tells(one) || !told.has(one.for))
    if (lost !== undefined)
      return blocked(each, whyLost(lost, { each, records, byAddress, several, circleOf }))
    return fields.length === 0 ? each : waits(each, fields)
  })
}

/** Only fields that are about to be sent can wait. Unchanged and ignored fields do not count. */
const waitingFields = (work: Work): readonly Waiting[] => {
  if (work.do !== 'create' && work.do !== 'write') return NONE
  const { waiting = [] } = work.instance.entry
  return work.do === 'create' ? waiting : waiting.filter(({ field }) => work.fields.includes(field))
}

const NONE: readonly Waiting[] = []

/** In place of an address whose change will not tell what is awaited: nothing has it, so it is never settled. */
const NOTHING = ''

const mapped = (
  awaited: ReadonlyMap<string, readonly Waiting[]>,
  nameOf: (awaited: Waiting) => string,
): ReadonlyMap<string, readonly string[]> =>
  new Map([...awaited].map(([address, all]) => [address, all.map(nameOf)]))

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
  /** Entries that stand for several things. */
  readonly several: ReadonlySet<string>
  readonly circleOf: ReturnType<typeof circlesIn>
}

/** Why this plan does not provide the field. Reasons that would hold in any plan come first. */
const whyLost = (
  { field, for: address, needs }: Waiting,
  { each, records, byAddress, several, circleOf }: Context,
): Reason => {
  const isKnown = records[address] !== undefined || byAddress.has(address)
  if (!isKnown && several.has(address)) return reason('reference-to-several', { field, address, needs })
  const circle = circleOf(each.change.address, address)
  if (circle !== undefined) return reason('reference-in-circle', { field, ...circle })
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
  const circleOf = circlesIn(
    new Map(entries.map(({ address, waiting = [] }) => [address, waiting.map((each) => each.for)])),
  )
  return entries.flatMap((entry): Untold[] => {
    const { waiting = [] } = entry
    const lost = waiting.find((each) => several.has(each.for))
    if (lost !== undefined) {
      const { field, for: address, needs } = lost
      return [{ entry, because: reason('reference-to-several', { field, address, needs }), told: 'never' }]
    }
    for (const { field, for: address } of waiting) {
      const circle = circleOf(entry.address, address)
      if (circle === undefined) continue
      const because = reason('reference-in-circle', { field, ...circle })
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

/** The addresses of entries that stand for several things, as far as these are planned or recorded. */
const standingForSeveral = (addresses: readonly string[]): ReadonlySet<string> =>
  new Set(addresses.flatMap((one) => (entryOf(one) === one || isReplaced(one) ? [] : [entryOf(one)])))

const blocked = ({ change }: PlannedChange, because: Reason): PlannedChange => ({
  change: { ...change, action: 'blocked', reason: because, requests: [] },
  work: { do: 'keep' },
})
