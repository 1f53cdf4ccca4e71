import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const paths = [...text.matchAll(/`((?:provider|reconciler|constructs|service|scripts|test|docs)\/[^` ]*)`/g)]

it.each([...new Set(paths.map(([, path = '']) => path))])(
  'CONTRIBUTING.md names %s, which is there',
  (path) => {
    expect(existsSync(join(root, path))).toBe(true)
  },
)
