/** A file that adopt had written is gone: its things are still recorded, and come back. */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { applied, begin, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const lose = (): Promise<void> => rm(join(here.folder, FIRST))
const withoutHead = (text: string): string => text.replace(/^#.*\n/, '')

beforeEach(async () => {
  here = await begin({ manifest: only('users', '') })
})

describe('where it was recorded', () => {
  it('a run says what is recorded and declared by nobody, and how to get it again', async () => {
    await adopt(...STATE)
    await lose()
    const said = await adopt()
    expect(said).toContain('There is nothing new')
    expect(said).toContain(
      '4 things are recorded, and no manifest that was read declares them, so an apply takes them as removed: alertConfigurations.host-down, alertConfigurations.replica-set, integrations.chat-a and 1 more.',
    )
    expect(said).toContain('deploymgmt adopt --again writes them again.')
    const words = ['-f', 'deploymgmt.yaml', ...STATE]
    expect(await adopt(...words)).toContain(`deploymgmt adopt --again ${words.join(' ')} writes them again.`)
  })

  it('--again writes it again by the names that it had, and a plan has nothing to do', async () => {
    await adopt(...STATE)
    const before = await textOf()
    await lose()
    expect(await adopt('--again')).toMatch(/for 4 things\..*All of it is recorded\./s)
    expect(withoutHead(await textOf())).toBe(withoutHead(before))
    expect(await planOf()).toMatchObject({ inSync: true, changes: [] })
    expect(await adopt('--again')).toMatch(/^There is nothing new/)
    expect(await adopt()).not.toContain('are recorded, and no manifest')
    expect(await writesIn(here)).toEqual([])
  })

  it('--again gives it the name of its kind where a person had given it another, which moves its record', async () => {
    await adopt(...STATE)
    await writeFile(join(here.folder, FIRST), (await textOf()).replace('  paging:', '  pages:'))
    expect(await here.run('apply', '-f', '.', '--auto-approve')).toMatchObject({ code: 0 })
    await lose()
    await adopt('--again')
    expect((await planOf()).summary).toMatchObject({ moved: 1, unchanged: 3, release: 0 })
    expect(await writesIn(here)).toEqual([])
  })

  it.each([
    ['the name that it had', 'host-down'],
    ['the name of its kind', 'hosts'],
  ])('--again gives it %s, with the usual settings, and sends nothing', async (_, name) => {
    await adopt(...STATE)
    const kept = (await textOf()).replace(
      /host-down: \{(.*) \}/,
      `${name}: {$1, onRemove: restore, protect: true }`,
    )
    await writeFile(join(here.folder, FIRST), kept)
    expect(await here.run('apply', '-f', '.', '--auto-approve')).toMatchObject({ code: 0 })
    await lose()
    expect(await adopt('--again', ...STATE)).toMatch(/for 4 things\..*All of it is recorded\./s)
    expect(await planOf()).toMatchObject({ inSync: true, changes: [] })
    expect(await writesIn(here)).toEqual([])
  })

  it('a run says it, too, of what no list shows', async () => {
    const window =
      '  w: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: w }'
    await applied(here, only('maintenanceWindows', window))
    await here.manifest(only('users', ''))
    expect(await adopt()).toContain(
      '1 thing is recorded, and no manifest that was read declares it, so an apply takes it as removed: maintenanceWindows.w.',
    )
  })

  it('what a person has taken out, and --except, stay out of it', async () => {
    await adopt(...STATE)
    const text = await textOf()
    await writeFile(join(here.folder, FIRST), text.replace(/ {2}paging: .*\n/, ''))
    expect(await adopt()).toContain(
      '1 thing is recorded, and no manifest that was read declares it, so an apply takes it as removed: integrations.paging.',
    )
    expect(await adopt('--again', '--except', 'integrations.paging')).toMatch(/^There is nothing new/)
    expect(await textOf()).not.toContain('paging:')
  })
})

it('where nothing was recorded, a run writes it again', async () => {
  await adopt()
  const before = await textOf()
  await lose()
  expect(await adopt()).toContain('for 4 things.')
  expect(withoutHead(await textOf())).toBe(withoutHead(before))
})
