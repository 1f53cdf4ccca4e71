import { randomUUID } from 'node:crypto'
import { access, constants, open, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { inWords, nodeFiles } from '../../disk/files.ts'
import { replaceUnlocked } from '../../disk/replace.ts'
import { OutputError } from '../../errors/index.ts'
import { concealed, concealing, isStdout, print, type Io } from '../../io.ts'

/** The stream that a path names. Opening the path would create another stream, or fail if it leads to a socket. */
export const namedStream = ({ stdout, stderr }: Io, path: string): NodeJS.WritableStream | undefined => {
  if (isStdout(path)) return stdout
  return ['/dev/stderr', '/dev/fd/2', '/proc/self/fd/2'].includes(path) ? stderr : undefined
}

/** Writes data to a file, or to stdout if none is named. */
export const writeOutput = async (io: Io, file: string | undefined, text: string): Promise<void> => {
  if (file === undefined) return print(io.stdout, text)
  const stream = namedStream(io, file)
  if (stream !== undefined) return print(stream, text)
  return writeTextFile(resolve(io.cwd, file), `${concealed(text, io.secrets).replace(/\n$/, '')}\n`)
}

/**
 * On a full disk, the file is left empty: half of a report could be taken for a whole one, and an earlier one for this.
 * @throws OutputError naming the file
 */
export const writeTextFile = async (path: string, text: string, flag = 'w'): Promise<void> => {
  try {
    const file = await open(path, flag, 0o666)
    try {
      await file.writeFile(text)
      // Other kinds of files cannot be synced.
      if ((await file.stat()).isFile()) await file.sync()
    } catch (error) {
      await file.truncate().catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
  } catch (error) {
    throw notWritten(path, error)
  }
}

/**
 * Replaces what a person keeps in one step: a full disk, or a crash, leaves what was there.
 * @throws OutputError naming the file
 */
export const replaceTextFile = async (path: string, text: string): Promise<void> => {
  try {
    const mode = await stat(path).then(
      (found) => found.mode & 0o777,
      () => 0o666,
    )
    const system = { files: nodeFiles, uuid: randomUUID }
    await (await replaceUnlocked(system, path, Buffer.from(text), mode)).close()
  } catch (error) {
    throw notWritten(path, error)
  }
}

/**
 * Checks before anything is sent that a file can be written; an existing file is not changed.
 * @throws OutputError naming the file
 */
export const refuseUnwritable = async (io: Io, file: string | undefined): Promise<void> => {
  if (file === undefined || namedStream(io, file) !== undefined) return
  const path = resolve(io.cwd, file)
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() === true) throw notWritten(path, Object.assign(new Error(), { code: 'EISDIR' }))
  await access(found === undefined ? dirname(path) : path, constants.W_OK).catch((error: unknown) => {
    throw notWritten(path, error)
  })
}

const notWritten = (path: string, cause: unknown): OutputError =>
  new OutputError(`the file cannot be written: ${inWords(cause)}`, { where: path, cause })

/**
 * For a command that streams its data: redirects its stdout to the file of `--output`, which is created before
 * anything is sent.
 * @throws OutputError naming the file, even if it fails midway: the command is then still completed
 */
export const withOutput = async <T>(
  io: Io,
  { output }: { readonly output?: string },
  use: (io: Io) => Promise<T>,
): Promise<T> => {
  if (output === undefined) return use(io)
  const named = namedStream(io, output)
  if (named !== undefined) return use({ ...io, stdout: named })
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
    return await use({ ...io, stdout: concealing(stdout, io.secrets) })
  } finally {
    stdout.end()
    const failure = await whole
    // oxlint-disable-next-line no-unsafe-finally -- what broke first explains what came of it
    if (failure !== undefined) throw failure
  }
}
