import { chmod, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  StateConflictError,
  StateCorruptError,
  StateMismatchError,
  StateReadError,
  StateVersionError,
  StateWriteError,
} from '../../../reconciler/errors/index.ts'
import { loadState, saveState, serializeState } from '../../../reconciler/state/index.ts'
import { fillableDisk, filesWith, systemError } from './support/faults.ts'
import { statePathIn, temporaryFolder } from './support/folder.ts'
import { at, expected, sample, stateWith } from './support/samples.ts'

const windows = process.platform === 'win32'

const savedState = async () => {
  const folder = await temporaryFolder()
  const path = statePathIn(folder)
  const state = stateWith({ 'things.a': sample('a') })
  const fingerprint = await saveState(path, state, { replaces: [undefined] })
  return { folder, path, state, base: [fingerprint] }
}

const loadText = async (text: string) => {
  const path = statePathIn(await temporaryFolder())
  await writeFile(path, text, { mode: 0o600 })
  return { path, loading: loadState(path, expected) }
}

test('a state that was saved is loaded again, with the fingerprint of its bytes', async () => {
  const { path, state, base } = await savedState()
  const loaded = await loadState(path, expected)
  expect(loaded).toStrictEqual({ state, fingerprint: base[0], warnings: [] })
})

test('a state that does not exist is undefined', async () => {
  expect(await loadState(statePathIn(await temporaryFolder()))).toBeUndefined()
})

test.skipIf(windows)(
  'a state is created for its owner alone, and nothing else is left in the folder',
  async () => {
    const { folder, path } = await savedState()
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
  },
)

test.skipIf(windows)('a looser mode is warned of', async () => {
  const { path } = await savedState()
  await chmod(path, 0o644)
  expect((await loadState(path))?.warnings).toStrictEqual([
    `The state file ${path} has mode 0644, which lets others in: run chmod 600 on it.`,
  ])
})

test.skipIf(windows).each([
  ['a folder', (path: string) => mkdir(path)],
  ['a file, as in a work tree', (path: string) => writeFile(path, 'gitdir: elsewhere')],
])('no mode is warned of in a checkout, where git makes the files: .git is %s', async (_, make) => {
  const folder = await temporaryFolder()
  await make(join(folder, '.git'))
  await mkdir(join(folder, 'infra', 'prod'), { recursive: true })
  const path = statePathIn(join(folder, 'infra', 'prod'))
  await saveState(path, stateWith({}), { replaces: [undefined] })
  await chmod(path, 0o644)
  expect((await loadState(path))?.warnings).toStrictEqual([])
})

test.each([
  ['', ':1:1', 'it is empty'],
  ['{\n  "version": 1,\n}', ':3:1', 'it is not valid JSON'],
  ['\uFEFF{\n  "version": 1\n}\n', ':1:1', 'it is not valid JSON'],
  ['{\n  "version": one\n}\n', ':2:14', 'it is not valid JSON'],
  ['{\n  "version": tru\n}\n', ':2:17', 'it is not valid JSON'],
  ['{\n  "version": 1', ':2:15', 'it is not valid JSON'],
  ['{\n  "name": "a",\n  "n\\u0061me": "b"\n}', ':3:3', 'the key "name" is given twice'],
  ['[]', ': $', '$ has to be an object'],
  ['{"version": 0}', ': $.version', '$.version has to be the number 1'],
  ['{"version": "2"}', ': $.version', '$.version has to be the number 1'],
])('the text %j is refused, with the place', async (text, place, what) => {
  const { path, loading } = await loadText(text)
  const error: unknown = await loading.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StateCorruptError)
  expect(error).toMatchObject({
    where: `${path}${place}`,
    message: `the state file cannot be used: ${what}`,
  })
})

