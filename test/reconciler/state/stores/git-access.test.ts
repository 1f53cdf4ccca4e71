import { access, chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  StateAddressError,
  StateConflictError,
  StateReadError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import { initState, openSession, readSession } from '../../../../reconciler/state/index.ts'
import { selfSigned } from '../../../provider/api/support/certificate.ts'
import { FOLDER } from '../../../support/folder.ts'
import { bareRepository, git } from '../../../support/git.ts'
import { gitServer } from '../../../support/git-http.ts'
import { closed, listen } from '../../../support/listen.ts'
import { expected, put } from '../support/samples.ts'

/** Ignores the git settings of this machine. */
const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
const quick = { env, pause: () => Promise.resolve() }

/** The variables by which git is told not to verify. */
const settingOf = (key: string): Record<string, string> => ({
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: key,
  GIT_CONFIG_VALUE_0: 'false',
})

/** A program in place of ssh that says this, and connects to nothing. */
const sshThatSays = async (text: string): Promise<string> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'said'), text)
  await writeFile(join(folder, 'ssh'), `#!/bin/sh\ncat "${folder}/said" >&2\nexit 255\n`)
  await chmod(join(folder, 'ssh'), 0o755)
  return join(folder, 'ssh')
}

test.each([
  ['git@example.invalid: Permission denied (publickey).\n', 'Permission denied (publickey)', 'ssh key'],
  [
    "Warning: Permanently added 'example.invalid' (ED25519) to the list of known hosts.\nHost key verification failed.\n",
    'Host key verification failed',
    'known_hosts',
  ],
  ['ssh: Could not resolve hostname example.invalid: Name or service not known\n', 'not resolve', 'network'],
])('what ssh says is in the error, with what to do: %s', async (said, why, hint) => {
  const options = { statePath: 'git+ssh://git@example.invalid/x.git', expect: expected }
  const told = { ...quick, env: { ...env, GIT_SSH_COMMAND: await sshThatSays(said) } }
  const error: unknown = await readSession(options, told).catch((each: unknown) => each)
  expect(error).toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining(why),
    hint: expect.stringContaining(hint),
  })
  expect(String(error)).not.toContain('Permanently added')
})

test.each([
  ['without credentials', undefined],
  ['with expired credentials', 'http.extraheader'],
])('%s, the error is about them, and not about a prompt alone', async (_, setting) => {
  const server = await gitServer(await bareRepository())
  const expired = `Authorization: Basic ${Buffer.from('ci:canary-expired').toString('base64')}`
  const settings =
    setting === undefined
      ? {}
      : { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: setting, GIT_CONFIG_VALUE_0: expired }
  await expect(
    readSession({ statePath: server.address, expect: expected }, { ...quick, env: { ...env, ...settings } }),
  ).rejects.toMatchObject({
    code: StateReadError.code,
    hint: expect.stringContaining('expired'),
  })
})

test.each([
  ['as ever', () => ({})],
  ['if a variable says otherwise', () => ({ GIT_SSL_NO_VERIFY: '1' })],
  ['if a setting says otherwise', () => settingOf('http.sslVerify')],
  ['if a setting for the address says otherwise', (host: string) => settingOf(`http.${host}.sslVerify`)],
])(
  'a certificate that git does not trust is refused, and where to name an authority said: %s',
  async (_, says) => {
    const server = createServer(selfSigned())
    onTestFinished(() => closed(server))
    const host = `https://127.0.0.1:${await listen(server)}`
    const statePath = `git+${host}/states.git`
    const told = { ...quick, env: { ...env, ...says(host) } }
    await expect(readSession({ statePath, expect: expected }, told)).rejects.toMatchObject({
      code: StateReadError.code,
      hint: expect.stringContaining('GIT_SSL_CAINFO'),
    })
  },
)

/** The environment with a git that does something else for what a pattern of the shell matches. */
const gitThat = async (does: string): Promise<Record<string, string>> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const text = `#!/bin/sh\ncase "$*" in ${does};; esac\nPATH="$REAL_PATH" exec git "$@"\n`
  await writeFile(join(folder, 'git'), text, { mode: 0o755 })
  return { ...env, PATH: `${folder}:${env.PATH}`, REAL_PATH: env.PATH }
}

test('where the temporary folder is full, the hint is about it, and not about the network', async () => {
  const bare = await bareRepository()
  // A git that finds no room for a commit, as on a full disk.
  const told = await gitThat(
    `*fast-import*) cat >/dev/null; echo "fatal: sha1 file 'x' write error. Out of diskspace" >&2; exit 128`,
  )
  const options = { statePath: `git+file://${bare}`, expect: expected, command: 'init' }
  await expect(initState(options, { ...quick, env: told })).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('nothing was pushed'),
    hint: expect.stringContaining('TMPDIR'),
  })
})

test('where the server has no room, the hint is about it, and not about rules that protect the branch', async () => {
  const bare = await bareRepository()
  // As on a full disk, git says that it could not unpack what it got.
  await git(bare, 'config', 'receive.maxInputSize', '10')
  const options = { statePath: `git+file://${bare}`, expect: expected, command: 'init' }
  await expect(initState(options, quick)).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('(unpacker error)'),
    hint: expect.stringContaining('check its disk space'),
  })
})

const nowhere = () => mkdtemp('/nowhere/at-all/').then((path) => ({ path, remove: () => rm(path) }))

