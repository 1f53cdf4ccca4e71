import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inWords } from '../../../disk/files.ts'
import { StateReadError, StateWriteError } from '../../../errors/index.ts'
import type { System, TemporaryFolder } from '../../machine/system.ts'
import { again } from '../again.ts'
import { type Ran, runGit, shown } from './process.ts'
import { type GitRemote, REMOTE } from './remote.ts'
import { treeWith, type Changes, contentsFrom, importOf, type Tree, treeFrom } from './tree.ts'

/** The tip of the branch, as it was read or written. */
export interface Tip {
  /** Undefined if the branch does not exist yet. */
  readonly sha: string | undefined
  readonly tree: Tree
}

/** A commit that was made. */
type Made = Tip & { readonly sha: string }

/** The result of a push: done, or the branch is at another commit, which may have ours in its history. */
export type Pushed =
  | { readonly is: 'done' }
  | { readonly is: 'moved'; readonly to: string | undefined; readonly hasOurs: boolean }

/** How often a refused push is tried: another push at the same moment can be the reason. */
const ASKED = 3

/**
 * A bare repository that only its owner can read, with nothing of the branch but its tip; removed when the command
 * ends.
 */
export class GitRepository {
  readonly remote: GitRemote
  readonly #folder: TemporaryFolder
  readonly #system: System
  readonly #ref: string

  constructor(remote: GitRemote, folder: TemporaryFolder, system: System) {
    this.remote = remote
    this.#folder = folder
    this.#system = system
    this.#ref = `refs/heads/${remote.branch}`
  }

  static async open(remote: GitRemote, system: System): Promise<GitRepository> {
    let folder: TemporaryFolder | undefined
    try {
      folder = await system.temporaryFolder()
      await made(folder.path)
      return new GitRepository(remote, folder, system)
    } catch (error) {
      await folder?.remove().catch(() => undefined)
      throw new StateReadError(
        `cannot read the state: nothing can be written to the temporary folder: ${inWords(error)}`,
        {
          where: remote.place,
          hint: 'Check the temporary folder of this machine (TMPDIR), and that there is free disk space.',
          cause: error,
        },
      )
    }
  }

  async remove(): Promise<void> {
    await this.#folder.remove()
  }

  /** @throws StateReadError */
  async fetch(): Promise<Tip> {
    // The branch can be deleted or created between the two calls.
    for (let attempt = 0; ; attempt += 1) {
      const fetched = await this.#git(['fetch', ...QUIETLY, '--depth=1', REMOTE, `+${this.#ref}:refs/tip`])
      if (fetched.code === 0) return this.#tipAt(await this.#fetched())
      // The time limit was reached.
      if (fetched.code === undefined) throw this.#unread(fetched)
      // A missing branch cannot be fetched; if the remote cannot be read, `tip` throws.
      if ((await this.tip()) === undefined) return { sha: undefined, tree: new Map() }
      if (attempt === 1) throw this.#unread(fetched)
    }
  }

