import { array, constantFrom, integer, oneof } from 'fast-check'
import { expect, test } from 'vitest'
import { displayWidth, visible } from '../../../reconciler/text/display.ts'
import { cut, cutLong, cutProse } from '../../../reconciler/text/lines.ts'
import { anyText } from '../../support/any-text.ts'
import { UNSEEN } from '../../support/obeyed.ts'
import { holds } from '../../support/soak.ts'

const words = array(oneof(anyText(), constantFrom('. ', ' (', ') ', 'e\u0301', '\u4FDD')), { maxLength: 40 })

test('what is cut has room, whatever it is', async () => {
  await holds(100, [words, integer({ min: 3, max: 120 })], (all, width) => {
    const text = all.join('').replaceAll('\n', ' ')
    for (const shown of [cut(visible(text), width), cutLong(text, width), cutProse(visible(text), width)]) {
      expect(displayWidth(shown)).toBeLessThanOrEqual(width)
      expect(shown).not.toMatch(UNSEEN)
    }
    return Promise.resolve()
  })
})

test.each([
  ['accents of their own', 'e\u0301', 7],
  ['characters of two units', '\u{1D538}', 7],
  ['pictographs', '\u{1F44D}\u{1F3FD}', 3],
])('a long text of %s is cut to its room, and no character is cut', (_, character, count) => {
  expect(cutLong(character.repeat(100), 8)).toBe(`${character.repeat(count)}…`)
})

test('no half of a character stays where a long text is cut', () => {
  expect(cutLong(`${'o\u0308\u0323\u0301'.repeat(4)}ab\u0301${'\u{1F600}'.repeat(9)}`, 10)).not.toContain(
    '\\u',
  )
  expect(cutLong(`${'o\u0308\u0323'.repeat(6)}x\u{1D538}${'y'.repeat(9)}`, 10)).toBe(
    `${'o\u0308\u0323'.repeat(6)}x…`,
  )
})
