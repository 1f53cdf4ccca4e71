import { requireGlobalMonitor, requireInProject } from '../auth/permissions.ts'
import { invalid, notFound } from '../errors.ts'
import { defineEndpoint, list, one } from '../http/endpoint.ts'
import { AlertResource, GlobalAlertResource, filterStatuses } from '../model/alert.ts'
import { listOf } from '../model/common.ts'
import { presentAlert, presentGlobalAlert } from '../present/alert.ts'
import { checkId, findProject } from './parents.ts'

/** Endpoint 4. */
const listAlerts = defineEndpoint({
  number: 4,
  method: 'GET',
  path: '/groups/{projectId}/alerts',
  summary: 'List alerts of a project',
  query: ['paging', 'status'],
  answer: listOf(AlertResource),
  statuses: [200],
  handle({ context, caller, params, paging, filters }) {
    const project = findProject(context, params.projectId)
    requireInProject(context, caller, project, 'read')
    const { status } = filters
    if (status !== undefined && !filterStatuses.includes(status as (typeof filterStatuses)[number])) {
      throw invalid('INVALID_ALERT_STATUS', `status must be one of ${filterStatuses.join(', ')}.`, ['status'])
    }
    const page = context.store.page('alert', project.id, { ...paging, lookup: status })
    return list(
      page.items.map((alert) => presentAlert(context, project.id, alert)),
      page.total,
    )
  },
})

/** Endpoint 6. */
const getAlert = defineEndpoint({
  number: 6,
  method: 'GET',
  path: '/groups/{projectId}/alerts/{alertId}',
  summary: 'Get one alert',
  query: [],
  answer: AlertResource,
  statuses: [200],
  handle({ context, caller, params }) {
    const project = findProject(context, params.projectId)
    requireInProject(context, caller, project, 'read')
    checkId(params.alertId, 'INVALID_ALERT_ID', 'alert')
    const alert = context.store.get('alert', project.id, params.alertId)
    if (!alert)
      throw notFound('ALERT_NOT_FOUND', 'There is no alert with this id in the project.', [params.alertId])
    return one(presentAlert(context, project.id, alert))
  },
})

/** Endpoint 10. */
const getGlobalAlert = defineEndpoint({
  number: 10,
  method: 'GET',
  path: '/globalAlerts/{alertId}',
  summary: 'Get one global alert',
  query: [],
  answer: GlobalAlertResource,
  statuses: [200],
  handle({ context, caller, params }) {
    requireGlobalMonitor(caller)
    checkId(params.alertId, 'INVALID_ALERT_ID', 'alert')
    const alert = context.store.get('globalAlert', '', params.alertId)
    if (!alert) throw notFound('ALERT_NOT_FOUND', 'There is no global alert with this id.', [params.alertId])
    return one(presentGlobalAlert(context, alert))
  },
})

export const alertEndpoints = [listAlerts, getAlert, getGlobalAlert]
