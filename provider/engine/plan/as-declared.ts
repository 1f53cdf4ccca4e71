import type { Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { differing } from '../values/compare.ts'
import type { Instance } from '../values/instance.ts'

/**
 * What is shown of a thing is as declared, except fields that are left to others: of these, perhaps not even all are
 * shown.
 */
export const asDeclared = (
  { definition, desired }: Pick<Instance, 'definition' | 'desired'>,
  ignored: readonly string[],
  shown: Values,
): Reason => {
  const declared = ignored.filter((name) => desired[name] !== undefined)
  const seen = declared.filter((name) => shown[name] !== undefined)
  const left = differing(definition, seen, shown, desired).map(({ path }) => path)
  if (left.length > 0) return reason('as-declared-but-ignored', { fields: left })
  const fields = declared.filter((name) => !seen.includes(name))
  return fields.length === 0 ? reason('as-declared') : reason('as-declared-where-compared', { fields })
}
