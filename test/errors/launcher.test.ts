import { spawn } from 'node:child_process'
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launcherErrors } from '../../scripts/docs/errors-page.ts'
import type { Ran } from '../support/command.ts'
import { COMMAND } from '../support/process.ts'
import { codeIn } from './support/told.ts'
import { RUNNING, TOO_OLD } from '../support/node-versions.ts'

const scratch = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/**
 * Runs the launcher alone, as in a checkout that was never compiled, with this Node or with one that claims to be
 * older.
 */
const launcher = async (version?: string, words: readonly string[] = ['plan']): Promise<Ran> => {
  const folder = await scratch()
  await mkdir(join(folder, 'bin'))
  await writeFile(join(folder, 'package.json'), '{ "version": "1.2.3" }')
  await copyFile(COMMAND, join(folder, 'bin', 'deploymgmt.cjs'))
  const older = join(folder, 'older.cjs')
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version ?? ''}' } })`,
  )
  const options = version === undefined ? [] : ['--require', older]
  return ended([...options, join(folder, 'bin', 'deploymgmt.cjs'), ...words])
}

const ended = (
  words: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  program = process.execPath,
): Promise<Ran> => {
  const child = spawn(program, words, { env })
  onTestFinished(() => void child.kill('SIGKILL'))
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const MET: Readonly<Record<string, () => Promise<Ran>>> = {
  'DM-NOT-BUILT': () => launcher(),
  'DM-NODE-VERSION': () => launcher('20.20.2'),
}

/** Errors of the executables are tested in `test/release/executable.test.ts`. */
const codes = Object.keys(launcherErrors).filter((code) => code !== 'DM-RUNTIME')

describe('the launcher of the command', () => {
  it.each(codes)('says %s and what to do, on one line each', async (code) => {
    const ran = (await MET[code]?.()) ?? { code: null, stdout: '', stderr: '' }
    expect({ exit: ran.code, code: codeIn(ran), stdout: ran.stdout }).toEqual({ exit: 1, code, stdout: '' })
    expect(ran.stderr).toMatch(/^Error [^\n]+\n {2}\S[^\n]*\.\n$/)
  })

  it('says nothing else', () => {
    expect(Object.keys(MET).toSorted()).toEqual(codes.toSorted())
  })

  it.each(RUNNING)('runs under Node %s', async (version) => {
    expect(codeIn(await launcher(version))).toBe('DM-NOT-BUILT')
  })

  it.each(TOO_OLD)('does not run under Node %s', async (version) => {
    expect(codeIn(await launcher(version))).toBe('DM-NODE-VERSION')
  })

  it.each([undefined, '18.0.0'])('tells its version under Node %s with nothing compiled', async (version) => {
    expect(await launcher(version, ['--version'])).toEqual({ code: 0, stdout: '1.2.3\n', stderr: '' })
  })
})

/** The result of `--help` in a Node that has been modified by these lines. */
const helpedAfter = async (cache: string, lines: string): Promise<Ran> => {
  const before = join(await scratch(), 'before.cjs')
  await writeFile(before, lines)
  return ended(['--require', before, COMMAND, '--help'], { ...process.env, XDG_CACHE_HOME: cache })
}

/** The exit code of `--help`. */
const helped = async (cache: string): Promise<number | null> =>
  (await ended([COMMAND, '--help'], { ...process.env, XDG_CACHE_HOME: cache })).code

const HOUR = 3_600_000
const DAY = 24 * HOUR

const aged = async (path: string, by: number): Promise<void> => {
  const then = new Date(Date.now() - by)
  await utimes(path, then, then)
}

/** The only file in the cache. */
const keptIn = async (cache: string): Promise<{ path: string; changed: number; bytes: Buffer }> => {
  const folder = join(cache, 'deploymgmt')
  const [name = '', ...others] = await readdir(folder)
  expect(others).toEqual([])
  const path = join(folder, name)
  return { path, changed: (await stat(path)).mtimeMs, bytes: await readFile(path) }
}

/**
 * How much code is cached varies a little with V8's garbage collection, so the file is rewritten a few times at most.
 */
const atRest = async (cache: string) => {
  let kept = await keptIn(cache)
  for (let runs = 0; runs < 5; runs += 1) {
    expect(await helped(cache)).toBe(0)
    const next = await keptIn(cache)
    if (next.changed === kept.changed) return next
    kept = next
  }
  return expect.fail('each command has written anew what is kept compiled')
}

describe.skipIf(process.platform === 'win32')('what the launcher keeps compiled', () => {
  it('lies in a folder of the user that nobody else can look into', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    expect((await stat(join(cache, 'deploymgmt'))).mode & 0o777).toBe(0o700)
    expect(await readdir(join(cache, 'deploymgmt'))).toHaveLength(1)
  })

  it('is read as it is, and written anew where a command compiles much besides', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const first = await atRest(cache)
    const much = first.bytes.length * 1.1
    // How much V8 has compiled by the end of a command depends on the load of the machine.
    for (let runs = 0; runs < 5 && (await keptIn(cache)).bytes.length <= much; runs += 1) {
      // It loads the client and says what is missing; `schema` compiles too little beyond `--help`.
      const { code } = await ended([COMMAND, 'get', 'alerts'], { ...process.env, XDG_CACHE_HOME: cache })
      expect(code).toBe(1)
    }
    expect((await keptIn(cache)).bytes.length).toBeGreaterThan(much)
    await atRest(cache)
  })

  it('is checked more closely after a larger command wrote it, and rewritten if much code is missing', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const sound = await atRest(cache)
    const [room, much] = [sound.bytes.readUInt32LE(8), sound.bytes.readUInt32LE(12)]
    const told = async (compiled: number) => {
      const larger = Buffer.from(sound.bytes)
      larger.writeUInt32LE(2 * room, 8)
      larger.writeUInt32LE(compiled, 12)
      await writeFile(sound.path, larger)
      expect(await helped(cache)).toBe(0)
      return (await keptIn(cache)).bytes
    }
    const whole = await told(2 * much)
    expect(whole.readUInt32LE(8)).toBeLessThan(1.5 * room)
    expect(whole.readUInt32LE(12)).toBe(2 * much)
    expect(whole.subarray(16)).toEqual(sound.bytes.subarray(16))
    const anew = await told(Math.round(much / 2))
    expect(anew.readUInt32LE(8)).toBeLessThan(1.5 * room)
    expect(anew.readUInt32LE(12)).toBeGreaterThan(0.9 * much)
  })

  it('is not believed where others can write to its file, and then replaced', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const { path } = await atRest(cache)
    await chmod(path, 0o666)
    expect(await helped(cache)).toBe(0)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
  })

  it.each([
    ['of another bundle', 0],
    ['damaged', 12_345],
  ])('is not believed where it is %s', async (_, at) => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const sound = await keptIn(cache)
    const broken = Buffer.from(sound.bytes)
    broken.writeUInt8(broken.readUInt8(at) ^ 255, at)
    await writeFile(sound.path, broken)
    expect(await helped(cache)).toBe(0)
    const mended = await keptIn(cache)
    expect(mended.path).toBe(sound.path)
    expect(mended.bytes.readUInt32LE(0)).toBe(sound.bytes.readUInt32LE(0))
    expect(mended.bytes.readUInt32LE(4)).toBe(crc32(mended.bytes.subarray(16)))
  })

  it('is neither read nor written where others can write', async () => {
    const cache = await scratch()
    await mkdir(join(cache, 'deploymgmt'))
    await chmod(join(cache, 'deploymgmt'), 0o777)
    expect(await helped(cache)).toBe(0)
    expect(await readdir(join(cache, 'deploymgmt'))).toEqual([])
  })

  it('is not missed where no folder can be made', async () => {
    const file = join(await scratch(), 'file')
    await writeFile(file, '')
    expect(await helped(file)).toBe(0)
  })

  it('costs nothing and prints nothing if its folder becomes unwritable', async () => {
    const cache = await scratch()
    const ran = await helpedAfter(
      cache,
      `const { rmSync, writeFileSync } = require('node:fs')
      const { Script } = require('node:vm')
      const { createCachedData } = Script.prototype
      Script.prototype.createCachedData = function () {
        console.error('compiled code is put together')
        return createCachedData.call(this)
      }
      const folder = ${JSON.stringify(join(cache, 'deploymgmt'))}
      process.once('exit', () => {
        rmSync(folder, { recursive: true })
        writeFileSync(folder, '')
      })`,
    )
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect((await stat(join(cache, 'deploymgmt'))).isFile()).toBe(true)
  })

  it('is written beside what another process of the same id is writing', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const { path } = await keptIn(cache)
    await rename(path, `${path}.1`)
    await writeFile(`${path}.1`, 'half')
    const ran = await helpedAfter(cache, "Object.defineProperty(process, 'pid', { value: 1 })")
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(await readFile(`${path}.1`, 'utf8')).toBe('half')
    expect((await readdir(dirname(path))).toSorted()).toEqual([basename(path), `${basename(path)}.1`])
  })

  it('is marked as used once a day', async () => {
    const cache = await scratch()
    expect(await helped(cache)).toBe(0)
    const { path, bytes } = await atRest(cache)
    await aged(path, HOUR)
    const young = await keptIn(cache)
    expect(await helped(cache)).toBe(0)
    expect((await keptIn(cache)).changed).toBe(young.changed)
    await aged(path, 2 * DAY)
    const { ino } = await stat(path)
    expect(await helped(cache)).toBe(0)
    const used = await keptIn(cache)
    expect(used.changed).toBeGreaterThan(young.changed)
    expect((await stat(path)).ino).toBe(ino)
    expect(used.bytes.equals(bytes)).toBe(true)
  })

  it('is deleted after a month without use when something is written, and nothing else is', async () => {
    const cache = await scratch()
    const folder = join(cache, 'deploymgmt')
    await mkdir(folder, { mode: 0o700 })
    const make = async (name: string, age: number): Promise<void> => {
      await mkdir(dirname(join(folder, name)), { recursive: true })
      await writeFile(join(folder, name), '')
      await aged(join(folder, name), age)
    }
    const unused = 'plan-main-964aae3f-00000001'
    const nodes = 'v24.11.0-x64-964aae3f'
    await make(unused, 31 * DAY)
    await make('plan-main-964aae3f-00000002.12ab', 2 * HOUR)
    await make(`${nodes}-0/315c71c4`, 31 * DAY)
    await make(`apply/${nodes}-0/315c71c4`, 31 * DAY)
    await make(`apply/${nodes}/315c71c4`, 31 * DAY)
    const others = [
      'plan-main-964aae3f-00000003',
      'plan-main-964aae3f-00000004.12ab',
      'plan-main-964aae3f-00000005.txt',
      'plan-main-notes',
      'plan-main-964aae3f-00000006/notes',
      'notes/v24/notes',
      `drift/${nodes}-0/315c71c4`,
    ]
    for (const name of others) await make(name, 31 * DAY)
    await aged(join(folder, others[0] ?? ''), 29 * DAY)
    await aged(join(folder, others[1] ?? ''), HOUR / 2)
    const link = 'plan-main-964aae3f-00000007'
    await symlink('notes', join(folder, link))
    for (const name of [`${nodes}-0`, `apply/${nodes}-0`, `apply/${nodes}`, 'notes/v24', 'notes'])
      await aged(join(folder, name), 31 * DAY)

    expect(await helped(cache)).toBe(0)
    const left = await readdir(folder)
    const stay = new Set([...others.map((each) => each.split('/')[0] ?? ''), link])
    const [written = '', ...more] = left.filter((each) => !stay.has(each))
    expect(more).toEqual([])
    expect(written).toMatch(/^others-main-[\da-f]{8}-[\da-f]{8}$/)
    for (const name of others) expect((await stat(join(folder, name))).isFile()).toBe(true)

    // The cache is complete by now. A run that writes nothing to it deletes nothing either.
    expect(await helped(cache)).toBe(0)
    await make(unused, 31 * DAY)
    expect(await helped(cache)).toBe(0)
    expect((await readdir(folder)).toSorted()).toEqual([...left, unused].toSorted())
  })

  it.runIf(process.platform === 'linux')(
    'is not missed if creating its folder fails with an unusual error',
    async () => {
      expect(await helped('/proc/none')).toBe(0)
    },
  )
})

it.skipIf(process.platform === 'win32')('a working folder that was deleted is told as an error', async () => {
  const script = 'cd "$1" && rmdir "$1" && exec "$2" "$3" validate'
  const gone = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
  const ran = await ended(['-c', script, 'sh', gone, process.execPath, COMMAND], process.env, '/bin/sh')
  expect(ran).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^Error DM-USAGE: /) })
  expect(ran.stderr.trim().split('\n')).toHaveLength(2)
})
