import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { OutputError } from '../errors/index.ts'
import { print, type Io } from '../io.ts'

/** Where a command's data goes: the file of `--output`, or stdout. */
export const writeOutput = async (io: Io, options: { output?: string }, text: string): Promise<void> => {
  if (options.output === undefined) return print(io.stdout, text)
  return writeTextFile(resolve(io.cwd, options.output), text.endsWith('\n') ? text : `${text}\n`, 0o666)
}

/** @throws OutputError naming the file. */
export const writeTextFile = async (path: string, text: string, mode: number, flag = 'w'): Promise<void> => {
  try {
    const file = await open(path, flag, mode)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
  } catch (error) {
    throw notWritten(path, error)
  }
}

const notWritten = (path: string, cause: unknown): OutputError => {
  const { code = 'unknown' } = cause as NodeJS.ErrnoException
  return new OutputError(`the file cannot be written (${code})`, { where: path, cause })
}

/**
 * For a command whose data comes bit by bit: what it says on stdout goes to the file of `--output`, which is
 * there before anything is sent.
 * @throws OutputError naming the file, also when it fails on the way: what was begun is then done all the same.
 */
export const withOutput = async <T>(
  io: Io,
  { output }: { readonly output?: string },
  use: (io: Io) => Promise<T>,
): Promise<T> => {
  if (output === undefined) return use(io)
  const path = resolve(io.cwd, output)
  const file = await open(path, 'w', 0o666).catch((error: unknown) => {
    throw notWritten(path, error)
  })
  const stdout = file.createWriteStream()
  const whole = finished(stdout).then(
    () => undefined,
    (error: unknown) => notWritten(path, error),
  )
  try {
    return await use({ ...io, stdout })
  } finally {
    stdout.end()
    const failure = await whole
    // oxlint-disable-next-line no-unsafe-finally -- what broke first explains what came of it
    if (failure !== undefined) throw failure
  }
}
