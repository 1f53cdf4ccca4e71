import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { declaredIdentity, isComplete } from '../values/identity.ts'
import type { Entry } from '../values/model.ts'

/** The reason why an existing thing must not be written to yet; undefined if it may be. */
export const adoptionLacks = (
  { establish: { adopt } }: KindDefinition,
  desired: Values,
): Reason | undefined =>
  isNone(adopt) || adopt.requires === undefined || desired[adopt.requires.field] === true
    ? undefined
    : reason('adoption-requires', adopt.requires)

/** Entries that cannot adopt an existing thing, as far as the declaration alone shows. */
export const unadoptable = (
  entries: readonly Entry[],
  definitions: readonly KindDefinition[],
): { readonly entry: Entry; readonly because: Reason }[] =>
  entries.flatMap((entry) => {
    const definition = definitionOf(definitions, entry.kind)
    if (definition === undefined || !isComplete(definition, declaredIdentity(definition, entry.values)))
      return []
    const because = adoptionLacks(definition, entry.values)
    return because === undefined ? [] : [{ entry, because }]
  })
