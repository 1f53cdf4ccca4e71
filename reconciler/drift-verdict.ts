import { isNone, type KindDefinition } from '@deploymgmt/provider/core'
import {
  actorOf,
  differing,
  entryOf,
  fieldsOf,
  foreignEvents,
  hasEnded,
  identityKey,
  recordedEvidence,
  type DriftResource,
  type Entry,
  type Evidence,
  type EvidenceContext,
  type FieldChange,
  type RecordedResource,
  type Run,
} from '@deploymgmt/provider/engine'

/** What a recorded thing is judged by. */
export interface JudgeContext extends EvidenceContext {
  readonly run: Run
  readonly entries: ReadonlyMap<string, Entry>
}

/** One recorded thing, with what is known of it. */
interface Judged {
  readonly definition: KindDefinition
  readonly address: string
  readonly record: RecordedResource
  readonly context: JudgeContext
}

const READ: Evidence = { level: 'read' }
const AS_APPLIED = 'live is as last applied'
const NOT_AS_APPLIED = 'live is not what was last applied'

/** Live against what was last applied, as far as the API shows it; events speak for what it does not show. */
export const judge = (judged: Judged): DriftResource =>
  judged.definition.observe.how === 'everything' ? judgeReadable(judged) : judgeUnreadable(judged)

const verdictOf = (
  { address, record }: Judged,
  details: Omit<DriftResource, 'address' | 'kind' | 'fields'> & Partial<Pick<DriftResource, 'fields'>>,
): DriftResource => ({ address, kind: record.kind, fields: [], ...details })

const judgeReadable = (judged: Judged): DriftResource => {
  const { definition, record, context } = judged
  const thing = context.run.observed.things.get(identityKey(definition, record.identity)) ?? 'missing'
  const events = foreignEvents(definition, record, context.log, context.ownKey)
  const evidence = { ...READ, ...(events.length > 0 ? { events } : {}) }
  if (record.absent === true || thing === 'missing') {
    const asApplied = (record.absent === true) === (thing === 'missing')
    const reason = record.absent === true ? 'it must not be there, and is back' : 'it is gone at the service'
    return asApplied
      ? verdictOf(judged, { verdict: 'in-sync', reason: AS_APPLIED, evidence })
      : verdictOf(judged, { verdict: 'drifted', reason, evidence })
  }
  const fields = differing(definition, compared(judged), thing.values, record.applied).map(turned)
  if (fields.length === 0) return verdictOf(judged, { verdict: 'in-sync', reason: AS_APPLIED, evidence })
  const paths = fields.map(({ path }) => path)
  const actor = attribution(actorOf(definition, events, paths))
  return verdictOf(judged, { verdict: 'drifted', reason: NOT_AS_APPLIED, fields, evidence, ...actor })
}

const attribution = (actor: DriftResource['actor']) => (actor === undefined ? {} : { actor })

/** A drift reads from what was applied to what is live; a plan reads the other way round. */
const turned = ({ path, before, after }: FieldChange): FieldChange => ({ path, before: after, after: before })

const compared = ({ definition, address, context }: Judged): string[] => {
  const ignored = context.entries.get(entryOf(address))?.ignoreChanges ?? []
  return isNone(definition.write) ? [] : definition.write.fields.filter((name) => !ignored.includes(name))
}

const judgeUnreadable = (judged: Judged): DriftResource => {
  const { definition, record, context } = judged
  const parts = differingParts(judged)
  if (parts === 'missing')
    return verdictOf(judged, { verdict: 'drifted', reason: 'it is gone at the service', evidence: READ })
  const evidence = recordedEvidence(definition, record, context)
  const suspect = judgeSuspect(judged, evidence, parts)
  if (suspect !== undefined) return suspect
  if (parts.length > 0)
    return verdictOf(judged, { verdict: 'drifted', reason: NOT_AS_APPLIED, fields: parts, evidence: READ })
  if (isShownWhole(judged))
    return verdictOf(judged, { verdict: 'in-sync', reason: AS_APPLIED, evidence: READ })
  const isOver = hasEnded({ definition }, record.applied, context.run.now)
  const reason = isOver ? 'it has ended' : (evidence.note ?? 'no endpoint shows it')
  return judgeLeftover(judged, evidence) ?? verdictOf(judged, { verdict: 'unverifiable', reason, evidence })
}

/** Fields with a list of their own are compared like anything that is read. */
const differingParts = ({ definition, address, record, context }: Judged): FieldChange[] | 'missing' => {
  const seen = context.run.observed.parts.get(identityKey(definition, record.identity))
  if (seen === undefined || seen === 'missing') return seen ?? []
  const ignored = context.entries.get(entryOf(address))?.ignoreChanges ?? []
  const names = Object.keys(seen).filter((name) => !ignored.includes(name))
  return differing(definition, names, seen, record.applied).map(turned)
}

/** Fields that were applied, and that a write could change. */
const written = (judged: Judged): string[] =>
  compared(judged).filter((name) => judged.record.applied[name] !== undefined)

/** An event since about fields that are not ignored: what they are now, nothing shows. */
const judgeSuspect = (
  judged: Judged,
  evidence: Evidence,
  parts: readonly FieldChange[],
): DriftResource | undefined => {
  const { definition, record } = judged
  if (evidence.events === undefined) return undefined
  const considered = compared(judged)
  const spoken = fieldsOf(definition, evidence.events)
  if (spoken.length > 0 && spoken.every((name) => !considered.includes(name))) return undefined
  const touched = written(judged).filter((name) => spoken.includes(name))
  const note = 'may have been changed outside; no endpoint shows it'
  const fields = touched.map((path): FieldChange => ({
    path,
    before: record.applied[path],
    after: null,
    note,
  }))
  return verdictOf(judged, {
    verdict: 'drifted',
    reason:
      'an event since the last write is about it; until it is asserted again or accepted, its values are not known',
    fields: [...fields, ...parts],
    evidence,
    ...attribution(actorOf(definition, evidence.events, touched)),
  })
}

/** Whether all that was applied of it has lists of its own. */
const isShownWhole = (judged: Judged): boolean => {
  const { observe } = judged.definition
  return (
    written(judged).length === 0 &&
    observe.how === 'parts' &&
    Object.keys(observe.parts).some((name) => judged.record.applied[name] !== undefined)
  )
}

/** What a write should have removed, and its answer still had. */
const judgeLeftover = (judged: Judged, evidence: Evidence): DriftResource | undefined => {
  const kept = Object.entries(judged.record.leftover ?? {})
  if (kept.length === 0) return undefined
  const note = 'still in the answer after its removal'
  return verdictOf(judged, {
    verdict: 'drifted',
    reason: `the service kept what was removed from ${kept.map(([name]) => name).join(', ')}`,
    fields: kept.map(([path, after]): FieldChange => ({ path, before: null, after, note })),
    evidence,
  })
}
