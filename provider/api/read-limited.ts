import { createReadStream, readFileSync, statSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/**
 * The bytes of a file, which may be a pipe; undefined if there are more than `most`, as in an endless device. Rejects
 * with a Node system error.
 */
export const readAtMost = async (path: string, most: number): Promise<Buffer | undefined> => {
  // If the size is known, no stream is needed: starting one costs more than reading most files.
  const found = statSync(path)
  if (found.isFile() && found.size > 0 && found.size <= most) {
    const bytes = readFileSync(path)
    return bytes.length > most ? undefined : bytes
  }
  const fd = descriptorOf(path)
  // A socket, which a parent process may give as stdin, cannot be opened by its path.
  const source = fd === undefined || found.isFile() ? {} : { fd, autoClose: false }
  return collected(createReadStream(path, { ...source, end: most }), most)
}

/** The number of the open file of this process that a path stands for, such as 0 for stdin. */
export const descriptorOf = (path: string): number | undefined => {
  if (path === '/dev/stdin') return 0
  const number = /^\/(?:dev|proc\/self)\/fd\/(\d+)$/.exec(path)?.[1]
  return number === undefined ? undefined : Number(number)
}

/** The same for an open file, which stays open. */
export const readOpened = (file: FileHandle, most: number): Promise<Buffer | undefined> =>
  collected(file.createReadStream({ end: most, autoClose: false }), most)

const collected = async (stream: AsyncIterable<Buffer>, most: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream) {
    chunks.push(chunk)
    size += chunk.length
  }
  return size > most ? undefined : Buffer.concat(chunks)
}
