import { createReadStream, readFileSync, statSync } from 'node:fs'

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
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of createReadStream(path, { end: most })) {
    chunks.push(chunk as Buffer)
    size += (chunk as Buffer).length
  }
  return size > most ? undefined : Buffer.concat(chunks)
}
