import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  JournalCorruptError,
  LockedError,
  StateAddressError,
  StateReadError,
  StateWriteError,
} from '../../../../reconciler/errors/index.ts'
import {
  addressFrom,
  initState,
  openSession,
  readSession,
  unlockState,
} from '../../../../reconciler/state/index.ts'
import { type Fate, gitServer } from '../../../support/git-http.ts'
import { FOLDER } from '../../../support/folder.ts'
import { bareRepository, checkoutOf, git, pushFile } from '../../../support/git.ts'
import { hostWith } from '../support/hosts.ts'
import { cutOnce } from './support/cut-once.ts'
import { expected, intentFor, put } from '../support/samples.ts'

/** A checkout whose settings contain the credentials, as a pipeline makes it. */
const checkout = async (address: string, ...settings: [string, string][]): Promise<string> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await checkoutOf(folder, address, ...settings)
  return folder
}

const behindHttp = async () => {
  const bare = await bareRepository()
  const server = await gitServer(bare)
  const folder = await checkout(server.address, ['http.extraheader', server.header])
  const options = { statePath: 'git:origin', folder, expect: expected, command: 'apply' }
  return { bare, server, options }
}

/** Ignores the git settings of this machine. */
const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }

/** Does not wait between attempts, because the server changes only when a test says so. */
const quick = { env, pause: () => Promise.resolve() }

const subjects = async (bare: string): Promise<string[]> =>
  (await git(bare, 'log', '--format=%s', 'deploymgmt/acme')).split('\n').toReversed()

test('the credentials that a pipeline has set up for its checkout are used, and not shown', async () => {
  const { bare, options } = await behindHttp()
  await initState(options, { env })
  const session = await openSession(options, { env })
  expect(session.place).toBe('git:origin#deploymgmt/acme')
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect((await readSession(options, { env })).state.serial).toBe(2)
  expect(await git(bare, 'log', '--patch', '--all')).not.toContain('canary')
})

test('messages of git and of the server are shown without credentials', async () => {
  for (const behind of ['?private_token=canary-token', '?a=b&token=canary', '#token=canary-token']) {
    const folder = await checkout(`git+http://ci:canary-password@127.0.0.1:1/x${behind}`)
    const options = { statePath: 'git:origin', folder, expect: expected }
    const unread = await readSession(options, { env }).catch(String)
    expect(unread).toContain("'http://127.0.0.1:1/x")
    expect(unread).not.toContain('canary')
  }
  const { bare, server, options } = await behindHttp()
  await hook(bare, 'pre-receive', `#!/bin/sh\necho "who says ${server.header} may not" >&2\nexit 1\n`)
  const refusal = await initState(options, { env }).catch(String)
  expect(refusal).toContain('who says (hidden) may not')
})

/** A program in a folder that is removed after the test. */
const program = async (name: string, text: string): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-program-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, name)
  await writeFile(path, `#!/bin/sh\n${text}`)
  await chmod(path, 0o755)
  return path
}

/** Instead of connecting, it runs the remote command here, and notes its arguments. */
const SSH = 'echo "$@" >> "$0.said"\nfor last; do :; done\nexec sh -c "$last"\n'

test.each([
  ['ssh', (path: string) => `"${path}" -i "$KEY"`, '-i of-the-job -oBatchMode=yes '],
  ['ssh', (path: string) => `${path} -i $KEY`, '-i of-the-job -oBatchMode=yes '],
  ['wrapper', (path: string) => `'${path}' -i $KEY`, '-i of-the-job '],
])('the %s of core.sshCommand of a checkout is used, and told not to ask', async (name, command, said) => {
  const bare = await bareRepository()
  const path = await program(name, SSH)
  const folder = await checkout(`git+ssh://git@example.invalid${bare}`, ['core.sshCommand', command(path)])
  await git(folder, 'config', 'ssh.variant', 'ssh')
  const options = { statePath: 'git:origin', folder, expect: expected, command: 'apply' }
  await initState(options, { env: { ...env, KEY: 'of-the-job' } })
  expect((await readSession(options, { env: { ...env, KEY: 'of-the-job' } })).exists).toBe(true)
  const calls = (await readFile(`${path}.said`, 'utf8')).trim().split('\n')
  expect(calls.filter((call) => !call.startsWith(said))).toStrictEqual([])
  expect(calls.every((call) => call.includes('BatchMode') === said.includes('BatchMode'))).toBe(true)
})

