import { spawn } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { COMMAND, type Ran } from '../support/installation.ts'
import { inProcess } from './support/in-process.ts'
import { expectWhole, filesIn, resolveAll, scene, type Scene } from './support/scene.ts'
import { expectConverged, namedIn } from './support/unknown.ts'

let here: Scene
afterEach(() => here.close())

/** Runs an apply that can write no file beyond so many blocks: what a full disk does, wherever it strikes. */
const applyWithRoomFor = (blocks: number): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`
    const words = [process.execPath, COMMAND, 'apply', '--auto-approve', '--concurrency', '1']
    const child = spawn('/bin/sh', ['-c', script, ...words], { cwd: here.folder, env: here.env })
    let stdout = ''
    let stderr = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, stdout, stderr }))
    child.stdin.end()
  })

const writes = async (): Promise<number> =>
  (await here.requests()).log.filter(({ method, status }) => method !== 'GET' && status !== 401).length

describe('an apply whose disk is full', () => {
  it.each([1, 3, 5, 8, 11, 14, 17, 20])(
    'after %i blocks of a file stops sending, says so, and loses and repeats nothing',
    async (blocks) => {
      here = await scene()
      const { code, stderr } = await applyWithRoomFor(blocks)
      expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
      expect(await writes()).toBeLessThan(8)
      const quick = inProcess(here)
      const plan = await quick.run('plan')
      expect([0, 3]).toContain(plan.code)
      await resolveAll(quick, namedIn(plan.stderr))
      await expectConverged(quick)
      await expectWhole(quick)
      expect(await filesIn(here)).toEqual(['deploymgmt.state.json', 'deploymgmt.yaml'])
    },
  )
})
