import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Values } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { loadDeclaration } from '../../../reconciler/config/index.ts'
import { pairOf } from '../../../reconciler/config/tree/node.ts'
import { parse } from '../../../reconciler/config/tree/parse.ts'
import { patchesOf } from '../../../reconciler/config/patches/patch.ts'
import { Report } from '../../../reconciler/config/tree/report.ts'
import { Source } from '../../../reconciler/config/tree/source.ts'
import { folderOf, HEAD } from './support/manifests.ts'

const FIELDS = Object.assign({}, ...kinds.map(({ fields }) => fields))
const CONFIG = 'alertConfigurations:\n  noisy:\n    alertConfigId: 5d1113b25a115342acc2d1aa\n'
const KEY = 'apiKeys:\n  reporting:\n    apiKeyId: 5c47503320eef5699e1cce8f\n'

/** Alert configurations `c0`, `c1` and so on, one per line. */
const configs = (...enabled: readonly boolean[]): string =>
  enabled
    .map((on, at) => `  c${at}: { alertConfigId: 5d1113b25a115342acc2d0f${at}, enabled: ${on} }\n`)
    .join('')

/** The files after each of the two tools has applied the patch, and the patch itself. */
const patched = async (
  files: Readonly<Record<string, string>>,
  wanted: Readonly<Record<string, Values>>,
  named = Object.keys(files),
): Promise<{ patch: string | undefined; files: Record<string, string> }> => {
  const load = async () => {
    const folder = await folderOf(files)
    return { folder, loaded: await loadDeclaration({ files: named, cwd: folder }, kinds) }
  }
  const { folder, loaded } = await load()
  const patch = loaded.patchOf(
    Object.entries(wanted).map(([entry, values]) => ({ entry, fields: FIELDS, values })),
  )
  if (patch === undefined) return { patch, files: {} }
  execFileSync('git', ['apply', '--whitespace=nowarn', '-'], {
    cwd: folder,
    input: patch,
    env: { PATH: process.env['PATH'], GIT_CEILING_DIRECTORIES: join(folder, '..') },
  })
  const other = (await load()).folder
  execFileSync('patch', ['-p0', '--binary', '--fuzz=0'], { cwd: other, input: patch })
  const read = async (at: string) =>
    Object.fromEntries(
      await Promise.all(
        Object.keys(files).map(async (file) => [file, await readFile(join(at, file), 'utf8')] as const),
      ),
    )
  const [one, two] = await Promise.all([read(folder), read(other)])
  expect(two).toEqual(one)
  return { patch, files: one }
}

const inYaml = async (text: string, entry: string, values: Values): Promise<string | undefined> =>
  (await patched({ 'deploymgmt.yaml': text }, { [entry]: values })).files['deploymgmt.yaml']

const changes = async (section: string, before: string, values: Values, entry: string): Promise<string> =>
  (await inYaml(`${HEAD}${section}${before}`, entry, values))?.slice(`${HEAD}${section}`.length) ?? 'no patch'

const config = (before: string, values: Values) =>
  changes(CONFIG, before, values, 'alertConfigurations.noisy')
const key = (before: string, values: Values) => changes(KEY, before, values, 'apiKeys.reporting')

