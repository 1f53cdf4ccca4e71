/** A transfer of records from one state to another is killed at each of its writes, and run again. */
import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { knownAt } from '../../reconciler/state/index.ts'
import { systemOf } from '../../reconciler/commands/service/system.ts'
import { runHere, type Ran } from '../support/command.ts'
import { within as inFolder } from '../support/installation.ts'
import { beginApplied } from '../support/scene.ts'
import { GOES, KEPT, STATE, TO, windows } from '../support/two-teams.ts'
import { bury, gateFiles, gateHost, newRunning, within } from '../world/gate.ts'

const COMMAND = ['state', 'transfer', 'maintenanceWindows.goes', ...TO]

const undo: (() => void)[] = []
beforeAll(() => void undo.push(gateHost(), gateFiles()))
afterAll(() => {
  for (const each of undo) each()
})

it('is in one of the states after each kill, and done once it is run again', async () => {
  const here = await beginApplied(windows(KEPT, GOES))
  const there = inFolder(here, join(here.folder, 'search'))
  await mkdir(there.folder)
  await writeFile(join(there.folder, 'deploymgmt.yaml'), windows().replace('name: test', 'name: search'))
  expect(await there.run('state', 'init')).toMatchObject({ code: 0 })
  await here.forgetRequests()
  const begun = `${here.folder}-begun`
  await cp(here.folder, begun, { recursive: true })

  const addressesIn = async (folder: string): Promise<string[]> => {
    const io = { env: here.env, cwd: folder, now: () => new Date(), stderr: process.stderr }
    const known = await knownAt({ statePath: join(folder, STATE) }, systemOf(io))
    return (known?.records ?? []).map(({ address }) => address.replace('maintenanceWindows.', '')).toSorted()
  }
  const both = async () => [await addressesIn(here.folder), await addressesIn(there.folder)]

  const met = new Set<string>()
  for (let effects = 0, isOver = false; !isOver; effects += 1) {
    const run = newRunning({ number: effects, by: 'run', machine: undefined }, { effects })
    const ran: Ran | 'killed' = await within(run, () =>
      Promise.race([runHere(here, COMMAND), run.died.promise]),
    )
    await bury(run)
    isOver = ran !== 'killed'
    const left = await both()
    met.add(JSON.stringify(left))
    expect(left.flat()).toContain('goes')
    const again = await here.run(...COMMAND)
    expect({ effects, ...again }).toMatchObject({ code: 0, stderr: expect.stringContaining('Next: ') })
    expect(await both()).toEqual([['kept'], ['goes']])
    await here.manifest(windows(KEPT))
    await writeFile(
      join(there.folder, 'deploymgmt.yaml'),
      windows(GOES).replace('name: test', 'name: search'),
    )
    for (const each of [here, there])
      expect(await each.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
    await rm(here.folder, { recursive: true })
    await cp(begun, here.folder, { recursive: true })
  }
  await rm(begun, { recursive: true })
  expect([...met]).toEqual(
    [
      [['goes', 'kept'], []],
      [['goes', 'kept'], ['goes']],
      [['kept'], ['goes']],
    ].map((each) => JSON.stringify(each)),
  )
  const { log } = await here.requests()
  expect(log.filter(({ method }) => method !== 'GET')).toEqual([])
})
