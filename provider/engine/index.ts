export type * from './values/model.ts'
export { ACTIONS } from './values/model.ts'
export type { EngineClient } from './read/client.ts'
export type { Effect, Intent, Ledger } from './values/ledger.ts'
export type { PlannedChange } from './plan/work.ts'
export {
  actorOf,
  eventsAbout,
  organizationsOf,
  recordedEvidence,
  type EvidenceContext,
} from './judge/evidence.ts'
export { hasEnded } from './values/lifetime.ts'
export { accepted, unsureOf } from './plan/record.ts'
export { entryOf } from './plan/moved.ts'
export { EVENT_LAG_MS, fieldsOf, foreignEvents, ORGANIZATION_EVENTS, readEvents } from './read/events.ts'
export { asArray, canonical, formatInstant, parseInstant, same } from './values/compare.ts'
export { differing } from './plan/change.ts'
export { addressesIn, NO_SUCH_PLACE } from './plan/expand.ts'
export { fillSentence, identityFromAnswer, identityKey, placeKey } from './values/identity.ts'
export { formatPosition } from './values/position.ts'
export { isDifference, isUnverifiable, planDocument, stepAside, type Plan } from './plan/plan.ts'
export { readAndPlan, type Run, type RunInput } from './run.ts'
export { SPAN_MARGIN_MS, spanAfter, spanOfUnknown } from './values/span.ts'
export { done, type Block, type Outcome, type WriteContext } from './write/send.ts'
export { carryOut } from './write/carry-out.ts'
export { secretsOf, type SecretUse } from './write/create.ts'
export type { Observations, Thing } from './read/observe.ts'
export * from './read/data-source.ts'
