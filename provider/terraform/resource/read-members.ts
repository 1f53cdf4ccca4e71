import { pickBy, type KindDefinition, type Members, type Values } from '../../core/index.ts'
import type { EvidenceLevel, Run, Standing } from '../../engine/index.ts'
import { withValues, type Plain } from '../codec/plain.ts'
import { recordsIn, type PrivateMemory, type Remembered } from '../codec/private-state.ts'
import { membersFound, membersOf } from './members.ts'

interface Reading {
  readonly state: Plain
  readonly kept: PrivateMemory
  readonly run: Run
  /** One for each record. */
  readonly standings: readonly Standing[]
}

/**
 * The things that a resource stands for now. A thing that it was applied to and no longer matches stays in its map
 * until an apply releases it, so that a plan shows that it goes.
 */
export const readMembers = (
  definition: KindDefinition,
  { state, kept, run, standings }: Reading,
): { readonly state: Plain; readonly private: PrivateMemory } | undefined => {
  const members = membersOf(definition, state)
  const found = membersFound(definition, state, run, knownIn(definition, standings))
  if (members === undefined || found === undefined) return undefined
  const unmatched = standings.flatMap(({ record, live }) => {
    const key = record.identity[definition.identity.key]
    return key === undefined || Object.hasOwn(found, key) ? [] : [{ key, record, live }]
  })
  const stays = unmatched.flatMap(({ key, live }): [string, unknown][] =>
    typeof live === 'string' ? [] : [[key, live.values[members.field] ?? null]],
  )
  // A thing that is gone at the service needs no release.
  const gone = new Set(unmatched.filter(({ live }) => typeof live === 'string').map(({ record }) => record))
  const records = pickBy(recordsIn(kept), (record) => !gone.has(record))
  return {
    state: withValues(state, {
      ...sharedBy(members, Object.values(found)),
      [members.map]: { ...found, ...Object.fromEntries(stays) },
      present: members.are === 'deleted' || Object.keys(found).length > 0,
      evidence: evidenceIn(standings),
    }),
    private: kept.is === 'imported' ? kept : withLeaving({ ...kept, records }, stays),
  }
}

/** By key, the recorded values that no event has put in doubt. */
const knownIn = ({ expand, identity }: KindDefinition, standings: readonly Standing[]): Values =>
  Object.fromEntries(
    standings
      .filter(({ evidence }) => evidence.level === 'recorded')
      .map(({ record }) => [
        record.identity[identity.key] ?? '',
        record.applied[expand.members?.field ?? ''],
      ]),
  )

/** That of a thing that is not shown whole, if there is one. */
const evidenceIn = (standings: readonly Standing[]): EvidenceLevel =>
  standings.find(({ live, evidence }) => typeof live === 'object' && evidence.level !== 'read')?.evidence
    .level ?? 'read'

const withLeaving = (kept: Remembered, stays: readonly (readonly [string, unknown])[]): Remembered => {
  const { leaving: _, ...rest } = kept
  return stays.length === 0 ? rest : { ...rest, leaving: stays.map(([key]) => key) }
}

/**
 * The declared field has the value that all of them share; null says that they differ. Terraform keeps null under
 * `ignore_changes`, which would not work if the state still had the configured value.
 */
const sharedBy = ({ are, field }: Members, values: readonly unknown[]): Values => {
  const [first] = values
  if (are !== 'written' || first === undefined) return {}
  return { [field]: values.every((value) => value === first) ? first : undefined }
}
