export type * from './values/model.ts'
export { ACTIONS, formatPosition } from './values/model.ts'
export * from './reason.ts'
export type { EngineClient } from './read/client.ts'
export { wrote, type Effect, type Intended, type Intent, type Ledger, type Memory } from './values/ledger.ts'
export { applyEffects, remember } from './values/memory.ts'
export { thingKey } from './values/kept-things.ts'
export type { PlannedChange } from './plan/work.ts'
export { evidenceAfterWrite, evidenceOfKept, isAsWritten } from './judge/after-write.ts'
export { identified, idNotTold } from './judge/identified.ts'
export { cheapToRead, foundQuiet } from './judge/quiet.ts'
export { standingOf, type Standing } from './judge/standing.ts'
export { eventsAbout, type EventsAbout } from './judge/events.ts'
export { driftsIn } from './drift/drift.ts'
export type { Elsewhere, Met, RecordedThere } from './adopt/elsewhere.ts'
export { found, type FindInput, type Found, type EventThing } from './adopt/found.ts'
export { namesOf } from './adopt/names.ts'
export type { Changed, Proposal } from './adopt/proposals.ts'
export { unmanagedOf, type UnmanagedInput } from './run/unmanaged.ts'
export { entryOfUnmanaged } from './adopt/entry-of-unmanaged.ts'
export type { UnmanagedThing } from './judge/unmanaged.ts'
export { accepted } from './values/record.ts'
export {
  belongsToOne,
  entryOf,
  formatAddress,
  instanceAddress,
  instanceBeginning,
  isReplaced,
  parseAddress,
  sectionOf,
  wholesOf,
  type Address,
} from './values/address.ts'
export { EVENT_LAG_MS, oldestEvent, ORGANIZATION_EVENTS, type EventLog } from './read/events.ts'
export { thingIn } from './read/observe.ts'
export { organizationsIn, organizationsOf } from './read/organizations.ts'
export { asArray, elementOf, missingFrom, same } from './values/compare.ts'
export { hasEnded } from './values/lifetime.ts'
export { newestFirstBy } from './values/newest-first.ts'
export {
  declaredIdentity,
  identityKey,
  identityKeyOf,
  isComplete,
  keyOf,
  placeKey,
  scopeKey,
} from './values/identity.ts'
export { likenessBySilence } from './values/likeness.ts'
export { standsFor } from './plan/expand.ts'
export { isDifference, isUnverifiable } from './plan/change.ts'
export { unadoptable } from './plan/adopting.ts'
export { untold, type Untold } from './plan/untold.ts'
export { putInstead, stepAside } from './plan/replaced.ts'
export type { Plan } from './plan/plan.ts'
export { leftOutTimes } from './plan/left-out-times.ts'
export { whatSelected } from './judge/what.ts'
export { whatPlanned } from './plan/what.ts'
export { readsUnmanaged, readAndPlan, type Run } from './run/run.ts'
export { targetOfThese, type Target } from './plan/input.ts'
export type { RunInput, RunReads } from './run/input.ts'
export { readNeeded } from './run/reading.ts'
export { stillToKnow, strangersNow, type KnownThings } from './judge/created.ts'
export { isToldByEvents, type MayBeKnown } from './judge/strangers.ts'
export type { BlockedFields, SentBefore, WriteContext, WriteResult } from './write/send.ts'
export { carryOut } from './write/carry-out.ts'
export { foreseen } from './write/foreseen.ts'
export { LOOK_HOLDS_MS, watchEvents } from './write/watch.ts'
export { afterLostChange, effectsOfLostChange, settle, type Settlement } from './settle/settle.ts'
export {
  reachOf,
  type Bound,
  type LostWrite,
  type Provisional,
  type Settled,
  type Unsettled,
} from './settle/facts.ts'
export { excusing } from './settle/excused.ts'
export { takeSteps, type Answers } from './settle/steps.ts'
export { secretsOf, type SecretUse } from './write/secrets.ts'
export { sureOf } from './values/sure.ts'
export { perDefinition } from './values/per-definition.ts'
export { spanOfUnknown } from './values/span.ts'
export { listedIn, type Thing } from './read/listed.ts'
export { forgetFailed } from './read/failed.ts'
export { SharedLists } from './read/shared-lists.ts'
export * from './read/data-source.ts'
export { canList, takeInventory, type Taken, type TakenItem } from './read/inventory.ts'
export { writableFields } from './values/wire.ts'
