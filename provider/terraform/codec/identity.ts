import { identityBlock as makeIdentityBlock, type KindDefinition } from '../../core/index.ts'
import { perDefinition } from '../../engine/index.ts'
import type { RawState } from '../wire/common-messages.ts'
import { encodeCtyType } from '../wire/cty-type.ts'
import { decodeRawState, encodeDynamicValue } from '../wire/dynamic-value.ts'
import type { IdentityData, IdentitySchema } from '../wire/identity-messages.ts'
import { isGiven, type Plain } from './plain.ts'
import { blockType, ctyOf } from './schema.ts'
import { objectIn, valueOf } from './served.ts'

const identityBlock = perDefinition(makeIdentityBlock)

/** The identity of a kind's resources as a schema of the protocol. */
export const identitySchemaOf = (definition: KindDefinition): IdentitySchema => ({
  version: 0,
  identityAttributes: identityBlock(definition).attributes.map(({ name, type, summary }) => ({
    name,
    type: encodeCtyType(ctyOf(type)),
    requiredForImport: true,
    optionalForImport: false,
    description: summary,
  })),
})

/**
 * The identity of a resource; undefined if its attributes do not tell it yet, or if it stands for several things.
 * Terraform accepts unknown parts of an identity only for what is to be created.
 */
export const identityOf = (
  definition: KindDefinition,
  object: Plain | null,
  { isNew = false } = {},
): IdentityData | undefined => {
  const block = identityBlock(definition)
  if (object === null) return undefined
  const isTold = block.attributes.every(
    ({ key }) => isGiven(object, key) && (isNew || !object.unknown.has(key)),
  )
  if (!isTold) return undefined
  const keys = new Set(block.attributes.map(({ key }) => key))
  const unknown = new Set([...object.unknown].filter((key) => keys.has(key)))
  return { identityData: valueOf({ values: object.values, unknown }, block) }
}

export const identityFrom = (definition: KindDefinition, identity: IdentityData): Plain =>
  objectIn(identity.identityData, identityBlock(definition))

/** An identity as it was stored: only attributes were ever added or removed. */
export const upgradedIdentity = (definition: KindDefinition, raw: RawState | undefined): IdentityData => {
  const type = blockType(identityBlock(definition))
  return { identityData: encodeDynamicValue(decodeRawState(raw, type), type) }
}
