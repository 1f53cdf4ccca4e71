import type { ProjectContext } from '../context.ts'
import { categoryOf } from '../model/alert-categories.ts'

/**
 * When the maintenance windows of the project silence notifications for an event type: those with its alert type, from
 * startDate until endDate, exclusive. The windows are read once for many instants.
 */
export const silencesOf = (
  { store, projectId }: ProjectContext,
  eventTypeName: string,
): ((at: number) => boolean) => {
  const category = categoryOf(eventTypeName)
  if (category === undefined) return () => false
  const spans = store
    .list('window', projectId)
    .filter(({ alertTypeNames }) => alertTypeNames.includes(category))
    .map(({ startDate, endDate }) => ({ start: Date.parse(startDate), end: Date.parse(endDate) }))
  return (at) => spans.some(({ start, end }) => start <= at && at < end)
}
