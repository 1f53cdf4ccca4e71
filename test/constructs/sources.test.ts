import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

const folder = join(import.meta.dirname, '..', '..', 'constructs')
const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'))

/** What users have installed: the library, its base, and the only dependency. */
const INSTALLED = ['cdktf', 'constructs', 'rrule-temporal']

describe.each(sources)('constructs/%s', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')

  test('imports what is beside it and what users have installed', () => {
    const specifiers = [...text.matchAll(/(?:from |import\()'([^']+)'/g)].map((match) => match[1] ?? '')
    expect(specifiers.filter((specifier) => !specifier.startsWith('./'))).toEqual(
      specifiers.filter((specifier) => INSTALLED.includes(specifier)),
    )
  })

  test('reads no clock of its own', () => {
    expect(text).not.toMatch(/Date\.now|new Date\(\)|process\.|Math\.random/)
  })
})
