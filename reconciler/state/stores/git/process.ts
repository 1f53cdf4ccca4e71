import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { printable, withoutSecrets } from '@deploymgmt/provider/api'

export interface Ran {
  /** Undefined where it was ended, or could not be started. */
  readonly code: number | undefined
  readonly stdout: Buffer
  /** What it said, in a line or two, without credentials. */
  readonly said: string
}

export type GitEnvironment = Readonly<Record<string, string | undefined>>

/** Milliseconds. A state of 50 MB over a slow line takes minutes. */
const LONGEST = 300_000
const TOO_LONG = 'it did not finish within 5 minutes'

/** Would lead git to another repository than the one that it is told of, or to one of another kind. */
const LEADING =
  /^GIT_(?:DEFAULT_HASH|DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|SHALLOW_FILE|TRACE.*)$/u

/** Settings of git for which it looks into the environment first. */
export interface Doors {
  /** `core.sshCommand` */
  readonly sshCommand?: string | undefined
  /** `core.askPass` */
  readonly askPass?: string | undefined
}

/** The environment of a git that never asks, and that speaks English. @param doors what the settings say */
export const gitEnvironment = (env: GitEnvironment, { sshCommand, askPass }: Doors = {}): GitEnvironment => {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => !LEADING.test(name)))
  const unasked = askPass === undefined ? { GIT_ASKPASS: '' } : {}
  return { ...unasked, ...kept, ...silentSsh(env, sshCommand), GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' }
}

/** Another program than OpenSSH has other flags. */
const silentSsh = (
  { GIT_SSH, GIT_SSH_COMMAND }: GitEnvironment,
  configured: string | undefined,
): GitEnvironment => {
  const said = GIT_SSH_COMMAND ?? configured
  if (said === undefined && GIT_SSH !== undefined) return {}
  const command = said ?? 'ssh'
  return openSsh.test(command) ? { GIT_SSH_COMMAND: `${command} -oBatchMode=yes` } : {}
}

/** A shell command: the path of its program can be in quotes. */
const openSsh =
  /^\s*(?:"(?:[^"]*[\\/])?ssh(?:\.exe)?"|'(?:[^']*[\\/])?ssh(?:\.exe)?'|(?:\S*[\\/])?ssh(?:\.exe)?)(?:\s|$)/u

interface Run {
  readonly env: GitEnvironment
  /** In all their forms: what the other side says can have them in it. */
  readonly secrets: readonly string[]
  readonly input?: Buffer | undefined
}

/** Runs git to its end, however it ends; what takes longer than anything can is ended. */
export const runGit = (words: readonly string[], { env, secrets, input }: Run): Promise<Ran> =>
  new Promise((resolve) => {
    // In a session of its own an interrupt from the terminal does not end it, and there is no terminal to ask on.
    const child = spawn('git', words, { env, detached: true, windowsHide: true })
    let isLate = false
    const limit = setTimeout(() => {
      isLate = true
      endAll(child)
    }, LONGEST)
    const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
    // It may end before it has read everything.
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const ended = (code: number | null, said: string): void => {
      clearTimeout(limit)
      resolve({ code: code ?? undefined, stdout: Buffer.concat(stdout), said })
    }
    child.on('error', () => ended(null, 'git cannot be started'))
    child.on('close', (code) =>
      ended(code, isLate ? TOO_LONG : saidIn(Buffer.concat(stderr).toString(), secrets)),
    )
  })

/** git alone would leave its helpers behind: they wait for the other side for ever, and hold open what git says. */
const endAll = (child: ChildProcessWithoutNullStreams): void => {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill()
    else process.kill(-child.pid, 'SIGTERM')
  } catch {
    // It has ended.
  }
  child.stdout.destroy()
  child.stderr.destroy()
}

/** The lines that tell what went wrong. */
const saidIn = (stderr: string, secrets: readonly string[]): string => {
  const lines = stderr.split(/[\r\n]+/u).filter((line) => line.trim() !== '')
  const telling = lines.filter((line) => /^(?:fatal|error|remote): /u.test(line))
  return shown((telling.length > 0 ? telling : lines).slice(0, 3).join('; '), secrets)
}

/** For people: an address loses what stands before its host, and its query. */
export const shown = (text: string, secrets: readonly string[]): string =>
  printable(
    withoutSecrets(text, secrets)
      .replaceAll(/:\/\/[^@/\s]*@/gu, '://')
      .replaceAll(/(?<=:\/\/[^\s?#]*)[?#]\S*?(?=['"]?[:;,]?(?:\s|$))/gu, ''),
    400,
  )
