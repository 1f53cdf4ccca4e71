import { requireGlobalMonitor } from '../auth/permissions.ts'
import { invalid } from '../errors.ts'
import { checkId, found } from '../found.ts'
import { defineEndpoint, one, listPage } from '../http/endpoint.ts'
import { AlertResource, GlobalAlertResource, filterStatuses } from '../model/alert.ts'
import { isOneOf, listOf } from '../model/common.ts'
import { presentAlert, presentGlobalAlert } from '../present/alert.ts'
import { projectFor } from './parents.ts'

const listAlerts = defineEndpoint({
  number: 4,
  method: 'GET',
  path: '/groups/{projectId}/alerts',
  summary: 'List alerts of a project',
  query: ['paging', 'status'],
  answer: listOf(AlertResource),
  handle(call) {
    const { context, paging, filters } = call
    const project = projectFor(call, 'read')
    const { status } = filters
    if (status !== undefined && !isOneOf(filterStatuses, status)) {
      throw invalid('INVALID_ALERT_STATUS', `status must be one of ${filterStatuses.join(', ')}.`, ['status'])
    }
    return listPage(context.store.page('alert', project.id, { ...paging, lookup: status }), (alert) =>
      presentAlert(context, project.id, alert),
    )
  },
})

const getAlert = defineEndpoint({
  number: 6,
  method: 'GET',
  path: '/groups/{projectId}/alerts/{alertId}',
  summary: 'Get one alert',
  answer: AlertResource,
  handle(call) {
    const { context, params } = call
    const project = projectFor(call, 'read')
    checkId(params.alertId, 'INVALID_ALERT_ID', 'alert')
    const kept = context.store.get('alert', project.id, params.alertId)
    const alert = found(
      kept,
      'ALERT_NOT_FOUND',
      'There is no alert with this id in the project.',
      params.alertId,
    )
    return one(presentAlert(context, project.id, alert))
  },
})

const getGlobalAlert = defineEndpoint({
  number: 10,
  method: 'GET',
  path: '/globalAlerts/{alertId}',
  summary: 'Get one global alert',
  answer: GlobalAlertResource,
  handle({ context, caller, params }) {
    requireGlobalMonitor(caller)
    checkId(params.alertId, 'INVALID_ALERT_ID', 'alert')
    const kept = context.store.get('globalAlert', '', params.alertId)
    const alert = found(kept, 'ALERT_NOT_FOUND', 'There is no global alert with this id.', params.alertId)
    return one(presentGlobalAlert(context, alert))
  },
})

export const alertEndpoints = [listAlerts, getAlert, getGlobalAlert]
