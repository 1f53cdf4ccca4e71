import { chmod, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, test } from 'vitest'
import { loadDeclaration } from '../../../reconciler/config/index.ts'
import { ManifestNotFoundError } from '../../../reconciler/errors/manifest-not-found-error.ts'
import { ManifestUnsupportedError } from '../../../reconciler/errors/manifest-unsupported-error.ts'
import { folderOf, HEAD, lines, loadFiles, loadText, refusal, refusedLines } from './support/manifests.ts'

const ONE = 'version: 1\nname: acme\n'
const integration = (name: string, type: string): string =>
  `integrations:\n  ${name}: { projectId: p, type: ${type} }\n`

test('each of several files begins with version and name, and all that lack them are told', async () => {
  const head = 'version: 1\nname: acme\n'
  const { findings } = await refusal(
    loadFiles({
      'a.yaml': head,
      'b.yaml': 'integrations: {}\n',
      'c.yaml': 'version: 1\nusers: {}\n',
      'd.yaml': 'version: 1\nnmae: acme\n',
    }),
  )
  expect(findings.map(({ file, line, message }) => `${file}:${line} ${message}`)).toEqual([
    'b.yaml:1 version and name are missing; begin with version: 1 and name: …',
    'c.yaml:1 name is missing; begin with name: …',
    'd.yaml:2 a manifest has no "nmae"',
  ])
})

