import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { light, OWN_PLATFORM, pack, PLACE, released, unpackedOf, zipOf } from '../terraform/support/mirror.ts'
import { ROOT } from '../terraform/support/terraform.ts'
import { RUNNING, TOO_OLD } from '../support/node-versions.ts'
import { wouldFetch } from './support/libraries.ts'

const run = promisify(execFile)

describe.skipIf(wouldFetch)('the packages of the provider', () => {
  let [dist, folder] = ['', '']
  const bundle = (): string => join(folder, 'terraform-provider-deploymgmt_v0.1.0.cjs')
  beforeAll(async () => {
    dist = join(await released(), 'release')
    folder = await mkdtemp(join(tmpdir(), 'dm-carried-'))
    const carried = join(await light(), 'release', zipOf('darwin_arm64'))
    await run('unzip', ['-q', carried, '-d', folder])
    return () => rm(folder, { recursive: true })
  })

  it('are a zip for each platform whose sum is listed, and the manifest of the registry', async () => {
    const [manifest, sums] = ['manifest.json', 'SHA256SUMS'].map(
      (name) => `terraform-provider-deploymgmt_0.1.0_${name}`,
    ) as [string, string]
    expect((await readdir(dist)).toSorted()).toEqual([zipOf(OWN_PLATFORM), manifest, sums].toSorted())
    const { stdout } = await run('sha256sum', ['--check', sums], { cwd: dist })
    expect(stdout.match(/: OK/g)).toHaveLength(2)
    expect(JSON.parse(await readFile(join(dist, manifest), 'utf8'))).toEqual({
      version: 1,
      metadata: { protocol_versions: ['6.0'] },
    })
  })

  it('stand beside what they hold in the mirror', async () => {
    const mirror = await released()
    expect((await readdir(join(mirror, PLACE))).toSorted()).toEqual(['0.1.0', zipOf(OWN_PLATFORM)])
    const [zip, unpacked] = [join(mirror, PLACE, zipOf(OWN_PLATFORM)), join(folder, 'unpacked')]
    await run('cmp', [zip, join(dist, zipOf(OWN_PLATFORM))])
    await run('unzip', ['-q', zip, '-d', unpacked])
    await run('diff', ['--recursive', unpacked, join(mirror, unpackedOf(OWN_PLATFORM))])
    const { mode } = await stat(
      join(mirror, unpackedOf(OWN_PLATFORM), 'terraform-provider-deploymgmt_v0.1.0'),
    )
    expect(mode & 0o777).toBe(0o755)
  })

  it('leave a whole release as it is, and refuse to differ from it', async () => {
    const here = join(folder, 'twice')
    const release = join(here, 'release')
    const files = () => readdir(here)
    await pack(['darwin_arm64'], here)
    await writeFile(join(release, 'SHA256SUMS'), 'of all that is published\n')
    await pack(['darwin_arm64'], here)
    expect(await readFile(join(release, 'SHA256SUMS'), 'utf8')).toBe('of all that is published\n')
    await expect(pack(['darwin_amd64'], here)).rejects.toMatchObject({
      stderr: expect.stringMatching(/^[^\n]+ Remove it, or name another folder: [^\n]+\n$/),
    })
    expect(await files()).toEqual(['mirror', 'release'])
    expect(await readdir(join(here, PLACE))).toContain(zipOf('darwin_arm64'))
    await rm(join(release, 'SHA256SUMS'))
    await pack(['darwin_amd64'], here)
    for (const place of [release, join(here, PLACE)]) {
      expect(await readdir(place)).toContain(zipOf('darwin_amd64'))
      expect(await readdir(place)).not.toContain(zipOf('darwin_arm64'))
    }
  })

  it('hold one executable that Terraform can find, and what it starts', async () => {
    const { stdout } = await run('unzip', ['-Z', join(dist, zipOf(OWN_PLATFORM))])
    expect(stdout.match(/ terraform-provider-\S+/g)).toEqual([' terraform-provider-deploymgmt_v0.1.0'])
    for (const name of ['terraform-provider-deploymgmt_v0.1.0', 'lib/ld.so', 'lib/node'])
      expect(stdout).toMatch(new RegExp(`^-rwxr-xr-x .* ${name.replaceAll('.', '\\.')}$`, 'm'))
  })

  const under = (version: string) => {
    const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`
    return run(process.execPath, ['-e', `${pretend}; require(${JSON.stringify(bundle())})`])
  }

  it.each(TOO_OLD)(
    'say on stderr, and nothing else, that they need a newer Node than %s',
    async (version) => {
      await expect(under(version)).rejects.toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          /^Error DM-NODE-VERSION: .* Node\.js 22\.21, 24\.11, 26 or later; this is [\d.]+\..*\n$/,
        ),
      })
    },
  )

  it.each(RUNNING)('run under Node %s', async (version) => {
    await expect(under(version)).rejects.toMatchObject({
      stderr: expect.not.stringContaining('DM-NODE-VERSION'),
    })
  })

  it('carry the licences of all that is in them, also where the runtime is not', async () => {
    const unpacked = join(await released(), unpackedOf(OWN_PLATFORM))
    for (const [place, notices] of [
      [folder, 'THIRD-PARTY-NOTICES.txt'],
      [unpacked, 'lib/licenses/packages.txt'],
    ] as const) {
      expect(await readFile(join(place, 'LICENSE'), 'utf8')).toContain('Apache License')
      expect(await readFile(join(place, notices), 'utf8')).toContain('@grpc/grpc-js')
    }
  })

  it('name no path of the machine that made them', async () => {
    expect(await readFile(bundle(), 'utf8')).not.toContain(ROOT)
  })
})
