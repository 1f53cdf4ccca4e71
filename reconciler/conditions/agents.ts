import type { Values } from '@deploymgmt/provider/core'
import { agents as agentsOfType } from '@deploymgmt/provider/data-sources'
import type { Condition, Hindrance } from './condition.ts'
import { readValid, textsAmong } from './reading.ts'

const [ACTIVE, STANDBY] = ['ACTIVE', 'STANDBY']

/** Endpoint 12: of several agents of a type, one works, and the others are on standby. */
export const agents: Condition = {
  gate: 'agents-active',
  wait: 'agents',
  goal: 'every agent is active or stands by, and one of each type is active',
  remedy: (flags) =>
    `Look at the agents that are named, or wait with \`deploymgmt wait agents --active ${flags}\`.`,
  look: async (client, projectId) => {
    const type = agentsOfType.arguments['type']?.type
    const types = type?.is === 'enum' ? type.values : []
    const lists = await Promise.all(
      types.map(async (each) => ({
        type: each,
        found: (await readValid(client, agentsOfType, { projectId, type: each })).results,
      })),
    )
    const isEmpty = lists.every(({ found }) => found.length === 0)
    return {
      hindrances: isEmpty
        ? [{ names: [], says: 'there is no agent of any type', facts: {} }]
        : lists.flatMap(({ type: each, found }) => hindrancesOf(each, found)),
      names: [
        ...types,
        ...lists.flatMap(({ found }) => found.flatMap(({ hostname }) => textsAmong(hostname))),
      ],
    }
  },
}

const hindrancesOf = (type: string, found: readonly Values[]): Hindrance[] => {
  const idle = found.filter(({ stateName }) => stateName !== ACTIVE && stateName !== STANDBY)
  const none = found.length > 0 && idle.length === 0 && !found.some(({ stateName }) => stateName === ACTIVE)
  return [
    ...idle.map(({ hostname, stateName }) => ({
      names: [type, ...textsAmong(hostname)],
      says: `${type} agent on ${textsAmong(hostname)[0] ?? 'a host'}: ${String(stateName)}`,
      facts: { type, hostname, stateName },
    })),
    ...(none
      ? [
          {
            names: [type],
            says: `${type}: none of ${found.length} is active`,
            facts: { type, count: found.length },
          },
        ]
      : []),
  ]
}
