import * as fc from 'fast-check'
import { load } from 'js-yaml'
import { expect, test } from 'vitest'
import { commentLine, entryLines, flow } from '../../reconciler/adopt/yaml.ts'
import { anyText } from '../support/any-text.ts'
import { UNSEEN } from '../support/obeyed.ts'
import { holds } from '../support/soak.ts'

const text = fc.oneof(
  anyText(),
  fc.stringMatching(/^[\w.+:/@%-]{0,12}$/),
  fc.constantFrom(
    'null',
    '~',
    'yes',
    '0x1f',
    '1e3',
    '.inf',
    '5e12345678901234567890ab',
    '# x',
    '- a',
    '${x}',
    '$${',
    'a: b',
    '1:30',
    '012',
    '2026-12-05',
    '---',
    '...',
    '<<',
    '=',
  ),
)
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
  fc.array(text),
  fc.dictionary(fc.stringMatching(/^[a-z]\w{0,8}$/), text),
)
const NAME = fc.stringMatching(/^[a-z][\w-]{0,8}$/)

/** As a manifest reads it: `$${` means `${`. */
const read = (yaml: string): unknown => JSON.parse(JSON.stringify(load(yaml)).replaceAll('$${', '${'))

test('whatever a value holds, it is read as it was, in one line or several', () =>
  holds<[Record<string, unknown>]>(300, [fc.dictionary(NAME, value)], async (values) => {
    const plain: unknown = JSON.parse(JSON.stringify(values))
    expect(read(flow(values))).toEqual(plain)
    expect(read(entryLines('name', values).join('\n'))).toEqual({ name: plain })
  }))

test('whatever a value holds, whoever reviews it sees all of it', () =>
  holds<[string]>(300, [anyText()], async (said) => {
    expect(entryLines('name', { said, list: [said] }).join('\n')).not.toMatch(UNSEEN)
  }))

test('whatever a comment holds, it is one line that says nothing', () =>
  holds<[string]>(300, [anyText()], async (said) => {
    expect(load(`${commentLine(said)}\na: 1`)).toEqual({ a: 1 })
  }))
