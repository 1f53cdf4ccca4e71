import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** Writes the checksums of a folder's files in the format of `sha256sum --check`. */
export const writeSums = async (folder: string, names: readonly string[], target: string): Promise<void> => {
  const lines: string[] = []
  for (const name of names) lines.push(`${await sumOf(join(folder, name))}  ${name}\n`)
  await writeFile(join(folder, target), lines.join(''))
}

const sumOf = async (path: string): Promise<string> => {
  const sum = createHash('sha256')
  await pipeline(createReadStream(path), sum)
  return sum.digest('hex')
}
