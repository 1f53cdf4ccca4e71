import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { countBy, type Values } from '../../core/values.ts'
import { reason, type Reason } from '../reason.ts'
import { entryOf, parseAddress } from '../values/address.ts'
import { likenessByValues } from '../values/likeness.ts'
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
  const released = planned.filter(isLettingGo)
  const creating = planned.filter(({ change }) => change.action === 'create')
  // Most plans release or create nothing.
  if (released.length === 0 || creating.length === 0) return []
  // An entry can stand for nothing now, and still be declared.
  const declared = new Set(declaration.entries.map(({ address }) => entryOf(address)))
  const known = new Set(Object.keys(records).map(entryOf))
  const former = released.filter(
    ({ change: { address } }) =>
      !declared.has(entryOf(address)) &&
      parseAddress(address).replaced === undefined &&
      records[address]?.notFoundAt === undefined,
  )
  const created = creating.filter(({ change }) => !known.has(entryOf(change.address)))
  const byLikeness = new Map<string, Set<string>>()
  for (const { change } of former)
    for (const likeness of likenesses(change, change.before, definitions)) {
      const alike = byLikeness.get(likeness) ?? new Set<string>()
      // A second one shows that there is a choice; there may be thousands.
      if (alike.size < 2) byLikeness.set(likeness, alike.add(entryOf(change.address)))
    }
  const pairs = new Map<string, { readonly from: string; readonly to: string }>()
  for (const { change } of created)
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

/** Whether the thing is still there, and nothing else that is declared stands for it. */
const isLettingGo = ({ change, work }: PlannedChange): boolean =>
  work.do === 'release' || change.reason.code === 'undeclared-left'

/** A likeness for each value by which it would be recognised, together with its key within the entry. */
const likenesses = (
  { address, kind }: Pick<Change, 'address' | 'kind'>,
  values: Values | null,
  definitions: readonly KindDefinition[],
): string[] => {
  const definition = definitionOf(definitions, kind)
  if (definition === undefined || values === null) return []
  const { keys } = parseAddress(address)
  return definition.identity.recognisedBy.flatMap((name) => {
    const likeness = likenessByValues({ definition, identity: values, sort: 'present' }, [name], values)
    return likeness === undefined ? [] : JSON.stringify([keys, likeness])
  })
}
