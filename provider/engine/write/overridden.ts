import { isReadable, type KindDefinition } from '../../core/definition.ts'
import { pickBy, type Values } from '../../core/values.ts'
import { fieldsOf } from '../judge/events.ts'
import { reason, type EventSeen } from '../reason.ts'
import { same } from '../values/compare.ts'
import type { Instance } from '../values/instance.ts'
import type { Need, RecordedResource } from '../values/model.ts'
import type { Watch } from './watch.ts'
import { writableFields } from '../values/wire.ts'

/** Allows writing over what somebody else changed after the plan was made. */
export const OVERWRITE_FLAG = '--allow-overwrite'

/** The flag that a write needs if somebody else has changed its fields after the plan was made. */
export const overwriteNeeds = async (
  definition: KindDefinition,
  { address, record, fields }: Overwriting,
  { watch, allowed }: Looking,
): Promise<Need[]> => {
  if (watch === undefined || allowed.has(OVERWRITE_FLAG)) return []
  const since = await watch.eventsSince(definition, record)
  const events = since.filter((event) => fieldsOf(definition, [event]).some((name) => fields.includes(name)))
  return events.length === 0
    ? []
    : [{ flag: OVERWRITE_FLAG, because: reason('changed-since-plan', { events }), address }]
}

/** The events behind changes by others that an answer has shown, as far as they can be read. */
export const eventsBehind = async (
  definition: KindDefinition,
  before: RecordedResource | undefined,
  written: RecordedResource,
  { watch }: Pick<Looking, 'watch'>,
): Promise<readonly EventSeen[]> => {
  const [earlier, span] = [before?.lastWrite ?? null, written.lastWrite]
  if (before === undefined || watch === undefined || span === null) return []
  const own = earlier === null ? span : { ...span, from: earlier.from, sent: [...earlier.sent, ...span.sent] }
  const record = { ...written, lastWrite: own, watermark: before.watermark }
  // The write is done; failing to read events does not change that.
  return watch.eventsSince(definition, record, { atOnce: true }).catch(() => [])
}

/** What a write needs to look at events. */
interface Looking {
  readonly watch?: Watch
  readonly allowed: ReadonlySet<string>
}

interface Overwriting {
  readonly address: string
  readonly record: RecordedResource
  readonly fields: readonly string[]
}

interface Overridable extends Pick<Instance, 'definition' | 'desired'> {
  readonly entry: Pick<Instance['entry'], 'ignoreChanges'>
}

/**
 * What we had applied to fields that were not sent, and that the answer shows to be neither as applied nor as
 * declared: somebody else has changed them. A value that the service has always answered is its own form of ours.
 */
export const overriddenIn = (
  { definition, desired, entry }: Overridable,
  sent: readonly string[],
  start: RecordedResource,
  answer: Values,
): Values => {
  if (isReadable(definition)) return {}
  const [names, known] = [writableFields(definition), start.overridden ?? {}]
  return pickBy({ ...start.applied, ...known }, (ours, name) => {
    const field = definition.fields[name]
    if (field === undefined || !names.includes(name) || sent.includes(name)) return false
    if (field.lags || desired[name] === undefined || entry.ignoreChanges.includes(name)) return false
    if (answer[name] === undefined) return known[name] !== undefined
    if (same(field, answer[name], desired[name]) || same(field, answer[name], ours)) return false
    return known[name] !== undefined || !isAnsweredAsBefore(definition, name, start, answer)
  })
}

/** Whether the service answers a field as it did last time, whatever was sent. */
export const isAnsweredAsBefore = (
  { fields }: KindDefinition,
  name: string,
  { answer: before }: RecordedResource,
  answer: Values,
): boolean => before?.[name] !== undefined && same(fields[name], before[name], answer[name])
