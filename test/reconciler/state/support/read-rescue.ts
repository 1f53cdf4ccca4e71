import { expect } from 'vitest'
import { readPushed } from '../../../../reconciler/state/index.ts'

/** What a rescue file holds. */
export const readRescue = async (path: string) => {
  const pushed = await readPushed(path)
  return pushed.is === 'rescue' ? pushed.rescue : expect.unreachable()
}
