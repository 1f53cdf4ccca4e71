/**
 * How long the bundled provider takes from its start to its handshake, as a ratio to `node -e 0` in the same
 * run: Terraform starts it three times for a plan. Run by `npm run bench`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundleProvider } from '../scripts/provider/bundle.ts'
import { ENTRY } from '../scripts/provider/release.ts'
import { selfSigned } from '../test/provider/api/support/certificate.ts'

const RUNS = 41
const TARGET = 3.2

/** Milliseconds until the process has printed something, or has ended. */
const time = async (words: readonly string[], env: NodeJS.ProcessEnv): Promise<number> => {
  const begun = performance.now()
  const child = spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  await Promise.race([once(child.stdout, 'data'), ended])
  const ms = performance.now() - begun
  child.kill('SIGTERM')
  await ended
  return ms
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-bench-'))
try {
  const bundle = join(folder, 'provider.cjs')
  await bundleProvider(ENTRY, bundle)
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: folder,
    TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
    PLUGIN_PROTOCOL_VERSIONS: '6',
    PLUGIN_CLIENT_CERT: selfSigned().cert,
  }
  const bare: number[] = []
  const provider: number[] = []
  // One after the other, so that what else the machine does meets both.
  for (let run = 0; run < RUNS; run += 1) {
    bare.push(await time(['-e', '0'], env))
    provider.push(await time([bundle], env))
  }
  const [node, handshake] = [median(bare), median(provider)]
  const ratio = handshake / node
  process.stdout.write(
    `provider start to handshake: ${handshake.toFixed(1)} ms, node -e 0: ${node.toFixed(1)} ms, ratio ${ratio.toFixed(2)} (target ${String(TARGET)})\n`,
  )
  if (ratio > TARGET) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
