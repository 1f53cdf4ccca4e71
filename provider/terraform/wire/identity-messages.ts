/** The permanent identity of a resource in plugin protocol 6.9; Terraform before 1.12 does not read it. */
import { type DynamicValue, dynamicValue } from './common-messages.ts'
import {
  type MessageType,
  type Of,
  bool,
  bytes,
  integer,
  message,
  nested,
  repeated,
  string,
} from './protobuf.ts'

const identityAttribute = message('ResourceIdentitySchema.IdentityAttribute', {
  name: string(1),
  type: bytes(2),
  requiredForImport: bool(3),
  optionalForImport: bool(4),
  description: string(5),
})

/** Identities of different versions are never equal, and go through UpgradeResourceIdentity. */
export const identitySchema = message('ResourceIdentitySchema', {
  version: integer(1),
  identityAttributes: repeated(2, () => identityAttribute),
})
export type IdentitySchema = Of<typeof identitySchema>

export interface IdentityData {
  identityData?: DynamicValue | undefined
}

export const identityData: MessageType<IdentityData> = {
  name: 'ResourceIdentityData',
  fields: { identityData: nested(1, () => dynamicValue) },
}
