import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Provenance } from '@deploymgmt/provider/core'
import { ACTIONS, type EvidenceLevel, type RecordedResource, type Verdict } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it, test } from 'vitest'
import { brokenLinks } from '../support/links.ts'

const PAGE = 'docs/glossary.md'
const text = readFileSync(join(import.meta.dirname, '..', '..', PAGE), 'utf8')

/** Groups of lines, each with the terms it explains; a heading or a sentence comes before each group. */
const groups = text
  .split(/\n\n/)
  .filter((part) => part.startsWith('- '))
  .map((part) => part.split('\n').filter((line) => line !== ''))
const wordsIn = (lines: readonly string[]): string[] =>
  lines.map((line) => /^- \*\*(.+?)\*\*: /.exec(line)?.[1] ?? line)
const words = new Set(groups.flatMap(wordsIn))

/** All members of a union; a missing or extra one does not compile. */
const all = <W extends string>(of: Record<W, true>): string[] => Object.keys(of)

const LEVELS = all<EvidenceLevel>({ read: true, recorded: true, suspect: true, unknown: true })
const VERDICTS = all<Verdict>({ 'in-sync': true, drifted: true, unverifiable: true, pending: true })
const PROVENANCES = all<Provenance>({ named: true, scheduled: true, selected: true, unlisted: true })
const RECORD = all<keyof RecordedResource>({
  kind: true,
  identity: true,
  applied: true,
  answer: true,
  beside: true,
  adopted: true,
  onRemove: true,
  protect: true,
  lastWrite: true,
  watermark: true,
  quiet: true,
  acknowledged: true,
  leftover: true,
  overridden: true,
  lost: true,
  unsure: true,
  notFoundAt: true,
  absent: true,
  standing: true,
})

test.each([
  ['each word of a definition', [...new Set(kinds.flatMap((kind) => Object.keys(kind)))]],
  ['each level of evidence', LEVELS],
  ['each action of a plan', ACTIONS],
  ['each verdict on drift', VERDICTS],
  ['each way of release', [...new Set(kinds.flatMap(({ release }) => Object.keys(release)))]],
  ['each provenance', PROVENANCES],
  ['each key of a record', RECORD],
])('the glossary explains %s', (_, wanted) => {
  expect(wanted.filter((word) => !words.has(word))).toEqual([])
})

describe.each(groups.map((lines) => [wordsIn(lines)[0] ?? '', lines] as const))(
  'its lines from %s on',
  (_, lines) => {
    it('are one for each word, each ending as a sentence does', () => {
      for (const line of lines) expect(line).toMatch(/^- \*\*[\w -]+\*\*: \S.*\.$/)
    })

    it('are in the order of the alphabet', () => {
      const sorted = wordsIn(lines).toSorted((a, b) => a.localeCompare(b, 'en'))
      expect(wordsIn(lines)).toEqual(sorted)
    })
  },
)

it('leads to what exists', async () => {
  expect(await brokenLinks(PAGE, text)).toEqual([])
})
