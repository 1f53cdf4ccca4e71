import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const FILE = join(import.meta.dirname, '..', '..', 'provider', 'package.json')

export const providerVersion = async (): Promise<string> =>
  (JSON.parse(await readFile(FILE, 'utf8')) as { version: string }).version
