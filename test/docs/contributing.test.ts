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
    expect(readFileSync(join(root, path), 'utf8')).toMatch(new RegExp(`\\b${name}\\b`))
  },
)

it('the map of test/world names each of its files, and no others', () => {
  const folder = join(root, 'test', 'world')
  const map = readFileSync(join(folder, 'README.md'), 'utf8')
  const named = new Set([...map.matchAll(/`([\w.-]+\.ts)`/g)].map(([, file = '']) => file))
  expect([...named].toSorted()).toEqual(
    readdirSync(folder)
      .filter((file) => file.endsWith('.ts'))
      .toSorted(),
  )
})
