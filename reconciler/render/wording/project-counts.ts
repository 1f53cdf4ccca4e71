import type { ReportedChange } from '../document/plan-model.ts'

/** How many of these changes are in each project, by id, in the order of their first. */
export const projectCounts = (
  changes: readonly ReportedChange[],
): (readonly [id: string, count: number])[] => {
  const ids = changes.flatMap(({ before, after }) => {
    const id = (after ?? before)?.['projectId']
    return typeof id === 'string' ? [id] : []
  })
  return [...Map.groupBy(ids, (id) => id)].map(([id, those]) => [id, those.length])
}