test.each([
  ['GIT_QUARANTINE_PATH', '/nowhere'],
  ['GIT_CONFIG', '/nowhere/config'],
])('a state is also read and written where %s is set, as for hooks of git', async (name, value) => {
  const { options } = await begun()
  const there = { env: { ...env, [name]: value } }
  const session = await openSession(options, there)
  await session.effects([put('things.a')])
  await session.close()
  expect(Object.keys((await readSession(options, there)).state.resources)).toStrictEqual(['things.a'])
  const folder = await checkout(options.statePath.replace(/#.*$/u, ''))
  expect(await readSession({ ...options, statePath: 'git:origin', folder }, there)).toMatchObject({
    exists: true,
  })
})

test('settings of this machine for new repositories are ignored', async () => {
  const { options } = await begun()
  const session = await openSession(options, { env: { ...env, GIT_DEFAULT_HASH: 'sha256' } })
  await session.effects([put('things.a')])
  await session.close()
  expect(Object.keys((await readSession(options)).state.resources)).toStrictEqual(['things.a'])
})

test('what is pushed arrives, also where this machine is set to push only submodules', async () => {
  const { options } = await begun()
  const only = {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'push.recurseSubmodules',
    GIT_CONFIG_VALUE_0: 'only',
  }
  const session = await openSession(options, { env: { ...env, ...only } })
  await session.effects([put('things.a')])
  await session.close()
  expect(Object.keys((await readSession(options)).state.resources)).toStrictEqual(['things.a'])
})

test('GIT_SSH_COMMAND counts over core.sshCommand, as it does in git', async () => {
  const bare = await bareRepository()
  const [path, other] = [await program('ssh', SSH), await program('ssh', 'exit 1\n')]
  const folder = await checkout(`git+ssh://git@example.invalid${bare}`, ['core.sshCommand', other])
  const options = { statePath: 'git:origin', folder, expect: expected, command: 'apply' }
  await initState(options, { env: { ...env, GIT_SSH_COMMAND: path } })
  expect(await readFile(`${path}.said`, 'utf8')).toContain('-oBatchMode=yes ')
})

test.each(['core.askPass', 'GIT_ASKPASS'])('the program of %s is asked for a password', async (which) => {
  const { server } = await behindHttp()
  const path = await program('ask', 'case "$1" in User*) echo ci;; *) echo canary-password;; esac\n')
  const folder = await checkout(
    server.address,
    ...(which === 'core.askPass' ? [[which, path] as [string, string]] : []),
  )
  const options = { statePath: 'git:origin', folder, expect: expected, command: 'apply' }
  const told = which === 'GIT_ASKPASS' ? { ...env, [which]: path } : env
  await initState(options, { env: told })
  expect((await readSession(options, { env: told })).exists).toBe(true)
})

test('without credentials nobody is asked, and the error names the place without any', async () => {
  const { server } = await behindHttp()
  const folder = await checkout(server.address)
  const told = { url: server.address.replace('git+http://', 'http://ci:wrong-canary@'), folder }
  await git(folder, 'remote', 'set-url', 'origin', told.url)
  const options = { statePath: 'git:origin', folder, expect: expected }
  const error: unknown = await readSession(options, quick).catch((each: unknown) => each)
  expect(error).toBeInstanceOf(StateReadError)
  expect(error).toMatchObject({ where: 'git:origin#deploymgmt/acme' })
  expect(String(error) + JSON.stringify(error)).not.toContain('canary')
})

describe.each<Fate>(['cut-before', 'cut-after', 'fail'])('where one request is met by %s', (fate) => {
  test('a save ends as without it, whichever request that is', async () => {
    const { bare, server, options } = await behindHttp()
    await initState(options, { env })
    const cut = await cutOnce(options, quick, (nth) => {
      const first = server.requests
      let isMet = false
      server.fate = (request) => {
        if (request.nth !== first + nth) return 'answer'
        isMet = true
        return fate
      }
      return () => {
        server.fate = () => 'answer'
        return isMet
      }
    })
    expect(cut).toBeGreaterThan(5)
    // Nothing was done twice: there is one commit for each of the three steps of init and the five of an apply.
    expect(await subjects(bare)).toHaveLength(3 + 5 * (cut + 1))
  })
})

test('a git that hears nothing for five minutes is ended with all that it has begun, and the same is pushed again', async () => {
  const { bare, server, options } = await behindHttp()
  await initState(options, { env })
  const session = await openSession(options, quick)
  const before = await subjects(bare)
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const held: string[] = []
  server.fate = async ({ url, gone }): Promise<Fate> => {
    if (held.length > 0 || !url.endsWith('/git-receive-pack')) return 'answer'
    held.push(url)
    vi.advanceTimersByTime(300_000)
    await gone()
    return 'answer'
  }
  await session.intent(intentFor('things.a'))
  expect(held).toHaveLength(1)
  expect(await subjects(bare)).toHaveLength(before.length + 1)
  vi.useRealTimers()
  await session.close()
})

test('an error says that nothing was answered within five minutes', async () => {
  const { server, options } = await behindHttp()
  await initState(options, { env })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  server.fate = async ({ gone }): Promise<Fate> => {
    vi.advanceTimersByTime(300_000)
    await gone()
    return 'cut-before'
  }
  await expect(readSession(options, quick)).rejects.toMatchObject({
    code: StateReadError.code,
    message: expect.stringContaining('git: it did not finish within 5 minutes'),
  })
})

/** Kills the server's side of a push after the branch was set. */
const KILL = '#!/bin/sh\nkill -9 $PPID\n'
const REFUSE = '#!/bin/sh\nexit 1\n'

const hook = async (bare: string, name: string, text: string): Promise<() => Promise<void>> => {
  const path = join(bare, 'hooks', name)
  await writeFile(path, text)
  await chmod(path, 0o755)
  return () => rm(path)
}

const begun = async () => {
  const bare = await bareRepository()
  const options = { statePath: `git+file://${bare}`, folder: bare, expect: expected, command: 'apply' }
  await initState(options)
  return { bare, options }
}

test('a push whose answer is lost is done, once it is found', async () => {
  const { bare, options } = await begun()
  const session = await openSession(options, quick)
  const mend = await hook(bare, 'post-receive', KILL)
  const n = await session.intent(intentFor('things.a'))
  await session.answered(n, [put('things.a')])
  await session.commit()
  await mend()
  await session.close()
  expect((await readSession(options)).state).toStrictEqual(session.state)
  expect(await subjects(bare)).toHaveLength(3 + 5)
})

/** Accepts the first push from then on, and no other. */
const ONE = '#!/bin/sh\nmkdir "$0.done" 2>/dev/null\n'

test('an unlock that could not note when it arrived is noted as arrived by whoever takes the lock next', async () => {
  const { bare, options } = await begun()
  const began = Date.parse('2026-11-20T12:00:00Z')
  let passed = 0
  const given = { now: () => new Date(began + passed), pause: () => Promise.resolve() }
  await openSession(options, given)
  const id = (await readSession(options)).busy?.id ?? ''
  const mend = await hook(bare, 'pre-receive', ONE)
  await unlockState({ ...options, name: 'acme' }, { id }, given)
  await mend()
  passed = 60_000
  const first = await openSession(options, given)
  const unlockedAt = new Date(began).toISOString()
  expect(first.unlocked).toStrictEqual({ unlockedAt, landedAt: new Date(began + passed).toISOString() })
  // The wait was interrupted; the next command continues from there.
  await first.close()
  passed = 160_000
  const second = await openSession(options, given)
  expect(second.unlocked).toStrictEqual(first.unlocked)
  await second.close()
})

test('an intent that could not be pushed is not recorded later, an answer is', async () => {
  const { bare, options } = await begun()
  const session = await openSession(options, quick)
  const n = await session.intent(intentFor('things.a'))
  const mend = await hook(bare, 'pre-receive', REFUSE)
  const failed = await Promise.allSettled([
    session.answered(n, [put('things.a')]),
    session.intent(intentFor('things.b')),
  ])
  expect(failed.map((each) => each.status === 'rejected' && each.reason instanceof StateWriteError)).toEqual([
    true,
    true,
  ])
  await mend()
  await session.commit()
  await session.close()
  const { state, unknown } = await readSession(options)
  expect([Object.keys(state.resources), unknown]).toStrictEqual([['things.a'], []])
})

test('a push that was given up and has arrived all the same is no conflict, and nothing of it is acted upon', async () => {
  const { bare, options } = await begun()
  const pauses: number[] = []
  const pause = async (ms: number) => void pauses.push(ms)
  const session = await openSession(options, { random: () => 0.5, pause })
  const before = await git(bare, 'rev-parse', 'deploymgmt/acme')
  const away = `${bare}-away`
  await hook(bare, 'post-receive', `#!/bin/sh\nmv "${bare}" "${away}"\nkill -9 $PPID\n`)
  await expect(session.intent(intentFor('things.a'))).rejects.toMatchObject({
    code: StateWriteError.code,
    message: expect.stringContaining('not known'),
  })
  expect(pauses).toStrictEqual([187.5, 375, 750, 1500, 3000])
  await rename(away, bare)
  await rm(join(bare, 'hooks', 'post-receive'))
  expect(await git(bare, 'rev-parse', 'deploymgmt/acme')).not.toBe(before)
  await session.effects([put('things.b')])
  await session.close()
  const { state, unknown } = await readSession(options)
  expect([Object.keys(state.resources), unknown]).toStrictEqual([['things.b'], []])
})

test('a lock that could not be given back is told of, with what removes it', async () => {
  const { bare, options } = await begun()
  const session = await openSession(options, quick)
  const mend = await hook(bare, 'pre-receive', REFUSE)
  const error: unknown = await session.close().catch((each: unknown) => each)
  await mend()
  expect(error).toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining('deploymgmt state unlock '),
  })
  const { busy } = await readSession(options)
  await unlockState({ ...options, name: 'acme' }, { id: busy?.id ?? '' })
  await (await openSession(options)).close()
})

