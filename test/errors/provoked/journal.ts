import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { acquireLock } from '../../../reconciler/state/index.ts'
import { editState } from '../support/files.ts'
import { APPLY, WINDOW, type Scene, type Table } from '../support/provocation.ts'

const STATE = 'deploymgmt.state.json'
const JOURNAL = 'deploymgmt.state.journal'
const LOCK_PATH = /^ {2}\/.*deploymgmt\.state\.json\.lock$/m
const JOURNAL_PATH = /^ {2}\/.*deploymgmt\.state\.journal$/m

/** A creation loses its answer: the journal then holds something that is not in the state yet. */
const lose = async ({ manifest, fault, run }: Scene): Promise<void> => {
  await manifest(WINDOW)
  await fault({ method: 'POST', path: '/maintenanceWindows', fault: 'reset-before' })
  await run(...APPLY)
}

/** Files beside the state: the lock of a running command, and the journal of what is not in the state yet. */
export const journal: Table = {
  LockedError: [
    {
      when: 'another command is at work',
      meet: async ({ folder, run }) => {
        const held = await acquireLock(join(folder, STATE), { command: 'apply', at: '2026-11-20T12:00:00Z' })
        onTestFinished(() => held.release())
        return run(...APPLY)
      },
      where: LOCK_PATH,
    },
    {
      when: 'a lock does not tell whose it is',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, `${STATE}.lock`), 'nobody', { mode: 0o600 })
        return run(...APPLY)
      },
      where: LOCK_PATH,
    },
  ],
  LockMismatchError: [
    {
      when: 'there is no lock of this id',
      meet: ({ run }) => run('state', 'unlock', 'nobody'),
      where: LOCK_PATH,
    },
  ],
  JournalCorruptError: [
    {
      when: 'a record of the journal was changed',
      meet: async (scene) => {
        await lose(scene)
        const path = join(scene.folder, JOURNAL)
        await writeFile(path, (await readFile(path, 'utf8')).replace('"header"', '"heeder"'), { mode: 0o600 })
        return scene.run('plan')
      },
      where: JOURNAL_PATH,
    },
  ],
  JournalMismatchError: [
    {
      when: 'another state was put in the place of the one that the journal continues',
      meet: async (scene) => {
        await lose(scene)
        await editState(scene, (found) => ({ ...found, lineage: '0b1f7c1e-7c54-4b53-9a56-3f0f6a6f7d10' }))
        return scene.run('plan')
      },
      where: JOURNAL_PATH,
    },
  ],
  UnknownOutcomeError: [
    {
      when: 'the answer to an earlier creation was lost',
      meet: async (scene) => {
        await lose(scene)
        return scene.run('plan')
      },
      where: /maintenanceWindows\.migration: POST \/groups\/\w+\/maintenanceWindows\//,
      exit: 3,
    },
    {
      when: 'the answer to the creation of a user was lost, whose password is written down nowhere',
      meet: async ({ fault, folder, run }) => {
        await fault({ method: 'POST', path: '/users', fault: 'reset-before' })
        await run(...APPLY)
        expect(await readFile(join(folder, JOURNAL), 'utf8')).toContain('dana@example.com')
        return run('plan')
      },
      where: /users\.dana: POST \/users/,
      exit: 3,
    },
  ],
}
