import { type Static, Type } from 'typebox'
import type { Context } from '../context.ts'
import { ApiError, type ErrorCode, invalid } from '../errors.ts'
import { emit } from '../events/emit.ts'
import { checkId, found } from '../found.ts'
import { defineEndpoint, one } from '../http/endpoint.ts'
import { newId } from '../ids.ts'
import { isOneOf, record } from '../model/common.ts'
import { type Window, WindowResource, alertTypes } from '../model/window.ts'
import { presentWindow } from '../present/window.ts'
import { formatTimestamp, isFractional, parseTimestamp, timestampsRead } from '../time.ts'
import { projectFor } from './parents.ts'

const missing = (code: ErrorCode) => ({ 'x-missing': code })
const typeNames = Type.Array(Type.String({ minLength: 1 }), {
  minItems: 1,
  ...missing('MISSING_MAINTENANCE_WINDOW_ALERT_TYPE_NAME'),
})
const startDate = Type.String(missing('MISSING_MAINTENANCE_WINDOW_START_DATE'))
const endDate = Type.String(missing('MISSING_MAINTENANCE_WINDOW_END_DATE'))
const readOnly = { 'x-read-only': ['id', 'groupId', 'created', 'updated', 'links'] }

const NewWindow = record(
  { alertTypeNames: typeNames, startDate, endDate, description: Type.Optional(Type.String()) },
  readOnly,
)

const WindowChange = record(
  {
    alertTypeNames: Type.Optional(typeNames),
    startDate: Type.Optional(startDate),
    endDate: Type.Optional(endDate),
    description: Type.Optional(Type.String()),
  },
  { minProperties: 1, ...readOnly },
)

/** Endpoint 14; with and without its trailing slash. */
const createWindow = defineEndpoint({
  number: 14,
  method: 'POST',
  path: '/groups/{projectId}/maintenanceWindows/',
  alias: '/groups/{projectId}/maintenanceWindows',
  summary: 'Create one maintenance window',
  body: NewWindow,
  answer: WindowResource,
  statuses: [200, 201],
  handle(call) {
    const { context, body } = call
    const project = projectFor(call, 'write')
    const now = context.clock.now()
    const at = formatTimestamp(now)
    const blank = { id: newId(now), created: at, alertTypeNames: [], startDate: at, endDate: at }
    const window = { ...change(context, blank, body), updated: at }
    context.store.put('window', project.id, window.id, window)
    emit(call, {
      eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
      orgId: project.orgId,
      groupId: project.id,
      maintenanceWindowId: window.id,
      raw: { startDate: window.startDate, endDate: window.endDate, alertTypeNames: window.alertTypeNames },
    })
    return one(
      presentWindow(context, project.id, window),
      Number(context.settings.get('open.windowCreateStatus')),
    )
  },
})

/** Endpoint 15: only for a window whose end is in the future. */
const updateWindow = defineEndpoint({
  number: 15,
  method: 'PATCH',
  path: '/groups/{projectId}/maintenanceWindows/{windowId}',
  summary: 'Update one maintenance window',
  body: WindowChange,
  answer: WindowResource,
  statuses: [201, 200],
  handle(call) {
    const { context, params, body } = call
    const project = projectFor(call, 'write')
    checkId(params.windowId, 'INVALID_MAINTENANCE_WINDOW_ID', 'maintenance window')
    const kept = context.store.get('window', project.id, params.windowId)
    const detail = 'There is no maintenance window with this id in the project.'
    const before = found(kept, 'MAINTENANCE_WINDOW_NOT_FOUND', detail, params.windowId)
    refuseEnded(context, before)
    const window = change(context, before, body)
    context.store.put('window', project.id, window.id, window)
    emit(call, {
      eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
      orgId: project.orgId,
      groupId: project.id,
      maintenanceWindowId: window.id,
      raw: { ...body },
    })
    return one(
      presentWindow(context, project.id, window),
      Number(context.settings.get('open.windowUpdateStatus')),
    )
  },
})

const refuseEnded = (context: Context, window: Window): void => {
  if (Date.parse(window.endDate) > context.clock.now()) return
  throw new ApiError(
    Number(context.settings.get('open.endedWindowStatus')),
    'CANNOT_UPDATE_ENDED_MAINTENANCE_WINDOW',
    'Only a window whose end date is in the future can be updated.',
  )
}

/** Applies submitted fields to a window and checks the result. */
const change = (
  context: Context,
  window: Omit<Window, 'updated'>,
  body: Static<typeof WindowChange>,
): Window => {
  const start = readDate(context, 'startDate', body.startDate) ?? Date.parse(window.startDate)
  const end = readDate(context, 'endDate', body.endDate) ?? Date.parse(window.endDate)
  const allowsEqual = context.settings.get('open.windowEqualDates') === 'accept'
  if (start > end || (start === end && !allowsEqual)) {
    throw invalid('MAINTENANCE_WINDOW_START_DATE_AFTER_END_DATE', 'startDate must be before endDate.', [
      'startDate',
      'endDate',
    ])
  }
  const description = body.description ?? window.description
  const { description: _before, ...rest } = window
  return {
    ...rest,
    alertTypeNames: body.alertTypeNames ? ownOrder(context, body.alertTypeNames) : window.alertTypeNames,
    startDate: formatTimestamp(start),
    endDate: formatTimestamp(end),
    // Returned only if it was given.
    ...(description ? { description } : {}),
    updated: formatTimestamp(context.clock.now()),
  }
}

const readDate = (context: Context, name: string, given: string | undefined): number | undefined => {
  if (given === undefined) return undefined
  const instant = parseTimestamp(given)
  if (instant === undefined) throw invalid('INVALID_ATTRIBUTE', `${name} must be ${timestampsRead}.`, [name])
  const { settings, clock } = context
  if (settings.get('open.fractionalTimestamps') === 'reject' && isFractional(given)) {
    throw invalid('FRACTIONAL_TIMESTAMP', `${name} must be in whole seconds.`, [name])
  }
  if (settings.get('open.windowPastDates') === 'reject' && instant <= clock.now()) {
    throw invalid('INVALID_ATTRIBUTE', `${name} must be in the future.`, [name])
  }
  return instant
}

/** The service returns alert types in its own order, without duplicates (open.alertTypeNames). */
const ownOrder = (context: Context, given: readonly string[]): string[] => {
  const others = [...new Set(given)].filter((name) => !isOneOf(alertTypes, name))
  if (others.length > 0 && context.settings.get('open.alertTypeNames') === 'known') {
    throw invalid('INVALID_ENUM_VALUE', `Alert types are ${alertTypes.join(', ')}.`, ['alertTypeNames'])
  }
  return [...alertTypes.filter((name) => given.includes(name)), ...others.toSorted()]
}

export const windowEndpoints = [createWindow, updateWindow]
