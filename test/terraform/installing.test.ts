import { execFile } from 'node:child_process'
import { cp, lstat, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../support/command-lines.ts'
import { install } from '../support/installation.ts'
import { light, OWN_PLATFORM, PLACE, unpackedOf, zipOf } from './support/mirror.ts'
import { noTerraform, PATH, ROOT, runTerraform } from './support/terraform.ts'
import { workspaceIn } from './support/workspace.ts'

const CHECKOUT = '/path/to/this/checkout'
const ADDRESS = 'registry.terraform.io/deploymgmt/deploymgmt'

let dist = ''
beforeAll(async () => {
  dist = await light()
})

const page = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')
const blockWith = (text: string, phrase: string): string =>
  blocksOf(text, 'hcl', 'terraform', 'sh').find((block) => block.includes(phrase)) ?? ''

/** A reader's folder: Terraform's settings as the README says, and the configuration of a page. */
const asTheReader = async ({ from, mirror }: { from: string; mirror: string }) => {
  const here = await install()
  onTestFinished(() => here.close())
  const text = await page(from)
  const settings = join(here.folder, 'settings.tfrc')
  const documented = blockWith(await page('docs/index.md'), 'filesystem_mirror')
  await writeFile(settings, documented.replaceAll(`${CHECKOUT}/dist/mirror`, mirror))
  await writeFile(join(here.folder, 'main.tf'), blockWith(text, 'required_providers'))
  return { text, documented, ...workspaceIn(here, { ...here.env, TF_CLI_CONFIG_FILE: settings }) }
}

/** The mirror with only one of the two forms of a package, since a reader may have only that one. */
const mirrorWithout = async (form: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'dm-one-form-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(dist, 'mirror'), join(folder, 'mirror'), { recursive: true })
  await rm(join(folder, form), { recursive: true })
  return join(folder, 'mirror')
}

describe.skipIf(noTerraform)('the provider, installed as the docs say', () => {
  it.each(['README.md', 'docs/index.md'])('by the blocks of %s is initialised and valid', async (from) => {
    const here = await asTheReader({ from, mirror: join(dist, 'mirror') })
    expect(here.documented).toContain('filesystem_mirror')
    await here.expect(0, 'init')
    expect((await here.expect(0, 'validate')).said).toContain('The configuration is valid.')
  })

  it('is linked from the mirror, and has the same sum packed and unpacked', async () => {
    const [whole, unpacked, packed] = [
      join(dist, 'mirror'),
      await mirrorWithout(join(PLACE, zipOf(OWN_PLATFORM))),
      await mirrorWithout(unpackedOf(OWN_PLATFORM)),
    ]
    const locks: string[] = []
    for (const [mirror, isLinked] of [
      [whole, true],
      [unpacked, true],
      [packed, false],
    ] as const) {
      const here = await asTheReader({ from: 'README.md', mirror })
      await here.expect(0, 'init')
      expect((await here.expect(0, 'plan')).said).toContain('1 to add')
      const installed = join(here.folder, '.terraform', 'providers', ADDRESS, '0.1.0', OWN_PLATFORM)
      expect((await lstat(installed)).isSymbolicLink()).toBe(isLinked)
      locks.push(await here.read('.terraform.lock.hcl'))
    }
    expect(new Set(locks).size).toBe(1)
  })

  it('is locked for other platforms from the mirror', async () => {
    const here = await asTheReader({ from: 'docs/index.md', mirror: join(dist, 'mirror') })
    const [command = '', ...words] = blockWith(here.text, 'providers lock')
      .trim()
      .replaceAll(`${CHECKOUT}/dist`, dist)
      .split(' ')
    expect(command).toBe('terraform')
    const { said } = await here.expect(0, ...words)
    expect(said).toContain('linux_amd64')
    expect(said).toContain('darwin_arm64')
    expect(await here.read('.terraform.lock.hcl')).toMatch(/"h1:[^"]+"/)
    await here.expect(0, 'init')
  })

  it('is run without an init by what terraform:dev prints', async () => {
    const here = await asTheReader({ from: 'README.md', mirror: join(dist, 'mirror') })
    const ran = await promisify(execFile)('npm', ['run', '--silent', 'terraform:dev'], {
      cwd: ROOT,
      env: { ...process.env, PATH },
    })
    const settings = join(here.folder, 'dev.tfrc')
    await writeFile(settings, ran.stdout)
    const env = { ...here.env, TF_CLI_CONFIG_FILE: settings }
    const { code, said } = await runTerraform(['plan'], { cwd: here.folder, env })
    expect(`${String(code)} ${said}`).toMatch(/^0 .*Provider development overrides are in effect.*1 to add/)
  })
})