test('a folder stands for its manifests in order of their names, and not for the state beside them', async () => {
  const files = {
    'm/b.yml': ONE + integration('b', 'PAGING'),
    'm/a.yaml': ONE,
    'm/c.json': '{"version":1,"name":"acme","integrations":{"c":{"projectId":"p","type":"WEBHOOK"}}}',
    'm/deploymgmt.state.json': '{"resources":{}}',
    'm/notes.txt': 'not: [yaml',
    'm/deeper/d.yaml': 'not: [yaml',
  }
  const { declaration, sources } = await loadFiles(files, { files: ['m'] })
  expect(sources.map(({ file }) => file)).toEqual(['m/a.yaml', 'm/b.yml', 'm/c.json'])
  expect(sources[0]?.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(declaration.entries.map(({ address }) => address)).toEqual(['integrations.b', 'integrations.c'])
})

const OTHERS = {
  'package.json': '{"name":"site","version":"1.0.0","private":true,"type":"module"}',
  'package-lock.json': '{"name":"site","version":"1.0.0","lockfileVersion":3,"packages":{}}',
  'tsconfig.json': '{ /* with a comment */ "compilerOptions": {} }',
  'cdktf.json': '{"language":"typescript","app":"npx tsx main.ts","projectId":"x"}',
  'compose.yaml': 'name: site\nversion: "3.8"\nservices: { web: { image: web } }\nvolumes: {}\n',
  'fixture.yaml':
    'settings: { service.email.validation: loose }\norganizations: [{ id: a }]\nprojects: [{ id: b }]\nusers: []\n',
  'workflow.yml': 'name: CI\non: push\ndefaults: { run: { shell: bash } }\njobs: { test: {} }\n',
  'pipeline.yml': 'stages: [a]\nvariables: { A: b }\ntest: { script: [x] }\n',
  'object.yaml': 'apiVersion: v1\nkind: List\n---\napiVersion: v1\nkind: List\n',
  'list.json': '[1, 2]',
  'prod.yaml': 'country: Paris\n',
}

test('files of other tools in a folder are left out, and those that not everybody has are told', async () => {
  const files = { 'a.yaml': `${ONE}variables: { country: { default: Madrid } }\n`, ...OTHERS }
  const { sources, noManifests } = await loadFiles(files, { files: ['.'], varFiles: ['prod.yaml'] })
  expect(sources.map(({ file }) => file)).toEqual(['a.yaml', 'prod.yaml'])
  expect(noManifests).toEqual([
    'compose.yaml',
    'fixture.yaml',
    'list.json',
    'object.yaml',
    'pipeline.yml',
    'workflow.yml',
  ])
})

test.each([
  ['no version', 'name: acme\nusers: {}\n'],
  ['no head', 'integrations: {}\n'],
  ['a misspelt version', 'verison: 1\nname: acme\n'],
  ['a misspelt name', 'version: 1\nnmae: acme\n'],
  ['another version', 'version: 2\nname: acme\nusers: {}\n'],
  ['a misspelt section', 'name: acme\nusres: {}\nintegrations: {}\n'],
  ['an unknown section', 'version: 1\nname: acme\nsettings: {}\nother: {}\n'],
  ['what cannot be read', 'version: 1\nname: [acme\n'],
])('a manifest of a folder with %s is told as wrong', async (_, text) => {
  const { findings } = await refusal(loadFiles({ 'a.yaml': ONE, 'b.yaml': text }, { files: ['.'] }))
  expect(new Set(findings.map(({ file }) => file))).toEqual(new Set(['b.yaml']))
})

test('a file of another tool that is named by itself is told as wrong', async () => {
  const files = { 'a.yaml': ONE, ...OTHERS }
  for (const name of Object.keys(OTHERS)) {
    const { findings } = await refusal(loadFiles(files, { files: ['a.yaml', name] }))
    expect(findings.map(({ file }) => file)).toContain(name)
  }
})

test('a folder of other tools alone has no manifest', async () => {
  await expect(loadFiles(OTHERS, { files: ['.'] })).rejects.toMatchObject({
    code: 'DM-MANIFEST-NOT-FOUND',
    message: 'the folder . has no manifest (*.yaml, *.yml or *.json)',
  })
})

test('a file that is named twice is read once', async () => {
  const cwd = await folderOf({ 'a.yaml': ONE + integration('a', 'PAGING') })
  await symlink('a.yaml', join(cwd, 'b.yaml'))
  const { declaration } = await loadDeclaration({ files: ['a.yaml', '.', './a.yaml'], cwd }, kinds)
  expect(declaration.entries).toHaveLength(1)
})

test.each([
  ['missing.yaml', 'cannot read missing.yaml: it does not exist'],
  ['a.yml', 'cannot read a.yml: it does not exist; did you mean a.yaml?'],
  ['empty', 'the folder empty has no manifest (*.yaml, *.yml or *.json)'],
  ['a.yaml/b', 'cannot read a.yaml/b: part of its path is not a folder'],
])('what cannot be opened is said by name: %s', async (file, message) => {
  const loading = loadFiles({ 'a.yaml': ONE, 'empty/readme.md': '' }, { files: [file] })
  const error: unknown = await loading.catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(ManifestNotFoundError)
  expect(error).toMatchObject({ message, code: 'DM-MANIFEST-NOT-FOUND', exitCode: 1 })
})

test.each(['broken.yaml', '.'])(
  'a link to nothing is told as one, and not as a name that is near: %s',
  async (file) => {
    const cwd = await folderOf({ 'a.yaml': ONE })
    await symlink('nowhere.yaml', join(cwd, 'broken.yaml'))
    await expect(loadDeclaration({ files: [file], cwd }, kinds)).rejects.toMatchObject({
      message: 'cannot read broken.yaml: it is a link to what does not exist',
      hint: 'Mend the link, or remove it.',
    })
  },
)

test('links in a circle are to be mended, and no other manifest is asked for', async () => {
  const cwd = await folderOf({})
  await symlink('round.yaml', join(cwd, 'round.yaml'))
  await expect(loadDeclaration({ files: ['round.yaml'], cwd }, kinds)).rejects.toMatchObject({
    message: 'cannot read round.yaml: its links form a circle',
    hint: 'Mend the link, or remove it.',
  })
})

// Everything is open to root.
test.skipIf(process.getuid?.() === 0)('a file that is closed to its reader is to be opened', async () => {
  const cwd = await folderOf({ 'a.yaml': ONE })
  await chmod(join(cwd, 'a.yaml'), 0o200)
  await expect(loadDeclaration({ files: ['a.yaml'], cwd }, kinds)).rejects.toMatchObject({
    message: 'cannot read a.yaml: permission denied',
    hint: expect.stringContaining('Correct its permissions'),
  })
})

test.each([
  ['a saved plan', '{\n  "formatVersion": 1,\n  "savedPlan": true\n}\n'],
  ['a state', '{ "version": 2, "name": "acme", "baseUrl": "https://a.example.com" }'],
])('%s that is named as a manifest leads to the command that takes it', async (_, text) => {
  await expect(loadFiles({ 'a.yaml': ONE, 'p.json': text }, { files: ['p.json'] })).rejects.toMatchObject({
    code: 'DM-MANIFEST-NOT-FOUND',
    message: 'p.json is no manifest: it is a saved plan, a report or a state',
    hint: 'To show or carry out a saved plan, name it without --file: deploymgmt apply p.json',
  })
})

test('all that cannot be opened is said at once, and what is wrong with what can be', async () => {
  const files = ['no.yaml', 'a.yaml', 'empty', 'a.yaml/b']
  const options = { files, varFiles: ['v.yaml'], vars: ['x'] }
  const said =
    'cannot read no.yaml: it does not exist; the folder empty has no manifest (*.yaml, *.yml or *.json); cannot read a.yaml/b: part of its path is not a folder; cannot read v.yaml: it does not exist; a --var has no = in it'
  const right = loadFiles({ 'a.yaml': ONE, 'empty/readme.md': '' }, options)
  await expect(right).rejects.toMatchObject({ code: 'DM-MANIFEST-NOT-FOUND', message: said })
  // What is missing may be in a file that is not there.
  const wrong = `${ONE}variables: { v: {} }\n${integration('a', 'NONE')}  b: { type: PAGING, projectId: other }\n`
  const error = await refusal(loadFiles({ 'a.yaml': wrong, 'empty/readme.md': '' }, options))
  expect(error.message).toBe(`the manifest has 1 error; besides, ${said}`)
  expect(lines(error.findings)).toEqual([expect.stringContaining('integrations.a.type: "NONE" is not')])
})

test('the default manifest that is not there leads to init', async () => {
  const cwd = await folderOf({})
  await expect(loadDeclaration({ files: [], cwd }, kinds)).rejects.toMatchObject({
    message: 'cannot read deploymgmt.yaml: it does not exist',
    hint: expect.stringContaining('deploymgmt init') as string,
  })
})

test('what cdktf synth writes is a declaration by itself, and never one with other files', async () => {
  const loading = loadFiles({
    'cdk.tf.json': '{"terraform":{},"resource":{}}',
    'b.yaml': 'version: 1\nname: b\n',
  })
  await expect(loading).rejects.toBeInstanceOf(ManifestUnsupportedError)
  await expect(loading).rejects.toMatchObject({
    code: 'DM-MANIFEST-UNSUPPORTED',
    message: 'cdk.tf.json is a Terraform configuration in JSON, and there are other files beside it',
  })
})

test.each([
  ['an empty file', ''],
  ['nothing but a comment', '# later\n'],
  ['an empty document', '---\n'],
  ['null', 'null\n'],
])('%s is an error', async (_, text) => {
  expect(await refusedLines(text)).toEqual(['1:1 the file is empty; a manifest needs version: 1 and a name'])
})

test('a second document in one file is refused at its place', async () => {
  expect(await refusedLines(`${HEAD}---\nversion: 1\n`)).toEqual([
    '5:1 a second document begins here; write one document a file, and name several files with --file',
  ])
})

test('a byte order mark moves no column', async () => {
  expect(await refusedLines('\uFEFFversion: 1\nname: a\nusrs: {}\n')).toEqual([
    '3:1 usrs: a manifest has no "usrs" → users',
  ])
  expect(await refusedLines('\uFEFFversion: 2\nname: a\n')).toEqual([
    '1:10 version: this version of deploymgmt supports only version 1 of manifests',
  ])
})

test('text that is not UTF-8 is refused, and not shown', async () => {
  const bytes = Buffer.concat([Buffer.from('version: 1\nname: caf'), Buffer.from([0xe9, 0x0a])])
  const { findings } = await refusal(loadText(bytes))
  expect(lines(findings)).toEqual(['2:10 the file is not UTF-8 text; save it as UTF-8'])
  expect(findings[0]?.excerpt?.text).toBe('********')
  expect(await refusedLines(Buffer.from(`\uFEFF${ONE}`, 'utf16le'))).toEqual([
    '1:1 the file is not UTF-8 text; save it as UTF-8',
  ])
  expect(await refusedLines(Buffer.from(ONE, 'utf16le'))).toEqual([
    '1:1 the file is not UTF-8 text; save it as UTF-8',
  ])
})

test.each([
  ['within a pictograph', '\u{1F6A7}\uFE0F'],
  ['behind a pictograph', '\u2764\uFE0F'],
  ['before an accent', 'e\u0301\u0302'],
  ['within a family', '\u{1F468}\u200D\u{1F469}\u200D\u{1F467}'],
])('a long line that is cut %s begins with what can be seen', async (_, mark) => {
  const excerpts = [52, 53, 54, 55].map(async (rest) => {
    const { findings } = await refusal(
      loadText(`{ version: 1, ${'x'.repeat(200)}${mark}${'y'.repeat(rest)}: 1, zz: 2 }`),
    )
    return findings.find(({ message }) => message.includes('"zz"'))?.excerpt?.text
  })
  for (const text of await Promise.all(excerpts))
    expect(text).toMatch(/^…(?![\p{M}\p{Cs}\u200D\uFFFD])[\s\S]*y: 1, zz/u)
})

test('a file over 10 MB is refused unread', async () => {
  expect(await refusedLines(`${ONE}# ${'x'.repeat(10 * 1024 * 1024)}`)).toEqual([
    '1:1 the file is larger than 10 MB; split it into several',
  ])
})

test.each([
  [
    'a time with many brackets',
    `${ONE}maintenanceWindows: { w: { startDate: "2026-${'['.repeat(300_000)}" } }\n`,
  ],
  [
    'a time with many spaces',
    `${ONE}maintenanceWindows: { w: { startDate: "2026${' '.repeat(300_000)}x" } }\n`,
  ],
  ['a long line of spaces alone', `${' '.repeat(400_000)}x\n`],
  ['many colons within braces', `${ONE}maintenanceWindows: { w: { a: ${':'.repeat(300_000)}[ }\n`],
])('what somebody has made long to stop a pipeline is refused before it does: %s', async (_, text) => {
  expect((await refusedLines(text)).length).toBeGreaterThan(0)
})

test('carriage returns end lines too', async () => {
  expect(await refusedLines('version: 1\r\nname: a\r\nusrs: {}\r\n')).toEqual([
    '3:1 usrs: a manifest has no "usrs" → users',
  ])
})

test('an address that two files declare is an error that names both', async () => {
  const files = { 'a.yaml': ONE + integration('x', 'PAGING'), 'b.yaml': ONE + integration('x', 'WEBHOOK') }
  const { findings } = await refusal(loadFiles(files, { files: ['.'] }))
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      file: 'b.yaml',
      line: 4,
      column: 3,
      path: 'integrations.x',
      message: 'this address is declared twice; rename one of the two or take it out',
      also: { file: 'a.yaml', line: 4, column: 3 },
    },
  ])
})

