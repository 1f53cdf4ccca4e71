import { mkdir, mkdtemp, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it, onTestFinished } from 'vitest'
import { tarball, zip } from '../../scripts/release/archives.ts'

const { TZ } = process.env
afterAll(() => {
  if (TZ === undefined) delete process.env['TZ']
  else process.env['TZ'] = TZ
})

/** The archive that is made in a time zone of files with these names, which are of that day and written in that order. */
const madeIn = async (zone: string, day: string, names: readonly string[], archive: typeof zip) => {
  process.env['TZ'] = zone
  const folder = await mkdtemp(join(tmpdir(), 'dm-archives-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const content = join(folder, 'content')
  await mkdir(join(content, 'lib'), { recursive: true })
  for (const name of names) {
    await writeFile(join(content, name), name)
    await utimes(join(content, name), new Date(day), new Date(day))
  }
  await archive(content, join(folder, 'archive'), 1)
  return readFile(join(folder, 'archive'))
}

it.each([
  ['zips', zip],
  ['tarballs', tarball],
])('equal files give equal %s, whenever and wherever these are made', async (_, archive) => {
  const one = await madeIn('UTC', '2026-02-03', ['a', join('lib', 'b')], archive)
  const other = await madeIn('America/New_York', '2026-04-05', [join('lib', 'b'), 'a'], archive)
  expect(other.equals(one)).toBe(true)
})
