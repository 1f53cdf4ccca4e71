import { invalid } from '../errors.ts'
import { found } from '../found.ts'
import { defineEndpoint, listPage, one, pageOf } from '../http/endpoint.ts'
import { AutomationStatusResource } from '../model/automation.ts'
import { isOneOf, listOf } from '../model/common.ts'
import { AgentResource, DiskResource, agentTypes } from '../model/host.ts'
import { extraFields, instants, sampleLinks } from '../present/common.ts'
import { projectFor } from './parents.ts'

const getAutomationStatus = defineEndpoint({
  number: 8,
  method: 'GET',
  path: '/groups/{projectId}/automationStatus',
  summary: 'Get automation status of the latest plan',
  answer: AutomationStatusResource,
  handle(call) {
    const { context } = call
    const project = projectFor(call, 'read')
    return one({ ...project.automationStatus, ...extraFields(context) })
  },
})

const listAgents = defineEndpoint({
  number: 12,
  method: 'GET',
  path: '/groups/{projectId}/agents/{type}',
  summary: 'List agents of a type in a project',
  query: ['paging'],
  answer: listOf(AgentResource),
  handle(call) {
    const { context, params, paging } = call
    const project = projectFor(call, 'read')
    if (!isOneOf(agentTypes, params.type)) {
      throw invalid('INVALID_AGENT_TYPE_NAME', `The agent type must be one of ${agentTypes.join(', ')}.`, [
        'type',
      ])
    }
    const page = context.store.page('agent', project.id, { ...paging, lookup: params.type })
    return listPage(page, (agent) => ({
      ...agent,
      ...instants(context, agent, 'lastConf', 'lastPing'),
      links: [],
      ...extraFields(context),
    }))
  },
})

const listDisks = defineEndpoint({
  number: 16,
  method: 'GET',
  path: '/groups/{projectId}/hosts/{hostId}/disks',
  summary: 'List disk partitions of a host',
  query: ['paging'],
  answer: listOf(DiskResource),
  handle(call) {
    const { context, params, paging } = call
    const project = projectFor(call, 'read')
    // A host's id can be any text: the samples have ids of 32 digits.
    const kept = context.store.get('host', project.id, params.hostId)
    const host = found(kept, 'HOST_NOT_FOUND', 'There is no host with this id in the project.', params.hostId)
    const path = `/groups/${project.id}/hosts/${encodeURIComponent(host.id)}/disks`
    return listPage(pageOf(host.disks, paging), ({ partitionName }) => ({
      partitionName,
      links: sampleLinks(context, `${path}/${encodeURIComponent(partitionName)}`),
      ...extraFields(context),
    }))
  },
})

export const automationEndpoints = [getAutomationStatus, listAgents, listDisks]