test('files may repeat what supports entries if they agree, and not if they differ', async () => {
  const shared = 'defaults: { projectId: p }\nvariables: { v: { default: 1 } }\nprojects: { q: { id: p } }\n'
  await expect(loadFiles({ 'a.yaml': ONE + shared, 'b.yaml': ONE + shared })).resolves.toBeDefined()
  const other =
    'version: 1\nname: other\ndefaults: { projectId: o }\nvariables: { v: { default: 2 } }\nprojects: { q: { id: o } }\n'
  const files = { 'a.yaml': ONE + shared, 'b.yaml': other }
  const { findings } = await refusal(loadFiles(files, { files: ['.'] }))
  expect(lines(findings)).toEqual(
    ['2:1 name', '3:13 defaults.projectId', '4:14 variables.v', '5:13 projects.q'].map(
      (place) => `${place}: two files give this different values; keep one of them`,
    ),
  )
  expect(findings.flatMap(({ also }) => also?.file ?? [])).toEqual(['a.yaml', 'a.yaml', 'a.yaml', 'a.yaml'])
})

test('errors of all files come at once, in order of file, line and column', async () => {
  const files = { 'b.yaml': 'usrs: {}\nversion: 3\n', 'a.yaml': 'name: [x]\napiKeys: 3\n', 'c.yaml': 'a: [' }
  const { findings } = await refusal(loadFiles(files))
  expect(findings.map(({ file, line, column }) => `${file}:${line}:${column}`)).toEqual([
    'a.yaml:1:1',
    'a.yaml:1:7',
    'a.yaml:2:10',
    'b.yaml:1:1',
    'b.yaml:1:1',
    'b.yaml:2:10',
    'c.yaml:1:4',
  ])
})