test('a lock is told of also where the branch has moved and cannot be read', async () => {
  const { bare, server, options } = await behindHttp()
  await initState(options, { env })
  const session = await openSession(options, quick)
  await pushFile(bare, 'deploymgmt/acme', 'note.md', 'moved')
  let looked = 0
  server.fate = ({ url }) =>
    url.includes('info/refs?service=git-upload-pack') && (looked += 1) > 1 ? 'fail' : 'answer'
  await expect(session.close()).rejects.toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining('deploymgmt state unlock '),
  })
})

test('a save that others have built upon is one also where the first look at its history fails', async () => {
  const { bare, server, options } = await behindHttp()
  await initState(options, { env })
  const session = await openSession(options, quick)
  await session.effects([put('things.a')])
  const pushed = '/git-receive-pack'
  const looks: string[] = []
  let isSaved = false
  server.beforeAnswer = async ({ url }) => {
    if (isSaved || !url.endsWith(pushed)) return
    isSaved = true
    await pushFile(bare, 'deploymgmt/acme', 'note.md', 'theirs')
  }
  server.fate = ({ url }) => {
    if (!isSaved && url.endsWith(pushed)) return 'cut-after'
    if (isSaved && url.includes('info/refs?service=git-upload-pack')) looks.push(url)
    // The first look is for the tip, the second for its history.
    return looks.length === 2 ? 'fail' : 'answer'
  }
  await session.commit()
  expect(looks.length).toBeGreaterThan(2)
  server.fate = () => 'answer'
  await session.close()
  const { state, busy } = await readSession(options, { env })
  expect({ named: Object.keys(state.resources), busy }).toEqual({ named: ['things.a'], busy: undefined })
})

