import { isReadable, type KindDefinition } from '../../core/definition.ts'
import { same } from '../values/compare.ts'
import type { DriftedField, RecordedResource } from '../values/model.ts'
import type { JudgeContext } from './standing.ts'

/**
 * Whether every value that is not as last applied is one that a write with an unknown outcome sent, or one that was
 * there before it. Then nobody else has changed it. If an event shows an actor, somebody has.
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
        const value = values === 'deletion' ? undefined : values[path]
        return value !== undefined && same(definition.fields[path], after, value)
      }),
    ))

/** Whether a deletion with an unknown outcome can be why a thing is gone. */
export const mayBeDeleted = (address: string, { sent }: Pick<JudgeContext, 'sent'>): boolean =>
  sent?.(address).includes('deletion') === true

/**
 * Whether a field's live value can come from a write with an unknown outcome that is settled now: it is a value
 * that such a write sent, or one that was there before.
 */
export const mayBeOwn = (
  definition: KindDefinition,
  { unsure = [], lost = [] }: RecordedResource,
  name: string,
  live: unknown,
): boolean =>
  isReadable(definition) &&
  unsure.includes(name) &&
  lost.some((values) => name in values && same(definition.fields[name], values[name], live))
