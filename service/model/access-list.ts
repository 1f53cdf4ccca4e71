import { isIP } from 'node:net'
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
/** A stored access-list entry of a key or a user. */
export type AccessListEntry = Static<typeof AccessListEntry>

export const AccessListEntryDraft = draft(fields)
export type AccessListEntryDraft = Static<typeof AccessListEntryDraft>

/** An address range in CIDR notation; a single address is a range of one. */
export const blockOf = (text: string): { base: string; bits: number; version: number } | undefined => {
  const [, base = '', length] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const version = isIP(base)
  const most = version === 4 ? 32 : 128
  const bits = Number(length ?? most)
  return version === 0 || bits > most ? undefined : { base, bits, version }
}

/** Endpoints 1 and 13. */
export const AccessListEntryResource = resource(
  { ...fields, created: Timestamp, lastUsed: optional(Timestamp), links: Links },
  'AccessListEntry',
)
