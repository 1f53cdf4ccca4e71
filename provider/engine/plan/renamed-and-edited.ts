import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import type { Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { entryOf, parseAddress } from '../values/address.ts'
import { canonical } from '../values/compare.ts'
import type { Instance } from '../values/instance.ts'
import type { Change, Records } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

interface Planned {
  readonly planned: readonly PlannedChange[]
  readonly instances: readonly Instance[]
  readonly records: Records
  readonly definitions: readonly KindDefinition[]
}

/**
 * New entries that may be old ones under another name, with some of the values changed by which a renamed entry is
 * recognised. Without its record, each would create again what the old one releases.
 */
export const renamedAndEdited = ({ planned, instances, records, definitions }: Planned): Reason[] => {
  const declared = new Set(instances.map(({ address }) => entryOf(address)))
  const known = new Set(Object.keys(records).map(entryOf))
  const changes = planned.map(({ change }) => change)
  const released = changes.filter(
    ({ action, address }) =>
      action === 'release' && !declared.has(entryOf(address)) && parseAddress(address).replaced === undefined,
  )
  if (released.length === 0) return []
  const created = changes.filter(({ action, address }) => action === 'create' && !known.has(entryOf(address)))
  const byLikeness = Map.groupBy(
    released.flatMap(({ address, before, ...change }) =>
      likenesses({ address, ...change }, before, definitions).map((likeness) => ({
        from: entryOf(address),
        likeness,
      })),
    ),
    ({ likeness }) => likeness,
  )
  const pairs = new Map<string, readonly [from: string, to: string]>()
  for (const change of created)
    for (const likeness of likenesses(change, change.after, definitions))
      for (const { from } of byLikeness.get(likeness) ?? []) {
        const to = entryOf(change.address)
        pairs.set(JSON.stringify([from, to]), [from, to])
      }
  const all = [...pairs.values()]
  const isOnly = (part: 0 | 1, address: string): boolean =>
    all.filter((each) => each[part] === address).length === 1
  return all
    .filter(([from, to]) => isOnly(0, from) && isOnly(1, to))
    .map(([from, to]) => reason('renamed-and-edited', { from, to }))
}

/** A text for each value by which it would be recognised, together with its place and its key within the entry. */
const likenesses = (
  { address, kind }: Pick<Change, 'address' | 'kind'>,
  values: Values | null,
  definitions: readonly KindDefinition[],
): string[] => {
  const definition = definitionOf(definitions, kind)
  if (definition === undefined || values === null) return []
  const { scope, recognisedBy } = definition.identity
  const place = [kind, parseAddress(address).keys, scope.map((name) => values[name])]
  return recognisedBy.flatMap((name) => {
    const field = definition.fields[name]
    const value = values[name]
    return field === undefined || value === undefined
      ? []
      : JSON.stringify([...place, name, canonical(field.type, value)])
  })
}
