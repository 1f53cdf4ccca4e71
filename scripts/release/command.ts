import { copyFile, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { bundleCommand } from '../command/bundle.ts'
import { writeExecutable } from './executable.ts'
import type { Platform, Runtime } from './platforms.ts'

const root = join(import.meta.dirname, '..', '..')
const PACKAGE = join(root, 'reconciler')

/** Writes the command for a platform into a folder: its package, and an executable that runs it. */
export const writeCommand = async (
  platform: Platform & { readonly runtime: Runtime },
  folder: string,
): Promise<void> => {
  await bundleCommand()
  const lib = join(folder, 'lib')
  for (const name of PACKED) {
    await mkdir(dirname(join(lib, name)), { recursive: true })
    await copyFile(join(PACKAGE, name), join(lib, name))
  }
  const starter = join(root, 'examples', 'typescript', 'starter')
  await cp(starter, join(lib, 'dist', 'templates', 'typescript'), { recursive: true })
  await copyFile(join(root, 'LICENSE'), join(folder, 'LICENSE'))
  await writeFile(join(lib, 'main.cjs'), "require('./bin/deploymgmt.cjs')\n")
  await writeExecutable(platform, folder, 'deploymgmt')
}

/** The package's files, as in `files` of its package.json. */
const PACKED = [
  'package.json',
  'bin/compiled.cjs',
  'bin/deploymgmt.cjs',
  'dist/main.cjs',
  'dist/main.cjs.map',
  'dist/service.cjs',
  'dist/service.cjs.map',
  'dist/THIRD-PARTY-NOTICES.txt',
]
