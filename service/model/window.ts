import { type Static, Type } from 'typebox'
import { Links, Timestamp, draft, optional, resource } from './common.ts'

/** The known alert types, in the order of the service's answers. */
export const alertTypes = ['HOST', 'REPLICA_SET', 'CLUSTER', 'AGENT', 'BACKUP'] as const

const fields = {
  id: Type.String(),
  created: Type.String(),
  updated: Type.String(),
  startDate: Type.String(),
  endDate: Type.String(),
  alertTypeNames: Type.Array(Type.String()),
  description: optional(Type.String()),
}

const Window = Type.Object(fields)
/** A stored maintenance window. */
export type Window = Static<typeof Window>

export const WindowDraft = draft({ ...fields, groupId: Type.String() })
export type WindowDraft = Static<typeof WindowDraft>

/** Endpoints 14 and 15. */
export const WindowResource = resource(
  {
    ...fields,
    groupId: Type.String(),
    created: Timestamp,
    updated: Timestamp,
    startDate: Timestamp,
    endDate: Timestamp,
    links: Links,
  },
  'MaintenanceWindow',
)
