import type { KindDefinition } from '../../core/definition.ts'
import { same } from '../values/compare.ts'
import type { DriftedField, RecordedResource } from '../values/model.ts'
import type { JudgeContext } from './standing.ts'

/**
 * Whether all that is not as it was last applied is what a write with an unknown outcome has sent, or what was there before
 * it: then nobody else has changed it. What an event shows, somebody else has changed.
 */
export const isAsSent = (
  definition: KindDefinition,
  { address, record }: { readonly address: string; readonly record: RecordedResource },
  changed: readonly DriftedField[],
  { sent }: Pick<JudgeContext, 'sent'>,
): boolean =>
  changed.length > 0 &&
  changed.every(({ actor }) => actor === undefined) &&
  (changed.every(({ path, after }) => mayBeOwn(definition, record, path, after)) ||
    (sent?.(address) ?? []).some((values) =>
      changed.every(({ path, after }) => {
        const field = definition.fields[path]
        return field !== undefined && values[path] !== undefined && same(field, after, values[path])
      }),
    ))

/**
 * Whether a field that is read can have the value that it has by a write with an unknown outcome, which is settled now:
 * it is what one has sent, or what was there before.
 */
export const mayBeOwn = (
  { observe, fields }: KindDefinition,
  { unsure = [], lost = [] }: RecordedResource,
  name: string,
  live: unknown,
): boolean => {
  const field = fields[name]
  if (observe.how !== 'everything' || field === undefined || !unsure.includes(name)) return false
  return lost.some((values) => name in values && same(field, values[name], live))
}
