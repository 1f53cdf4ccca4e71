import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openSession, type Session } from '../../../../reconciler/state/index.ts'
import { FOLDER } from '../../../support/folder.ts'

/** An empty folder, which is removed when the test ends. */
export const temporaryFolder = async (): Promise<string> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

export const statePathIn = (folder: string): string => join(folder, 'deploymgmt.state.json')
export const journalPathIn = (folder: string): string => join(folder, 'deploymgmt.state.journal')

/** A session that is closed when the test ends, at the latest. */
export const opened = async (...how: Parameters<typeof openSession>): Promise<Session> => {
  const session = await openSession(...how)
  onTestFinished(() => session.close())
  return session
}
