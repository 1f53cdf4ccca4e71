import type { Context } from '../context.ts'
import type { Window } from '../model/window.ts'
import { extraFields, instants, sampleLinks } from './common.ts'

/** Endpoints 14 and 15. */
export const presentWindow = (context: Context, projectId: string, window: Window): object => ({
  ...window,
  groupId: projectId,
  ...instants(context, window, 'created', 'updated', 'startDate', 'endDate'),
  links: sampleLinks(context, `/groups/${projectId}/maintenanceWindows/${window.id}`),
  ...extraFields(context),
})
