import type { Accepted } from '../../config/lists/accepted-drift.ts'
import { acceptanceOf, standsField, type AcceptFacts } from './acceptances.ts'
import type { FormerAcceptance } from './drift-model.ts'
import type { PlanDocument, ReportedChange } from './plan-model.ts'

type Facts = Omit<AcceptFacts, 'looksAt'>

/** A plan with the acceptances that carrying it out ends, and those that are left behind under an old address. */
export const withEndedAcceptances = (plan: PlanDocument, facts: Facts): PlanDocument => {
  const byAddress = Map.groupBy(facts.accepted, ({ address }) => address)
  // A renamed thing was accepted under its old address.
  const former = new Map(
    plan.changes.flatMap(({ address, from }) => (from === undefined ? [] : [[address, from]])),
  )
  const changes = plan.changes.map((change) => {
    const { address } = change
    const own = [address, former.get(address) ?? ''].flatMap((each) => byAddress.get(each) ?? [])
    const ends = change.requests.length === 0 ? [] : endedBy(change, own, facts)
    const left = leftBehind(change, byAddress).filter(({ at }) => ends.every((each) => each.at !== at))
    return {
      ...change,
      ...(ends.length === 0 ? {} : { endsAcceptances: ends }),
      ...(left.length === 0 ? {} : { leavesAcceptances: left.map(formerOf) }),
    }
  })
  return { ...plan, changes }
}

/** A person keeps the file, so nothing renames what it says. */
const leftBehind = (
  { from }: ReportedChange,
  byAddress: ReadonlyMap<string, readonly Accepted[]>,
): readonly Accepted[] => (from === undefined ? [] : (byAddress.get(from) ?? []))

const formerOf = (entry: Accepted): FormerAcceptance => ({
  ...acceptanceOf(entry),
  ...(entry.field === undefined ? {} : { fields: [entry.field] }),
})

const endedBy = (change: ReportedChange, own: readonly Accepted[], facts: Facts): FormerAcceptance[] => {
  const whole = own.find(({ field }) => field === undefined)
  const judged = change.fields.flatMap(({ path, before }) => {
    const entry = own.find(({ field }) => field === path) ?? whole
    const live = { path, after: before }
    return entry === undefined || standsField(entry, live, change, facts).length > 0 ? [] : [{ entry, path }]
  })
  return [...Map.groupBy(judged, ({ entry }) => entry)].map(([entry, of]) => ({
    ...acceptanceOf(entry),
    fields: of.map(({ path }) => path),
  }))
}
