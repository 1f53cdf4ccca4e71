import type { Context } from '../context.ts'
import { categoryOf } from './categories.ts'

/**
 * Whether a maintenance window of the project silences notifications about an event type at an instant: a window
 * that names the alert type, from its startDate up to its endDate.
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
