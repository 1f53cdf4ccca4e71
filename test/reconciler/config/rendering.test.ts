import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { listFindings, renderFindings } from '../../../reconciler/config/index.ts'
import { displayWidth } from '../../../reconciler/text/display.ts'
import { countFindings } from '../../../reconciler/errors/finding-lines.ts'
import { UNSEEN } from '../../support/obeyed.ts'
import { HEAD, loadFiles, loadText, refusal } from './support/manifests.ts'

const described = async (text: string): Promise<string> => (await refusal(loadText(text))).describe()

test('errors look as the picture of them does', async () => {
  const text = `version: 1
name: acme
defaults:
  orgId: 5980cfdf0b6d97029d82f86e

apiKeys:
  # One key for all reports.
  reporting:
    apiKeyId: 5c47503320eef5699e1cce8f
    desc: Reporting pipeline

    roles: [ORG_REDA_ONLY]
    rolse: []
`
  expect(await described(text)).toBe(
    `deploymgmt.yaml:12:13  apiKeys.reporting.roles[0]: "ORG_REDA_ONLY" is not an organization role
   12 │     roles: [ORG_REDA_ONLY]
      │             ^^^^^^^^^^^^^  did you mean ORG_READ_ONLY?
   allowed: ORG_OWNER, ORG_MEMBER, ORG_GROUP_CREATOR, ORG_READ_ONLY

deploymgmt.yaml:13:5  apiKeys.reporting.rolse: there is no field "rolse" here
   13 │     rolse: []
      │     ^^^^^  did you mean roles?
   allowed: orgId, apiKeyId, desc, roles, accessList, onRemove, protect, ignoreChanges

Error DM-MANIFEST: the manifest has 2 errors. Nothing was sent.`,
  )
})

test('a tab is shown as one', async () => {
  const lines = (await described('version: 1\nname: acme\nprojects:\n\ta: { id: x }\n')).split('\n')
  expect(lines.slice(1, 3)).toEqual(['    4 │ →a: { id: x }', '      │ ^'])
})

test('two places are told apart, and a warning comes before the errors', async () => {
  const files = {
    'a.yaml':
      'version: 1\nname: acme\nintegrations:\n  i: { projectId: 5c8100bcf2a30b12ff88258f, type: PAGING }\n',
    'b.yaml':
      'version: 1\nname: acme\nintegrations:\n  i: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, PAGING], type: 3 }\n  j: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, PAGING] }\n',
  }
  expect((await refusal(loadFiles(files, { files: ['.'] }))).describe()).toBe(
    `b.yaml:5:60  warning: integrations.j.only[1]: "PAGING" is listed twice; once is enough
    5 │   j: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, PAGING] }
      │                                                            ^^^^^^
   also at b.yaml:5:52

b.yaml:4:3  integrations.i: this address is declared twice; rename one of the two or take it out
    4 │   i: { projectId: 5c8100bcf2a30b12ff88258f, only: [PAGING, PAGING], type: 3 }
      │   ^
   also at a.yaml:4:3

Error DM-MANIFEST: the manifest has 1 error, 1 warning. Nothing was sent.`,
  )
})

test('the base of all errors still has its parts', async () => {
  const error = await refusal(loadText(`${HEAD}usrs: {}\n`))
  expect(error).toMatchObject({
    name: 'ManifestError',
    code: 'DM-MANIFEST',
    message: 'the manifest has 1 error',
    where: 'deploymgmt.yaml:4:1',
    exitCode: 1,
  })
})

test('colour adds nothing but colour', async () => {
  const error = await refusal(loadText(`${HEAD}usrs: {}\n`))
  const coloured = error.render({ color: true })
  expect(coloured).toContain('\u001B[')
  expect(stripVTControlCharacters(coloured)).toBe(error.describe())
})

