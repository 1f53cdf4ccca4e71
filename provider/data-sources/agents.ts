import { defineDataSource, limit } from '../core/data-source.ts'
import { boolean, commonly, id, instant, integer, oneOf, string } from '../core/field.ts'
import { getList } from '../core/operation.ts'
import { AGENT_STATES, AGENT_TYPES } from '../vocabulary.ts'
import { links } from './shapes/links.ts'

export default defineDataSource({
  name: 'agents',
  title: 'Agents',
  summary: 'The agents of one type in a project.',
  operation: getList('/groups/{projectId}/agents/{type}', 12),
  shape: 'list',
  arguments: {
    projectId: id('Project that owns the agents’ API key.').names(),
    type: oneOf(AGENT_TYPES, 'agent type', 'Type of the agents.').names(),
    limit,
  },
  result: {
    typeName: commonly(AGENT_TYPES, 'agent type', 'Type of the agent.'),
    hostname: string('Primary host name, as the service chose it.'),
    confCount: integer('Number of configuration calls.'),
    lastConf: instant('Time of the last configuration call.'),
    stateName: commonly(
      AGENT_STATES,
      'agent state',
      'ACTIVE, STANDBY, or NO_PROCESSES: the agent has no process to manage, monitor or back up.',
    ),
    pingCount: integer('Number of pings sent to the host. Only for monitoring agents.'),
    lastPing: instant('Time of the last ping. Only for monitoring agents.'),
    isManaged: boolean('Whether the agent is managed. Only for monitoring and backup agents.'),
    tag: string('Tag of the agent, if it has one. Only for backup agents.'),
    links,
  },
  inventory: {
    readings: AGENT_TYPES.map((type) => ({ type })),
    counts: ({ typeName, hostname, stateName, lastPing, lastConf }) => ({
      agent: typeName,
      host: hostname,
      state: stateName,
      seen: lastPing ?? lastConf,
    }),
    asked: [
      {
        of: ({ stateName }) => stateName !== 'ACTIVE' && stateName !== 'STANDBY',
        one: 'inactive agent',
        many: 'inactive agents',
      },
    ],
  },
  docs: {
    example: { projectId: '5c8100bcf2a30b12ff88258f', type: 'MONITORING' },
    notes: ['Each type needs a separate read: no endpoint lists the agents of all types.'],
  },
})
