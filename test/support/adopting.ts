import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Scene } from './scene.ts'

/** What `adopt` calls its first manifest. */
export const FIRST = 'deploymgmt.adopted.yaml'
/** With these words, `adopt` also records what it writes. */
export const STATE = ['--state', 'deploymgmt.state.json']

/** What tests of `adopt` do in their scene, which each test begins anew. */
export const adopting = (here: () => Scene) => ({
  /** Adopts with success and without a warning; returns the output. */
  adopt: async (...words: string[]): Promise<string> => {
    const { code, stdout, stderr } = await here().run('adopt', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  },
  textOf: (name = FIRST): Promise<string> => readFile(join(here().folder, name), 'utf8'),
  /** The plan of all manifests in the folder. */
  planOf: async (...words: string[]): Promise<any> =>
    (await here().json('plan', '-f', '.', ...words)).document,
})
