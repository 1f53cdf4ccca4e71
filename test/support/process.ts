import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import type { Place, Ran } from './command.ts'
import { XDG_CACHE_HOME } from './folder.ts'
import { holdSchema } from './schemas.ts'

export const COMMAND = join(import.meta.dirname, '..', '..', 'reconciler', 'bin', 'deploymgmt.cjs')

/** The compiled command while it runs in a process of its own. */
export interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<Ran & { signal: NodeJS.Signals | null }>
  /** Resolves once stderr contains the text. */
  readonly says: (text: string) => Promise<void>
}

/** Starts the command; `launcher` is what comes before it: Node and its options. */
export const start = (
  { folder, env }: Place,
  words: readonly string[],
  [program = process.execPath, ...before]: readonly string[] = [],
): Running => {
  const child = spawn(program, [...before, COMMAND, ...words], {
    cwd: folder,
    env: { XDG_CACHE_HOME, ...env },
  })
  let stdout = ''
  let stderr = ''
  const waiting = new Set<() => void>()
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    for (const look of waiting) look()
  })
  child.stdin.end()
  return {
    child,
    ended: new Promise((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    }),
    says: (wanted) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!stderr.includes(wanted)) return
          waiting.delete(look)
          resolve()
        }
        waiting.add(look)
        look()
      }),
  }
}

/** Runs the command in a process of its own, until it ends. */
export const runProcess = async (place: Place, ...words: string[]): Promise<Ran> =>
  holdSchema(words, await start(place, words).ended)
