import { type Static, Type } from 'typebox'
import { Links, Timestamp, draft, optional, record, resource } from './common.ts'

/** A host with its disks; its alerts contain the names of its cluster and replica set. */
const host = {
  id: Type.String({ minLength: 1 }),
  hostname: Type.String({ minLength: 1 }),
  port: Type.Integer({ minimum: 0, maximum: 65_535 }),
  replicaSetName: optional(Type.String()),
  clusterId: optional(Type.String()),
  clusterName: optional(Type.String()),
  disks: Type.Array(record({ partitionName: Type.String({ minLength: 1 }) })),
}

const Host = Type.Object(host)
export type Host = Static<typeof Host>

export const HostDraft = draft(host)
export type HostDraft = Static<typeof HostDraft>

/** Endpoint 16. */
export const DiskResource = resource({ partitionName: Type.String(), links: Links }, 'DiskPartition')

export const agentTypes = ['MONITORING', 'BACKUP', 'AUTOMATION'] as const

const agent = {
  typeName: Type.Enum([...agentTypes]),
  hostname: Type.String(),
  confCount: Type.Number(),
  lastConf: Type.String(),
  stateName: Type.Enum(['ACTIVE', 'STANDBY', 'NO_PROCESSES']),
  pingCount: optional(Type.Number()),
  lastPing: optional(Type.String()),
  isManaged: optional(Type.Boolean()),
  tag: optional(Type.String()),
}

const Agent = Type.Object(agent)
export type Agent = Static<typeof Agent>

export const AgentDraft = Type.Intersect([draft(agent), Type.Object({ typeName: agent.typeName })])
export type AgentDraft = Static<typeof AgentDraft>

/** Endpoint 12. */
export const AgentResource = resource(
  { ...agent, lastConf: Timestamp, lastPing: optional(Timestamp), links: optional(Links) },
  'Agent',
)
