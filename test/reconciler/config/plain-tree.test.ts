import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { manifest } from '../../../bench/fixtures/alert-configurations.ts'
import type { Node } from '../../../reconciler/config/node.ts'
import { eventTree } from '../../../reconciler/config/parse.ts'
import { plainTree } from '../../../reconciler/config/plain-tree.ts'
import { Report } from '../../../reconciler/config/report.ts'
import { Source } from '../../../reconciler/config/source.ts'
import { holds } from '../../support/soak.ts'

const EXAMPLES = join(import.meta.dirname, '..', '..', '..', 'examples', 'yaml')
const examples = readdirSync(EXAMPLES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => readFileSync(join(EXAMPLES, name), 'utf8'))

/** Of two trees, each has places of its own source. */
const told = (node: Node | undefined): unknown => {
  if (node === undefined) return undefined
  const { is, start, end } = node
  if (node.is === 'scalar') return { is, start, end, text: node.text, value: node.value }
  if (node.is === 'list') return { is, start, end, items: node.items.map(told) }
  const pairs = [...node.pairs].map(([name, { key, value }]) => [name, told(key), told(value)])
  return { is, start, end, pairs }
}

const readBy = (text: string) => {
  const source = new Source('a.yaml', '/a.yaml', text)
  const report = new Report(undefined)
  return { plain: plainTree(source), whole: eventTree(source, report), findings: report.findings() }
}

/** What is read without events is what the library reads, with every place, and nothing is wrong with it. */
const isAlike = (text: string): boolean => {
  const { plain, whole, findings } = readBy(text)
  if (plain === undefined) return true
  expect(told(plain)).toStrictEqual(told(whole))
  return findings.length === 0
}

test('a manifest of entries or of selectors is read without events', () => {
  const size = { things: 30, projects: 3 }
  for (const declared of ['entries', 'selectors'] as const) {
    const { plain, whole } = readBy(manifest(size, declared))
    expect(told(plain)).toStrictEqual(told(whole))
    expect(plain).toBeDefined()
  }
})

test('most examples are, and all are read alike', () => {
  expect(examples.every(isAlike)).toBe(true)
  const plain = examples.filter((text) => readBy(text).plain !== undefined)
  expect(plain.length).toBeGreaterThan(examples.length / 2)
})

test.each([
  ['a key twice', 'a: 1\na: 2\n'],
  ['a text of several lines', 'a: b\n  c\n'],
  ['a tab', 'a:\tb\n'],
  ['an anchor', 'a: &b c\n'],
  ['a second document', 'a: b\n---\nc: d\n'],
  ['an escape', 'a: "\\n"\n'],
  ['a colon in a text', 'a: b: c\n'],
  ['a bracket that goes on below', 'a: [b,\n  c]\n'],
  ['indentation that ends nowhere', 'a:\n    b: c\n  d: e\n'],
])('%s is left to the library', (_, text) => {
  expect(readBy(text).plain).toBeUndefined()
})

const piece = fc.constantFrom(
  'a:',
  'b: ',
  'c: 1',
  'true: no',
  'null: ~',
  '<<: x',
  '_d.e-f: "g"',
  "k: 'l'",
  'n: {',
  '}',
  '[',
  ']',
  ',',

  '- ',
  '-',
  '- a: b',
  '\n',
  '\n',
  '\n  ',
  '\n  ',
  '\n    ',
  '\n      ',
  ' ',
  '#',
  ' # why',
  '---\n',
  '...\n',

  'x',
  '5c8100bcf2a3',
  '0x1f',
  '1e3',
  '-1',
  '.5',
  '"',
  "'",
  "''",
  '\\',
  ': ',
  ':',
  '&a',
  '*a',
  '!t',
  '|',
  '>',
  '%',

  '${a.b}',
  '{ a: b }',
  '[ a, b ]',
  '{}',
  '[]',
  'ä',
  '\u200b',
  '\t',
  '\r\n',
  '{ a: [b, "c d"], e: {} }',
  '[- a]',
  '?',
)
const line = fc
  .tuple(
    fc.constantFrom('', '', '  ', '  ', '    ', '- ', '  - ', '    - '),
    fc.constantFrom('a:', 'b:', 'c:', 'd:', 'e:', ''),
    fc.constantFrom(
      '',
      '',
      ' 1',
      ' x y',
      ' "q"',
      ' [a, b]',
      ' { f: g }',
      ' # h',
      ' ${v}',
      '  z  ',
      ' -1',
      ' a#b',
      ' c:d',
    ),
  )
  .map((parts) => parts.join(''))

test('whatever lines follow one another, they are read alike', async () => {
  await holds(3_000, [fc.array(line, { maxLength: 12 })], async (lines) => {
    expect(isAlike(lines.join('\n'))).toBe(true)
  })
})

test('whatever pieces follow one another, they are read alike', async () => {
  await holds(3_000, [fc.array(piece, { maxLength: 25 })], async (pieces) => {
    expect(isAlike(pieces.join(''))).toBe(true)
  })
})

test('an example with a piece anywhere is read alike', async () => {
  const [text, at, less] = [fc.constantFrom(...examples), fc.nat(), fc.nat({ max: 12 })]
  await holds(2_000, [text, at, piece, less], async (one, where, put, left) => {
    const from = where % one.length
    expect(isAlike(`${one.slice(0, from)}${put}${one.slice(from + left)}`)).toBe(true)
  })
})
