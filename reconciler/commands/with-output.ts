import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { OutputError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { CommonOptions } from './options.ts'

/**
 * For a command whose data comes bit by bit: what it says on stdout goes to the file of `--output`, which is
 * there before anything is sent.
 * @throws OutputError naming the file, also when it fails on the way: what was begun is then done all the same.
 */
export const withOutput = async <T>(
  io: Io,
  { output }: Pick<CommonOptions, 'output'>,
  use: (io: Io) => Promise<T>,
): Promise<T> => {
  if (output === undefined) return use(io)
  const path = resolve(io.cwd, output)
  const failed = (error: unknown): OutputError => {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    return new OutputError(`the file cannot be written (${code})`, {
      where: path,
      hint: OutputError.remedy,
      cause: error,
    })
  }
  const file = await open(path, 'w', 0o666).catch((error: unknown) => {
    throw failed(error)
  })
  const stdout = file.createWriteStream()
  const whole = finished(stdout).then(
    () => undefined,
    (error: unknown) => failed(error),
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
