import { delimiter, join } from 'node:path'
import { run } from './consumer.ts'

const isOldest = async (node: string): Promise<boolean> => {
  const { stdout } = await run(node, ['--version']).catch(() => ({ stdout: '' }))
  return stdout.startsWith('v20.')
}

const nodes = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'node'))
const areOldest = await Promise.all(nodes.map(isOldest))

/** The machine's own Node if it is 20, the oldest of `engines`; elsewhere only the compiler's `lib` says what it lacks. */
export const oldestNode = nodes.find((_, index) => areOldest[index])