test.each([
  [{ name: '' }, '$.name'],
  [{ baseUrl: 'nowhere' }, '$.baseUrl'],
  [{ lineage: 7 }, '$.lineage'],
  [{ serial: 0 }, '$.serial'],
  [{ serial: 1.5 }, '$.serial'],
  [{ resources: [] }, '$.resources'],
  [{ resources: { 'a.b': null } }, '$.resources["a.b"]'],
  [{ resources: { 'a.b': { identity: {} } } }, '$.resources["a.b"].kind'],
  [{ resources: { 'a.b': { kind: 'x', identity: { id: 7 } } } }, '$.resources["a.b"].identity.id'],
  [{ resources: { 'a.b': { ...sample('b'), answer: [] } } }, '$.resources["a.b"].answer'],
  [{ resources: { 'a.b': { ...sample('b'), acknowledged: [1] } } }, '$.resources["a.b"].acknowledged[0]'],
  [{ resources: { 'a.b': { ...sample('b'), watermark: undefined } } }, '$.resources["a.b"].watermark'],
  [{ resources: { 'a.b': { ...sample('b'), watermark: 'soon' } } }, '$.resources["a.b"].watermark'],
  [{ resources: { 'a.b': { ...sample('b'), applied: undefined } } }, '$.resources["a.b"].applied'],
  [
    { resources: { 'a.b': { ...sample('b'), lastWrite: { from: at, to: at, by: 'ci' } } } },
    '$.resources["a.b"].lastWrite.sent',
  ],
  [
    {
      resources: { 'a.b': { ...sample('b'), lastWrite: { from: at, to: at, by: 'ci', sent: [['a'], 'b'] } } },
    },
    '$.resources["a.b"].lastWrite.sent[1]',
  ],
  [
    { resources: { 'a.b': { ...sample('b'), lastWrite: { from: at, sent: [] } } } },
    '$.resources["a.b"].lastWrite.to',
  ],
  [{ resources: { 'a.b': { ...sample('b'), beside: { roles: 7 } } } }, '$.resources["a.b"].beside.roles'],
  [{ resources: { 'a.b': { ...sample('b'), unsure: 'roles' } } }, '$.resources["a.b"].unsure'],
  [{ resources: { 'a.b': { ...sample('b'), lost: [7] } } }, '$.resources["a.b"].lost[0]'],
])('the wrong shape %j is refused with its JSON path', async (change, path) => {
  const text = JSON.stringify({ ...stateWith(), ...change })
  await expect((await loadText(text)).loading).rejects.toMatchObject({
    code: 'DM-STATE-CORRUPT',
    where: expect.stringMatching(/: \$/u),
    message: expect.stringContaining(`${path} has to be `),
  })
})

test('a record with all that a record can have is loaded', async () => {
  const sent = [['value'], []]
  const whole = {
    ...sample('a'),
    answer: { value: 2 },
    beside: { roles: [1, {}] },
    adopted: {},
    protect: true,
    lastWrite: { from: at, to: at, by: 'ciadmin', sent },
    acknowledged: ['1'],
    leftover: { roles: [] },
    unsure: ['value'],
    lost: [{ value: 1 }, { value: 2 }],
    absent: false,
    standing: false,
  }
  const { loading } = await loadText(JSON.stringify({ ...stateWith(), resources: { 'a.a': whole } }))
  expect((await loading)?.state.resources).toStrictEqual({ 'a.a': whole })
})

test('bytes that are not UTF-8 are refused', async () => {
  const path = statePathIn(await temporaryFolder())
  await writeFile(path, Buffer.of(0x7b, 0xff, 0x7d))
  await expect(loadState(path)).rejects.toBeInstanceOf(StateCorruptError)
})

test('a message about a broken state quotes nothing of it', async () => {
  const { loading } = await loadText('{"name": "hush-hush" oops')
  const error: unknown = await loading.catch((thrown: unknown) => thrown)
  expect(error instanceof StateCorruptError && error.describe()).not.toContain('hush')
})

test('a state of a later version is refused and left untouched', async () => {
  const text = '{"version": 2, "shape": "unheard of"}'
  const { path, loading } = await loadText(text)
  await expect(loading).rejects.toBeInstanceOf(StateVersionError)
  expect(await readFile(path, 'utf8')).toBe(text)
})

test('a state of Terraform is named as one, and not as a later version', async () => {
  const { loading } = await loadText('{"version": 4, "terraform_version": "1.11.4", "resources": []}')
  const error = await loading.catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(StateCorruptError)
  expect(error instanceof StateCorruptError && error.describe()).toMatch(
    /is a state of Terraform\n.*Name a state of deploymgmt/s,
  )
})

test('fields that are not known are kept', async () => {
  const { path, state, base } = await savedState()
  const wider = { ...state, later: { b: 1, a: [{ d: 1, c: 2 }] } }
  await saveState(path, wider, { replaces: base })
  expect((await loadState(path))?.state).toStrictEqual(wider)
})

test('the state of another manifest is refused, naming both', async () => {
  const { path } = await savedState()
  const loading = loadState(path, { ...expected, name: 'other' })
  await expect(loading).rejects.toBeInstanceOf(StateMismatchError)
  await expect(loading).rejects.toThrow('the state belongs to the manifest "acme", not to "other"')
})

test('the state of another service is refused, naming both', async () => {
  const { path } = await savedState()
  const loading = loadState(path, {
    ...expected,
    baseUrl: 'https://user:pass@other.example.com/api/public/v1.0',
  })
  await expect(loading).rejects.toThrow(
    'the state belongs to the service https://service.example.com/api/public/v1.0, not to https://other.example.com/api/public/v1.0',
  )
})

test.each([
  'https://service.example.com/api/public/v1.0/',
  'https://SERVICE.example.com/api/public/v1.0',
  'https://service.example.com:443/api/public/v1.0',
  'HTTPS://service.example.com/api/public/v1.0//',
])('%s is the same service', async (baseUrl) => {
  const { path } = await savedState()
  expect(await loadState(path, { ...expected, baseUrl })).toBeDefined()
})

