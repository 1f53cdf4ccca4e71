import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { launcher } from './launcher/compiled.ts'
import { trimmed } from './elf.ts'
import { writeLibraries } from './libraries.ts'
import { nodeFile, nodeLicense } from './node-runtime.ts'
import type { Platform, Runtime } from './platforms.ts'
import { startingExecutable } from './windows.ts'

/**
 * Writes a self-contained executable: `NAME` in a folder, and beside it `lib/`, with the Node.js that runs
 * `lib/main.cjs`, and the licences of everything included. Returns the name of the executable.
 */
export const writeExecutable = async (
  { name: platform, runtime }: Platform & { readonly runtime: Runtime },
  folder: string,
  name: string,
): Promise<string> => {
  const lib = join(folder, 'lib')
  await mkdir(join(lib, 'licenses'), { recursive: true })
  await writeFile(join(lib, 'licenses', 'node.txt'), await nodeLicense())
  const node = await nodeFile(runtime)
  if (runtime.libraries === undefined) {
    if (!platform.startsWith('windows')) throw new Error(`Nothing starts Node.js on ${platform}.`)
    const executable = `${name}.exe`
    await writeFile(join(folder, executable), await startingExecutable(node), { mode: 0o755 })
    return executable
  }
  await writeFile(join(lib, 'node'), trimmed(node), { mode: 0o755 })
  await writeLibraries(runtime.libraries, lib)
  await writeFile(join(folder, name), launcher(runtime.libraries), { mode: 0o755 })
  return name
}
