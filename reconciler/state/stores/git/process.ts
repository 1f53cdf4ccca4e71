import { type ChildProcess, spawn } from 'node:child_process'
import { printable, withoutSecrets } from '@deploymgmt/provider/api'
import { LARGEST, MORE_THAN_LARGEST } from '../largest.ts'

export interface Ran {
  /** Undefined if git was killed or could not be started. */
  readonly code: number | undefined
  readonly stdout: Buffer
  /** What git printed, in a line or two, without credentials. */
  readonly said: string
}

export type GitEnvironment = Readonly<Record<string, string | undefined>>

/** Milliseconds. A state of 50 MB over a slow line takes minutes. */
const LONGEST = 300_000
const TOO_LONG = 'it did not finish within 5 minutes'
const TOO_LARGE = `it printed more ${MORE_THAN_LARGEST}`

/**
 * Variables that would direct git to another repository or other settings, or to a repository of another kind, or to
 * anybody's server, or that keep it from changing one.
 */
const LEADING =
  /^GIT_(?:SSL_NO_VERIFY|CONFIG|QUARANTINE_PATH|DEFAULT_HASH|DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|SHALLOW_FILE|TRACE.*)$/u

/** What is set for this command: git, hooks, credential helpers and ssh need no key of the service. */
const OURS = /^DEPLOYMGMT_/u

/**
 * Windows looks for a program in the current folder first, where a pull request can put one: for git because of this
 * process's environment, for what git starts because of git's own.
 */
const NOT_IN_CURRENT_FOLDER = { NoDefaultCurrentDirectoryInExePath: '1' }

/** Settings of git that environment variables override. */
interface Doors {
  /** `core.sshCommand` */
  readonly sshCommand?: string | undefined
  /** `core.askPass` */
  readonly askPass?: string | undefined
}

/** The environment of a git that never prompts, and that speaks English; the rest is what its settings say. */
export const gitEnvironment = (env: GitEnvironment, { sshCommand, askPass }: Doors = {}): GitEnvironment => {
  const kept = Object.fromEntries(
    Object.entries(env).filter(([name]) => !LEADING.test(name) && !OURS.test(name)),
  )
  const unasked = askPass === undefined ? { GIT_ASKPASS: '' } : {}
  return {
    ...unasked,
    ...kept,
    ...silentSsh(env, sshCommand),
    ...NOT_IN_CURRENT_FOLDER,
    GIT_TERMINAL_PROMPT: '0',
    LC_ALL: 'C',
  }
}

/** Other programs than OpenSSH have other flags. */
const silentSsh = (
  { GIT_SSH, GIT_SSH_COMMAND }: GitEnvironment,
  configured: string | undefined,
): GitEnvironment => {
  const said = GIT_SSH_COMMAND ?? configured
  if (said === undefined && GIT_SSH !== undefined) return {}
  const command = said ?? 'ssh'
  return openSsh.test(command) ? { GIT_SSH_COMMAND: `${command} -oBatchMode=yes` } : {}
}

/** A shell command: the path of its program can be quoted. */
const openSsh =
  /^\s*(?:"(?:[^"]*[\\/])?ssh(?:\.exe)?"|'(?:[^']*[\\/])?ssh(?:\.exe)?'|(?:\S*[\\/])?ssh(?:\.exe)?)(?:\s|$)/u

interface Run {
  readonly env: GitEnvironment
  /** Credentials in all their forms, because what the other side prints can contain them. */
  readonly secrets: readonly string[]
  readonly input?: Buffer | undefined
}

/** Runs git until it ends, and kills it if it exceeds a limit. */
export const runGit = (words: readonly string[], { env, secrets, input }: Run): Promise<Ran> =>
  new Promise((resolve) => {
    if (process.platform === 'win32') Object.assign(process.env, NOT_IN_CURRENT_FOLDER)
    // In a session of its own, git is not ended by an interrupt from the terminal, and has no terminal to prompt on.
    const stdin = input === undefined ? 'ignore' : 'pipe'
    const child = spawn('git', words, {
      env,
      detached: true,
      windowsHide: true,
      stdio: [stdin, 'pipe', 'pipe'],
    })
    let exceeded: string | undefined
    const giveUp = (why: string): void => {
      exceeded ??= why
      endAll(child)
    }
    const limit = setTimeout(() => giveUp(TOO_LONG), LONGEST)
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    let size = 0
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      size += chunk.length
      if (size > LARGEST) giveUp(TOO_LARGE)
      else chunks.push(chunk)
    }
    child.stdout?.on('data', collect(stdout))
    child.stderr?.on('data', collect(stderr))
    // git may end before it has read all input.
    child.stdin?.on('error', () => undefined).end(input)
    const ended = (code: number | null, said: string): void => {
      clearTimeout(limit)
      resolve({ code: code ?? undefined, stdout: Buffer.concat(stdout), said })
    }
    child.on('error', () => ended(null, 'git cannot be started'))
    child.on('close', (code) =>
      ended(
        exceeded === undefined ? code : null,
        exceeded ?? saidIn(Buffer.concat(stderr).toString(), secrets),
      ),
    )
  })

/** Killing git alone would leave its helpers, which wait for the other side for ever and keep the output open. */
const endAll = (child: ChildProcess): void => {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  } catch {
    // The process has ended already.
  }
  child.stdout?.destroy()
  child.stderr?.destroy()
}

/** git has no connection to the remote. */
const CUT = /^fatal: Could not read from remote repository/u

/** The lines of the output that say what went wrong. */
const saidIn = (stderr: string, secrets: readonly string[]): string => {
  const lines = stderr.split(/[\r\n]+/u).filter((line) => line.trim() !== '' && !line.startsWith('Warning: '))
  const cut = lines.findIndex((line) => CUT.test(line))
  // Why there is no connection is what ssh has said right before.
  const before = cut > 0 ? lines[cut - 1] : undefined
  const telling = lines.filter((line) => line === before || /^(?:fatal|error|remote): /u.test(line))
  return shown((telling.length > 0 ? telling : lines).slice(0, 3).join('; '), secrets)
}

/** For people: removes what stands before the host of an address, and its query. */
export const shown = (text: string, secrets: readonly string[]): string =>
  printable(
    withoutSecrets(text, secrets)
      .replaceAll(/:\/\/[^@/\s]*@/gu, '://')
      .replaceAll(/(?<=:\/\/[^\s?#]*)[?#]\S*?(?=['"]?[:;,]?(?:\s|$))/gu, ''),
    400,
  )