test.each([
  'http://service.example.com/api/public/v1.0',
  'https://service.example.com:8443/api/public/v1.0',
  'https://service.example.com/API/public/v1.0',
])('%s is another service', async (baseUrl) => {
  const { path } = await savedState()
  await expect(loadState(path, { ...expected, baseUrl })).rejects.toBeInstanceOf(StateMismatchError)
})

test.each([
  ['a later serial', { serial: 5 }, 'its serial is now 5, and was 1'],
  ['another lineage', { lineage: 'elsewhere' }, 'its lineage is now elsewhere'],
  ['other content alone', { resources: {} }, 'it has changed since it was read'],
])('a save over %s is refused', async (_, change, why) => {
  const { path, state, base } = await savedState()
  const other = serializeState({ ...state, ...change })
  await writeFile(path, other)
  const saving = saveState(path, { ...state, serial: 2 }, { replaces: base })
  await expect(saving).rejects.toBeInstanceOf(StateConflictError)
  await expect(saving).rejects.toThrow(why)
  expect(await readFile(path)).toStrictEqual(other)
})

test('a save is refused where the file has come up or gone since', async () => {
  const { path, state, base } = await savedState()
  await expect(saveState(path, stateWith({}, 2), { replaces: [undefined] })).rejects.toThrow(
    'it did not exist before',
  )
  const absent = statePathIn(await temporaryFolder())
  await expect(saveState(absent, { ...state, serial: 2 }, { replaces: base })).rejects.toThrow(
    'it has been removed since it was read',
  )
})

test.skipIf(windows)('a save through a symbolic link replaces the target and keeps the link', async () => {
  const { folder, path, state, base } = await savedState()
  const link = join(folder, 'link.json')
  await symlink('deploymgmt.state.json', link)
  await saveState(link, { ...state, serial: 2 }, { replaces: base })
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
  expect((await loadState(path))?.state.serial).toBe(2)
})

test.skipIf(windows)('a save through a link to nothing yet creates the target', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'elsewhere'))
  await symlink('elsewhere/state.json', statePathIn(folder))
  await saveState(statePathIn(folder), stateWith(), { replaces: [undefined] })
  expect(await readdir(join(folder, 'elsewhere'))).toStrictEqual(['state.json'])
})

test('what a crash left behind is removed by the next save, and nothing else', async () => {
  const { folder, path, state, base } = await savedState()
  const leftover = 'deploymgmt.state.json.3f0f6a6f-7c54-4b53-9a56-0b1f7c1e7d10.tmp'
  const others = ['deploymgmt.state.json.mine.tmp', 'deploymgmt.state.json.bak', 'notes.tmp']
  await Promise.all([leftover, ...others].map((name) => writeFile(join(folder, name), '{')))
  await saveState(path, { ...state, serial: 2 }, { replaces: base })
  expect((await readdir(folder)).toSorted()).toStrictEqual([...others, 'deploymgmt.state.json'].toSorted())
})

test('a full disk leaves the old state whole and no debris', async () => {
  const { folder, path, state, base } = await savedState()
  const disk = fillableDisk()
  disk.full = true
  const saving = saveState(path, { ...state, serial: 2 }, { replaces: base }, { files: disk.files })
  await expect(saving).rejects.toBeInstanceOf(StateWriteError)
  await expect(saving).rejects.toMatchObject({
    message: 'cannot write the state file: the disk is full (ENOSPC)',
    where: path,
  })
  expect((await loadState(path))?.state).toStrictEqual(state)
  expect(await readdir(folder)).toStrictEqual(['deploymgmt.state.json'])
})

test.each([
  ['EACCES', 'permission denied (EACCES)'],
  ['EROFS', 'the file system is read-only (EROFS)'],
])('%s is said in words', async (code, words) => {
  const { path, state, base } = await savedState()
  const files = filesWith({ create: () => Promise.reject(systemError(code)) })
  await expect(saveState(path, { ...state, serial: 2 }, { replaces: base }, { files })).rejects.toThrow(words)
  const unreadable = filesWith({ read: () => Promise.reject(systemError(code)) })
  const loading = loadState(path, expected, { files: unreadable })
  await expect(loading).rejects.toThrow(words)
  await expect(loading).rejects.toBeInstanceOf(StateReadError)
})

test('a folder in place of the state, and a missing folder, are errors with the path', async () => {
  const folder = await temporaryFolder()
  await expect(loadState(folder)).rejects.toBeInstanceOf(StateReadError)
  const nowhere = join(folder, 'nowhere', 'state.json')
  await expect(saveState(nowhere, stateWith(), { replaces: [undefined] })).rejects.toMatchObject({
    message: 'cannot write the state file: the folder does not exist (ENOENT)',
    where: nowhere,
  })
})
