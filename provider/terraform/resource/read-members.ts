import type { KindDefinition, Members, Values } from '../../core/index.ts'
import { identityKey, instanceAddress, type Run } from '../../engine/index.ts'
import { withValues, type Plain } from '../codec/plain.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { addressOf } from './entry.ts'
import { membersFound, membersOf } from './members.ts'

/**
 * What a resource that stands for several things stands for now. What it was applied to and no longer matches
 * stays in its map until an apply has released it, so that a plan shows that it goes.
 */
export const readMembers = (
  definition: KindDefinition,
  state: Plain,
  kept: PrivateState,
  run: Run,
): { readonly state: Plain; readonly private: PrivateState } | undefined => {
  const members = membersOf(definition, state)
  const found = membersFound(definition, state, run)
  if (members === undefined || found === undefined) return undefined
  const stays: [string, unknown][] = []
  const records = { ...kept.records }
  for (const { identity } of Object.values(kept.records)) {
    const key = identity[definition.identity.key]
    if (key === undefined || Object.hasOwn(found, key)) continue
    const thing = run.observed.things.get(identityKey(definition, identity)) ?? 'missing'
    // What is gone at the service needs no release.
    if (thing === 'missing') delete records[instanceAddress(addressOf(definition), key)]
    else stays.push([key, thing.values[members.field] ?? null])
  }
  const { leaving: _, ...rest } = kept
  return {
    state: withValues(state, {
      ...sharedBy(members, Object.values(found)),
      [members.map]: { ...found, ...Object.fromEntries(stays) },
      present: members.are === 'deleted' || Object.keys(found).length > 0,
      evidence: 'read',
    }),
    private: { ...rest, records, ...(stays.length === 0 ? {} : { leaving: stays.map(([key]) => key) }) },
  }
}

/**
 * The declared field says what all of them have; null says that they differ. Terraform keeps it by
 * `ignore_changes`, and could not where the state went on saying what was configured.
 */
const sharedBy = ({ are, field }: Members, values: readonly unknown[]): Values => {
  const [first] = values
  if (are !== 'written' || first === undefined) return {}
  return { [field]: values.every((value) => value === first) ? first : undefined }
}
