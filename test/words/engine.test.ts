import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const engine = join(import.meta.dirname, '..', '..', 'provider', 'engine')

/** The text literals of a source, without comments and without messages about our own defects (`TypeError`). */
const literalsIn = (source: string): string[] => {
  const code = source
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '')
    .replaceAll(/(?:Type|Range)Error\([^\n]*\)/g, '')
  return [...code.matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(
    ([, plain, template]) => plain ?? (template ?? '').replaceAll(/\$\{[^}]*\}/g, ''),
  )
}

const isSentence = (text: string): boolean => /[A-Za-z]{2,}[,;:]? [a-z]+[,;:]? [a-z]{2,}/.test(text)

describe('the engine', () => {
  const files = readdirSync(engine, { recursive: true, encoding: 'utf8' }).filter(
    // The checks of every plan report defects of our own, which are not worded for users.
    (file) => file.endsWith('.ts') && file !== join('plan', 'validate.ts'),
  )

  it('spells no field as a door does', () => {
    const spelling = files.filter(
      (file) => readFileSync(join(engine, file), 'utf8').match(/fillSentence|Spelling/) !== null,
    )
    expect(spelling).toEqual([])
  })

  it.each(files)('speaks no sentence in %s', (file) => {
    expect(literalsIn(readFileSync(join(engine, file), 'utf8')).filter(isSentence)).toEqual([])
  })
})