/** Somebody else writes before a push is done. */
const MOVE = `#!/bin/sh
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
who='-c user.name=Test -c user.email=test@example.com'
ref=refs/heads/deploymgmt/acme
git update-ref $ref $(git $who commit-tree $ref^{tree} -p $ref -m "$$")
`

test('a lock is told of also where others write without end', async () => {
  const { bare, options } = await begun()
  const session = await openSession(options, quick)
  const mend = await hook(bare, 'pre-receive', MOVE)
  const error: unknown = await session.close().catch((each: unknown) => each)
  await mend()
  expect(error).toMatchObject({
    code: StateWriteError.code,
    hint: expect.stringContaining('deploymgmt state unlock '),
  })
  expect((await readSession(options)).busy?.command).toBe('apply')
})

test.each([
  ['neither a boot nor a machine', { boot: undefined, machine: undefined, pidSpace: undefined }],
  ['no boot', { boot: undefined }],
  ['a boot alone', { machine: undefined, pidSpace: undefined }],
])('where a platform tells %s, a lock of the same name may be of another machine', async (_, known) => {
  const { options } = await begun()
  const host = (pid: number) => ({ ...hostWith(pid, (of) => of === pid), ...known })
  const session = await openSession(options, { host: host(500) })
  await expect(openSession(options, { host: host(700) })).rejects.toBeInstanceOf(LockedError)
  await session.close()
})

