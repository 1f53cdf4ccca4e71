import { expect } from 'vitest'
import { after, killAt } from '../crash/support/kill.ts'
import type { Installation } from './installation.ts'
import { windowsAt } from './one-window.ts'
import type { Scene } from './scene.ts'

export const MAX_MS = 7_200_000
export const QUIET = ['silence', '--project', 'payments', '--types', 'HOST', '--max', '2h']

export const lengthOf = ({ startDate, endDate }: { startDate: string; endDate: string }): number =>
  Date.parse(endDate) - Date.parse(startDate)
export const isOver = ({ endDate }: { endDate: string }): boolean => Date.parse(endDate) <= Date.now() + 2_000

/** The only window, which must not be longer than a silence was asked for. */
export const windowOf = async (here: Scene): Promise<any> => {
  const windows = await windowsAt(here)
  expect(windows).toHaveLength(1)
  expect(lengthOf(windows[0])).toBeLessThanOrEqual(MAX_MS)
  return windows[0]
}

export const silences = async (there: Installation): Promise<any[]> =>
  (await there.json('silence', 'list')).document.silences

/** A Node program that runs until it is signalled or its parent is gone. */
export const lasting = (onSignal = ''): string[] => [
  process.execPath,
  '-e',
  `const parent = process.ppid
   const timer = setInterval(() => { if (process.ppid !== parent) process.exit() }, 20)
   ${onSignal}
   console.error('under way')`,
]

/** Kills a silence when the service has made its window, before the command learns of it. */
export const killedAsItOpens = async (here: Scene, there: Installation = here): Promise<void> => {
  await killAt(here, ({ method, write }) => method === 'POST' && write > 0, after, { words: QUIET, there })
}
