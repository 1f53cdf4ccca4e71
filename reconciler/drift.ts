import type { KindDefinition } from '@deploymgmt/provider/core'
import {
  addressesIn,
  entryOf,
  isDifference,
  type Change,
  type DriftDocument,
  type DriftResource,
  type Records,
  type Run,
  type Verdict,
} from '@deploymgmt/provider/engine'
import { judge, type JudgeContext } from './drift-verdict.ts'

export interface DriftInput {
  readonly run: Run
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  readonly ownKey: string
  readonly target: ((address: string) => boolean) | undefined
  readonly requestsSent: number
}

/** Live against what was last applied: what changed outside, and who did it. Pure over what a run has read. */
export const driftDocument = (input: DriftInput): DriftDocument => {
  const { run, records, requestsSent } = input
  const forbidden = forbiddenBy(input)
  const pending = run.plan.planned
    .map(({ change }) => change)
    .filter(
      (change) => records[change.address] === undefined && isDifference(change) && change.action !== 'moved',
    )
    .map((change) => unrecorded(change, forbidden))
  const resources = [...judgeRecorded(input), ...pending]
  const summary = summarize(resources)
  return {
    formatVersion: 1,
    inSync: summary.drifted === 0 && summary.pending === 0 && !run.plan.targeted,
    checkedAt: run.now.toISOString(),
    summary,
    resources,
    warnings: run.plan.warnings,
    requestsSent,
  }
}

const judgeRecorded = ({ run, definitions, records, ownKey, target }: DriftInput): DriftResource[] => {
  const { declaration, log } = run
  const entries = new Map(declaration.entries.map((entry) => [entryOf(entry.address), entry]))
  const context: JudgeContext = { declaration, log, ownKey, run, entries }
  // Of several changes at one address the first says what becomes of it.
  const changes = new Map(run.plan.planned.toReversed().map(({ change }) => [change.address, change]))
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitions.find(({ kind }) => kind === record.kind)
    if (definition === undefined || record.standing === true || target?.(address) === false) return []
    return [withDeclared(judge({ definition, address, record, context }), changes)]
  })
}

/** Addresses at which an entry in force wants nothing to be. */
const forbiddenBy = ({ run, definitions, records }: DriftInput): ReadonlySet<string> =>
  new Set(
    Object.entries(records).flatMap(([address, record]) => {
      const definition = definitions.find(({ kind }) => kind === record.kind)
      if (definition === undefined || record.standing !== true) return []
      return addressesIn(definition, address, record, run.observed, run.now)
    }),
  )

const summarize = (resources: readonly DriftResource[]): DriftDocument['summary'] => {
  const count = (verdict: Verdict) => resources.filter((resource) => resource.verdict === verdict).length
  return {
    'in-sync': count('in-sync'),
    drifted: count('drifted'),
    unverifiable: count('unverifiable'),
    pending: count('pending'),
  }
}

/** What an entry in force forbade when it was applied came afterwards; anything else is yet to be applied. */
const unrecorded = (
  { address, kind, declaredAt, reason, fields, evidence }: Change,
  forbidden: ReadonlySet<string>,
): DriftResource => {
  const verdict = forbidden.has(address) ? 'drifted' : 'pending'
  return {
    address,
    kind,
    verdict,
    reason,
    fields,
    evidence,
    ...(declaredAt === undefined ? {} : { declaredAt }),
  }
}

const withDeclared = (resource: DriftResource, changes: ReadonlyMap<string, Change>): DriftResource => {
  const change = changes.get(resource.address)
  if (change?.declaredAt === undefined) return resource
  const isAsLive =
    resource.verdict === 'drifted' && change.action === 'unchanged' && change.evidence.level === 'read'
  return { ...resource, declaredAt: change.declaredAt, ...(isAsLive ? { declared: 'as live' } : {}) }
}
