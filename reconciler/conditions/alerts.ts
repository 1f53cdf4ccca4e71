import type { Values } from '@deploymgmt/provider/core'
import { alerts as openAlerts } from '@deploymgmt/provider/data-sources'
import { sayMoment } from '@deploymgmt/provider/words'
import type { Condition, Hindrance } from './condition.ts'
import { readValid, textsAmong } from './reading.ts'

/** Endpoint 4: an acknowledged alert is still open. */
export const alerts: Condition = {
  gate: 'no-open-alerts',
  wait: 'alerts',
  goal: 'no alert is open',
  remedy: (flags) =>
    `See what is open with \`deploymgmt get alerts --status OPEN ${flags}\`, or wait with \`deploymgmt wait alerts --none-open ${flags}\`.`,
  look: async (client, projectId) => {
    const { results } = await readValid(client, openAlerts, { projectId, status: 'OPEN' })
    const hindrances = results.map(opened)
    const type = openAlerts.result.eventTypeName?.type
    // A known type without an open alert can be excepted, because it may be open next time.
    const types = type?.is === 'enum' ? type.values : []
    return { hindrances, names: [...types, ...hindrances.flatMap(({ names }) => names)] }
  },
}

const opened = (alert: Values): Hindrance => {
  const { id, eventTypeName, hostnameAndPort, replicaSetName, clusterName, created } = alert
  const [where] = textsAmong(hostnameAndPort, replicaSetName, clusterName)
  const [since] = textsAmong(created)
  return {
    names: textsAmong(
      id,
      eventTypeName,
      hostnameAndPort,
      hostOf(hostnameAndPort),
      replicaSetName,
      clusterName,
    ),
    says: [
      String(eventTypeName),
      ...(where === undefined ? [] : [`on ${where}`]),
      ...(since === undefined ? [] : [`open since ${sayMoment(since)}`]),
      `(${String(id)})`,
    ].join(' '),
    facts: { id, eventTypeName, hostnameAndPort, replicaSetName, clusterName, created },
  }
}

/** Without its port, as for agents and processes. */
const hostOf = (hostAndPort: unknown): unknown =>
  typeof hostAndPort === 'string' ? hostAndPort.replace(/:\d+$/, '') : undefined
