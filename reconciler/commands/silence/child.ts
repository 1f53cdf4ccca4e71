import { spawn, type ChildProcess } from 'node:child_process'
import { constants } from 'node:os'

/** A command that runs within this one. */
export interface Child {
  /** Its exit code as a shell reports it: 128 plus the number of a signal, 126 or 127 if it could not be run. */
  readonly ended: Promise<number>
  readonly pass: (signal: NodeJS.Signals) => void
}

/** A shell's exit codes for a command that does not exist, and for one that cannot be run. */
const [NOT_FOUND, NOT_RUN] = [127, 126]

/**
 * Runs a command with the streams of this process.
 *
 * @param failed is called for a command that could not be run
 */
export const startChild = (
  [program = '', ...words]: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  failed: (error: NodeJS.ErrnoException) => void,
): Child => {
  let child: ChildProcess | undefined
  const ended = new Promise<number>((resolve) => {
    const notRun = (error: NodeJS.ErrnoException): void => {
      failed(error)
      resolve(error.code === 'ENOENT' ? NOT_FOUND : NOT_RUN)
    }
    try {
      child = spawn(program, words, { cwd, env, stdio: 'inherit' })
    } catch (error) {
      // Node throws some reasons, such as ENOTDIR and ETXTBSY, and emits the others.
      return notRun(error as NodeJS.ErrnoException)
    }
    const { pid } = child
    // An error of passing on a signal is no end.
    child.on('error', (error) => pid === undefined && notRun(error))
    child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : codeOfSignal(signal)))
  })
  return { ended, pass: (signal) => void child?.kill(signal) }
}

/** Why a command could not be run, for people. On Windows, a program can start neither batch files nor words of cmd. */
export const whyNotRun = (
  program: string,
  { code, message }: NodeJS.ErrnoException,
  platform: string = process.platform,
): string => {
  const why = `${program} cannot be run: ${code ?? message}\n`
  return platform === 'win32' && (code === 'ENOENT' || code === 'EINVAL')
    ? `${why}  Only cmd runs a batch file, such as npm, and its own words, such as echo: -- cmd /c ${program}\n`
    : why
}

/** The exit code as a shell reports it. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
