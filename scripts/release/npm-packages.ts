import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/**
 * Versions of Node that can run a package. In a checkout, all name the oldest that can read the launcher, which starts
 * the checkout's own Node; an installed package has none.
 */
const NODE = '^22.21.0 || ^24.11.0 || >=26.0.0'
/** The constructs run on every version that the checkout names. */
const AS_IT_IS = new Set(['constructs'])

/** Packs every published workspace into a folder, and returns the names of the archives. */
export const packForNpm = async (target: string): Promise<readonly string[]> => {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[]
  }
  const names: string[] = []
  for (const workspace of workspaces) {
    const name = await packIn(join(root, workspace), target)
    await completed(join(target, name), target, AS_IT_IS.has(workspace) ? {} : { engines: { node: NODE } })
    names.push(name)
  }
  return names
}

const packIn = async (folder: string, target: string, ...flags: readonly string[]): Promise<string> => {
  const words = ['pack', '--silent', ...flags, '--pack-destination', target]
  const { stdout } = await run('npm', words, { cwd: folder })
  // The package's own scripts print before the name.
  return stdout.trim().split('\n').at(-1) ?? ''
}

/** Packs the same files again, with the licence, and with more in package.json. */
const completed = async (archive: string, target: string, more: object): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-pack-'))
  try {
    await run('tar', ['-xzf', archive, '-C', folder])
    const path = join(folder, 'package', 'package.json')
    const about = JSON.parse(await readFile(path, 'utf8')) as object
    await writeFile(path, `${JSON.stringify({ ...about, ...more }, null, 2)}\n`)
    await copyFile(join(root, 'LICENSE'), join(folder, 'package', 'LICENSE'))
    await packIn(join(folder, 'package'), target, '--ignore-scripts')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
