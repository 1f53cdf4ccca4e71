import { reason, type Reason } from '../reason.ts'
import { entryOf, isReplaced } from '../values/address.ts'
import type { Records, Waiting } from '../values/model.ts'
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
      return asBlocked(each, whyLost(lost, { each, records, byAddress, several, circleOf }))
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

/** The addresses of entries that stand for several things, as far as these are planned or recorded. */
const standingForSeveral = (addresses: readonly string[]): ReadonlySet<string> =>
  new Set(addresses.flatMap((one) => (entryOf(one) === one || isReplaced(one) ? [] : [entryOf(one)])))

const asBlocked = ({ change }: PlannedChange, because: Reason): PlannedChange => ({
  change: { ...change, action: 'blocked', reason: because, requests: [] },
  work: { do: 'keep' },
})
