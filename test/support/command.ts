import { Readable, Writable } from 'node:stream'
import { run } from '../../reconciler/cli.ts'
import type { Io } from '../../reconciler/io.ts'
import { holdSchema } from './schemas.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Where a command runs, and all of its environment: nothing of this process. */
export interface Place {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
}

/** Called with what a command prints while it runs. */
interface Heard {
  readonly stderrSaid?: (text: string) => void
  readonly stdoutSaid?: (text: string) => void
}

/** Waits before another attempt take no time. Not for commands that look again and again until a time is over. */
export const AT_ONCE = { pause: () => Promise.resolve() }

/**
 * Runs the command within this process, where it starts in a hundredth of the time. What only a separate process can
 * show (signals, exit codes, standard streams, a kill) is tested with `process.ts`.
 */
export const runHere = async (
  { folder, env }: Place,
  words: readonly string[],
  { stderrSaid, stdoutSaid, ...more }: Partial<Io> & Heard = {},
): Promise<Ran> => {
  const texts = { stdout: '', stderr: '' }
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write(chunk: Buffer, _, done) {
        texts[name] += chunk.toString()
        const hear = name === 'stderr' ? stderrSaid : stdoutSaid
        hear?.(chunk.toString())
        done()
      },
    })
  const code = await run(words, {
    env,
    cwd: folder,
    stdin: () => Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    now: () => new Date(),
    onInterrupt: () => () => {},
    ...more,
  })
  return holdSchema(words, { code, ...texts })
}