const BROKEN = {
  'a tab': 'version: 1\nname: acme\nprojects:\n\tpayments: { id: 6b1000000000000000000001 }\n',
  'UTF-16': Buffer.from('\uFEFFversion: 1\nname: acme\n', 'utf16le'),
}
const OF_PROJECTS = `${ONE}users:
  dana: { userId: 5c8100bcf2a30b12ff882590, roles: [{ roleName: ORG_MEMBER }, { roleName: ORG_MEMBER, orgId: payments }] }
integrations:
  named: { projectId: payments, type: PAGING }
  all: { projectIds: all, type: PAGING }
  most: { projectIds: { all: true, except: [search] }, type: WEBHOOK }
  several: { projectIds: [payments, search], type: CHAT_A }
  default: { type: CHAT_B }
gates: { payments: [no-open-alerts] }
unmanaged:
  ignore: [{ section: integrations, projectId: payments, reason: known }]
`

test.each(Object.entries(BROKEN))(
  'what depends on projects is not told where a file could not be read, which may declare them: %s',
  async (_, broken) => {
    const files = { 'deploymgmt.yaml': broken, 'entries.yaml': OF_PROJECTS }
    const { findings } = await refusal(loadFiles(files, { files: ['.'] }))
    expect(findings.filter(({ file }) => file !== 'deploymgmt.yaml')).toEqual([])
    expect(findings.length).toBe(1)
  },
)

test('what is wrong in itself is told beside a file that could not be read', async () => {
  const wrong = `${ONE}integrations:\n  a: { projectIds: 5, type: PAGING }\n  b: { projectIds: { all: yes }, typo: 1 }\n`
  const { findings } = await refusal(
    loadFiles({ 'deploymgmt.yaml': BROKEN['a tab'], 'entries.yaml': wrong }, { files: ['.'] }),
  )
  expect(findings.filter(({ file }) => file === 'entries.yaml').map(({ path }) => path)).toEqual([
    'integrations.a.projectIds',
    'integrations.b.projectIds',
    'integrations.b.typo',
  ])
})