test('what else lies in the branch is left as it is', async () => {
  const { bare, options } = await begun()
  await pushFile(bare, 'deploymgmt/acme', 'odd "name"\n.md', 'Whose is this?')
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(await git(bare, 'show', 'deploymgmt/acme:odd "name"\n.md')).toBe('Whose is this?')
})

/** Makes the branch a commit with these entries beside the state, as `git mktree` reads them. */
const pushEntries = async (bare: string, ...entries: readonly (string | Buffer)[]): Promise<void> => {
  const listed = await git(bare, 'ls-tree', 'deploymgmt/acme')
  const input = Buffer.concat([`${listed}\n`, ...entries].map((each) => Buffer.from(each)))
  const words = ['-C', bare, 'mktree', '--missing']
  const tree = execFileSync('git', words, { input, env, encoding: 'utf8' }).trim()
  const commit = await git(bare, 'commit-tree', tree, '-p', 'deploymgmt/acme', '-m', 'others')
  await git(bare, 'update-ref', 'refs/heads/deploymgmt/acme', commit)
}
const ELSEWHERE = '1'.repeat(40)

test('and so are a submodule, a link, and a file whose name is no UTF-8', async () => {
  const { bare, options } = await begun()
  const [state] = (await git(bare, 'rev-parse', 'deploymgmt/acme:state.json')).split('\n')
  const name = Buffer.from('of Jos\u00E9', 'latin1')
  await pushEntries(
    bare,
    `160000 commit ${ELSEWHERE}\tbeside\n`,
    `120000 blob ${state}\tlink\n`,
    `100644 blob ${state}\t`,
    name,
    '\n',
  )
  const entries = () =>
    execFileSync('git', ['-C', bare, 'ls-tree', '-z', 'deploymgmt/acme'], { env, encoding: 'latin1' })
      .split('\0')
      .filter((each) => /\t(?:beside|link|of)/u.test(each))
  const before = entries()
  expect(before).toHaveLength(3)
  const session = await openSession(options)
  await session.effects([put('things.a')])
  await session.commit()
  await session.close()
  expect(entries()).toStrictEqual(before)
})

