import { expect, test } from 'vitest'
import { HEAD, loadText, refusal, refusedLines } from './support/manifests.ts'

const KEY = `${HEAD}apiKeys:\n  k:\n`

test('a key that stands twice is an error in YAML and in JSON, and both places are named', async () => {
  const { findings } = await refusal(loadText(`${KEY}    apiKeyId: a\n    apiKeyId: b\n`))
  expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
    {
      line: 7,
      column: 5,
      path: 'apiKeys.k.apiKeyId',
      message: 'this key is used twice in one mapping; keep one of them',
      also: { line: 6, column: 5 },
    },
  ])
  expect(await refusedLines('{"version": 1,\n "name": "a",\n "name": "b"}')).toEqual([
    '3:2 name: this key is used twice in one mapping; keep one of them',
  ])
})

test.each(['true', 'False', 'TRUE'])('%s where text is expected has to be quoted', async (word) => {
  const [line] = await refusedLines(`${KEY}    apiKeyId: ${word}\n`)
  const value = word.toLowerCase()
  expect(line).toBe(
    `6:15 apiKeys.k.apiKeyId: YAML reads ${value} as a truth value, where an id is expected; quote it → "${value}"`,
  )
})

test.each(['', '~', 'null'])('nothing (%j) where text is expected is an error', async (word) => {
  const [line] = await refusedLines(`${KEY}    apiKeyId: ${word}\n`)
  expect(line).toMatch(/^6:1[35] apiKeys\.k\.apiKeyId: there is no value here, where an id is expected/)
})

test.each([
  ['anchors and aliases', 'a: &k { apiKeyId: a, roles: [ORG_MEMBER] }\n  b: { <<: *k, apiKeyId: b }'],
  [
    'a list of merged mappings',
    'a: &k { apiKeyId: a }\n  b: { apiKeyId: b, <<: [*k, { roles: [ORG_MEMBER] }] }',
  ],
])('%s are taken', async (_, entries) => {
  const { declaration } = await loadText(`${HEAD}apiKeys:\n  ${entries}\n`)
  expect(declaration.entries.at(-1)?.values).toEqual({
    orgId: '5980cfdf0b6d97029d82f86e',
    apiKeyId: 'b',
    roles: ['ORG_MEMBER'],
  })
})

test.each([
  [
    'a tag of its own',
    'apiKeyId: !secret a',
    '6:15 apiKeys.k.apiKeyId: a manifest takes no tags such as !secret',
  ],
  [
    'a JavaScript tag',
    'apiKeyId: !!js/function "x"',
    '6:15 apiKeys.k.apiKeyId: a manifest takes no tags such as !!js/function',
  ],
  [
    'an alias to nothing',
    'apiKeyId: *nobody',
    '6:15 apiKeys.k.apiKeyId: the alias *nobody names no anchor above it',
  ],
  [
    'an alias to itself',
    'roles: &r [*r]',
    '6:16 apiKeys.k.roles[0]: the alias *r stands within what it names',
  ],
  ['a key that is a list', '? [a]\n    : b', '6:7 apiKeys.k: a key is a plain word, not a list or a mapping'],
  ['a merge of nothing', '<<: 3', '6:5 apiKeys.k: << takes a mapping, or a list of mappings'],
])('%s is refused', async (_, text, message) => {
  expect(await refusedLines(`${KEY}    ${text}\n`)).toContain(message)
})

test('the tag !!str makes text of anything', async () => {
  const { declaration } = await loadText(`${KEY}    apiKeyId: !!str true\n`)
  expect(declaration.entries[0]?.values['apiKeyId']).toBe('true')
})

test('a billion laughs are refused at once', async () => {
  const letters = 'abcdefghi'.split('')
  const laughs = letters.map((letter, index) => {
    const before = letters[index - 1]
    return `${letter}: &${letter} [${Array.from({ length: 9 }, () => (before === undefined ? 'lol' : `*${before}`)).join(', ')}]`
  })
  const found = await refusedLines(`${HEAD}${laughs.join('\n')}\n`)
  expect(found).toHaveLength(1)
  expect(found[0]).toMatch(/^10:\d+ g\[\d\]: aliases make this file too large; write fewer of them$/)
})

const deep = (inner: string): string => `${'['.repeat(60)}${inner}${']'.repeat(60)}`

test('aliases cannot nest deeper than a file may', async () => {
  const found = await refusedLines(`a: &a ${deep('x')}\nb: ${deep('*a')}\n`)
  expect(found).toHaveLength(1)
  expect(found[0]).toContain('aliases make this file too large')
  expect(await refusedLines(`a: ${'['.repeat(200)}`)).toEqual([
    expect.stringContaining('nesting exceeded maxDepth'),
  ])
})

const OPEN =
  '; a quote, [ or { above it is open, and what stands in it has to be indented: close it, or indent this line'

