import type { Context } from '../context.ts'
import { categoryOf } from './categories.ts'

/**
 * Whether a maintenance window of the project silences notifications for an event type at an instant: it has the
 * alert type, startDate is inclusive and endDate exclusive.
 */
export const isSilenced = (
  context: Context,
  projectId: string,
  eventTypeName: string,
  at: number,
): boolean => {
  const category = categoryOf(eventTypeName)
  if (category === undefined) return false
  return context.store
    .list('window', projectId)
    .some(
      (window) =>
        window.alertTypeNames.includes(category) &&
        Date.parse(window.startDate) <= at &&
        at < Date.parse(window.endDate),
    )
}
