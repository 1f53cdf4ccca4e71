import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { none, one, windowsAt } from '../support/one-window.ts'
import { applied, begin, type Scene } from '../support/scene.ts'
import { QUIET } from '../support/silence.ts'

const STATE = 'deploymgmt.silences.json'

/** A service whose events do not show when a window ends. */
const scene = (): Promise<Scene> => begin({ manifest: none, settings: { 'open.rawDocument': 'empty' } })

const silenced = async (here: Scene): Promise<void> =>
  expect(await here.run(...QUIET, '--', process.execPath, '--version')).toMatchObject({ code: 0 })

const later = (here: Scene, advance: string): Promise<unknown> => here.control('POST', 'clock', { advance })

const known = async (here: Scene): Promise<string[]> =>
  JSON.parse(await readFile(join(here.folder, STATE), 'utf8')).known.map(
    ({ identity }: { identity: { id: string } }) => identity.id,
  )

const idOf = (number: number): string => number.toString(16).padStart(24, '0')

describe('a silence of more than 90 days ago', () => {
  it('is no stranger to the first window of the manifest, and is forgotten once it was compared', async () => {
    const here = await scene()
    await silenced(here)
    for (const advance of ['P1D', 'P100D']) {
      await later(here, advance)
      await silenced(here)
    }
    const [first] = await windowsAt(here)
    await applied(here, one())
    expect(await known(here)).toContain(first.id)
    await later(here, 'P1D')
    await silenced(here)
    expect(await known(here)).not.toContain(first.id)
  })

  it('is one of at most a thousand that are kept for a comparison that never comes', async () => {
    const here = await scene()
    await silenced(here)
    await later(here, 'P1D')
    await silenced(here)
    const path = join(here.folder, STATE)
    const state = JSON.parse(await readFile(path, 'utf8'))
    const [old] = state.known
    const many = Array.from({ length: 1_200 }, (_, number) => ({
      ...old,
      identity: { ...old.identity, id: idOf(number) },
    }))
    await writeFile(path, JSON.stringify({ ...state, known: many }))
    await later(here, 'P100D')
    await silenced(here)
    const kept = await known(here)
    expect(kept).toContain(idOf(1_199))
    expect(kept).not.toContain(idOf(199))
    expect(kept.length).toBeLessThan(1_010)
  })
})

describe('a silence of less than 90 days ago', () => {
  it('stays known after it was compared, because other commands can still read its events', async () => {
    const here = await scene()
    await silenced(here)
    const [first] = await windowsAt(here)
    await later(here, 'P1D')
    await silenced(here)
    await applied(here, one())
    await later(here, 'P1D')
    await silenced(here)
    expect(await known(here)).toContain(first.id)
  })
})
