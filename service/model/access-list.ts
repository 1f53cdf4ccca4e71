import { type Static, Type } from 'typebox'
import { Links, Timestamp, draft, nullableText, optional, resource } from './common.ts'

const fields = {
  cidrBlock: Type.String(),
  ipAddress: nullableText,
  count: Type.Integer({ minimum: 0 }),
  created: Type.String(),
  lastUsed: optional(Type.String()),
  lastUsedAddress: optional(Type.String()),
}

const AccessListEntry = Type.Object(fields)
/** An access-list entry of a key or of a user, as it is kept. */
export type AccessListEntry = Static<typeof AccessListEntry>

export const AccessListEntryDraft = draft(fields)
export type AccessListEntryDraft = Static<typeof AccessListEntryDraft>

/** Endpoints 1 and 13. */
export const AccessListEntryResource = resource(
  { ...fields, created: Timestamp, lastUsed: optional(Timestamp), links: Links },
  'AccessListEntry',
)
