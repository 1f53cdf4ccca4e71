import { type Static, Type } from 'typebox'
import { type AccessListEntry, AccessListEntryDraft } from './access-list.ts'
import { Links, draft, record, resource } from './common.ts'
import { Role } from './roles.ts'

/** A stored organization API key, with its private key in full. */
export interface ApiKey {
  readonly id: string
  readonly orgId: string
  readonly desc: string
  readonly publicKey: string
  readonly privateKey: string
  readonly roles: readonly Role[]
  readonly accessList: readonly AccessListEntry[]
}

/** A personal key: its caller is the user. */
export interface PersonalKey {
  readonly userId: string
  readonly publicKey: string
  readonly privateKey: string
}

export const ApiKeyDraft = draft({
  id: Type.String(),
  desc: Type.String(),
  publicKey: Type.String({ minLength: 1 }),
  privateKey: Type.String({ minLength: 1 }),
  roles: Type.Array(Role),
  accessList: Type.Array(AccessListEntryDraft),
})
export type ApiKeyDraft = Static<typeof ApiKeyDraft>

export const PersonalKeyDraft = record({
  publicKey: Type.String({ minLength: 1 }),
  privateKey: Type.String({ minLength: 1 }),
})

/** Endpoint 2. */
export const ApiKeyResource = resource(
  {
    id: Type.String(),
    desc: Type.String(),
    publicKey: Type.String(),
    privateKey: Type.String({ pattern: String.raw`^\*+` }),
    roles: Type.Array(Role),
    links: Links,
  },
  'ApiKey',
)