test('warnings are rendered like errors', async () => {
  const { warnings } = await loadText(`${HEAD}integrations: { i: { only: [PAGING, PAGING] } }\n`)
  expect(renderFindings(warnings)).toContain('deploymgmt.yaml:4:37  warning: integrations.i.only[1]')
  expect(countFindings(warnings)).toBe('1 warning')
})

const ID = '5c47503320eef5699e1cce8f'

test('carets stand under wide characters', async () => {
  const [, line, carets] = (
    await described(`${HEAD}apiKeys: { k: { desc: 保守作業🚧, e\u0301: 1, apiKeyId: ${ID} } }\n`)
  ).split('\n')
  expect(line).toBe(`    4 │ apiKeys: { k: { desc: 保守作業🚧, e\u0301: 1, apiKeyId: ${ID} } }`)
  // Five wide characters take ten columns; the accent takes none.
  expect(carets).toBe(`      │ ${' '.repeat('apiKeys: { k: { desc: '.length + 10 + 2)}^`)
})

test('what cannot be seen is written out, in messages and in lines', async () => {
  const text = await described(
    `${HEAD}apiKeys: { k: { apiKeyId: "a\u202Eb", desc\u200B: x } }\nusers: { "\\e[31m": 3 }\n`,
  )
  expect(text).not.toMatch(UNSEEN)
  expect(text).toContain('"a\\u202Eb" cannot be an id')
  expect(text).toContain('there is no field "desc\\u200B" here')
  expect(text).toContain('"\\u001B[31m" cannot be a name')
})

test('what cannot be seen is written out among what is allowed', async () => {
  const text = await described(
    `${HEAD}variables: { "a\\0": { default: x } }\nusers: { k: { username: "\${var.b}" } }\n`,
  )
  expect(text).not.toMatch(UNSEEN)
  expect(text).toContain(String.raw`allowed: a\u0000`)
})

test('a long line is cut around the place', async () => {
  const [, line = '', carets = ''] = (
    await described(
      `${HEAD}apiKeys: { k: { desc: ${'x'.repeat(200)}, rolse: [], apiKeyId: ${'y'.repeat(300)} } }\n`,
    )
  ).split('\n')
  expect(line.length).toBeLessThan(140)
  expect(line.slice(carets.indexOf('^'), carets.lastIndexOf('^') + 1)).toBe('rolse')
  expect(line).toMatch(/^ {4}4 │ …x+, rolse: \[\], apiKeyId: y+…$/)
})

test.each([30, 40, 60, 80])(
  'at %i columns, a line is cut so that the carets stand under the place',
  async (width) => {
    const error = await refusal(
      loadText(`${HEAD}apiKeys: { k: { desc: 保守作業🚧${'x'.repeat(30)}, rolse: [], apiKeyId: ${ID} } }\n`),
    )
    const [, line = '', carets = ''] = error.render({ width }).split('\n')
    for (const shown of [line, carets]) expect(displayWidth(shown)).toBeLessThanOrEqual(width)
    const [before = ''] = line.split('rolse')
    expect(carets).toMatch(/^ {6}│ +\^{5}(?: {2}did you mean roles\?)?$/)
    expect(carets.indexOf('^')).toBe(displayWidth(before))
  },
)

test('what is longer than the terminal is marked as far as it is shown', async () => {
  const error = await refusal(loadText(`${HEAD}apiKeys: { k: { ${'x'.repeat(50)}: 1, apiKeyId: ${ID} } }\n`))
  const [, line, carets] = error.render({ width: 40 }).split('\n')
  expect(line).toBe(`    4 │ …${'x'.repeat(30)}…`)
  expect(carets).toBe(`      │  ${'^'.repeat(31)}`)
})

test('what was probably meant has a line of its own where there is no room for it', async () => {
  const error = await refusal(loadText(`${HEAD}apiKeys: { k: { rolse: [], apiKeyId: ${ID} } }\n`))
  const meant = 'did you mean roles?'
  expect(error.render({ width: 60 })).toContain(`^^^^^  ${meant}\n`)
  expect(error.render({ width: 36 })).toContain(`^^^^^\n   ${meant}\n`)
})

