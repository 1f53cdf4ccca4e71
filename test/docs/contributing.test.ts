import { existsSync, readdirSync, readFileSync } from 'node:fs'
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

const places = [...text.matchAll(/`([\w/.-]+\.ts)` \(`(\w+)`\)/g)]

it.each(places.map(([, path = '', name = '']) => [name, path] as const))(
  'CONTRIBUTING.md names %s, which %s has',
  (name, path) => {
    const declared = new RegExp(`^(?:export )?const ${name}\\b|^  (?:async )?${name}[(<]`, 'm')
    expect(readFileSync(join(root, path), 'utf8')).toMatch(declared)
  },
)

it('the map of test/world names each of its files in its folder, and no others', () => {
  const folder = join(root, 'test', 'world')
  const map = readFileSync(join(folder, 'README.md'), 'utf8')
  const rows = [...map.matchAll(/^\| [^|]+ \| `([\w.]+)` \| (.+) \|$/gm)]
  const inRows = rows.flatMap(([, within = '', files = '']) => named(files).map((file) => join(within, file)))
  const there = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  )
  expect([...new Set(inRows)].toSorted()).toEqual(there.toSorted())
  const elsewhere = named(map).filter((file) => file.includes('/'))
  expect(elsewhere.filter((file) => !there.includes(file))).toEqual([])
})

const named = (map: string): string[] => [...map.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file)
