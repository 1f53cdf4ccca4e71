import { Readable, Writable } from 'node:stream'
import { run } from '../../../reconciler/cli.ts'
import type { Io } from '../../../reconciler/io.ts'
import type { Installation, Ran } from '../../support/installation.ts'

/** Runs the command within this process: what follows a crash is many short commands, and a start costs more than they do. */
export const runHere = async (
  { folder, env }: Pick<Installation, 'folder' | 'env'>,
  words: readonly string[],
  { stderrSaid, ...more }: Partial<Io> & { stderrSaid?: (text: string) => void } = {},
): Promise<Ran> => {
  const texts = { stdout: '', stderr: '' }
  const into = (name: keyof typeof texts): Writable =>
    new Writable({
      write(chunk: Buffer, _, done) {
        texts[name] += chunk.toString()
        if (name === 'stderr') stderrSaid?.(chunk.toString())
        done()
      },
    })
  const code = await run(words, {
    env,
    cwd: folder,
    stdin: Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    now: () => new Date(),
    onInterrupt: () => () => {},
    ...more,
  })
  return { code, ...texts }
}

/** The same installation, with commands that run within this process. */
export const inProcess = (here: Installation): Installation => {
  const quick = (...words: string[]): Promise<Ran> => runHere(here, words)
  return {
    ...here,
    run: quick,
    async json(...words) {
      const { code, stdout, stderr } = await quick(...words, '--format', 'json')
      const text = words[0] === 'apply' ? (stdout.trim().split('\n').at(-1) ?? '') : stdout
      return { code, stderr, document: text === '' ? undefined : JSON.parse(text) }
    },
  }
}
