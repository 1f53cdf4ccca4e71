import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { createMessage, generateKey, readKey, readSignature, verify } from 'openpgp'
import { beforeAll, describe, expect, it } from 'vitest'
import { changesOf } from '../../scripts/release/changes.ts'
import { ownPlatform, type Platform } from '../../scripts/release/platforms.ts'
import { noBareRoot, onPath } from './support/bare.ts'
import { wouldFetch } from './support/libraries.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const script = join(root, 'scripts', 'release', 'release.ts')

describe.skipIf(wouldFetch)('npm run release', () => {
  let [folder, dist, armored, said] = ['', '', '', '']
  const own: Platform = ownPlatform() ?? { name: '', node: ['', ''] }
  const text = (name: string) => readFile(join(dist, name), 'utf8')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dm-release-'))
    dist = join(folder, 'dist')
    const key = await generateKey({ userIDs: [{ name: 'a key for tests' }], passphrase: 'of the tests' })
    armored = key.publicKey
    const env = {
      ...process.env,
      DEPLOYMGMT_RELEASE_KEY: key.privateKey,
      DEPLOYMGMT_RELEASE_KEY_PASSPHRASE: 'of the tests',
    }
    const ran = await run(process.execPath, [script, '--quick', '--platform', own.name, dist], { env })
    said = ran.stdout
    return () => rm(folder, { recursive: true })
  })

  it('writes all that is published, and lists the sum of each file', async () => {
    const provider = 'terraform-provider-deploymgmt_0.1.0'
    expect((await readdir(dist)).toSorted()).toEqual(
      [
        'CHANGES.md',
        'SHA256SUMS',
        'SHA256SUMS.sig',
        'deploymgmt-0.1.0.tgz',
        ...['constructs', 'provider', 'service'].map((name) => `deploymgmt-${name}-0.1.0.tgz`),
        'deploymgmt_0.1.0_sbom.cdx.json',
        ...(own.runtime === undefined ? [] : [`deploymgmt_0.1.0_${own.name}.tar.gz`]),
        'release-key.asc',
        ...[`${own.name}.zip`, 'SHA256SUMS', 'SHA256SUMS.sig', 'manifest.json'].map(
          (name) => `${provider}_${name}`,
        ),
      ].toSorted(),
    )
    expect(said).toBe(`version 0.1.0, ${String((await readdir(dist)).length)} files: ${dist}\n`)
    const { stdout } = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: dist })
    expect(stdout.match(/: OK$/gmv)).toHaveLength((await readdir(dist)).length - 2)
  })

  it('signs the sums of all and of the provider, so that anyone can tell', async () => {
    for (const name of ['SHA256SUMS', 'terraform-provider-deploymgmt_0.1.0_SHA256SUMS']) {
      const message = await createMessage({ binary: await readFile(join(dist, name)) })
      const signature = await readSignature({ binarySignature: await readFile(join(dist, `${name}.sig`)) })
      const verificationKeys = await readKey({ armoredKey: await text('release-key.asc') })
      const { signatures } = await verify({ message, signature, verificationKeys })
      await expect(signatures[0]?.verified).resolves.toBe(true)
    }
    expect(await text('release-key.asc')).toBe(armored)
  })

  it.skipIf(onPath('gpg') === '')('signs what gpg verifies, as the docs say', async () => {
    const home = join(folder, 'gpg')
    await mkdir(home, { mode: 0o700 })
    const gpg = (...words: string[]) => run('gpg', ['--homedir', home, '--batch', ...words], { cwd: dist })
    await gpg('--import', 'release-key.asc')
    const { stderr } = await gpg('--verify', 'SHA256SUMS.sig', 'SHA256SUMS')
    expect(stderr).toMatch(/Good signature from "a key for tests"/v)
  })

  it('writes archives that hold what they are for', async () => {
    if (own.runtime === undefined || noBareRoot) return
    const name = `deploymgmt_0.1.0_${own.name}`
    await run('tar', ['-xzf', join(dist, `${name}.tar.gz`), '-C', folder])
    const { stdout } = await run(join(folder, name, 'deploymgmt'), ['--version'], { env: { PATH: '' } })
    expect(stdout).toBe('0.1.0\n')
  })

  it('says what all is made of, in valid CycloneDX', async () => {
    const sbom = await text('deploymgmt_0.1.0_sbom.cdx.json')
    const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6)
    expect(await validator.validate(sbom)).toBeNull()
    const names = (JSON.parse(sbom).components as { name: string }[]).map((each) => each.name)
    expect(names).toEqual(expect.arrayContaining(['got', 'fastify', 'pg', 'protobufjs', '@grpc/grpc-js']))
    const { runtime } = own
    const carried = runtime?.libraries === undefined ? [] : [runtime.package, 'libc6', 'libstdc++6']
    expect(names).toEqual(expect.arrayContaining(carried))
    expect(names).not.toContain('vitest')
  })

  it('packs for npm what runs in an empty project', async () => {
    const project = join(folder, 'project')
    await mkdir(project)
    await writeFile(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    const archives = (await readdir(dist)).filter((name) => name.endsWith('.tgz'))
    // The peer dependencies of the constructs.
    const peers = ['cdktf', 'constructs'].map((name) => join(root, 'node_modules', name))
    const words = ['install', '--silent', '--prefer-offline', '--no-audit', '--no-fund']
    await run('npm', [...words, ...archives.map((name) => join(dist, name)), ...peers], { cwd: project })
    const command = join(project, 'node_modules', '.bin', 'deploymgmt')
    expect((await run(process.execPath, [command, '--version'])).stdout).toBe('0.1.0\n')
    await writeFile(
      join(project, 'all.js'),
      `import * as constructs from '@deploymgmt/constructs'
       import { kinds } from '@deploymgmt/provider/kinds'
       import { startService } from '@deploymgmt/service'
       const service = await startService({})
       console.log(typeof constructs.DeploymgmtProvider, kinds.length > 0, service.baseUrl)
       await service.close()`,
    )
    const { stdout } = await run(process.execPath, [join(project, 'all.js')], { cwd: project })
    expect(stdout).toMatch(/^function true http:/v)
    const enginesOf = async (name: string): Promise<unknown> =>
      JSON.parse(await readFile(join(project, 'node_modules', name, 'package.json'), 'utf8')).engines
    const names = ['deploymgmt', '@deploymgmt/provider', '@deploymgmt/service']
    const newer = { node: '^22.21.0 || ^24.11.0 || >=26.0.0' }
    expect(await Promise.all(names.map(enginesOf))).toEqual([newer, newer, newer])
    expect(await enginesOf('@deploymgmt/constructs')).toEqual({ node: '>=20' })
    for (const name of [...names, '@deploymgmt/constructs'])
      expect(await readdir(join(project, 'node_modules', name))).toContain('LICENSE')
  })

  it('refuses before the work where there is no key, or one that cannot be used', async () => {
    const tried = (env: Record<string, string>) =>
      run(process.execPath, [script, join(folder, 'never')], { env: { PATH: process.env['PATH'], ...env } })
    await expect(tried({})).rejects.toThrow(/set DEPLOYMGMT_RELEASE_KEY/v)
    await expect(tried({ DEPLOYMGMT_RELEASE_KEY: 'no key' })).rejects.toThrow(/is no private OpenPGP key/v)
    expect(await readdir(folder)).not.toContain('never')
  })
})

describe('the changes of a version', () => {
  const changelog = '# Changelog\n\n## [Unreleased]\n\n- new\n\n## [1.0.0] - 2026-01-01\n\n- old\n'
  it('are its section, or what is in none yet, and never nothing', () => {
    expect(changesOf(changelog, '1.0.0')).toBe('# deploymgmt 1.0.0\n\n- old\n')
    expect(changesOf(changelog, '1.1.0')).toBe('# deploymgmt 1.1.0\n\n- new\n')
    expect(() => changesOf('# Changelog\n', '1.0.0')).toThrow(/says nothing of 1\.0\.0/v)
  })
})
