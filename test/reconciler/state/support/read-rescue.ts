import { expect } from 'vitest'
import { readPushed } from '../../../../reconciler/state/index.ts'

/** The contents of a rescue file. */
export const readRescue = async (path: string) => {
  const pushed = await readPushed(path)
  return pushed.is === 'rescue' ? pushed.rescue : expect.unreachable()
}
