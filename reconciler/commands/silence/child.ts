import { spawn } from 'node:child_process'
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
  const child = spawn(program, words, { cwd, env, stdio: 'inherit' })
  return {
    ended: new Promise((resolve) => {
      child.on('error', (error: NodeJS.ErrnoException) => {
        // An error of passing on a signal is no end.
        if (child.pid !== undefined) return
        failed(error)
        resolve(error.code === 'ENOENT' ? NOT_FOUND : NOT_RUN)
      })
      child.on('exit', (code, signal) => resolve(signal === null ? (code ?? 1) : codeOfSignal(signal)))
    }),
    pass: (signal) => {
      child.kill(signal)
    },
  }
}

/** The exit code as a shell reports it. */
export const codeOfSignal = (signal: NodeJS.Signals): number => 128 + constants.signals[signal]
