import { expect, test } from 'vitest'
import { lines, loadFiles, refusal } from './support/manifests.ts'

const refused = async (text: string): Promise<string[]> =>
  lines((await refusal(loadFiles({ 'deploymgmt.json': text }))).findings)

test.each([
  ['{ "version": 1, "name": "a", }', '1:28'],
  ['{ "version": 1,\n  "name": "a,]",\n  "users": {\n  },\n}', '4:4'],
  ['{ "name": "a", "version": 1, "variables": { "x": { "default": "y", } } }', '1:66'],
])('a comma with nothing after it is no JSON: %j', async (text, at) => {
  expect(await refused(text)).toEqual([`${at} not valid JSON: remove this comma`])
})

test.each([
  ['{ \'version\': 1, "name": "a" }', '1:3'],
  ['{ "version": 1, name: "a" }', '1:17'],
  ['version: 1\nname: a\n', '1:1'],
  ['{ "version": 1,\n  "name": yes }', '2:11'],
  ['{ "version": 01, "name": "a" }', '1:14'],
  ['{ "version": 1, # of today\n  "name": "a" }', '1:17'],
  ['{ "version": 1, "name": "\\x61" }', '1:25'],
])('what YAML alone would take is no JSON: %j', async (text, at) => {
  expect(await refused(text)).toEqual([
    `${at} not valid JSON: YAML would take this; name the file .yaml, or write JSON`,
  ])
})

test.each([
  ['{ "version": 1, "name": "a" } x', '1:31'],
  ['{ "version": 1 "name": "a" }', '1:22'],
])('what not even YAML would take is told as JSON: %j', async (text, at) => {
  expect(await refused(text)).toEqual([expect.stringMatching(`^${at} not valid JSON: `)])
})

test('what is suggested in place of a text is JSON, too', async () => {
  const keys = '{ "k": { "apiKeyId": "5c47503320eef5699e1cce8f", "roles": "ORG_MEMBER" } }'
  expect(await refused(`{ "version": 1, "name": "a", "apiKeys": ${keys} }`)).toContainEqual(
    expect.stringContaining('"ORG_MEMBER" stands where a list is expected → ["ORG_MEMBER"]'),
  )
})

test('JSON with a byte order mark is read', async () => {
  const { declaration } = await loadFiles({ 'deploymgmt.json': '\uFEFF{ "version": 1, "name": "a" }' })
  expect(declaration.name).toBe('a')
})