  /** The bytes of files of the tree, in the order of `paths`. */
  async contents(tree: Tree, paths: readonly string[]): Promise<Buffer[]> {
    const names = paths.map((path) => tree.get(path)?.sha ?? '')
    const ran = await this.#git(
      ['cat-file', '--batch'],
      Buffer.from(names.map((name) => `${name}\n`).join('')),
    )
    const contents = ran.code === 0 ? contentsFrom(ran.stdout, paths.length) : []
    return paths.map((path, index) => {
      const bytes = contents[index]
      // It can be a submodule, for example.
      const said = ran.code === 0 ? `${path} is not a file in the branch` : ran.said
      if (bytes === undefined) throw this.#unread({ ...ran, said })
      return bytes
    })
  }

  /** Makes a commit that nobody else can make: it contains a random word. Nothing leaves this machine. */
  async commit(parent: Tip, changes: Changes, message: string): Promise<Made> {
    const nonce = this.#system.uuid()
    const stream = importOf({
      tree: parent.tree,
      changes,
      parent: parent.sha,
      message: `${message}\n\nNonce: ${nonce}\n`,
      author: 'deploymgmt <deploymgmt@localhost>',
      at: Math.floor(this.#system.now().getTime() / 1000),
      ref: `refs/made/${nonce}`,
    })
    const ran = await this.#git(['fast-import', '--quiet', '--done', '--date-format=raw'], stream)
    const sha = ran.stdout.toString().trim()
    if (ran.code !== 0 || !/^[0-9a-f]{40}$/u.test(sha)) throw this.#unwritten(ran, 'nothing was pushed')
    return { sha, tree: treeWith(parent.tree, changes) }
  }

  /**
   * Moves the branch from one commit to another, and to nothing else. If the answer is lost or inconclusive, the
   * same commit is pushed again: that the branch is unchanged proves nothing, since the first push can still be on
   * its way.
   *
   * @throws StateWriteError if the push was refused, or may still take effect
   */
  async push(from: string | undefined, to: string): Promise<Pushed> {
    for (let attempt = 0; ; attempt += 1) {
      const ran = await this.#git([
        'push',
        '--porcelain',
        '--no-verify',
        '--recurse-submodules=no',
        `--force-with-lease=${this.#ref}:${from ?? ''}`,
        REMOTE,
        `${to}:${this.#ref}`,
      ])
      if (ran.code === 0) return { is: 'done' }
      const now = await this.tip().catch(() => 'unread' as const)
      if (now === to) return { is: 'done' }
      // Somebody has deleted the branch.
      if (now === undefined && from !== undefined) return { is: 'moved', to: now, hasOurs: false }
      if (now !== from && now !== 'unread') {
        const hasOurs = await this.#isWithin(to)
        if (hasOurs !== undefined) return { is: 'moved', to: now, hasOurs }
      }
      const refusal = refusalIn(ran)
      if (refusal !== undefined && now === from && attempt + 1 >= ASKED) throw this.#refused(refusal, ran)
      if (!(await again(attempt, this.#system)))
        throw this.#unwritten(ran, 'it is not known whether the last push arrived')
    }
  }

  /** The commit that was fetched. git writes it to a file, which can be packed. */
  async #fetched(): Promise<string> {
    const file = join(this.#folder.path, 'refs', 'tip')
    const sha = await this.#system.files.read(file).then(
      (bytes) => bytes.toString().trim(),
      () => '',
    )
    return /^[0-9a-f]{40}$/u.test(sha) ? sha : this.#text(['rev-parse', 'refs/tip'])
  }

  async #tipAt(sha: string): Promise<Tip> {
    return { sha, tree: treeFrom(await this.#bytes(['ls-tree', '-r', '-z', sha])) }
  }

  /** The current commit of the branch. @throws StateReadError */
  async tip(): Promise<string | undefined> {
    const listed = await this.#text(['ls-remote', REMOTE, this.#ref])
    const line = listed.split('\n').find((each) => each.endsWith(`\t${this.#ref}`))
    return line?.split('\t')[0]
  }

  /** Whether the history of the branch contains our commit; undefined if it cannot be read. */
  async #isWithin(sha: string): Promise<boolean | undefined> {
    const fetched = await this.#git(['fetch', ...QUIETLY, '--depth=1000', REMOTE, `+${this.#ref}:refs/tip`])
    if (fetched.code !== 0) return undefined
    return (await this.#git(['merge-base', '--is-ancestor', sha, 'refs/tip'])).code === 0
  }

  async #bytes(words: readonly string[]): Promise<Buffer> {
    const ran = await this.#git(words)
    if (ran.code !== 0) throw this.#unread(ran)
    return ran.stdout
  }

  async #text(words: readonly string[]): Promise<string> {
    return (await this.#bytes(words)).toString().replace(/\n$/u, '')
  }

  #git(words: readonly string[], input?: Buffer): Promise<Ran> {
    return runGit(['--git-dir', this.#folder.path, ...words], { ...this.remote, input })
  }

  #unread({ said }: Ran): StateReadError {
    return new StateReadError(`cannot read the state: git: ${said}`, {
      where: this.remote.place,
      hint:
        hintFor(said) ?? 'Check the address, the network, and that git can read from there without a prompt.',
    })
  }

  #unwritten({ said }: Ran, what: string): StateWriteError {
    return new StateWriteError(`cannot write the state: git: ${said}; ${what}`, {
      where: this.remote.place,
      hint:
        hintFor(said) ??
        'Check the network, and that the repository exists and git can push to it without a prompt.',
    })
  }

  #refused(why: string, { said }: Ran): StateWriteError {
    return new StateWriteError(
      `the state was not saved: git: ${shown(why, this.remote.secrets)}${said === '' ? '' : `; ${said}`}`,
      {
        where: this.remote.place,
        hint: why.includes('unpacker error')
          ? 'The server could not store what was pushed: check its disk space, and what it limits.'
          : `Check that this machine may push to the branch ${this.remote.branch}: a rule that protects the branch has to allow it.`,
      },
    )
  }
}

/**
 * Makes what `git init --bare` does, without a process for it. The format is the one that every git reads, so no
 * setting of this machine for new repositories counts.
 */
const made = async (path: string): Promise<void> => {
  await Promise.all(['objects', 'refs'].map((name) => mkdir(join(path, name))))
  await writeFile(join(path, 'HEAD'), 'ref: refs/heads/main\n')
  await writeFile(join(path, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
}

/** The reason of the remote, if it has refused: `[remote rejected] (pre-receive hook declined)`. */
const refusalIn = ({ stdout }: Ran): string | undefined =>
  /^!\t[^\t]*\t(?<why>.*)$/mu.exec(stdout.toString())?.groups?.['why']

/** What to do about what git has said; undefined if there can be several reasons. */
const hintFor = (said: string): string | undefined => {
  if (/^(?!remote: ).*(?:No space left on device|Out of diskspace)/u.test(said))
    return 'Free disk space in the temporary folder of this machine (TMPDIR).'
  if (/could not read (?:Username|Password)|Authentication failed/u.test(said))
    return 'Give git credentials for this address: there are none, or the server refuses them, because they have expired, for example. git does not prompt here.'
  if (/Permission denied/u.test(said))
    return 'Check that the ssh key of this machine may read and write there. A key with a passphrase has to be in an agent.'
  if (/Host key verification failed/u.test(said))
    return 'Put the host key of the server into known_hosts, for example with ssh-keyscan, and compare it with what the server publishes.'
  // As OpenSSL and as GnuTLS say it.
  if (/SSL certificate problem|certificate verification failed/u.test(said))
    return 'If the certificate of the server is from a private authority, give git the PEM file of that authority: in GIT_SSL_CAINFO, or as its setting http.sslCAInfo. git does not use DEPLOYMGMT_CA_FILE.'
  return undefined
}

const QUIETLY = [
  '--quiet',
  '--no-tags',
  '--no-write-fetch-head',
  '--no-recurse-submodules',
  '--no-auto-maintenance',
]
