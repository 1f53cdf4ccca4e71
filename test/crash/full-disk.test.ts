import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Ran } from '../support/command.ts'
import { start } from '../support/process.ts'
import { writesIn, type Scene } from '../support/scene.ts'
import { filesIn, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { namedIn } from './support/unknown.ts'

let here: Scene

/** Runs an apply whose files cannot grow beyond this many blocks, as on a disk that becomes full. */
const applyWithRoomFor = (blocks: number): Promise<Ran> => {
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec "$0" "$@"`
  const words = ['apply', '--auto-approve', '--concurrency', '1']
  return start(here, words, ['/bin/sh', '-c', script, process.execPath]).ended
}

/** The ids of what the apply has created. */
const madeIn = async ({ control }: Scene): Promise<string[]> => {
  const { users, projects } = await control('GET', 'dump')
  return [...users, ...projects[0].maintenanceWindows].map(({ id }: { id: string }) => id)
}

const contentsOf = async (of: Scene): Promise<string[]> =>
  Promise.all((await filesIn(of)).map((file) => readFile(join(of.folder, file), 'utf8')))

test.each([1, 3, 5, 8, 11, 14, 17, 20])(
  'an apply whose disk is full after %i blocks of a file stops sending, says so, and loses and repeats nothing',
  async (blocks) => {
    here = await scene()
    const { code, stdout, stderr } = await applyWithRoomFor(blocks)
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-WRITE') })
    expect((await writesIn(here)).length).toBeLessThan(8)
    // Whoever may not read events needs the id of what was made to resolve its creation.
    const kept = [stdout, ...(await contentsOf(here))].join('\n')
    expect((await madeIn(here)).filter((id) => !kept.includes(id))).toEqual([])
    const plan = await here.run('plan')
    expect([0, 3]).toContain(plan.code)
    await resolveAll(here, namedIn(plan.stderr))
    await expectRecovered(here)
    expect(await filesIn(here)).toEqual(['deploymgmt.state.json', 'deploymgmt.yaml'])
  },
)
