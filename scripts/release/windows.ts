import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'postject'

/**
 * A `node.exe` that runs `lib\main.cjs` beside it: a single executable application with only that step, so that the
 * program is in files, as on other platforms.
 */
export const startingExecutable = async (node: Buffer): Promise<Buffer> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-sea-'))
  const [main, blob, config, target] = ['main.cjs', 'blob', 'config.json', 'node.exe'].map((name) =>
    join(folder, name),
  ) as [string, string, string, string]
  try {
    await writeFile(main, PROGRAM)
    // Neither code cache nor snapshot: they only work on the platform on which they were made.
    const settings = { main, output: blob, disableExperimentalSEAWarning: true }
    await writeFile(config, JSON.stringify(settings))
    await promisify(execFile)(process.execPath, ['--experimental-sea-config', config])
    await writeFile(target, unsigned(node))
    await inject(target, 'NODE_SEA_BLOB', await readFile(blob), { sentinelFuse: FUSE })
    return await readFile(target)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The marker in every Node.js that says whether it contains a program. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'

const PROGRAM = `
const { join } = require('node:path')
const main = join(process.execPath, '..', 'lib', 'main.cjs')
if (require('node:fs').existsSync(main)) require('node:module').createRequire(main)(main)
else {
  const text = 'Error DM-RUNTIME: cannot be started: ' + main + ' is not there or cannot be run. Unpack the whole archive, and keep its files together.\\n'
  require('node:fs').writeSync(2, text)
  if (process.env.TF_PLUGIN_MAGIC_COOKIE) require('node:fs').writeSync(1, text)
  process.exit(1)
}
`

/**
 * Removes the signature of Node.js, which would be broken, and that is worse than none. It is the last part of the
 * file.
 */
const unsigned = (executable: Buffer): Buffer => {
  const header = executable.readUInt32LE(0x3c)
  if (
    executable.toString('latin1', header, header + 4) !== 'PE\0\0' ||
    executable.readUInt16LE(header + 24) !== 0x20b
  )
    throw new Error('This is no executable of a Windows of 64 bits.')
  // The fifth data directory, after 112 bytes of the optional header: offset and size.
  const directory = header + 24 + 112 + 4 * 8
  const place = executable.readUInt32LE(directory)
  if (place === 0) return executable
  const rest = Buffer.from(executable.subarray(0, place))
  rest.fill(0, directory, directory + 8)
  return rest
}
