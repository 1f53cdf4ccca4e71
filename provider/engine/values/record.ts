import { isDeepStrictEqual } from 'node:util'
import type { KindDefinition } from '../../core/definition.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import { isNone } from '../../core/operation.ts'
import { omit, pick, pickBy, type Values } from '../../core/values.ts'
import type { Instance } from './instance.ts'
import type { Entry, RecordedResource } from './model.ts'
import { isInForce, KEYS } from './sort.ts'
import { sureOf } from './sure.ts'

const NONE: readonly string[] = []
const NO_VALUES: Values = {}

/**
 * The desired values that may be recorded: no secrets, no references to secrets, no expressions that still wait for
 * their value, nothing that neither was written nor is as declared.
 */
export const keepable = ({ definition, desired, entry, unapplied = NO_VALUES }: Kept): Values => {
  const waiting = waitingFields(entry)
  const isKept = (name: string): boolean =>
    desired[name] !== undefined &&
    definition.fields[name]?.type.is !== 'secret' &&
    !waiting.includes(name) &&
    !(name in unapplied)
  // Usually everything may be kept, and nothing is copied.
  for (const name in desired)
    if (!isKept(name)) {
      const instead = pickBy(unapplied, (value) => value !== undefined)
      return { ...pickBy(desired, (_, each) => isKept(each)), ...instead }
    }
  return desired
}

type Kept = Pick<Instance, 'definition' | 'desired' | 'unapplied'> & {
  readonly entry: Pick<Entry, 'waiting'>
}

/** Fields that hold an expression instead of a value. */
const waitingFields = ({ waiting }: Pick<Entry, 'waiting'>): readonly string[] =>
  waiting === undefined ? NONE : waiting.map(({ field }) => field)

/** The record of an instance that has just come under management, before any write. */
export const newRecord = (instance: Instance, { now }: { readonly now: Date }): RecordedResource => ({
  kind: instance.definition.kind,
  identity: instance.identity,
  applied: keepable(instance),
  answer: null,
  adopted: null,
  ...settingsOf(instance),
  ...KEYS[instance.sort],
  lastWrite: null,
  watermark: formatInstant(now.getTime()),
})

/** The entry's settings, recorded because they still count after the entry is gone. */
const settingsOf = ({ entry }: Instance): Pick<RecordedResource, 'onRemove' | 'protect'> => ({
  onRemove: entry.onRemove,
  ...(entry.protect ? { protect: true } : {}),
})

/** The record as the entry wants it now, if nothing had to be sent. */
export const refreshed = (instance: Instance, record: RecordedResource): RecordedResource => {
  const { overridden: _, ...kept } = withSettings(instance, record)
  const overridden = stillOverridden(instance, record)
  return {
    ...kept,
    applied: countedAsApplied(instance, record),
    ...(Object.keys(overridden).length > 0 ? { overridden } : {}),
  }
}

/**
 * Changes by others count until they are declared. Those of ignored fields are kept, because they count again once
 * the field is compared.
 */
const stillOverridden = ({ entry }: Instance, { overridden = {} }: RecordedResource): Values =>
  pickBy(overridden, (_, name) => entry.ignoreChanges.includes(name))

/** The record with the entry's current settings. A protection that the entry no longer has is dropped. */
export const withSettings = (instance: Instance, record: RecordedResource): RecordedResource => {
  const { protect: _, ...kept } = record
  return { ...kept, ...settingsOf(instance) }
}

/** What is ignored, waits or cannot be sent keeps its applied value, which counts again once the field is compared. */
const countedAsApplied = (instance: Instance, { applied }: RecordedResource): Values => {
  const { entry, unapplied = NO_VALUES } = instance
  const kept = keepable(instance)
  const unsent = [...entry.ignoreChanges, ...waitingFields(entry), ...Object.keys(unapplied)]
  if (unsent.length === 0) return kept
  const counted = pickBy(kept, (_, name) => !unsent.includes(name))
  const applies = unsent.filter((name) => applied[name] !== undefined)
  return { ...counted, ...pick(applied, applies) }
}

/** Whether the record differs from what the entry says now. */
export const isStale = (instance: Instance, record: RecordedResource): boolean =>
  record.onRemove !== instance.entry.onRemove ||
  (record.protect ?? false) !== instance.entry.protect ||
  (record.overridden !== undefined &&
    !isDeepStrictEqual(record.overridden, stillOverridden(instance, record))) ||
  !areEqual(record.applied, countedAsApplied(instance, record))

/** Most values are primitives or short lists, which this compares without the cost of a general comparison. */
const areEqual = (left: Values, right: Values): boolean => {
  let more = 0
  for (const name in left) {
    if (left[name] !== right[name] && !areLists(left[name], right[name]))
      return isDeepStrictEqual(left, right)
    more++
  }
  for (const _ in right) more--
  return more === 0 || isDeepStrictEqual(left, right)
}

const areLists = (left: unknown, right: unknown): boolean =>
  Array.isArray(left) &&
  Array.isArray(right) &&
  left.length === right.length &&
  left.every((each, index) => each === right[index])

/** What a write with an unknown outcome was meant to do. */
interface UnknownWrite {
  readonly expected: RecordedResource
  readonly fields: readonly string[]
}

/**
 * The record of a thing whose fields have either the old or the new values. It is over only when both ends have
 * passed.
 */
export const unsureOf = (
  { lifetime }: KindDefinition,
  record: RecordedResource,
  { expected, fields }: UnknownWrite,
): RecordedResource => {
  const unsure = [...new Set([...(record.unsure ?? []), ...fields])]
  if (isNone(lifetime)) return { ...record, unsure }
  const [before, after] = [record.applied[lifetime.endsAt], expected.applied[lifetime.endsAt]]
  const isLater = parseInstant(String(after)) > parseInstant(String(before))
  const applied = isLater ? { ...record.applied, [lifetime.endsAt]: after } : record.applied
  return { ...record, applied, unsure }
}

interface AcceptedEvents {
  readonly definition: KindDefinition | undefined
  /** The entry that still stands for the thing, if there is one. */
  readonly entry: Pick<Entry, 'values' | 'waiting'> | undefined
  /** Ids of the accepted events. */
  readonly events: readonly string[]
  /** Up to when events were looked at; undefined if they were not. */
  readonly now: Date | undefined
}

/**
 * The record after a person has accepted it: changes from outside are fine, leftovers no longer count, and
 * create-only fields have their declared values.
 */
export const accepted = (record: RecordedResource, by: AcceptedEvents): RecordedResource => {
  const { definition, entry, events, now } = by
  const { lastWrite } = record
  const declared =
    definition === undefined || entry === undefined
      ? {}
      : keepable({ definition, desired: entry.values, entry })
  const told = pickBy(declared, (_value, name) => definition?.fields[name]?.change === 'create-only')
  return {
    ...omit(
      sureOf(record),
      'overridden',
      'notFoundAt',
      ...(isInForce(record) ? [] : (['leftover'] as const)),
    ),
    applied: { ...record.applied, ...told },
    answer: record.answer === null ? null : { ...record.answer, ...told },
    acknowledged: [...new Set([...(record.acknowledged ?? []), ...events])],
    watermark: now === undefined ? record.watermark : formatInstant(now.getTime()),
    ...(now !== undefined && lastWrite !== null && parseInstant(lastWrite.to) >= now.getTime()
      ? { lastWrite: { ...lastWrite, isAccepted: true } }
      : {}),
  }
}
