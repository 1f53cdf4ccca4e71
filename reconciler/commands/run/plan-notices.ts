import type { PlanDocument } from '../../render/document/plan-model.ts'
import { duration } from '../../text/instants.ts'

/** Warnings that are not part of the plan. */
interface Notices {
  /** What unread files declare. */
  readonly unread: readonly string[]
  /** What of the plan the states of other manifests record as well. */
  readonly alsoThere: readonly string[]
  /** Why nothing would be recorded. */
  readonly notKept: string | undefined
  /** When the state was created, if it exists now. */
  readonly begunAt?: string
  /** The flags of the command that creates the missing state. */
  readonly sameFlags: string
  readonly skewMs: number | undefined
}

/** Adds warnings that do not come from planning. */
export const withNotices = (
  document: PlanDocument,
  { unread, alsoThere, notKept, begunAt, sameFlags, skewMs }: Notices,
): PlanDocument => {
  const sayOfState = (because: string): string[] =>
    begunAt === undefined ? sayNotKept(document, because, sameFlags) : [sayBegun(begunAt)]
  const warnings = [
    ...unread,
    ...(notKept === undefined ? [] : sayOfState(notKept)),
    ...alsoThere,
    ...document.warnings,
    ...saySkew(skewMs),
  ]
  return { ...document, warnings }
}

/** A smaller difference matters to nobody. */
const MOST_SKEW_MS = 5_000

const saySkew = (skewMs = 0): string[] => {
  const skew = Math.abs(skewMs)
  if (skew <= MOST_SKEW_MS) return []
  return [
    `the clocks of this machine and of the service differ by ${duration(Math.round(skew / 1000) * 1000)}; instants are judged by the service's clock`,
  ]
}

/** A person who has lost a state learns it before anything is recorded in a new one. */
const sayNotKept = ({ strangers, changes }: PlanDocument, notKept: string, sameFlags: string): string[] => {
  const has = (planned: string): boolean => changes.some(({ action }) => action === planned)
  if (!has('create') && strangers === undefined && has('adopt'))
    return [
      `${notKept}: apply starts a new one with what it adopts; if there has been one before, restore that first`,
    ]
  return strangers !== undefined || has('create')
    ? [`${notKept}: apply creates nothing until deploymgmt state init${sameFlags} has made one`]
    : []
}

const sayBegun = (place: string): string =>
  `there was no state at ${place}: this apply has started a new one with what it adopted; if there has been one before, restore that in its place`
