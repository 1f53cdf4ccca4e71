import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import { DAY_MS } from '../../core/recurrence/duration.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'

/** Whether values describe a thing that is over at an instant. */
export const hasEnded = ({ lifetime }: KindDefinition, values: Values, now: Date): boolean =>
  !isNone(lifetime) && parseInstant(String(values[lifetime.endsAt])) <= now.getTime()

/**
 * How long a thing that is over stays recorded if nobody can read whether it was prolonged: a key that can may still
 * come. Any end could have been moved later, so without this limit nothing would ever be forgotten.
 */
export const KEPT_DAYS = 30

/** Whether values describe a thing that has been over for that long. */
export const isLongOver = (definition: KindDefinition, values: Values, now: Date): boolean =>
  hasEnded(definition, values, new Date(now.getTime() - KEPT_DAYS * DAY_MS))
