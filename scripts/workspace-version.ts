import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The version that the package.json of a workspace names. */
export const versionOf = async (workspace: 'provider' | 'reconciler'): Promise<string> => {
  const file = join(import.meta.dirname, '..', workspace, 'package.json')
  return (JSON.parse(await readFile(file, 'utf8')) as { version: string }).version
}
