import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import * as providerErrors from '@deploymgmt/provider/errors'
import * as reconcilerErrors from '../reconciler/errors/index.ts'
import { begin } from './crash/support/begin.ts'
import { inProcess } from './crash/support/in-process.ts'
import { manifestWith, PROJECT, type Installation } from './support/installation.ts'

let here: Installation | undefined
afterEach(async () => {
  await here?.close()
  here = undefined
})

const CODES = Object.values({ ...providerErrors, ...reconcilerErrors })
  .flatMap((each) => (typeof each === 'function' && 'code' in each ? [each.code as string] : []))
  .toSorted((a, b) => a.localeCompare(b))

type Scene = Installation & { readonly env: Record<string, string> }
const STATE = 'deploymgmt.state.json'
const APPLY = ['apply', '--auto-approve']
const WINDOWS = { apiKeys: '', users: '', alertConfigurations: '', integrations: '' }
const saved = async (scene: Scene, edit: (state: any) => unknown): Promise<void> =>
  writeFile(join(scene.folder, STATE), JSON.stringify(edit(await scene.state())), { mode: 0o600 })

/** What a person does to meet an error that no other test of the command meets: the preparation, and the command. */
const PROVOKED: [string, (scene: Scene) => Promise<unknown>, string[]][] = [
  ['DM-BASE-URL', async ({ env }) => (env['DEPLOYMGMT_BASE_URL'] = 'https://example.com/api'), ['plan']],
  ['DM-CA-FILE', async ({ env }) => (env['DEPLOYMGMT_CA_FILE'] = '/nowhere.pem'), ['plan']],
  ['DM-CREDENTIALS', async ({ env }) => (env['DEPLOYMGMT_PRIVATE_KEY'] = ' spaced '), ['plan']],
  ['DM-SETTING-MISSING', async ({ env }) => delete env['DEPLOYMGMT_BASE_URL'], ['plan']],
  ['DM-SERVE-FIXTURE-FILE', async () => undefined, ['serve', '--fixture', 'nowhere.yaml']],
  ['DM-USAGE', async () => undefined, ['state', 'resolve', 'users.dana']],
  ['DM-NOT-CONFIRMED', async () => undefined, ['apply']],
  ['DM-NOT-SUPPORTED', async () => undefined, ['init', '--template', 'cobol', '-f', 'new.yaml']],
  ['DM-OUTPUT', async () => undefined, ['plan', '--output', 'nowhere/plan.txt']],
  ['DM-PLAN-FILE', async ({ folder }) => writeFile(join(folder, 'plan.bin'), '{}'), ['plan', 'plan.bin']],
  ['DM-STATE-CONFLICT', async () => undefined, ['state', 'init']],
  ['DM-STATE-MISMATCH', async (scene) => saved(scene, (state) => ({ ...state, name: 'other' })), ['plan']],
  [
    'DM-STATE-READ',
    async ({ folder }) => mkdir(join(folder, 'folder.json')),
    ['plan', '--state', 'folder.json'],
  ],
  [
    'DM-CONFLICT',
    async (scene) => {
      await scene.manifest(manifestWith(WINDOWS))
      await scene.run(...APPLY)
      await scene.manifest(manifestWith(WINDOWS).replace('Storage migration', 'Other'))
      await scene.control('POST', 'faults', {
        method: 'PATCH',
        path: `/groups/${PROJECT}`,
        fault: 'status',
        status: 409,
      })
    },
    APPLY,
  ],
]

describe('every error', () => {
  it.each(PROVOKED)('%s names its code, says what to do and exits with 1', async (code, prepare, words) => {
    const scene = inProcess(await begin()) as Scene
    here = scene
    await scene.manifest(manifestWith())
    await prepare(scene)
    const ran = await scene.run(...words)
    const said = ran.stdout + ran.stderr
    expect({ code: ran.code, said }).toMatchObject({ code: 1 })
    expect(said.match(/Error (DM-[A-Z-]+): \S/)?.[1]).toBe(code)
    expect(said.split('\n').filter((line) => line.startsWith('  ')).length).toBeGreaterThan(0)
    expect(said).not.toContain('DM-INTERNAL')
    expect(said).not.toContain('canary')
  })

  it('has a code of its own', () => {
    expect(CODES.length).toBeGreaterThan(40)
    expect(new Set(CODES).size).toBe(CODES.length)
  })

  it('is met by a test that provokes it', async () => {
    const root = import.meta.dirname
    const texts: string[] = []
    for await (const file of glob('**/*.test.ts', { cwd: root }))
      // Those only show errors, or compare their documentation.
      if (!file.includes('/render/') && file !== 'docs.test.ts')
        texts.push(await readFile(join(root, file), 'utf8'))
    const tested = new Set(texts.flatMap((text) => text.match(/DM-[A-Z]+(?:-[A-Z]+)*/g) ?? []))
    expect(CODES.filter((code) => !tested.has(code))).toEqual([])
  })
})
