import { invalid, notFound } from '../errors.ts'
import { emit } from '../events/emit.ts'
import { defineEndpoint, empty, listPage } from '../http/endpoint.ts'
import { isOneOf, listOf } from '../model/common.ts'
import { IntegrationResource, deletableTypes } from '../model/integration.ts'
import { presentIntegration } from '../present/integration.ts'
import { projectFor } from './parents.ts'

const listIntegrations = defineEndpoint({
  number: 17,
  method: 'GET',
  path: '/groups/{projectId}/integrations',
  summary: 'List third-party integration configurations of a project',
  query: ['paging'],
  answer: listOf(IntegrationResource),
  handle(call) {
    const { context, paging } = call
    const project = projectFor(call, 'read')
    return listPage(context.store.page('integration', project.id, paging), (integration) =>
      presentIntegration(context, integration),
    )
  },
})

/** Endpoint 18: METRICS_SCRAPER and CHAT_C can be listed but not deleted. */
const deleteIntegration = defineEndpoint({
  number: 18,
  method: 'DELETE',
  path: '/groups/{projectId}/integrations/{integrationType}',
  summary: 'Delete a third-party integration configuration',
  query: ['paging'],
  statuses: [204, 200],
  handle(call) {
    const { context, params } = call
    const project = projectFor(call, 'write')
    const type = params.integrationType
    if (!isOneOf(deletableTypes, type)) {
      throw invalid(
        'INVALID_ENUM_VALUE',
        `The integration type must be one of ${deletableTypes.join(', ')}.`,
        ['integrationType'],
      )
    }
    const success = empty(Number(context.settings.get('open.deleteIntegrationStatus')))
    if (!context.store.remove('integration', project.id, type)) {
      if (context.settings.get('open.deleteAbsentIntegration') === '204') return success
      throw notFound('INTEGRATION_NOT_FOUND', `The project has no ${type} integration.`, [type])
    }
    emit(call, {
      eventTypeName: 'INTEGRATION_DELETED_AUDIT',
      orgId: project.orgId,
      groupId: project.id,
      raw: { integrationType: type },
    })
    return success
  },
})

export const integrationEndpoints = [listIntegrations, deleteIntegration]
