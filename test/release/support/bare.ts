/** A root folder that contains only what a test puts there: no shell, no C library, no `/proc`. */
import { spawn, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const asRoot = process.getuid?.() === 0 ? ['chroot'] : ['unshare', '--map-root-user', 'chroot']

const canRun = ([program = '', ...words]: readonly string[]): boolean =>
  spawnSync(program, [...words, '/', '/bin/true'], { stdio: 'ignore' }).status === 0

/** Tests that change the root folder are skipped where this is not permitted or not possible. */
export const noBareRoot = process.platform !== 'linux' || !canRun(asRoot)

export const beginBareRoot = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'dm-bare-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Folders that the smallest images have, or that running them adds.
  for (const name of ['tmp', 'root']) await mkdir(join(folder, name))
  return folder
}

/** Runs a program there with an empty PATH; returns its exit code and output. */
export const runBare = (
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number | null; stdout: string; stderr: string }> =>
  new Promise((resolve, reject) => {
    const [program = '', ...before] = asRoot
    // The program that changes the root is found through the PATH of the tests; the one it starts has none.
    const whole = [...before, folder, ...words]
    const child = spawn(onPath(program), whole, { env: { PATH: '', HOME: '/root', ...env } })
    const said = { stdout: '', stderr: '' }
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...said }))
  })

export const onPath = (name: string): string =>
  spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim()