test('a value of many lines is shown by its first', async () => {
  const text = await described(
    `${HEAD}maintenanceWindows:\n  w:\n    alertTypeNames: [HOST]\n    startDate: >\n      soon,\n      very soon\n    endDate: 2026-12-05T02:00:00Z\n`,
  )
  expect(text).toContain(
    'deploymgmt.yaml:8:7  maintenanceWindows.w.startDate: "soon, very soon\\n" is not an instant',
  )
  expect(text).toContain('    8 │       soon,\n      │       ^^^^^\n')
})

test('no line of an empty file is shown, and nothing invisible at the end of a line', async () => {
  expect(await described('\n')).toBe(
    `deploymgmt.yaml:1:1  the file is empty; a manifest needs version: 1 and a name

Error DM-MANIFEST: the manifest has 1 error. Nothing was sent.`,
  )
  expect(await described('version: 1\r\nname: "a\r\n')).not.toContain('\\u000')
})

test('what is alike in a few places stands in the order of the file', () => {
  const [first, other, third] = [1, 2, 3].map(warning)
  const told = listFindings([first, { ...other, message: 'even' }, third] as ReturnType<typeof warning>[])
  expect(told.match(/yaml:\d/g)).toEqual(['yaml:1', 'yaml:2', 'yaml:3'])
})

test('the same mistake in many places is shown once, with how often and where', async () => {
  const entries = Array.from(
    { length: 6 },
    (_, index) => `  i${index}: { projectIds: [a, b], type: PAGING }\n`,
  ).join('')
  const text = `${HEAD}projects: { a: { id: 5c8100bcf2a30b12ff88258f } }\nintegrations:\n${entries}`
  const error = await refusal(loadText(text))
  expect(error.findings).toHaveLength(6)
  expect(error.describe()).toBe(
    `deploymgmt.yaml:6:25  integrations.i0.projectIds[1]: there is no project "b", and it does not look like an id of this API: name it under projects, or take it out here
    6 │   i0: { projectIds: [a, b], type: PAGING }
      │                         ^
   the same at deploymgmt.yaml:7:25 (integrations.i1.projectIds[1]), deploymgmt.yaml:8:25 (integrations.i2.projectIds[1]), deploymgmt.yaml:9:25 (integrations.i3.projectIds[1]) and 2 more; deploymgmt validate --format json lists each

Error DM-MANIFEST: the manifest has 6 errors, all alike. Nothing was sent.`,
  )
})

test('two mistakes in many places are counted separately', async () => {
  const entries = Array.from(
    { length: 4 },
    (_, index) => `  i${index}: { projectIds: [b, c], type: PAGING }\n`,
  ).join('')
  const text = `${HEAD}projects: { a: { id: 5c8100bcf2a30b12ff88258f } }\nintegrations:\n${entries}`
  const error = await refusal(loadText(text))
  expect(error.describe()).toContain('the manifest has 8 errors, 4 and 4 of them alike.')
})

test('of more mistakes in many places, it is told how many differ', () => {
  const alike = ['odd', 'even', 'neither'].flatMap((message) =>
    Array.from({ length: 1200 }, (_, line) => ({ ...warning(line), message })),
  )
  expect(countFindings(alike)).toBe('3,600 warnings, 3 different ones')
})

const warning = (line: number) => ({
  severity: 'warning' as const,
  file: 'deploymgmt.yaml',
  line,
  column: 3,
  path: `integrations.i${line}`,
  message: 'odd',
})

test('warnings that are the same share one line, too', () => {
  expect(listFindings([1, 2, 3, 4, 5].map(warning))).toBe(
    'deploymgmt.yaml:1:3  warning: integrations.i1: odd; the same at deploymgmt.yaml:2:3, deploymgmt.yaml:3:3, deploymgmt.yaml:4:3 and 1 more',
  )
  expect(listFindings([1, 2, 3].map(warning)).split('\n')).toHaveLength(3)
})
