import { camelToSnake, type KindDefinition } from '../../core/index.ts'
import { identityKey, type Run } from '../../engine/index.ts'
import type { PrivateState } from '../codec/private-state.ts'
import { addressIn, shownIn } from './members.ts'
import { toAttribute } from '../codec/values.ts'
import type { TerraformObject, TerraformValue } from '../wire/value.ts'

/**
 * What a resource that stands for several things stands for now. What it was applied to and no longer matches
 * stays in its map until an apply has released it, so that a plan shows that it goes.
 */
export const readSeveral = (
  definition: KindDefinition,
  state: TerraformObject,
  kept: PrivateState,
  run: Run,
): { readonly state: TerraformObject; readonly private: PrivateState } | undefined => {
  const { members } = definition.expand
  const shown = shownIn(definition, state, run)
  if (members === undefined || shown === undefined) return undefined
  const name = camelToSnake(members.map)
  const matching = (shown[name] ?? {}) as TerraformObject
  const { type = { is: 'string' } as const } = definition.fields[members.field] ?? {}
  const leaving: [string, TerraformValue][] = []
  const records = { ...kept.records }
  for (const { identity } of Object.values(kept.records)) {
    const key = identity[definition.identity.key]
    if (key === undefined || Object.hasOwn(matching, key)) continue
    const thing = run.observed.things.get(identityKey(definition, identity)) ?? 'missing'
    // What is gone at the service needs no release.
    if (thing === 'missing') delete records[addressIn(definition, key)]
    else leaving.push([key, toAttribute(type, thing.values[members.field])])
  }
  const { leaving: _, ...rest } = kept
  const found = members.are === 'deleted' || Object.keys(matching).length > 0
  return {
    state: {
      ...state,
      ...sharedBy(definition, Object.values(matching)),
      [name]: { ...matching, ...Object.fromEntries(leaving) },
      present: found,
      evidence: 'read',
    },
    private: { ...rest, records, ...(leaving.length === 0 ? {} : { leaving: leaving.map(([key]) => key) }) },
  }
}

/**
 * The declared field says what all of them have; null says that they differ. Terraform keeps it by
 * `ignore_changes`, and could not where the state went on saying what was configured.
 */
const sharedBy = (
  { expand: { members } }: KindDefinition,
  values: readonly TerraformValue[],
): Record<string, TerraformValue> => {
  const [first] = values
  if (members === undefined || members.are !== 'written' || first === undefined) return {}
  return { [camelToSnake(members.field)]: values.every((value) => value === first) ? first : null }
}
