import { type Static, Type } from 'typebox'
import { type AccessListEntry, AccessListEntryDraft } from './access-list.ts'
import { PersonalKeyDraft } from './api-key.ts'
import { Links, draft, optional, resource } from './common.ts'
import { Role } from './roles.ts'

/** A stored user: effective roles, pending invitations, and the password in full. */
export interface User {
  readonly id: string
  readonly username: string
  readonly emailAddress: string
  readonly firstName: string
  readonly lastName: string
  readonly mobileNumber: string
  readonly password: string
  readonly roles: readonly Role[]
  readonly invitations: readonly Role[]
  readonly teamIds: readonly string[]
  readonly accessList: readonly AccessListEntry[]
}

/** The names and contact data of a user. */
const profile = {
  username: Type.String(),
  emailAddress: Type.String(),
  firstName: Type.String(),
  lastName: Type.String(),
  mobileNumber: Type.String(),
}

export const UserDraft = draft({
  ...profile,
  id: Type.String(),
  username: Type.String({ minLength: 1 }),
  password: Type.String(),
  roles: Type.Array(Role),
  invitations: Type.Array(Role),
  teamIds: Type.Array(Type.String()),
  accessList: Type.Array(AccessListEntryDraft),
  apiKeys: Type.Array(PersonalKeyDraft),
})
export type UserDraft = Static<typeof UserDraft>

/** Endpoints 9 and 11: no password. */
export const UserResource = resource(
  {
    id: Type.String(),
    ...profile,
    roles: Type.Array(Role),
    teamIds: optional(Type.Array(Type.Unknown())),
    links: Links,
  },
  'User',
)
