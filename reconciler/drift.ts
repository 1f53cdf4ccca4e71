import { isNone, type KindDefinition } from '@deploymgmt/provider/core'
import {
  actorOf,
  addressesIn,
  differing,
  entryOf,
  fieldsOf,
  foreignEvents,
  hasEnded,
  identityKey,
  isDifference,
  recordedEvidence,
  type Change,
  type DriftDocument,
  type DriftResource,
  type Entry,
  type EvidenceContext,
  type FieldChange,
  type RecordedResource,
  type Records,
  type Run,
  type Verdict,
} from '@deploymgmt/provider/engine'

export interface DriftInput {
  readonly run: Run
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  readonly ownKey: string
  readonly target: ((address: string) => boolean) | undefined
  readonly requestsSent: number
}

interface Context extends EvidenceContext {
  readonly run: Run
  readonly entries: ReadonlyMap<string, Entry>
}

/** Live against what was last applied: what changed outside, and who did it. Pure over what a run has read. */
export const driftDocument = (input: DriftInput): DriftDocument => {
  const { run, definitions, records, ownKey, target } = input
  const entries = new Map(run.declaration.entries.map((entry) => [entryOf(entry.address), entry]))
  const context: Context = { declaration: run.declaration, log: run.log, ownKey, run, entries }
  // Of several changes at one address the first says what becomes of it.
  const changes = new Map(run.plan.planned.toReversed().map(({ change }) => [change.address, change]))
  const recorded = Object.entries(records).flatMap(([address, record]) => {
    const definition = definitions.find(({ kind }) => kind === record.kind)
    if (definition === undefined || record.standing === true || target?.(address) === false) return []
    return [withDeclared(judge(definition, address, record, context), changes)]
  })
  const forbidden = new Set(
    Object.entries(records).flatMap(([address, record]) => {
      const definition = definitions.find(({ kind }) => kind === record.kind)
      if (definition === undefined || record.standing !== true) return []
      return addressesIn(definition, address, record, run.observed, run.now)
    }),
  )
  const pending = run.plan.planned
    .map(({ change }) => change)
    .filter(
      (change) => records[change.address] === undefined && isDifference(change) && change.action !== 'moved',
    )
    .map((change) => unrecorded(change, forbidden))
  const resources = [...recorded, ...pending]
  const count = (verdict: Verdict) => resources.filter((resource) => resource.verdict === verdict).length
  const summary = {
    'in-sync': count('in-sync'),
    drifted: count('drifted'),
    unverifiable: count('unverifiable'),
    pending: count('pending'),
  }
  return {
    formatVersion: 1,
    inSync: summary.drifted === 0 && summary.pending === 0 && !run.plan.targeted,
    checkedAt: run.now.toISOString(),
    summary,
    resources,
    warnings: run.plan.warnings,
    requestsSent: input.requestsSent,
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

const judge = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  context: Context,
): DriftResource =>
  definition.observe.how === 'everything'
    ? judgeReadable(definition, address, record, context)
    : judgeUnreadable(definition, address, record, context)

const judgeReadable = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  context: Context,
): DriftResource => {
  const thing = context.run.observed.things.get(identityKey(definition, record.identity)) ?? 'missing'
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  const base = {
    address,
    kind: record.kind,
    fields: [],
    evidence: { level: 'read' as const, ...(events.length > 0 ? { events } : {}) },
  }
  if (record.absent === true || thing === 'missing') {
    const asApplied = (record.absent === true) === (thing === 'missing')
    const reason = record.absent === true ? 'it must not be there, and is back' : 'it is gone at the service'
    return {
      ...base,
      verdict: asApplied ? 'in-sync' : 'drifted',
      reason: asApplied ? 'live is as last applied' : reason,
    }
  }
  const names = compared(definition, address, context)
  const fields = differing(definition, names, thing.values, record.applied).map(turned)
  if (fields.length === 0) return { ...base, verdict: 'in-sync', reason: 'live is as last applied' }
  const actor = actorOf(
    definition,
    events,
    fields.map(({ path }) => path),
  )
  return {
    ...base,
    verdict: 'drifted',
    reason: 'live is not what was last applied',
    fields,
    ...(actor === undefined ? {} : { actor }),
  }
}

/** A drift reads from what was applied to what is live; a plan reads the other way round. */
const turned = ({ path, before, after }: FieldChange): FieldChange => ({ path, before: after, after: before })

const compared = (definition: KindDefinition, address: string, { entries }: Context): string[] => {
  const ignored = entries.get(entryOf(address))?.ignoreChanges ?? []
  return isNone(definition.write) ? [] : definition.write.fields.filter((name) => !ignored.includes(name))
}

const judgeUnreadable = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  context: Context,
): DriftResource => {
  const evidence = recordedEvidence(definition, record, context)
  const base = { address, kind: record.kind }
  const parts = judgeParts(definition, record, context)
  if (parts === 'missing')
    return {
      ...base,
      verdict: 'drifted',
      reason: 'it is gone at the service',
      fields: [],
      evidence: { level: 'read' },
    }
  const considered = compared(definition, address, context)
  const names = considered.filter((name) => record.applied[name] !== undefined)
  const spoken = evidence.events === undefined ? [] : fieldsOf(definition, evidence.events)
  const isIgnored = spoken.length > 0 && spoken.every((name) => !considered.includes(name))
  const isOver = hasEnded({ definition }, record.applied, context.run.now)
  if (evidence.events !== undefined && !isIgnored) {
    const touched = spoken.filter((name) => names.includes(name))
    const note = 'may have been changed outside; no endpoint shows it'
    const fields = touched.map((path): FieldChange => ({
      path,
      before: record.applied[path],
      after: null,
      note,
    }))
    const actor = actorOf(definition, evidence.events, touched)
    const reason =
      'an event since the last write is about it; until it is asserted again or accepted, its values are not known'
    return {
      ...base,
      verdict: 'drifted',
      reason,
      fields: [...fields, ...parts],
      evidence,
      ...(actor === undefined ? {} : { actor }),
    }
  }
  if (parts.length > 0)
    return {
      ...base,
      verdict: 'drifted',
      reason: 'live is not what was last applied',
      fields: parts,
      evidence: { level: 'read' },
    }
  if (
    names.length === 0 &&
    definition.observe.how === 'parts' &&
    Object.keys(definition.observe.parts).some((name) => record.applied[name] !== undefined)
  )
    return {
      ...base,
      verdict: 'in-sync',
      reason: 'live is as last applied',
      fields: [],
      evidence: { level: 'read' },
    }
  const kept = Object.entries(record.leftover ?? {})
  if (kept.length > 0)
    return {
      ...base,
      verdict: 'drifted',
      reason: `the service kept what was removed from ${kept.map(([name]) => name).join(', ')}`,
      fields: kept.map(([path, after]): FieldChange => ({
        path,
        before: null,
        after,
        note: 'still in the answer after its removal',
      })),
      evidence,
    }
  const reason = isOver ? 'it has ended' : (evidence.note ?? 'no endpoint shows it')
  return { ...base, verdict: 'unverifiable', reason, fields: [], evidence }
}

const judgeParts = (
  definition: KindDefinition,
  record: RecordedResource,
  { run }: Context,
): FieldChange[] | 'missing' => {
  const seen = run.observed.parts.get(identityKey(definition, record.identity))
  if (seen === undefined || seen === 'missing') return seen ?? []
  return differing(definition, Object.keys(seen), seen, record.applied).map(turned)
}
