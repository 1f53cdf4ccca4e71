import type { KindDefinition } from '../../core/definition.ts'
import type { LeftOutTimes } from '../../core/expansion.ts'
import { reason, type Reason } from '../reason.ts'
import { entryOf } from '../values/address.ts'
import type { Declaration } from '../values/model.ts'

/** Local times that schedules ask for and clocks skip; reported once for an entry that stands in several places. */
export const leftOutTimes = (
  definitions: readonly KindDefinition[],
  { declaration, now }: { readonly declaration: Declaration; readonly now: Date },
): Reason[] => {
  const asked = new Map(definitions.map(({ kind, expand: { leftOut } }) => [kind, leftOut]))
  const found = new Map<string, LeftOutTimes>()
  for (const { address, kind, values } of declaration.entries) {
    const leftOut = asked.get(kind)?.({ values, now })
    if (leftOut !== undefined) found.set(entryOf(address), leftOut)
  }
  return [...found].map(([address, leftOut]) => reason('occurrences-left-out', { address, ...leftOut }))
}
