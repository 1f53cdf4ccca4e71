import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')

/** Packs every published workspace into a folder, and returns the names of the archives. */
export const packForNpm = async (target: string): Promise<readonly string[]> => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  const names: string[] = []
  for (const workspace of workspaces) {
    const { stdout } = await promisify(execFile)('npm', ['pack', '--silent', '--pack-destination', target], {
      cwd: join(root, workspace),
    })
    // The package's own scripts print before the name.
    names.push(stdout.trim().split('\n').at(-1) ?? '')
  }
  return names
}
