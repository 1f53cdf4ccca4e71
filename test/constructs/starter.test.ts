import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/installation.ts'
import { root } from './support/consumer.ts'

const begin = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-starter-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}
const init = (cwd: string) =>
  runCommand(['init', '--template', 'typescript'], { cwd, env: { PATH: process.env['PATH'] ?? '' } })

test('init --template typescript writes the starter, byte for byte, and leaves what is there', async () => {
  const folder = await begin()
  expect(await init(folder)).toMatchObject({ code: 0 })
  const starter = join(root, 'examples', 'typescript', 'starter')
  expect((await readdir(folder)).toSorted()).toEqual((await readdir(starter)).toSorted())
  for (const name of ['main.ts', 'declarations.ts', 'package.json'])
    expect(await readFile(join(folder, name), 'utf8')).toBe(await readFile(join(starter, name), 'utf8'))
  const again = await init(folder)
  expect(again).toMatchObject({ code: 1 })
  expect(again.stderr).toContain('exists already; nothing was written')
})
