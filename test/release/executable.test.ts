import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { startService } from '@deploymgmt/service'
import { writeCommand } from '../../scripts/release/command.ts'
import { DEBIAN_PACKAGES } from '../../scripts/release/debian.ts'
import { trimmed } from '../../scripts/release/elf.ts'
import { COMPILERS, compiledBy, compilerVersion } from '../../scripts/release/launcher/compile.ts'
import { COMPILED_WITH, launcher } from '../../scripts/release/launcher/compiled.ts'
import { nodeFile } from '../../scripts/release/node-runtime.ts'
import { ownPlatform, PLATFORMS, platformsNamed } from '../../scripts/release/platforms.ts'
import { beginBareRoot, noBareRoot, runBare } from './support/bare.ts'
import { wouldFetch } from './support/libraries.ts'

const own = ownPlatform()
const isLinux = own?.runtime?.libraries !== undefined
const root = join(import.meta.dirname, '..', '..')

describe.skipIf(!isLinux || wouldFetch)('the command as an executable', () => {
  let folder = ''
  beforeAll(async () => {
    if (own?.runtime === undefined) return undefined
    folder = await mkdtemp(join(tmpdir(), 'dm-executable-'))
    await writeCommand({ ...own, runtime: own.runtime }, join(folder, 'command'))
    return () => rm(folder, { recursive: true })
  })

  const run = (path: string, words: readonly string[], env: Record<string, string> = {}) =>
    spawnSync(path, words, { env: { PATH: '', ...env }, encoding: 'utf8', cwd: folder })

  it('runs with an empty PATH, by links too, and hands on words and exit codes', async () => {
    await symlink(join(folder, 'command', 'deploymgmt'), join(folder, 'linked'))
    expect(run(join(folder, 'linked'), ['--version'])).toMatchObject({ status: 0, stdout: '0.1.0\n' })
    const { status, stderr } = run(join(folder, 'linked'), ['validate', '--file', 'no such file'])
    expect([status, stderr]).toEqual([1, expect.stringContaining('no such file')])
  })

  it('says what is missing where its files are apart', async () => {
    const alone = join(folder, 'alone')
    await mkdir(alone)
    await cp(join(folder, 'command', 'deploymgmt'), join(alone, 'deploymgmt'))
    const message =
      /^Error DM-RUNTIME: cannot be started: \S*\/alone\/lib\/ld\.so is not there .*together\.\n$/v
    const path = join(alone, 'deploymgmt')
    expect(run(path, ['plan'])).toMatchObject({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(message),
    })
    // Terraform shows stdout if it is not a handshake.
    expect(run(path, [], { TF_PLUGIN_MAGIC_COOKIE: 'x' }).stdout).toMatch(message)
  })

  it.skipIf(noBareRoot)('plans, applies and finds nothing left to do in an empty image', async () => {
    const service = await startService({ fixture: join(root, 'examples/quickstart/fixture.yaml') })
    onTestFinished(() => service.close())
    const bare = await beginBareRoot()
    await cp(join(folder, 'command'), join(bare, 'opt'), { recursive: true })
    const manifest = await readFile(join(root, 'examples/quickstart/deploymgmt.yaml'), 'utf8')
    await writeFile(join(bare, 'root', 'deploymgmt.yaml'), manifest)
    const command = (...words: string[]) =>
      runBare(bare, ['/opt/deploymgmt', ...words, '--file', '/root/deploymgmt.yaml'], {
        DEPLOYMGMT_BASE_URL: service.baseUrl,
        DEPLOYMGMT_PUBLIC_KEY: 'ciadmin',
        DEPLOYMGMT_PRIVATE_KEY: '9d2c2a3e-quickstart-key',
        DANA_INITIAL_PASSWORD: 'Correct-Horse-7',
      })
    expect(await command('state', 'init')).toMatchObject({ code: 0 })
    expect(await command('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await command('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
  })

  it('carries the licences of all that is in it', async () => {
    const licenses = join(folder, 'command', 'lib', 'licenses')
    for (const [name, phrase] of [
      ['node.txt', 'Node.js is licensed'],
      ['glibc.txt', 'GNU C Library'],
      ['LGPL-2.1.txt', 'GNU LESSER GENERAL PUBLIC LICENSE'],
    ] as const)
      expect(await readFile(join(licenses, name), 'utf8')).toContain(phrase)
  })
})

describe('the parts of an executable', () => {
  it.each(Object.entries(COMPILERS))(
    'the launcher for %s is what its source says',
    (architecture, compiler) => {
      const version = compilerIn(compiler)
      if (version !== COMPILED_WITH) return
      expect(launcher(architecture as keyof typeof COMPILERS)).toEqual(compiledBy(compiler))
    },
  )

  it.skipIf(!isLinux)('Node without its symbols is smaller, and all that is loaded is there', async () => {
    if (own?.runtime === undefined) return
    const whole = await nodeFile(own.runtime)
    const rest = trimmed(whole)
    expect(rest.length).toBeLessThan(whole.length * 0.95)
    expect(rest.subarray(64).equals(whole.subarray(64, rest.length))).toBe(true)
    expect(() => trimmed(Buffer.alloc(100))).toThrow(/no executable/v)
  })

  it('platforms are named as the registry names them, once, and a wrong name says which there are', () => {
    expect(new Set(PLATFORMS.map(({ name }) => name)).size).toBe(PLATFORMS.length)
    expect(platformsNamed([])).toBe(PLATFORMS)
    expect(() => platformsNamed(['linux_386'])).toThrow(/linux_386.*linux_amd64/v)
    for (const { files } of DEBIAN_PACKAGES)
      for (const { of } of files)
        for (const [, sum] of Object.values(of)) expect(sum).toMatch(/^[\da-f]{64}$/v)
  })
})

const compilerIn = (name: string): string | undefined => {
  try {
    return compilerVersion(name)
  } catch {
    return undefined
  }
}
