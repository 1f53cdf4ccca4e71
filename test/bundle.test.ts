import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { start } from './support/process.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..')
const dist = join(root, 'reconciler', 'dist')

describe('the bundle of the command', () => {
  it('brings the licences of all that is in it, which allow that', async () => {
    const notices = await readFile(join(dist, 'THIRD-PARTY-NOTICES.txt'), 'utf8')
    const told = [...notices.matchAll(/^(\S+) \d\S* \((.+)\)$/gm)]
    const names = new Set(told.map(([, name]) => name))
    for (const name of ['got', 'commander', 'js-yaml', 'pg', 'rrule-temporal', 'fastify', 'typebox'])
      expect(names).toContain(name)
    const licences = new Set(told.map(([, , licence]) => licence))
    expect(
      [...licences].filter(
        (each) => !/^(?:MIT|ISC|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0)$/v.test(each ?? ''),
      ),
    ).toEqual([])
  })

  it('tells of a defect by the places in the sources', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
    try {
      const defect = join(folder, 'defect.cjs')
      await writeFile(defect, "JSON.stringify = () => { throw new TypeError('broken') }")
      const { ended } = start({ folder, env: {} }, ['schema'], [process.execPath, '--require', defect])
      const { code, stderr } = await ended
      expect(code).toBe(1)
      expect(stderr).toContain('DM-INTERNAL')
      expect(stderr).toMatch(/ at \S+ \(reconciler\/disk\/check\.ts:\d+:\d+\)\n/v)
      expect(stderr).toMatch(/ at async .+ \(reconciler\/cli\.ts:\d+:\d+\)\n/v)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the packed command, by itself', () => {
  let folder = ''
  const command = async (...words: string[]): Promise<string> =>
    (
      await run(process.execPath, [join(folder, 'package', 'bin', 'deploymgmt.cjs'), ...words], {
        cwd: folder,
      })
    ).stdout

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
    await run('npm', ['pack', '--pack-destination', folder], { cwd: join(root, 'reconciler') })
    await run('tar', ['xzf', join(folder, 'deploymgmt-0.1.0.tgz'), '-C', folder])
    return () => rm(folder, { recursive: true })
  })

  it('leaves nothing behind in the checkout', () => {
    expect(existsSync(join(root, 'reconciler', 'templates'))).toBe(false)
  })

  it('plans with the service that it brings', async () => {
    await cp(join(root, 'examples', 'quickstart', 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
    expect(await command('plan', '--local')).toContain('2 to create')
  })

  it('writes the starter that it brings', async () => {
    await rm(join(folder, 'deploymgmt.yaml'), { force: true })
    await command('init', '--template', 'typescript')
    expect(await readFile(join(folder, 'main.ts'), 'utf8')).toBe(
      await readFile(join(root, 'examples', 'typescript', 'starter', 'main.ts'), 'utf8'),
    )
  })
})
