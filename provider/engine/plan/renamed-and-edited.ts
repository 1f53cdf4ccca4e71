import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { countBy, type Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { entryOf, parseAddress } from '../values/address.ts'
import { canonical } from '../values/compare.ts'
import type { Change, Declaration, Records } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

interface Planned {
  readonly planned: readonly PlannedChange[]
  readonly declaration: Pick<Declaration, 'entries'>
  readonly records: Records
  readonly definitions: readonly KindDefinition[]
}

/**
 * New entries that may be old ones under another name, with some of the values changed by which a renamed entry is
 * recognised. Without its record, each would create again what the old one releases.
 */
export const renamedAndEdited = ({ planned, declaration, records, definitions }: Planned): Reason[] => {
  const changes = planned.map(({ change }) => change)
  // Most plans release or create nothing.
  if (!(['release', 'create'] as const).every((each) => changes.some(({ action }) => action === each)))
    return []
  // An entry can stand for nothing now, and still be declared.
  const declared = new Set(declaration.entries.map(({ address }) => entryOf(address)))
  const known = new Set(Object.keys(records).map(entryOf))
  const released = changes.filter(
    ({ action, address }) =>
      action === 'release' && !declared.has(entryOf(address)) && parseAddress(address).replaced === undefined,
  )
  const created = changes.filter(({ action, address }) => action === 'create' && !known.has(entryOf(address)))
  const byLikeness = new Map<string, Set<string>>()
  for (const change of released)
    for (const likeness of likenesses(change, change.before, definitions)) {
      const alike = byLikeness.get(likeness) ?? new Set<string>()
      // A second one shows that there is a choice; there may be thousands.
      if (alike.size < 2) byLikeness.set(likeness, alike.add(entryOf(change.address)))
    }
  const pairs = new Map<string, { readonly from: string; readonly to: string }>()
  for (const change of created)
    for (const likeness of likenesses(change, change.after, definitions))
      for (const from of byLikeness.get(likeness) ?? []) {
        const to = entryOf(change.address)
        pairs.set(JSON.stringify([from, to]), { from, to })
      }
  const all = [...pairs.values()]
  const [olds, news] = [countBy(all, ({ from }) => from), countBy(all, ({ to }) => to)]
  return all
    .filter(({ from, to }) => olds[from] === 1 && news[to] === 1)
    .map((each) => reason('renamed-and-edited', each))
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