test('where the temporary folder of this machine is not there, the error says so', async () => {
  const statePath = `git+file://${await bareRepository()}`
  await expect(
    readSession({ statePath, expect: expected }, { ...quick, temporaryFolder: nowhere }),
  ).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('temporary folder: the folder does not exist (ENOENT)'),
    hint: expect.stringContaining('TMPDIR'),
  })
})

test('a commit that git keeps in no file of its own is found, too', async () => {
  const options = { statePath: `git+file://${await bareRepository()}`, expect: expected, command: 'init' }
  await initState(options, quick)
  const told = await gitThat(
    `*fetch*) PATH="$REAL_PATH" git "$@" && PATH="$REAL_PATH" exec git "$1" "$2" pack-refs --all`,
  )
  const { state } = await readSession(options, { ...quick, env: told })
  expect(state.serial).toBe(1)
})

test('a state is read with one fetch, one listing, and one git for all files', async () => {
  const options = { statePath: `git+file://${await bareRepository()}`, expect: expected, command: 'apply' }
  await initState(options, quick)
  const session = await openSession(options, quick)
  await session.effects([put('things.a')])
  const said = join(await mkdtemp(FOLDER), 'said')
  onTestFinished(() => rm(dirname(said), { recursive: true, force: true }))
  const told = await gitThat(`*) echo "$*" >> ${said}; PATH="$REAL_PATH" exec git "$@"`)
  const { state, busy } = await readSession(options, { ...quick, env: told })
  await session.close()
  expect([Object.keys(state.resources), busy === undefined]).toStrictEqual([['things.a'], false])
  const began = (await readFile(said, 'utf8'))
    .split('\n')
    .map((line) => /(?<=--git-dir \S+ )\S+/u.exec(line)?.[0])
  expect(began.filter((command) => command !== undefined)).toStrictEqual(['fetch', 'ls-tree', 'cat-file'])
})

test('what git prints has a limit, because a few kilobytes of a branch can unpack to gigabytes', async () => {
  const options = { statePath: `git+file://${await bareRepository()}`, expect: expected, command: 'init' }
  await initState(options, quick)
  const told = await gitThat(`*cat-file*) exec head -c 300000000 /dev/zero`)
  await expect(readSession(options, { ...quick, env: told })).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('256 MB'),
  })
})

test('a branch that somebody deletes while a command writes is noticed at once', async () => {
  const bare = await bareRepository()
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const options = { statePath: `git+file://${bare}`, folder, expect: expected, command: 'apply' }
  let waits = 0
  const given = { env, pause: async () => void (waits += 1) }
  await initState(options, given)
  const session = await openSession(options, given)
  await git(bare, 'update-ref', '-d', 'refs/heads/deploymgmt/acme')
  await expect(session.effects([put('things.a')])).rejects.toMatchObject({
    code: StateConflictError.code,
    message: expect.stringContaining('the branch is gone'),
  })
  expect(waits).toBe(0)
  await expect(session.close()).rejects.toBeInstanceOf(StateConflictError)
  expect(session.rescuedTo).toBeDefined()
})

/** A folder that git takes for a repository, as anybody can commit one: it says which program to run as ssh. */
const committedRepository = async (setting: string): Promise<{ folder: string; trace: string }> => {
  const root = await mkdtemp(FOLDER)
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const [folder, trace] = [join(root, 'manifests'), join(root, 'trace')]
  await git(root, 'init', '--quiet')
  for (const each of ['objects', 'refs']) await mkdir(join(folder, each), { recursive: true })
  await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(
    join(folder, 'config'),
    `[core]
  repositoryformatversion = 0
  ${setting}
  sshCommand = "touch ${trace}; false"
[remote "origin"]
  url = ssh://git@example.invalid/x.git
`,
  )
  return { folder, trace }
}

test.each([
  ['git:origin', 'bare = true', StateAddressError.code],
  ['git:origin', 'worktree = ..', StateAddressError.code],
  ['git+ssh://git@example.invalid/x.git', 'bare = true', StateReadError.code],
  ['git+ssh://git@example.invalid/x.git', 'worktree = ..', StateReadError.code],
])('a repository among the manifests of a pull request runs no program: %s, %s', async (...each) => {
  const [statePath, setting, code] = each
  const { folder, trace } = await committedRepository(setting)
  const ssh = dirname(await sshThatSays('no connection'))
  const told = { ...quick, env: { ...env, PATH: `${ssh}:${env.PATH}` } }
  await expect(readSession({ statePath, folder, expect: expected }, told)).rejects.toMatchObject({ code })
  await expect(access(trace)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('git and what it runs, such as hooks and credential helpers, get no settings of this command', async () => {
  const bare = await bareRepository()
  const trace = join(bare, 'trace')
  await writeFile(join(bare, 'hooks', 'pre-receive'), `#!/bin/sh\nenv >"${trace}"\n`, { mode: 0o755 })
  const told = {
    ...env,
    ITS_OWN: 'kept',
    DEPLOYMGMT_PRIVATE_KEY: 'canary-key',
    DEPLOYMGMT_STATE_PASSWORD: 'canary-password',
  }
  const options = { statePath: `git+file://${bare}`, expect: expected, command: 'init' }
  await initState(options, { ...quick, env: told })
  const had = await readFile(trace, 'utf8')
  expect(had).toContain('ITS_OWN=kept')
  expect(had).not.toMatch(/canary|DEPLOYMGMT/)
  // On Windows, what git starts is not looked for in the folder of the manifests first.
  expect(had).toContain('NoDefaultCurrentDirectoryInExePath=1')
})
