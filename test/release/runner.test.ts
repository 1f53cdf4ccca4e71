/** The ways to install a release on other machines: the GitHub action and the Dockerfile. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttp, type RequestListener } from 'node:http'
import { createServer as createHttps } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { validate } from 'dockerfile-utils'
import { load } from 'js-yaml'
import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp'
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { tarball, zip } from '../../scripts/release/archives.ts'
import { selfSigned } from '../provider/api/support/certificate.ts'
import { closed, listen } from '../support/listen.ts'
import { onPath } from './support/bare.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '..', '..')
const script = join(root, 'scripts', 'release', 'install.sh')
const COMMAND = 'deploymgmt_0.1.0_linux_amd64'
const PROVIDER = 'terraform-provider-deploymgmt_0.1.0'

describe('the action', () => {
  let [folder, release, fingerprint] = ['', '', '']

  /** A small release, whose executables are scripts. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'dm-runner-'))
    release = join(folder, 'release')
    const [command, provider] = [join(folder, COMMAND), join(folder, 'provider')]
    for (const each of [release, command, provider]) await mkdir(each)
    await writeFile(join(command, 'deploymgmt'), '#!/bin/sh\necho 0.1.0\n', { mode: 0o755 })
    await writeFile(join(provider, `${PROVIDER}_v0.1.0`), '#!/bin/sh\n', { mode: 0o755 })
    const names = [`${COMMAND}.tar.gz`, `${PROVIDER}_linux_amd64.zip`] as const
    await tarball(command, join(release, names[0]), 1)
    await zip(provider, join(release, names[1]), 1)
    await writeFile(join(release, 'SHA256SUMS'), (await Promise.all(names.map(sumLine))).join(''))
    const key = await generateKey({ userIDs: [{ name: 'a key for tests' }], format: 'object' })
    fingerprint = key.publicKey.getFingerprint()
    await writeFile(join(release, 'release-key.asc'), key.publicKey.armor())
    const message = await createMessage({ binary: await readFile(join(release, 'SHA256SUMS')) })
    const signingKeys = await readPrivateKey({ armoredKey: key.privateKey.armor() })
    const signature = await sign({ message, signingKeys, detached: true, format: 'binary' })
    await writeFile(join(release, 'SHA256SUMS.sig'), signature)
    return () => rm(folder, { recursive: true })
  })

  const sumLine = async (name: string): Promise<string> =>
    `${createHash('sha256')
      .update(await readFile(join(release, name)))
      .digest('hex')}  ${name}\n`

  const onRunner = async (more: Record<string, string> = {}) => {
    const place = await mkdtemp(join(folder, 'runner-'))
    const file = (name: string) => join(place, name)
    const ran = await run('bash', [script], {
      env: {
        PATH: process.env['PATH'],
        RUNNER_OS: 'Linux',
        RUNNER_ARCH: 'X64',
        RUNNER_TEMP: place,
        GITHUB_PATH: file('path'),
        GITHUB_ENV: file('env'),
        GITHUB_OUTPUT: file('output'),
        VERSION: '0.1.0',
        RELEASE: release,
        FINGERPRINT: '',
        ...more,
      },
    }).then(
      (done) => ({ ...done, status: 0 }),
      ({ code: status, stdout, stderr }) => ({ status, stdout, stderr }),
    )
    return { ...ran, read: (name: string) => readFile(file(name), 'utf8') }
  }

  it('puts the command on PATH, and the provider into a mirror that Terraform knows', async () => {
    const { status, stdout, read } = await onRunner()
    expect([status, stdout]).toEqual([0, '0.1.0\n'])
    const { stdout: version } = await run(join((await read('path')).trim(), 'deploymgmt'), ['--version'])
    expect(version).toBe('0.1.0\n')
    expect((await read('output')).trim()).toMatch(/^command=.*\/deploymgmt$/v)
    const settings = /^TF_CLI_CONFIG_FILE=(.*)$/mv.exec(await read('env'))?.[1] ?? ''
    const mirror = /path *= "(.*)"/v.exec(await readFile(settings, 'utf8'))?.[1] ?? ''
    const place = ['registry.terraform.io', 'deploymgmt', 'deploymgmt', '0.1.0', 'linux_amd64']
    expect(await readFile(join(mirror, ...place, `${PROVIDER}_v0.1.0`), 'utf8')).toContain('#!/bin/sh')
  })

  it.skipIf(onPath('gpg') === '')('takes no other key than the one that is named', async () => {
    expect((await onRunner({ FINGERPRINT: fingerprint })).status).toBe(0)
    const other = await onRunner({ FINGERPRINT: fingerprint.replaceAll(/[0-9]/gv, '0') })
    expect([other.status, other.stderr]).toEqual([1, expect.stringContaining('is not signed by')])
  })

  it('takes no file that is another, or that is not listed', async () => {
    for (const sums of ['', `${'0'.repeat(64)}  ${COMMAND}.tar.gz\n`]) {
      const changed = await mkdtemp(join(folder, 'changed-'))
      for (const name of [`${COMMAND}.tar.gz`, `${PROVIDER}_linux_amd64.zip`])
        await copyFile(join(release, name), join(changed, name))
      await writeFile(join(changed, 'SHA256SUMS'), sums)
      const { status, stderr } = await onRunner({ RELEASE: changed })
      expect([status, stderr]).toEqual([1, expect.stringContaining('is not the file that SHA256SUMS lists')])
    }
  })

  it.skipIf(onPath('curl') === '')('follows a redirection, but not to plain http', async () => {
    const { key, cert } = selfSigned()
    const trust = join(folder, 'trust.pem')
    await writeFile(trust, cert)
    let plain = ''
    const answer: RequestListener = async ({ url = '' }, response) => {
      const [, where, name = ''] = url.split('/')
      const target = where === 'plain' ? `${plain}/files/${name}` : `/files/${name}`
      if (where === 'files') response.end(await readFile(join(release, name)))
      else response.writeHead(302, { location: target }).end()
    }
    const [open, secure] = [createHttp(answer), createHttps({ key, cert }, answer)]
    onTestFinished(async () => void (await Promise.all([closed(open), closed(secure)])))
    plain = `http://127.0.0.1:${await listen(open)}`
    const at = `https://127.0.0.1:${await listen(secure)}`
    const from = (path: string) => onRunner({ RELEASE: `${at}/${path}`, CURL_CA_BUNDLE: trust })
    expect(await from('secure')).toMatchObject({ status: 0, stdout: '0.1.0\n' })
    expect(await from('plain')).toMatchObject({ status: 1, stderr: expect.stringContaining('"http"') })
  })

  it('says what it cannot do', async () => {
    for (const [env, phrase] of [
      [{ RUNNER_OS: 'macOS', RUNNER_ARCH: 'ARM64' }, 'by npm'],
      [{ RELEASE: 'http://example.com/releases' }, 'is not https'],
      [{ VERSION: '../0.1.0' }, 'is no version'],
    ] as const)
      expect((await onRunner(env)).stderr).toContain(phrase)
  })

  it('hands all inputs to the script, and nothing of them is read as a command', async () => {
    const text = await readFile(join(root, 'action.yml'), 'utf8')
    const { inputs, runs } = load(text) as {
      inputs: Record<string, unknown>
      runs: { using: string; steps: { run: string; shell: string; env: Record<string, string> }[] }
    }
    expect([runs.using, runs.steps.map(({ shell }) => shell)]).toEqual(['composite', ['bash']])
    const [step] = runs.steps
    for (const name of Object.keys(inputs))
      expect(Object.values(step?.env ?? {})).toContain(`\${{ inputs.${name} }}`)
    expect(step?.run).not.toContain('${{')
  })

  it.skipIf(onPath('shellcheck') === '')('has a script that shellcheck passes', async () => {
    await expect(run('shellcheck', [script])).resolves.toBeDefined()
  })
})

describe('the Dockerfile', () => {
  it('is valid, runs as nobody in particular, and copies what there is', async () => {
    const text = await readFile(join(root, 'Dockerfile'), 'utf8')
    expect(validate(text)).toEqual([])
    expect(text).toMatch(/^USER (?!root)/mv)
    for (const [, name = ''] of text.matchAll(/^COPY (examples\S+)/gmv))
      await expect(readFile(join(root, name), 'utf8')).resolves.toContain('filesystem_mirror')
  })
})
