import { execFile } from 'node:child_process'
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { FOLDER } from './folder.ts'

const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

/** Runs git in a folder, without the settings of this machine, and returns what it prints. */
export const git = async (folder: string, ...words: string[]): Promise<string> => {
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' }
  const { stdout } = await promisify(execFile)('git', ['-C', folder, ...who, ...words], { env })
  return stdout.trim()
}

/** An empty bare repository, as on a server; it is removed when the test ends. */
export const bareRepository = async (): Promise<string> => {
  const folder = await mkdtemp(FOLDER)
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // Without the examples of hooks; and no push looks whether there is anything to tidy up.
  await git(folder, 'init', '--quiet', '--bare', '--initial-branch=main', '--template=')
  await mkdir(join(folder, 'hooks'))
  await appendFile(join(folder, 'config'), '[receive]\n\tautogc = false\n')
  return folder
}

/** Sets a file of a branch, as anybody can who may push. @param text without it, the file is removed */
export const pushFile = async (
  bare: string,
  branch: string,
  name: string,
  text: string | undefined,
): Promise<string> => {
  const clone = await mkdtemp(FOLDER)
  onTestFinished(() => rm(clone, { recursive: true, force: true }))
  await git(clone, 'clone', '--quiet', '--branch', branch, bare, '.')
  if (text === undefined) await rm(join(clone, name))
  else await writeFile(join(clone, name), text)
  await git(clone, 'add', name)
  await git(clone, 'commit', '--quiet', '-m', `changes ${name}`)
  await git(clone, 'push', '--quiet', 'origin', branch)
  return git(clone, 'rev-parse', 'HEAD')
}
