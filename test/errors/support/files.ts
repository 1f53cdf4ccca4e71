import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from './provocation.ts'

/** Edits the state file as a user would. */
export const editState = async (scene: Scene, edit: (state: any) => unknown): Promise<void> =>
  writeFile(join(scene.folder, 'deploymgmt.state.json'), JSON.stringify(edit(await scene.state())), {
    mode: 0o600,
  })