test.each([
  [
    'a tab for indentation',
    `${HEAD}apiKeys:\n\tk: {}\n`,
    '5:1 not valid YAML: ',
    '; indent with spaces, not with tabs',
  ],
  ['an open bracket', `${HEAD}apiKeys: [\n`, '4:11 not valid YAML: deficient indentation', OPEN],
  ['an open quote', `${HEAD}state: "a\nkey: {}\n`, '5:1 not valid YAML: deficient indentation', OPEN],
  [
    'an unquoted expression within braces',
    `${HEAD}apiKeys: { k: { apiKeyId: \${var.x} } }\n`,
    '4:28 not valid YAML: missed comma between flow collection entries',
    '; within { } and [ ] an expression has to be quoted: "${…}"',
  ],
  [
    'an unquoted expression within brackets',
    `${HEAD}apiKeys: [ k, \${var.x} ]\n`,
    '4:16 not valid YAML: missed comma between flow collection entries',
    '; within { } and [ ] an expression has to be quoted: "${…}"',
  ],
  [
    'an unquoted time with its zone within braces',
    `${HEAD}maintenanceWindows: { w: { startDate: 2026-12-05T02:00:00[Europe/Madrid] } }\n`,
    '4:58 not valid YAML: missed comma between flow collection entries',
    '; within { } and [ ] a time with its zone has to be quoted: "2026-12-05T02:00:00[Europe/Madrid]"',
  ],
  [
    'an expression behind a second colon',
    `${HEAD}apiKeys: k: \${var.x}\n`,
    '4:11 not valid YAML: bad indentation of a mapping entry',
    '',
  ],
  [
    'a control character',
    `${HEAD}apiKeys: \u0007\n`,
    '4:10 not valid YAML: the stream contains non-printable characters',
    '',
  ],
])('%s is an error with its place', async (_, text, beginning, end) => {
  const [line = '', ...more] = await refusedLines(text)
  expect(more).toEqual([])
  expect(line.slice(0, beginning.length)).toBe(beginning)
  expect(line.slice(line.length - end.length)).toBe(end)
})

test.each(['@ops look', '%x', '`a`', 'a: b', '[a] b', '"a" b', "'it's", '{ a } b', '- a', ', a'])(
  'a text that YAML takes for something else, as %j, has to be quoted',
  async (text) => {
    const [line = '', ...more] = await refusedLines(`${KEY}    desc: ${text}\n`)
    expect(more).toEqual([])
    expect(line).toMatch(/^6:1\d not valid YAML: .*; if what follows "desc:" is a text, quote all of it$/)
  },
)

test.each([
  ['a section', `${HEAD}apiKeys:\n<<<<<<< HEAD\n  k: {}\n=======\n  l: {}\n>>>>>>> other\n`, '5:1'],
  ['the head', `version: 1\n<<<<<<< HEAD\nname: a\n=======\nname: b\n>>>>>>> other\n`, '2:1'],
  ['a text', `${KEY}    desc: |\n      a\n<<<<<<< HEAD\n      b\n=======\n      c\n>>>>>>> x\n`, '8:1'],
  ['a section with CRLF', `${HEAD}apiKeys:\n<<<<<<< HEAD\n  k: {}\n`.replaceAll('\n', '\r\n'), '5:1'],
])('a merge conflict in %s is named as one, where it begins', async (_, text, place) => {
  expect(await refusedLines(text)).toEqual([
    `${place} not valid YAML: a merge conflict begins here: keep one side, and remove the lines that begin with <<<<<<<, |||||||, ======= and >>>>>>>`,
  ])
})

test('a line of a text that only looks like a conflict is text', async () => {
  const text = `${KEY}    apiKeyId: 5c47503320eef5699e1cce8f\n    desc: |\n      <<<<<<< HEAD\n`
  expect((await loadText(text)).declaration).toBeDefined()
})

const NEITHER = 'it begins neither with "NAME: " nor with "- "'
test.each([
  ['a name without a colon', `${KEY}    apiKeyId = a\n    desc: b\n`, '7:9', `look at line 6: ${NEITHER}`],
  ['a colon without a space', `${KEY}    apiKeyId:a\n    desc: b\n`, '7:9', `look at line 6: ${NEITHER}`],
  ['a comment of another language', `${KEY}    // a\n\n    desc: b\n`, '8:9', `look at line 6: ${NEITHER}`],
  ['a list without a space', `${KEY}    roles:\n    -a\n    desc: b\n`, '8:9', `look at line 7: ${NEITHER}`],
  ['a dash of a word processor', `${KEY}    roles:\n    – a\n`, '7:8', `look at line 7: ${NEITHER}`],
  [
    'a no-break space',
    `${KEY}\u00A0   desc: a\n    b: c\n`,
    '7:6',
    'line 6 has a no-break space: use ordinary spaces',
  ],
  [
    'one behind a colon',
    `${KEY}    desc:\u00A0a\n    b: c\n`,
    '7:6',
    'line 6 has a no-break space: use ordinary spaces',
  ],
])('of %s the error names the line', async (_, text, place, end) => {
  const [line = '', ...more] = await refusedLines(text)
  expect(more).toEqual([])
  expect(line.startsWith(`${place} not valid YAML: `)).toBe(true)
  expect(line.endsWith(`; ${end}`)).toBe(true)
})

test.each(['a', 'a\u00A0b'])(
  'a line that is only indented too far is told without another one',
  async (text) => {
    expect(await refusedLines(`${KEY}    desc: ${text}\n     roles: []\n`)).toEqual([
      '7:11 not valid YAML: bad indentation of a mapping entry',
    ])
  },
)

test('a document that is no mapping is refused', async () => {
  expect(await refusedLines('- version: 1\n')).toEqual([
    '1:1 a manifest is a mapping that begins with version and name',
  ])
})
