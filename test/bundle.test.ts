import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleCommand } from '../scripts/command/bundle.ts'
import { unlessFresh } from '../scripts/command/fresh.ts'
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

  it('loads nothing of Node for what its packages could do and are never asked', async () => {
    const text = await readFile(join(dist, 'main.cjs'), 'utf8')
    expect(text).toContain('require("node:https")')
    expect(text).not.toContain('require("node:http2")')
    expect(text).toContain('new LateListFormat("en"')
    expect(text).not.toContain('new Intl.ListFormat')
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
      expect(stderr).toMatch(/ at .+ \(reconciler\/commands\/schema\.ts:\d+:\d+\)\n/v)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('what is built', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
    return () => rm(folder, { recursive: true })
  })

  it('is made again where one of its files is gone', async () => {
    const into = join(folder, 'dist')
    expect(await bundleCommand(into)).toBe(true)
    expect(await bundleCommand(into)).toBe(false)
    for (const name of ['main.cjs', 'service.cjs.map']) {
      await rm(join(into, name))
      expect([name, await bundleCommand(into)]).toEqual([name, true])
    }
    expect((await stat(join(into, 'main.cjs'))).size).toBeGreaterThan(100_000)
  })

  it('knows what it was made from, and what says how', async () => {
    const { inputs } = JSON.parse(await readFile(join(dist, 'sources.json'), 'utf8')) as { inputs: string[] }
    expect(inputs).toEqual(
      expect.arrayContaining([
        'reconciler/main.ts',
        'service/index.ts',
        'scripts/command/bundle.ts',
        'package.json',
        'package-lock.json',
        'tsconfig.base.json',
        ...['provider', 'reconciler', 'service'].flatMap((each) => [
          `${each}/package.json`,
          `${each}/tsconfig.json`,
        ]),
      ]),
    )
  })

  it('is made again where a source was edited while it was being made', async () => {
    const source = join(folder, 'source.ts')
    const long = new Date('2026-01-01T00:00:00Z')
    await writeFile(source, 'old')
    await utimes(source, long, long)
    const build = (meanwhile: () => Promise<void>) =>
      unlessFresh(folder, join(folder, 'sources.json'), async () => {
        await writeFile(join(folder, 'built.cjs'), await readFile(source))
        await meanwhile()
        return { inputs: ['source.ts'], outputs: ['built.cjs'] }
      })
    const made: boolean[] = []
    made.push(await build(() => writeFile(source, 'new')))
    made.push(await build(() => utimes(source, long, long)))
    made.push(await build(async () => undefined))
    expect(made).toEqual([true, true, false])
    expect(await readFile(join(folder, 'built.cjs'), 'utf8')).toBe('new')
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

  it('plans with the service that it brings', async () => {
    await cp(join(root, 'examples', 'quickstart', 'deploymgmt.yaml'), join(folder, 'deploymgmt.yaml'))
    expect(await command('plan', '--local')).toContain('2 to create')
  })

  it('writes the starter that it brings', async () => {
    await rm(join(folder, 'deploymgmt.yaml'), { force: true })
    const bin = join(folder, 'package', 'bin', 'deploymgmt.cjs')
    const { stderr } = await run(process.execPath, [bin, 'init', '--template', 'typescript'], { cwd: folder })
    // A plain npm install would ask a registry, where others can have packages of these names.
    expect(stderr).toContain(
      'npm install FOLDER/deploymgmt-0.1.0.tgz FOLDER/deploymgmt-constructs-0.1.0.tgz, npm test',
    )
    expect(await readFile(join(folder, 'main.ts'), 'utf8')).toBe(
      await readFile(join(root, 'examples', 'typescript', 'starter', 'main.ts'), 'utf8'),
    )
  })
})