test('a submodule in place of a file of the state is refused, and the error names it', async () => {
  const { bare, options } = await begun()
  await pushEntries(bare, `160000 commit ${ELSEWHERE}\tlock.json\n`)
  await expect(readSession(options)).rejects.toMatchObject({
    code: StateReadError.code,
    message: 'cannot read the state: git: lock.json is not a file in the branch',
  })
})

test.each([
  ['journal/000001.jsonl', '{ "type": '],
  ['journal/header.json', 'oops\n'],
])('a journal with a damaged %s is refused', async (name, text) => {
  const { bare, options } = await begun()
  const session = await openSession(options)
  await session.intent(intentFor('things.a'))
  await session.close()
  await pushFile(bare, 'deploymgmt/acme', name, text)
  await expect(readSession(options)).rejects.toBeInstanceOf(JournalCorruptError)
})

test.each([
  ['journal/000001.jsonl', 3],
  ['journal/000002.jsonl', 3],
  ['journal/header.json', 3],
  ['journal/000001.jsonl', 1],
])(
  'a journal without its %s of %d is refused: results of writes may have been in it',
  async (name, count) => {
    const { bare, options } = await begun()
    const session = await openSession(options)
    for (const each of ['a', 'b', 'c'].slice(0, count)) await session.effects([put(`things.${each}`)])
    await session.close()
    await pushFile(bare, 'deploymgmt/acme', name, undefined)
    await expect(readSession(options)).rejects.toMatchObject({
      code: JournalCorruptError.code,
      message: expect.stringContaining(`${name} is missing`),
    })
  },
)

test.each([
  'git+https://token-canary@example.com/x',
  'git+http://example.com/x',
  'git+https://example.com/x?private_token=canary',
  'git+ssh://git@example.com/x?canary#main',
  'git+ssh://me:canary@example.com/x',
  'git+file://relative',
  'git:--upload-pack=x',
  'git:origin#a..b',
  'git:origin#-x',
  'git:origin#a#b',
])('the address %s is refused, and not shown', (address) => {
  const error = (() => {
    try {
      return addressFrom(address, '/')
    } catch (thrown) {
      return thrown
    }
  })()
  expect(error).toBeInstanceOf(StateAddressError)
  expect(JSON.stringify(error) + String(error)).not.toContain('canary')
})

test.each([
  'git:origin',
  'git:up_stream.2#a/b-c.d',
  'git+ssh://git@example.com:22/a/b.git#x',
  'git+https://example.com/a',
])('the address %s is taken', (address) => {
  expect(addressFrom(address, '/')).toBe(address)
})

const succeeds = async (action: () => unknown): Promise<boolean> => {
  try {
    await action()
    return true
  } catch {
    return false
  }
}

test('a branch has a name that git takes as one', async () => {
  const folder = await bareRepository()
  const names =
    'ä/ö 漢字 a@b a{b} a] a+b a%b (a) a&b @a HEAD/a a. /a a/ a//b a/.b a.lock/b a~b a^b a:b a?b a*b a[b @ @{a} a\\b HEAD -a'
  for (const name of names.split(' ')) {
    const isTaken = await succeeds(() => git(folder, 'check-ref-format', '--branch', name))
    expect([name, await succeeds(() => addressFrom(`git:origin#${name}`, '/'))]).toEqual([name, isTaken])
  }
  expect(() => addressFrom('git:origin#a\u200Bb', '/')).toThrow(StateAddressError)
})
