import { symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { expect, test } from 'vitest'
import { loadDeclaration } from '../../../reconciler/config/index.ts'
import { folderOf, HEAD, lines, loadFiles, loadText, refusal } from './support/manifests.ts'

const user = (password: string): string =>
  `${HEAD}users:\n  u:\n    username: a\n    emailAddress: a\n    firstName: a\n    lastName: a\n    mobileNumber: a\n    roles: []\n    password: ${password}\n`

test('a secret stays a reference; its file is looked for beside the manifest', async () => {
  const { declaration } = await loadText(user('{ env: PASSWORD }'))
  expect(declaration.entries[0]?.values['password']).toEqual({ env: 'PASSWORD' })
  const cwd = await folderOf({ 'm/a.yaml': user('{ file: secrets/p.txt }') })
  const loaded = await loadDeclaration({ files: ['m/a.yaml'], cwd }, kinds)
  expect(loaded.declaration.entries[0]?.values['password']).toEqual({ file: `${cwd}/m/secrets/p.txt` })
  const absolute = await loadText(user(`{ file: ${dirname(cwd)}/p }`))
  expect(absolute.declaration.entries[0]?.values['password']).toEqual({ file: `${dirname(cwd)}/p` })
})

test.each([
  ['text', 'hunter2'],
  ['quoted text', '"hunter2"'],
  ['a number', '2222222'],
  ['a block', '|\n      hunter2\n      hunter2'],
  ['a list', '[hunter2, hunter2]'],
  ['a mapping of its own', '{ value: hunter2 }'],
  ['a reference and more', '{ env: X, value: hunter2 }'],
  ['both references', '{ env: X, file: y }'],
  ['an expression', '${var.hunter2}'],
  ['nothing', ''],
])('%s where a secret is expected is refused, and never shown', async (_, password) => {
  const error = await refusal(loadText(user(password) + 'variables: { hunter2: { default: x } }\n'))
  expect(lines(error.findings)).toEqual([
    expect.stringMatching(
      /^1[123]:\d+ users\.u\.password: give the place of the secret, not its value: \{ env: NAME \} or \{ file: PATH \}$/,
    ),
  ])
  for (const text of [error.describe(), error.message, JSON.stringify(error.findings)])
    expect(text).not.toMatch(/hunter2|2222222/)
})

test.each([
  ['on a line with another error', '  u: { usrname: a, password: hunter2, roles: [] }'],
  ['under a misspelt name', '  u: { userId: a, pasword: hunter2, roles: [] }'],
  ['under a name that sounds like one', '  u: { userId: a, apiToken: hunter2, roles: [] }'],
  ['where an entry should be', '  password: hunter2'],
  ['in a list', '  u: { userId: a, roles: [{ password: hunter2 }] }'],
  ['behind an alias', '  u: { userId: &p hunter2, password: *p, roles: 3 }'],
  ['under a name with other capitals', '  u: { userId: a, PASSWORD: hunter2, roles: [] }'],
])('a secret %s is hidden', async (_, text) => {
  const error = await refusal(loadText(`${HEAD}users:\n${text}\n`))
  expect(error.describe()).not.toContain('hunter2')
  expect(error.describe()).toContain('********')
})

test.each([
  ['on the line', 'password: "hunter2'],
  ['on the line before', 'password: hunter2\n     x: 3\n  y: ['],
  ['in a block', 'password: |\n      hunter2\n   hunter2: ['],
])('a line that cannot be parsed is not shown where a secret may be %s', async (_, text) => {
  const error = await refusal(loadText(`${HEAD}users:\n  u:\n    ${text}\n`))
  expect(error.describe()).toContain('not valid YAML')
  expect(error.describe()).not.toContain('hunter2')
})

test('a variable that sounds like a secret is quoted in no error', async () => {
  const text = `${HEAD}variables: { apiToken: {} }\nintegrations:\n  i: { type: "\${var.apiToken}" }\n`
  const error = await refusal(loadText(text, { vars: ['apiToken=hunter2'] }))
  expect(error.describe()).not.toContain('hunter2')
  expect(error.describe()).toContain('a value that is not shown here is not an integration type')
})

test('an entry whose name sounds like a secret is shown like any other', async () => {
  const error = await refusal(loadText(`${HEAD}integrations:\n  private-token: { type: PAGNG }\n`))
  expect(error.describe()).toContain('private-token: { type: PAGNG }')
})

test.each([
  ['a word', 'hunter2-9d2c2a3e'],
  ['a word with line breaks around', '\n\nhunter2-9d2c2a3e\n'],
  ['several lines', 'hunter2\nhunter2'],
  ['what YAML takes for a number', '2222222'],
  ['what YAML cannot parse', '@hunter2'],
  ['an alias', '*hunter2'],
  ['a tag', '!hunter2'],
  ['a tag that is not closed', '!<hunter2'],
  ['a list', '- hunter2'],
  ['a list in brackets that is not closed', '[hunter2'],
  ['a text that is not closed', '"hunter2'],
  ['a directive', '%hunter2'],
  ['settings of a shell', 'DEPLOYMGMT_PRIVATE_KEY=hunter2\n'],
  ['a PEM', '-----BEGIN PRIVATE KEY-----\nhunter2hunter2\nhunter2=\n-----END PRIVATE KEY-----\n'],
])('a file that is a key and no manifest shows nothing of it: %s', async (_, text) => {
  const error = await refusal(loadText(text))
  expect(error.describe()).not.toMatch(/hunter2|2222222/)
})

test.each([
  ['settings of a shell', 'TITLE="as of: today"\n\texport HOOK=hunter2\n'],
  [
    'settings of a shell that hold JSON',
    'ACCOUNT={"name": "hunter2"}\nTITLE="as of: today"\n\tHOOK=hunter2\n',
  ],
  ['an environment', 'HOME=/home/ci\0MESSAGE=fix: all\nversion: 1\0HOOK=hunter2\0'],
  ['comments of an environment', '# a: b\n# version: hunter2\0'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\thunter2hunter2==\n'],
  ['users and the hashes of their passwords', 'users:hunter2\nname:hunter2: x\n\tgit: hunter2\n'],
  ['another YAML', 'hosts:\n  a: "hunter2\n'],
  ['another YAML, with the key of a manifest within', 'hosts:\n  name: x\n  token: "hunter2\n'],
  ['another YAML that is a list', '- hosts: all\n  name: x\n  hook: "hunter2\n'],
  ['another YAML, with a key in quotes', '"host a":\n  name: x\n  hook: "hunter2\n'],
  ['another YAML, with one key like that of a manifest', 'user: ci\nhook: "hunter2\n'],
  ['settings in parts', '[default]\n  name: x\n  token: "hunter2\n'],
  ['another JSON', '{ "hosts": { "name": "hunter2" },\n  "hooks": "hunter2" x }'],
  ['another JSON, with the key of a manifest within', '{\n  "auths": {\n    "name": "hunter2" x\n  }\n}\n'],
  ['another JSON on one line', '{"auths":{"name":"hunter2" x}}'],
])('a file that cannot be parsed and is of something else shows nothing of it: %s', async (_, text) => {
  for (const file of ['deploymgmt.yaml', 'acme.json']) {
    const said = (await refusal(loadFiles({ [file]: text }))).describe()
    expect(said).toMatch(/not valid|a manifest is a mapping/)
    expect(said).not.toMatch(/hunter2|\*{8}/)
  }
})

test('of a file whose lines are not shown, the error says so', async () => {
  const { findings } = await refusal(loadText('hosts:\n\ta: hunter2\n'))
  expect(lines(findings)).toEqual([
    expect.stringMatching(
      /^2:1 not valid YAML: .*; the lines of this file are not shown, because it has no key of a manifest$/,
    ),
  ])
  expect(findings[0]).not.toHaveProperty('excerpt')
})

test.each([
  ['in YAML', 'version: 1\nname: acme\nusers: { a: 3 }}\n', 'users: { a: 3 }}'],
  ['in YAML with an indented root', '  version: 1\n  name: acme\n  users: { a: 3 }}\n', 'users: { a: 3 }}'],
  ['in YAML with misspelt keys', 'verson: 1\nnmae: acme\nusrs: { a: 3 }}\n', 'usrs: { a: 3 }}'],
  ['behind a mark of its encoding', '\uFEFFvars: 1\nname: acme\nusers: ]\n', 'users: ]'],
  ['in braces', '{ version: 1, name: acme ]\n', 'name: acme ]'],
  ['in braces on several lines', '{\n  version: 1,\n  name: acme ]\n', 'name: acme ]'],
  ['in braces with commas before', '{ a: 1\n, version: 1\n, name: acme ]\n', 'name: acme ]'],
  ['of nothing but comments', '# version: 1\n# name: acme\n', '# version: 1'],
])('a manifest that cannot be parsed shows where: %s', async (_, text, shown) => {
  const error = await refusal(loadText(text))
  expect(error.describe()).toContain(shown)
})

test.each([
  ['with spaces', '{\n  "version": 1,\n  "name": "acme" "users": 3\n}\n'],
  ['with tabs', '{\n\t"version": 1,\n\t"name": "acme" "users": 3\n}\n'],
  ['on one line', '{"version":1,"name":"acme" "users": 3}'],
  ['with a schema before', '{\n  "$schema": "x",\n  "version": 1,\n  "name": "acme" "users": 3\n}\n'],
  ['as a stack on one line', '{"//":{"metadata":{}},"provider":{} "users": 3}'],
  [
    'as a stack of resources',
    '{\n  "provider": {},\n  "resource": {\n    "deploymgmt_user": {} "users": 3\n  }\n}\n',
  ],
  ['as a stack of settings', '{"terraform": {} "users": 3}'],
])('a manifest in JSON that cannot be parsed shows where: %s', async (_, text) => {
  const error = await refusal(loadFiles({ 'acme.tf.json': text }))
  expect(error.describe()).toContain('"users": 3')
  // JSON may be indented with them.
  expect(error.describe()).not.toContain('tabs')
})

test('the file of the private key is refused as a manifest, whatever is in it', async () => {
  const folder = await folderOf({ key: 'hunter2: hunter2\nname: hunter2\n' })
  const loading = loadDeclaration(
    { files: ['key'], cwd: folder, env: { DEPLOYMGMT_PRIVATE_KEY_FILE: join(folder, 'key') } },
    kinds,
  )
  const error = await refusal(loading)
  expect(lines(error.findings)).toEqual(['1:1 this is the private key file, not a manifest'])
  expect(error.describe()).not.toContain('hunter2')
})

test('the private key is shown nowhere, where a manifest holds it', async () => {
  const env = { DEPLOYMGMT_PRIVATE_KEY: 'hunter2-9d2c' }
  for (const line of [
    'nmae: hunter2-9d2c',
    'hunter2-9d2c: 1',
    'integrations: { a: { type: hunter2-9d2c } }',
  ]) {
    const error = await refusal(loadText(`version: 1\nname: a\n${line}\n`, { env }))
    expect(error.describe()).toContain('********')
    expect(error.describe()).not.toContain('hunter2')
  }
})

test('of a file of another tool, such as the credentials that a link leads to, nothing is shown', async () => {
  const cwd = await folderOf({ 'config.json': '{"auths":{"hunter2.example.com":{"auth":"hunter2"}}}' })
  await symlink('config.json', join(cwd, 'deploymgmt.yaml'))
  const error = await refusal(loadDeclaration({ files: ['deploymgmt.yaml'], cwd }, kinds))
  expect(lines(error.findings)).toEqual(['1:1 a manifest is a mapping that begins with version and name'])
  expect(error.describe()).not.toContain('hunter2')
})
