import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runHere, type Place } from '../support/command.ts'
import { FOLDER } from '../support/folder.ts'
import { CI } from '../support/installation.ts'
import { only } from '../support/scene.ts'
import { runs, tellTried } from '../support/soak.ts'
import { bytesOf, CHARACTERS, mutated, mutationsOf, VALUES, type Ways } from './support/mutations.ts'
import { defectsOf } from './support/told.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', 'examples', 'yaml')

/** Real manifests in YAML and in JSON, which is also YAML. */
const YAML = [
  ...readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => readFileSync(join(EXAMPLES, name), 'utf8')),
  only('users', '  dana: { userId: 5d2e1f0a9b8c7d6e5f4a3b2c, rolesComplete: true, roles: [] }'),
  only(
    'maintenanceWindows',
    `  weekly: &a
    alertTypeNames: [HOST]
    schedule: { rrule: "FREQ=WEEKLY;BYDAY=SU;BYHOUR=2", timezone: Europe/Madrid, duration: PT2H, horizon: P30D }
  other: { <<: *a, projectIds: [5c8100bcf2a30b12ff88258f] }`,
    'variables: { v: { default: "${var.w}" }, w: { default: x } }\n',
  ),
]
const JSONS = YAML.map((text) => JSON.stringify(load(text)))

const TOKENS = [
  '&a ',
  '*a',
  '<<: *a',
  '!!str ',
  '!x ',
  '!!binary ',
  '? ',
  '|',
  '>-',
  '---\n',
  '...\n',
  '%YAML 1.2\n',
  '# ',
  '{',
  '}',
  '[',
  ']',
  ', ',
  ': ',
  '- ',
  '"',
  "'",
  '\t',
  '\r',
  '~',
  'null',
  '.inf',
  '.nan',
  '0x1F',
  '1e999',
  '123456789012345678901234567890',
  '2026-12-05',
  '${var.x}',
  '${',
  '$${',
  '${projects.payments.id}',
  '${users.dana.userId}',
  '__proto__:',
  'version: 1',
  'defaults: ',
  'projectIds: all',
  'password: x',
  CI.privateKey,
  `name: ${CI.privateKey}`,
  '['.repeat(2000),
  '{a: '.repeat(200),
  '- '.repeat(500),
]
const lines = (text: string, at: number, edit: (all: string[], index: number) => string[]): string => {
  const all = text.split('\n')
  return edit(all, Math.floor(at * all.length)).join('\n')
}
const WORDS = {
  'has another token': (text, at, by) => {
    const words = [...text.matchAll(/[\w$.-]+/g)]
    const word = words[Math.floor(at * words.length)]
    const token = TOKENS[by % TOKENS.length] ?? ''
    return word === undefined
      ? text
      : text.slice(0, word.index) + token + text.slice(word.index + (by % 2) * word[0].length)
  },
  'has a line twice': (text, at) =>
    lines(text, at, (all, index) => all.toSpliced(index, 0, all[index] ?? '')),
  'lacks a line': (text, at) => lines(text, at, (all, index) => all.toSpliced(index, 1)),
  'has a line elsewhere': (text, at, by) =>
    lines(text, at, (all, index) => all.toSpliced(index, 1).toSpliced(by % all.length, 0, all[index] ?? '')),
  'is indented otherwise': (text, at, by) =>
    lines(text, at, (all, index) => all.with(index, ' '.repeat(by % 7) + (all[index] ?? '').trimStart())),
} satisfies Ways

const IN_YAML = { ...CHARACTERS, ...WORDS }
const IN_JSON = { ...CHARACTERS, ...VALUES }

let place: Place = { folder: '', env: {} }
beforeAll(async () => {
  place = { folder: await mkdtemp(FOLDER), env: { DEPLOYMGMT_PRIVATE_KEY: CI.privateKey } }
})
afterAll(() => rm(place.folder, { recursive: true }))

const ERRORS = /^Error DM-(?:MANIFEST|VARIABLE)[A-Z-]*: /m

const FROM = [
  { how: 'YAML', texts: YAML, ways: IN_YAML },
  { how: 'JSON', texts: JSONS, ways: IN_JSON },
]
test.each(FROM)(
  'no mutation of a real manifest breaks validate: $how',
  async ({ texts, ways }) => {
    const manifest = fc.record({ text: fc.constantFrom(...texts), mutations: mutationsOf(ways, 3) })
    const verdicts = new Set<unknown>()
    await fc.assert(
      fc.asyncProperty(manifest, async ({ text, mutations }) => {
        await writeFile(join(place.folder, 'deploymgmt.yaml'), bytesOf(mutated(text, ways, mutations)))
        const ran = await runHere(place, ['validate'])
        expect(defectsOf(ran, { secrets: [CI.privateKey], errors: ERRORS })).toEqual([])
        verdicts.add(ran.code)
      }),
      { numRuns: runs(2500) },
    )
    expect(verdicts).toEqual(new Set([0, 1]))
    tellTried('mutated manifests', runs(2500))
  },
  3_600_000,
)
