/** A user with Terraform and the files of a release, and nothing else: no Node, no C library, no shell, no PATH. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { blocksOf } from '../support/command-lines.ts'
import { install } from '../support/installation.ts'
import { OWN_PLATFORM, released } from '../terraform/support/mirror.ts'
import { noTerraform, ROOT } from '../terraform/support/terraform.ts'
import { beginBareRoot, noBareRoot, onPath, runBare } from './support/bare.ts'
import { wouldFetch } from './support/libraries.ts'

const page = (path: string): Promise<string> => readFile(join(ROOT, path), 'utf8')
const blockWith = (text: string, phrase: string): string =>
  blocksOf(text, 'hcl', 'terraform', 'text').find((block) => block.includes(phrase)) ?? ''

const isLinux = OWN_PLATFORM.startsWith('linux')

describe.skipIf(noTerraform || noBareRoot || wouldFetch || !isLinux)('in an empty image', () => {
  it('the provider is installed by the docs, and plans and applies', async () => {
    const dist = await released()
    const here = await install()
    onTestFinished(() => here.close())
    const folder = await beginBareRoot()
    await cp(onPath('terraform'), join(folder, 'terraform'), { dereference: true })
    const text = await page('docs/install.md')
    const place = blockWith(text, '/terraform-provider-deploymgmt_')
      .trim()
      .replace('linux_amd64', OWN_PLATFORM)
    await mkdir(join(folder, dirname(place)), { recursive: true })
    await cp(join(dist, 'release', basename(place)), join(folder, place))
    await writeFile(join(folder, 'root', '.terraformrc'), blockWith(text, 'filesystem_mirror'))
    await mkdir(join(folder, 'work'))
    await writeFile(join(folder, 'work', 'main.tf'), blockWith(await page('README.md'), 'required_providers'))

    const env = { ...here.env, CHECKPOINT_DISABLE: '1', TF_IN_AUTOMATION: '1', TF_INPUT: '0' }
    const terraform = async (...words: string[]): Promise<string> => {
      const { code, stdout, stderr } = await runBare(folder, ['/terraform', '-chdir=/work', ...words], env)
      expect(`${words.join(' ')}: ${String(code)}\n${code === 0 ? '' : stdout + stderr}`).toBe(
        `${words.join(' ')}: 0\n`,
      )
      return stdout
    }
    await terraform('init', '-no-color')
    expect(await terraform('plan', '-no-color')).toContain('Plan: 1 to add')
    expect(await terraform('apply', '-no-color', '-auto-approve')).toContain('1 added')
    expect(await terraform('plan', '-no-color', '-detailed-exitcode')).toContain('No changes.')
  })
})
