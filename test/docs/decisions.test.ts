import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const folder = join(root, 'docs', 'decisions')
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const decisions = readdirSync(folder).filter((name) => /^\d{4}-/.test(name))

it.each(decisions)('%s is in the list of decisions once, by its title', (name) => {
  const [, number = '', title = ''] =
    /^# (\d{4}): (.+)$/m.exec(readFileSync(join(folder, name), 'utf8')) ?? []
  expect(index.split(`](${name})`)).toHaveLength(2)
  expect(index).toContain(`\n- [${number}](${name}): ${title}\n`)
})

it.each(decisions)('%s names files and folders that are there', (name) => {
  const text = readFileSync(join(folder, name), 'utf8')
  const paths = [
    ...text.matchAll(/`((?:provider|reconciler|constructs|service|scripts|test|docs)\/[^` ]*)`/g),
  ]
  expect(paths.map(([, path = '']) => path).filter((path) => !existsSync(join(root, path)))).toEqual([])
})