describe('the patch of a manifest', () => {
  it('changes a value, and leaves comments and what is around it', async () => {
    expect(await config('    enabled: false   # too noisy\n    protect: true\n', { enabled: true })).toBe(
      '    enabled: true   # too noisy\n    protect: true\n',
    )
  })

  it('says where it begins, with three lines around', async () => {
    const { patch } = await patched(
      { 'deploymgmt.yaml': `${HEAD}${CONFIG}    enabled: false\n    protect: true\n` },
      { 'alertConfigurations.noisy': { enabled: true } },
    )
    expect(patch).toBe(`--- ./deploymgmt.yaml
+++ ./deploymgmt.yaml
@@ -4,5 +4,5 @@
 alertConfigurations:
   noisy:
     alertConfigId: 5d1113b25a115342acc2d1aa
-    enabled: false
+    enabled: true
     protect: true
`)
  })

  it.each([
    ['the last line of a file without an end of line', '    enabled: false'],
    ['lines that end as on Windows', '    enabled: false\r\n    protect: true\r\n'],
  ])('applies to %s', async (_, before) => {
    expect(await config(before, { enabled: true })).toBe(before.replace('false', 'true'))
  })

  it('applies within braces, to JSON, and to a file in a folder whose name has a blank', async () => {
    const inBraces = `${HEAD}alertConfigurations: { noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false, protect: true } }\n`
    expect(await inYaml(inBraces, 'alertConfigurations.noisy', { enabled: true })).toBe(
      inBraces.replace('enabled: false', 'enabled: true'),
    )
    const json = JSON.stringify(
      {
        version: 1,
        name: 'acme',
        defaults: { orgId: '5980cfdf0b6d97029d82f86e' },
        apiKeys: { reporting: { apiKeyId: '5c47503320eef5699e1cce8f', desc: 'old' } },
      },
      null,
      2,
    )
    const name = 'my infra/main file.json'
    const { files } = await patched({ [name]: json }, { 'apiKeys.reporting': { desc: 'ours "now"' } })
    expect(files[name]).toBe(json.replace('"old"', String.raw`"ours \"now\""`))
  })

  it.each([
    ['desc: old', 'new', 'desc: new'],
    ['desc: old', 'new: # and more', 'desc: "new: # and more"'],
    ['desc: old', 'true', 'desc: "true"'],
    ["desc: 'old'", "it's", "desc: 'it''s'"],
    ['desc: "old"', 'new', 'desc: "new"'],
    ['desc: old', 'a\nb\u202Ec', String.raw`desc: "a\nb\u202ec"`],
  ])('writes text as the file does: %s to %j', async (before, desc, after) => {
    expect(await key(`    ${before}\n`, { desc })).toBe(`    ${after}\n`)
  })

  it.each([
    [
      'accessList: [192.0.2.0/24, 198.51.100.7]',
      ['198.51.100.7/32', '203.0.113.5/32'],
      'accessList: [198.51.100.7, 203.0.113.5/32]',
    ],
    [
      'accessList:\n      # the office\n      - 192.0.2.0/24 # whole\n      - 198.51.100.7',
      ['192.0.2.0/24', '2001:db8::/32'],
      'accessList:\n      # the office\n      - 192.0.2.0/24 # whole\n      - 2001:db8::/32',
    ],
    [
      'accessList:\n    - 192.0.2.0/24\n    - 198.51.100.7\n    desc: old',
      ['198.51.100.7/32'],
      'accessList:\n    - 198.51.100.7\n    desc: old',
    ],
  ])('takes out of a set and adds to it: %s', async (before, accessList, after) => {
    expect(await key(`    ${before}\n`, { accessList })).toBe(`    ${after}\n`)
  })

  it('changes several fields at once', async () => {
    const before = '    accessList: [192.0.2.0/24]\n    protect: true\n    onRemove: forget\n    desc: old\n'
    expect(await key(before, { accessList: ['198.51.100.7'], desc: 'new' })).toBe(
      before.replace('192.0.2.0/24', '198.51.100.7').replace('old', 'new'),
    )
  })

  it('changes each file that says what is to be changed, and no other', async () => {
    const head = 'version: 1\nname: acme\n'
    const files = {
      'base.yaml': `${HEAD}${KEY}    desc: old\n    accessList: [192.0.2.0/24]\n`,
      'over/production.yaml': `${head}apiKeys: { reporting: { accessList: [192.0.2.0/25] } }\n`,
    }
    const values = { accessList: ['198.51.100.7'] }
    const named = ['base.yaml', 'over']
    const one = await patched(files, { 'apiKeys.reporting': values }, named)
    expect(one.files).toEqual({
      'base.yaml': files['base.yaml'],
      'over/production.yaml': files['over/production.yaml'].replace('192.0.2.0/25', '198.51.100.7'),
    })
    const both = await patched(files, { 'apiKeys.reporting': { ...values, desc: 'new' } }, named)
    expect(both.files).toEqual({ ...one.files, 'base.yaml': files['base.yaml'].replace('old', 'new') })
  })

  it('is one for several entries, whose lines are neighbours, far apart and of another number', async () => {
    const far = '  # as it was\n'.repeat(20)
    const text = (items: readonly string[], ...enabled: readonly boolean[]): string =>
      `${HEAD}${KEY}    accessList:\n${items.map((each) => `      - ${each}\n`).join('')}${far}alertConfigurations:\n${configs(...enabled)}`
    const wanted = {
      'apiKeys.reporting': { accessList: ['192.0.2.9', '192.0.2.8', '192.0.2.7'] },
      'alertConfigurations.c0': { enabled: true },
      'alertConfigurations.c2': { enabled: true },
    }
    const before = text(['192.0.2.9'], false, false, false)
    const { files, patch } = await patched({ 'deploymgmt.yaml': before }, wanted)
    expect(files['deploymgmt.yaml']).toBe(text(['192.0.2.9', '192.0.2.8', '192.0.2.7'], true, false, true))
    expect(patch?.match(/^@@.*@@$/gm)).toEqual(['@@ -5,7 +5,9 @@', '@@ -27,6 +29,6 @@'])
  })

  it('is none where one of several entries cannot be changed safely', async () => {
    const text = `${HEAD}variables: { on: { default: false } }\n${CONFIG}    enabled: false\n  other: { alertConfigId: 5d1113b25a115342acc2d0f3, enabled: "\${var.on}" }\n`
    const wanted = {
      'alertConfigurations.noisy': { enabled: true },
      'alertConfigurations.other': { enabled: true },
    }
    expect(await patched({ 'deploymgmt.yaml': text }, wanted)).toMatchObject({ patch: undefined })
  })

  it('leaves alone what an alias shares with what is overridden', async () => {
    const head = 'version: 1\nname: acme\n'
    const files = {
      'a.yaml': `${HEAD}alertConfigurations:\n  noisy: &it { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }\n  other: { <<: *it, alertConfigId: 5d1113b25a115342acc2d0f3 }\n`,
      'b.yaml': `${head}alertConfigurations: { noisy: { allowEmpty: true } }\n`,
    }
    expect(await patched(files, { 'alertConfigurations.noisy': { enabled: true } })).toMatchObject({
      patch: undefined,
    })
  })

  it.each([
    ['an expression', `variables: { on: { default: false } }\n${CONFIG}    enabled: \${var.on}\n`],
    [
      'what an alias repeats',
      `alertConfigurations:\n  noisy: &it { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false }\n  other: { <<: *it, alertConfigId: 5d1113b25a115342acc2d0f3 }\n`,
    ],
    [
      'what a merge key brings',
      `alertConfigurations:\n  other: &it { alertConfigId: 5d1113b25a115342acc2d0f3, enabled: false }\n  noisy: { <<: *it, alertConfigId: 5d1113b25a115342acc2d1aa }\n`,
    ],
    ['a value on a line of its own', `${CONFIG}    enabled:\n      false\n`],
  ])('is not made of %s', async (_, text) => {
    expect(
      await patched(
        { 'deploymgmt.yaml': `${HEAD}${text}` },
        { 'alertConfigurations.noisy': { enabled: true } },
      ),
    ).toMatchObject({ patch: undefined })
  })

  it.each([
    ['a text of several lines', '    desc: |\n      old\n', { desc: 'new' }],
    ['what is not declared', '    protect: true\n', { desc: 'new' }],
    [
      'a list over several lines',
      '    accessList: [192.0.2.0/24,\n      198.51.100.7]\n',
      { accessList: ['192.0.2.0/24'] },
    ],
    ['a list that would be empty', '    accessList: [192.0.2.0/24]\n', { accessList: [] }],
    ['a value that would be an expression', '    desc: old\n', { desc: '${var.x}' }],
    ['a list of mappings', '    roles: [ORG_MEMBER]\n', { roles: [{ roleName: 'ORG_OWNER' }] }],
  ])('is not made of %s', async (_, before, values) => {
    expect(await key(before, values)).toBe('no patch')
  })

  it('is not made for a file that it could not name', async () => {
    const folder = await folderOf({ 'a/x': '', 'deploymgmt.yaml': `${HEAD}${CONFIG}    enabled: false\n` })
    for (const file of ['../deploymgmt.yaml', join(folder, 'deploymgmt.yaml')]) {
      const { patchOf } = await loadDeclaration({ files: [file], cwd: join(folder, 'a') }, kinds)
      const wanted = { entry: 'alertConfigurations.noisy', fields: FIELDS, values: { enabled: true } }
      expect(patchOf([wanted])).toBeUndefined()
    }
  })
})

it('looks through all other entries once, however many are asked for', () => {
  const text = 'alertConfigurations:\n  a: { enabled: true }\n  b: { enabled: true }\n'
  const root = parse(new Source('m.yaml', '/m.yaml', text), new Report())
  const other = pairOf(pairOf(root, 'alertConfigurations')?.value, 'b')?.value
  if (root?.is !== 'map' || other?.is !== 'map') throw new Error('no mapping')
  const { pairs } = other
  let looks = 0
  Object.defineProperty(other, 'pairs', { get: () => ((looks += 1), pairs) })
  const patch = patchesOf(() => root)
  const wanted = { entry: 'alertConfigurations.a', fields: FIELDS, values: { enabled: false } }
  const made = [1, 2, 3].map(() => patch([wanted]))
  expect(made).toEqual(Array.from({ length: 3 }, () => expect.stringContaining('+  a: { enabled: false }')))
  expect(looks).toBe(1)
})
