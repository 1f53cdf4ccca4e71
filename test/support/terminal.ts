import { spawn } from 'node:child_process'
import { COMMAND, type Installation } from './installation.ts'

/** The command on a real pseudo-terminal: it sees a person, and Ctrl-C and Ctrl-D mean what they mean there. */
export interface Terminal {
  /** All that has appeared, stdout and stderr alike. */
  shown(): string
  /** Resolves once the text has appeared; rejects if the command ends without it. */
  waitFor(text: string): Promise<void>
  type(keys: string): void
  readonly ended: Promise<{ readonly code: number | null; readonly shown: string }>
}

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

/** Relays between pipes and a new terminal, whose foreground the command has. */
const RELAY = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'

export const onTerminal = ({ folder, env }: Installation, ...words: string[]): Terminal => {
  const child = spawn('python3', ['-c', RELAY, process.execPath, COMMAND, ...words], {
    cwd: folder,
    env: { ...env, HOME: process.env['HOME'] ?? folder, TERM: 'xterm', NO_COLOR: '1' },
  })
  let shown = ''
  let looks: (() => void)[] = []
  const look = (text: string): void => {
    shown += text
    for (const each of looks) each()
  }
  child.stdout.setEncoding('utf8').on('data', look)
  child.stderr.setEncoding('utf8').on('data', look)
  // The command may be gone before the last key arrives.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<{ code: number | null; shown: string }>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, shown }))
  })
  return {
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
    type: (keys) => void child.stdin.write(keys),
    ended,
  }
}
