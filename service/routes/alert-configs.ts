import { Type } from 'typebox'
import type { Context } from '../context.ts'
import { emit } from '../events/emit.ts'
import { settleConfigChange } from '../alerts/config-change.ts'
import { checkId, found } from '../found.ts'
import { defineEndpoint, one, listPage } from '../http/endpoint.ts'
import { type AlertConfig, AlertConfigResource } from '../model/alert-config.ts'
import { listOf, record } from '../model/common.ts'
import { presentAlertConfig } from '../present/alert-config.ts'
import { formatTimestamp } from '../time.ts'
import { projectFor } from './parents.ts'

const EnabledBody = record(
  { enabled: Type.Boolean() },
  {
    'x-read-only': Object.keys(AlertConfigResource.properties).filter((name) => name !== 'enabled'),
  },
)

/** Endpoint 3: only the enabled state changes, and with it the updated timestamp. */
const setEnabled = defineEndpoint({
  number: 3,
  method: 'PATCH',
  path: '/groups/{projectId}/alertConfigs/{alertConfigId}',
  summary: 'Enable or disable an alert configuration',
  body: EnabledBody,
  answer: AlertConfigResource,
  handle(call) {
    const { context, params, body } = call
    const project = projectFor(call, 'write')
    const before = findAlertConfig(context, project.id, params.alertConfigId)
    const config = { ...before, enabled: body.enabled, updated: formatTimestamp(context.clock.now()) }
    context.store.put('alertConfig', project.id, config.id, config)
    settleConfigChange({ ...context, projectId: project.id }, config)
    emit(call, {
      eventTypeName: body.enabled ? 'ALERT_CONFIG_ENABLED_AUDIT' : 'ALERT_CONFIG_DISABLED_AUDIT',
      orgId: project.orgId,
      groupId: project.id,
      alertConfigId: config.id,
      raw: { enabled: body.enabled, enabledBefore: before.enabled },
    })
    return one(presentAlertConfig(context, project.id, config))
  },
})

const listAlertConfigs = defineEndpoint({
  number: 5,
  method: 'GET',
  path: '/groups/{projectId}/alertConfigs',
  summary: 'List alert configurations of a project',
  query: ['paging'],
  answer: listOf(AlertConfigResource),
  handle(call) {
    const { context, paging } = call
    const project = projectFor(call, 'read')
    return listPage(context.store.page('alertConfig', project.id, paging), (config) =>
      presentAlertConfig(context, project.id, config),
    )
  },
})

const getAlertConfig = defineEndpoint({
  number: 7,
  method: 'GET',
  path: '/groups/{projectId}/alertConfigs/{alertConfigId}',
  summary: 'Get one alert configuration',
  query: ['paging'],
  answer: AlertConfigResource,
  handle(call) {
    const { context, params } = call
    const project = projectFor(call, 'read')
    return one(
      presentAlertConfig(context, project.id, findAlertConfig(context, project.id, params.alertConfigId)),
    )
  },
})

const findAlertConfig = (context: Context, projectId: string, id: string): AlertConfig => {
  checkId(id, 'INVALID_ALERT_CONFIG_ID', 'alert configuration')
  const config = context.store.get('alertConfig', projectId, id)
  const detail = 'There is no alert configuration with this id in the project.'
  return found(config, 'ALERT_CONFIG_NOT_FOUND', detail, id)
}

export const alertConfigEndpoints = [setEnabled, listAlertConfigs, getAlertConfig]
