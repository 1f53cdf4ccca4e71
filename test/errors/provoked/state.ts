import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { editState } from '../support/files.ts'
import { throughProxy } from '../support/foreign.ts'
import { APPLY, type Table, WINDOW } from '../support/provocation.ts'

const STATE = 'deploymgmt.state.json'
const STATE_PATH = /^ {2}\/.*deploymgmt\.state\.json$/m

/** The recorded state. */
export const state: Table = {
  StateReadError: [
    {
      when: 'a folder stands where the state should be',
      meet: async ({ folder, run }) => {
        await mkdir(join(folder, 'folder.json'))
        return run('plan', '--state', 'folder.json')
      },
      where: /^ {2}\/.*folder\.json$/m,
    },
  ],
  StateAddressError: [
    {
      when: 'the address of the state is none that is known',
      meet: ({ run }) => run('plan', '--state', 'gopher://example.com/state'),
      where: /"gopher:"/,
    },
    {
      when: 'the address of the state has a password',
      meet: ({ run }) => run('plan', '--state', 'git+https://me:canary@example.com/state'),
      where: /the address of the state/,
    },
    {
      when: 'the state lies in the current folder, and the manifest elsewhere',
      meet: async ({ folder, run }) => {
        await mkdir(join(folder, 'site'))
        await rename(join(folder, 'deploymgmt.yaml'), join(folder, 'site', 'deploymgmt.yaml'))
        return run('plan', '-f', 'site')
      },
      where: /^ {2}\/.*site\/deploymgmt\.state\.json$/m,
    },
  ],
  StateWriteError: [
    {
      when: 'the folder of the state is not there',
      meet: ({ run }) => run('state', 'init', '--state', 'nowhere/state.json'),
      where: /^ {2}\/.*nowhere\/state\.json\.lock$/m,
    },
  ],
  StateCorruptError: [
    {
      when: 'the state is no JSON',
      meet: async ({ folder, run }) => {
        await writeFile(join(folder, STATE), '{ "version": 1,\n  oops }', { mode: 0o600 })
        return run('plan')
      },
      where: /^ {2}\/.*deploymgmt\.state\.json:2:3$/m,
    },
    {
      when: 'the state has another shape',
      meet: async (scene) => {
        await editState(scene, (found) => ({ ...found, serial: 'one' }))
        return scene.run('plan')
      },
      where: /^ {2}\/.*deploymgmt\.state\.json: \S*serial$/m,
    },
  ],
  StateVersionError: [
    {
      when: 'a later version wrote the state',
      meet: async (scene) => {
        await editState(scene, (found) => ({ ...found, version: 2 }))
        return scene.run('plan')
      },
      where: STATE_PATH,
    },
  ],
  StateMovedError: [
    {
      when: 'the state was copied to another place',
      meet: async (scene) => {
        await scene.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'other.json')
        return scene.run('plan')
      },
      where: STATE_PATH,
    },
  ],
  StateMismatchError: [
    {
      when: 'the state is that of another manifest',
      meet: async (scene) => {
        await editState(scene, (found) => ({ ...found, name: 'other' }))
        return scene.run('plan')
      },
      where: STATE_PATH,
    },
    {
      when: 'the state is that of another service',
      meet: async (scene) => {
        await editState(scene, (found) => ({
          ...found,
          baseUrl: 'https://other.example.com/api/public/v1.0',
        }))
        return scene.run('plan')
      },
      where: STATE_PATH,
    },
  ],
  StateConflictError: [
    {
      when: 'there is a state already that would be begun',
      meet: ({ run }) => run('state', 'init'),
      where: STATE_PATH,
    },
    {
      when: 'something else writes the state while an apply is under way',
      meet: async (scene) => {
        await scene.manifest(WINDOW)
        await throughProxy(scene, async ({ write }, forward) => {
          if (write > 0) await editState(scene, (found) => ({ ...found, serial: 9 }))
          return forward()
        })
        return scene.run(...APPLY)
      },
      where: STATE_PATH,
    },
  ],
}
