import type { Installation } from './installation.ts'
import { only } from './scene.ts'

export const START = '2035-01-06T02:00:00Z'
export const END = '2035-01-06T04:00:00Z'
export const MIGRATION = 'maintenanceWindows.migration'

/** The fields of a window as JSON, which is also YAML. */
export const fields = (changes: object = {}): string =>
  JSON.stringify({
    alertTypeNames: ['HOST', 'REPLICA_SET'],
    startDate: START,
    endDate: END,
    description: 'Storage migration',
    ...changes,
  })
export const one = (changes: object = {}): string =>
  only('maintenanceWindows', `  migration: ${fields(changes)}`)
export const none = only('maintenanceWindows', '')

/** The windows that the service holds for a project. */
export const windowsAt = async (here: Pick<Installation, 'control'>, project = 0): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects[project].maintenanceWindows
