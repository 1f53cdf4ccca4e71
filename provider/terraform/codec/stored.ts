import type { Block, KindDefinition } from '../../core/index.ts'
import type { DynamicValue, RawState } from '../wire/common-messages.ts'
import { decodeRawState, encodeDynamicValue } from '../wire/dynamic-value.ts'
import { mismatch } from '../wire/mismatch.ts'
import type { TerraformObject } from '../wire/value.ts'
import { attributeName } from './names.ts'
import { blockType } from './schema.ts'
import type { Served } from './served.ts'

/**
 * A stored state, converted to the present schema.
 * @throws Mismatch if this provider cannot have written it
 */
export const storedState = (
  { definition, block }: Served<KindDefinition>,
  raw: RawState | undefined,
): DynamicValue => {
  const type = blockType(block)
  const state = decodeRawState(raw, type) as TerraformObject | null
  if (state === null) return encodeDynamicValue(null, type)
  checkNamed(definition, state)
  return encodeDynamicValue({ ...state, ...unwritten(block) }, type)
}

/** Terraform accepts no state that has a write-only value, such as a password that somebody wrote into the file. */
const unwritten = ({ attributes }: Block): TerraformObject =>
  Object.fromEntries(attributes.filter(({ writeOnly }) => writeOnly === true).map(({ name }) => [name, null]))

/** Without its place, or the key of one thing, no request for it can be made. */
const checkNamed = (
  { identity: { scope, key, assigned }, expand: { members } }: KindDefinition,
  state: TerraformObject,
): void => {
  const isNull = (name: string): boolean => state[attributeName(name)] === null
  const isOne = assigned === 'never' && (members === undefined || isNull(members.by))
  const lacking = [...scope, ...(isOne ? [key] : [])].find(isNull)
  if (lacking !== undefined) mismatch([attributeName(lacking)], 'a value', undefined)
}
