import type { KindDefinition, ReleaseWay } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { asArray } from '../values/compare.ts'
import { changeOfRecord, differing, READ, requestOf } from './change.ts'
import { recordedEvidence } from '../judge/evidence.ts'
import { identityKey } from '../values/identity.ts'
import type { Evidence, RecordedResource } from '../values/model.ts'
import type { PlanContext } from './context.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { PlannedChange } from './work.ts'

/** Plans the release of a record that nothing declares any more, by the way it was declared with. */
export const planUndeclared = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource,
  context: PlanContext,
  claimedAt?: string,
): PlannedChange => {
  const evidence = evidenceOf(definition, record, context)
  const drop = (reason: string): PlannedChange => ({
    change: changeOfRecord(definition, address, record, { action: 'release', reason, evidence }),
    work: { do: 'drop' },
  })
  if (record.standing === true || record.absent === true) return drop('no longer declared; forgotten')
  if (claimedAt !== undefined) return drop(`declared as ${claimedAt} now; nothing is sent`)
  const isOver = hasEnded({ definition }, record.applied, context.now)
  // An event since may have prolonged it: then it is released as one whose end is not known.
  const known = isOver && evidence.level === 'suspect' ? withoutEnd(definition, record) : record
  if (isOver && known === record)
    return {
      change: changeOfRecord(definition, address, record, {
        action: 'expired',
        reason: 'no longer declared, and it has ended by itself',
        evidence,
      }),
      work: { do: 'drop' },
    }
  const way = wayOf(definition, record)
  if (way.way === 'forget') return drop('no longer declared; forgotten, and left as it is at the service')
  const untouched = whyNotRestored(definition, known, way, context)
  if (untouched !== undefined) return drop(untouched)
  if (isNone(definition.write)) return drop(definition.write.none)
  if (record.protect === true)
    return {
      change: changeOfRecord(definition, address, record, {
        action: 'blocked',
        reason: 'protected: it was declared with protect: true, so that nothing removes or narrows it',
        byHand: 'Declare it again without protect and apply, or use deploymgmt state forget.',
        evidence,
      }),
      work: { do: 'keep' },
    }
  // What an earlier narrowing left is no reason not to send it; what it left itself is.
  const wasSent = way.empties !== undefined && asArray(record.applied[way.empties]).length === 0
  const remaining = way.empties === undefined || !wasSent ? undefined : record.leftover?.[way.empties]
  if (remaining !== undefined)
    return {
      change: changeOfRecord(definition, address, record, {
        action: 'blocked',
        reason: `no longer declared; onRemove: ${record.onRemove} was sent, and the service kept ${way.empties}`,
        byHand: 'By hand: remove it at the service, then deploymgmt state forget.',
        fields: [{ path: way.empties ?? '', before: remaining, after: [] }],
        evidence,
      }),
      work: { do: 'keep' },
    }
  return {
    change: changeOfRecord(definition, address, record, {
      action: 'release',
      reason: `no longer declared; onRemove: ${record.onRemove}`,
      evidence,
      requests: [requestOf(definition.write.operation, record.identity)],
      notes: [way.summary],
    }),
    work: { do: 'release', record: known, way },
  }
}

const withoutEnd = ({ lifetime }: KindDefinition, record: RecordedResource): RecordedResource => {
  if (isNone(lifetime)) return record
  const { [lifetime.endsAt]: _, ...applied } = record.applied
  return { ...record, applied, unsure: [...(record.unsure ?? []), lifetime.endsAt] }
}

/** A thing that will only be forgotten was not looked at, even where it could be. */
const evidenceOf = (definition: KindDefinition, record: RecordedResource, context: PlanContext): Evidence => {
  if (definition.observe.how !== 'everything') return recordedEvidence(definition, record, context)
  if (context.observed.things.has(identityKey(definition, record.identity))) return READ
  const since = record.lastWrite?.to ?? record.watermark
  return { level: 'recorded', since, note: 'It was not read: forgetting it needs no look.' }
}

/** The recorded way, or the definition's first where a later version no longer knows the name. */
export const wayOf = (definition: KindDefinition, record: RecordedResource): ReleaseWay => {
  const ways = definition.release
  const way = ways[record.onRemove] ?? Object.values(ways)[0]
  if (way === undefined) throw new TypeError(`${definition.kind} declares no way of release`)
  return way
}

/** Putting back what adoption saw is right only while live is still what we last wrote. */
const whyNotRestored = (
  definition: KindDefinition,
  record: RecordedResource,
  way: Extract<ReleaseWay, { way: 'send' }>,
  { observed, now }: PlanContext,
): string | undefined => {
  if (way.body(record, now) === undefined) return 'no longer declared; there is nothing to put back'
  if (way.ifUntouched !== true) return undefined
  const thing = observed.things.get(identityKey(definition, record.identity))
  if (thing === undefined || thing === 'missing') return 'no longer declared, and gone at the service'
  const writable = isNone(definition.write) ? [] : definition.write.fields
  return differing(definition, writable, thing.values, record.applied).length > 0
    ? 'no longer declared; not restored, since someone has changed it after the last write'
    : undefined
}
