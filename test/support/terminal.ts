import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import { runHere, type Place } from './command.ts'
import { COMMAND } from './process.ts'

/** The command with a person at the terminal. */
export interface Terminal {
  /** Everything that has appeared, on stdout and stderr. */
  shown(): string
  /** Resolves once the text has appeared; rejects if the command ends without it. */
  waitFor(text: string): Promise<void>
  type(keys: string): void
  readonly ended: Promise<{ readonly code: number | null; readonly shown: string }>
}

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

/** Connects pipes with a new terminal, in which the command runs in the foreground. */
const RELAY = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

/** The compiled command on a real pseudo-terminal, where Ctrl-C and Ctrl-D work. */
export const onTerminal = ({ folder, env }: Place, ...words: string[]): Terminal => {
  const child = spawn('python3', ['-c', RELAY, process.execPath, COMMAND, ...words], {
    cwd: folder,
    env: { ...env, HOME: process.env['HOME'] ?? folder, TERM: 'xterm', NO_COLOR: '1' },
  })
  // The command may be gone before the last key arrives.
  child.stdin.on('error', () => undefined)
  const code = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const { look, ...screen } = screenUntil(code)
  child.stdout.setEncoding('utf8').on('data', look)
  child.stderr.setEncoding('utf8').on('data', look)
  return { ...screen, type: (keys) => void child.stdin.write(keys) }
}

/** The same within this process, with streams that call themselves a terminal. */
export const asOnTerminal = (place: Place, ...words: string[]): Terminal => {
  const stdin = Object.assign(new Readable({ read() {} }), { isTTY: true as const })
  const { promise: ran, resolve, reject } = Promise.withResolvers<number | null>()
  const { look, ...screen } = screenUntil(ran)
  const output = (): Writable & { isTTY: true } =>
    Object.assign(
      new Writable({
        write(chunk: Buffer, _, done) {
          look(chunk.toString())
          done()
        },
      }),
      { isTTY: true as const },
    )
  const shown = { ...place, env: { NO_COLOR: '1', ...place.env } }
  runHere(shown, words, { stdin: () => stdin, stdout: output(), stderr: output() }).then(
    ({ code }) => resolve(code),
    reject,
  )
  return { ...screen, type: (keys) => void stdin.push(keys) }
}

/** What appears until the command has ended. */
const screenUntil = (
  ended: Promise<number | null>,
): Omit<Terminal, 'type'> & { readonly look: (text: string) => void } => {
  let shown = ''
  let looks: (() => void)[] = []
  return {
    look(text) {
      shown += text
      for (const each of looks) each()
    },
    shown: () => shown,
    waitFor: (text) =>
      new Promise((resolve, reject) => {
        const check = (): void => {
          if (!shown.includes(text)) return
          looks = looks.filter((each) => each !== check)
          resolve()
        }
        looks.push(check)
        check()
        ended.then(() => reject(new Error(`it ended without ${JSON.stringify(text)}:\n${shown}`)), reject)
      }),
    ended: ended.then((code) => ({ code, shown })),
  }
}
