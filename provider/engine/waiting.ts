import type { Waiting } from './model.ts'
import type { PlannedChange, Work } from './work.ts'

/**
 * Orders what refers to what another change of the same plan will be given: such a change says what it waits for.
 * One that waits for nothing this plan brings about is blocked: it would wait for ever.
 */
export const withWaiting = (planned: readonly PlannedChange[]): PlannedChange[] => {
  const told = new Set(planned.filter(tells).map(({ change }) => change.address))
  const waiting = new Map(
    planned.flatMap((each) => {
      const fields = waitingFields(each.work)
      return fields.length === 0 ? [] : [[each, fields] as const]
    }),
  )
  if (waiting.size === 0) return [...planned]
  const addressed = new Map([...waiting].map(([{ change }, fields]) => [change.address, fields]))
  const reachable = (address: string, open: ReadonlySet<string>): boolean =>
    told.has(address) &&
    !open.has(address) &&
    (addressed.get(address) ?? []).every((each) => reachable(each.for, new Set([...open, address])))
  return planned.map((each) => {
    const fields = waiting.get(each) ?? []
    const lost = fields.find((one) => !reachable(one.for, new Set([each.change.address])))
    if (lost !== undefined) return blocked(each, lost)
    return fields.length === 0 ? each : waits(each, fields)
  })
}

/** Creations are answered with an id, and so is the first write of what is adopted. */
const tells = ({ work }: PlannedChange): boolean =>
  work.do === 'create' || work.do === 'write' || work.do === 'adopt'

/** Only what is about to be sent can wait: an unchanged or ignored field is not looked at. */
const waitingFields = (work: Work): readonly Waiting[] => {
  if (work.do !== 'create' && work.do !== 'write') return []
  const { waiting = [] } = work.instance.entry
  return work.do === 'create' ? waiting : waiting.filter(({ field }) => work.fields.includes(field))
}

const waits = ({ change, work }: PlannedChange, fields: readonly Waiting[]): PlannedChange => {
  const addresses = [...new Set(fields.map((each) => each.for))]
  const names = [...new Set(fields.map(({ field }) => field))].join(', ')
  const note = `${names}: known once ${addresses.join(' and ')} is applied, in the same run`
  return { change: { ...change, waitsFor: addresses, notes: [...(change.notes ?? []), note] }, work }
}

const blocked = ({ change }: PlannedChange, { field, for: address }: Waiting): PlannedChange => ({
  change: {
    ...change,
    action: 'blocked',
    reason: `${field} refers to ${address}, which is not recorded and not applied by this plan`,
    byHand: `Apply ${address} first, or write the value itself.`,
    requests: [],
  },
  work: { do: 'keep' },
})
