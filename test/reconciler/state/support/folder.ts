import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** An empty folder that goes when the test ends. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-state-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const statePathIn = (folder: string): string => join(folder, 'deploymgmt.state.json')
export const journalPathIn = (folder: string): string => join(folder, 'deploymgmt.state.journal')
