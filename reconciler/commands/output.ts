import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
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
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    throw new OutputError(`the file cannot be written (${code})`, { where: path, hint: OutputError.remedy })
  }
}
