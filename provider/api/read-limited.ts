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
  return collected(createReadStream(path, { end: most }), most)
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
