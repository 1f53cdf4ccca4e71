import type { KindDefinition } from '../../core/definition.ts'
import { same } from '../values/compare.ts'
import type { DriftedField } from '../values/model.ts'
import type { JudgeContext } from './standing.ts'

/**
 * Whether all that is not as it was last applied is what a write of unknown outcome has sent, or what was there before
 * it: then nobody else has changed it. Of what an event tells, somebody has.
 */
export const isAsSent = (
  { fields }: KindDefinition,
  address: string,
  changed: readonly DriftedField[],
  { sent }: Pick<JudgeContext, 'sent'>,
): boolean =>
  changed.length > 0 &&
  (sent?.(address) ?? []).some((values) =>
    changed.every(({ path, after, actor }) => {
      const field = fields[path]
      return (
        actor === undefined &&
        field !== undefined &&
        values[path] !== undefined &&
        same(field, after, values[path])
      )
    }),
  )
