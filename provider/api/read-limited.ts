import { createReadStream } from 'node:fs'

/**
 * The bytes of a file, which may be a pipe; nothing where there are more than `most`. A device without end has more.
 * Rejects with a Node system error.
 */
export const readAtMost = async (path: string, most: number): Promise<Buffer | undefined> => {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path, { end: most })) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return size > most ? undefined : Buffer.concat(chunks)
}
