import type { Accepted } from '../../config/lists/accepted-drift.ts'
import { acceptanceOf, standsField, type AcceptFacts } from './acceptances.ts'
import type { FormerAcceptance } from './drift-model.ts'
import type { PlanDocument, ReportedChange } from './plan-model.ts'

type Facts = Omit<AcceptFacts, 'looksAt'>

/** A plan with the acceptances that carrying it out ends. */
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
    return ends.length === 0 ? change : { ...change, endsAcceptances: ends }
  })
  return { ...plan, changes }
}

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
