import { windowsAt } from '../../support/one-window.ts'
import { only, type Scene } from '../../support/scene.ts'

/** Lines of two windows with different months and descriptions. */
export const line = (name: string, month: string, description = name): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-${month}-06T02:00:00Z, endDate: 2035-${month}-06T04:00:00Z, description: ${description} }`
export const A = line('a', '01')
export const B = line('b', '02')

export const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))

export const ownKey = (text: string): string =>
  text.replace('projects:', 'key: { exclusive: true }\nprojects:')

export const descriptionsAt = async (here: Scene): Promise<string[]> =>
  (await windowsAt(here)).map(({ description }) => description).toSorted((a, b) => a.localeCompare(b))
