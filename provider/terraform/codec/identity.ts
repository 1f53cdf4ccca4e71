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

/** What names the resources of a kind, as the protocol carries it. */
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
 * What names a resource; nothing where its attributes do not tell yet, as of one that stands for several things.
 * Terraform takes no part of an identity that is not known, but for what is to be created.
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

/** An identity as it was stored: attributes alone were ever added or taken away. */
export const upgradedIdentity = (definition: KindDefinition, raw: RawState | undefined): IdentityData => {
  const type = blockType(identityBlock(definition))
  return { identityData: encodeDynamicValue(decodeRawState(raw, type), type) }
}
