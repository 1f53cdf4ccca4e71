import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { before, catching } from '../../crash/support/kill.ts'
import type { Ran } from '../../support/command.ts'
import { COMMAND, start } from '../../support/process.ts'
import type { Passing } from '../../support/proxy.ts'
import { throughProxy } from './foreign.ts'
import { APPLY, type Scene } from './provocation.ts'

/** Runs the command in a process with shortened waits: see time-lapse.ts. */
export const timeLapse = (scene: Scene, words: readonly string[]): Promise<Ran> =>
  start(scene, words, [process.execPath, '--import', join(import.meta.dirname, 'time-lapse.ts')]).ended

/** Interrupts an apply while a matching request is in flight. */
export const interrupted = async (scene: Scene, fits: (passing: Passing) => boolean): Promise<Ran> => {
  const { steer, caught } = catching(fits, before)
  await throughProxy(scene, steer)
  const { child, ended } = start(scene, APPLY)
  await caught
  child.kill('SIGINT')
  return ended
}

/** Runs the command with its output going to a full device. */
export const intoFullDevice = ({ folder, env }: Scene, words: readonly string[]): Promise<Ran> => {
  const full = openSync('/dev/full', 'w')
  const child = spawn(process.execPath, [COMMAND, ...words], {
    cwd: folder,
    env,
    stdio: ['ignore', full, 'pipe'],
  })
  closeSync(full)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout: '', stderr }))
  })
}
