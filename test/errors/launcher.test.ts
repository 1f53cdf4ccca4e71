import { spawn } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { launcherErrors } from '../../scripts/docs/launcher-errors.ts'
import type { Ran } from '../support/command.ts'
import { COMMAND } from '../support/process.ts'
import { codeIn } from './support/told.ts'

/** The command's launcher by itself, as in a checkout that was never compiled, run by this Node or by one that calls itself older. */
const launcher = async (version?: string): Promise<Ran> => {
  const folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'bin'))
  await copyFile(COMMAND, join(folder, 'bin', 'deploymgmt.cjs'))
  const older = join(folder, 'older.cjs')
  await writeFile(
    older,
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version ?? ''}' } })`,
  )
  const options = version === undefined ? [] : ['--require', older]
  const child = spawn(process.execPath, [...options, join(folder, 'bin', 'deploymgmt.cjs'), 'plan'])
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
  })
}

const MET: Readonly<Record<string, () => Promise<Ran>>> = {
  'DM-NOT-BUILT': () => launcher(),
  'DM-NODE-VERSION': () => launcher('20.20.2'),
}

describe('the launcher of the command', () => {
  it.each(Object.keys(launcherErrors))('says %s and what to do, on one line each', async (code) => {
    const ran = (await MET[code]?.()) ?? { code: null, stdout: '', stderr: '' }
    expect({ exit: ran.code, code: codeIn(ran), stdout: ran.stdout }).toEqual({ exit: 1, code, stdout: '' })
    expect(ran.stderr).toMatch(/^Error [^\n]+\n {2}\S[^\n]*\.\n$/)
  })

  it('says nothing else', () => {
    expect(Object.keys(MET).toSorted()).toEqual(Object.keys(launcherErrors).toSorted())
  })
})
