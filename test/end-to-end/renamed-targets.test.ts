import { expect, it } from 'vitest'
import { manifestWith } from '../support/installation.ts'
import { fields } from '../support/one-window.ts'
import {
  actionsIn,
  at,
  beginApplied,
  only,
  readsIn,
  recorded,
  writesIn,
  type Scene,
} from '../support/scene.ts'

let here: Scene

const windows = (...names: string[]): string =>
  only('maintenanceWindows', names.map((name) => `  ${name}: ${fields()}`).join('\n'))
const ADDRESS = 'maintenanceWindows'

const selecting = (name: string): string =>
  only(
    'alertConfigurations',
    `  ${name}: { select: { eventTypeName: HOST_DOWN }, enabled: false, onRemove: restore }`,
  )
/** A window is renamed in the manifest, but not applied yet. */
const renamed = async (): Promise<void> => {
  here = await beginApplied(windows('old'))
  await here.manifest(windows('new'))
  await here.forgetRequests()
}

it.each([['plan'], ['apply', '--auto-approve']])(
  '%s of the old name alone is refused with both names, and nothing is sent that writes',
  async (...words) => {
    await renamed()
    const { code, stderr } = await here.run(...words, '--target', `${ADDRESS}.old`)
    expect(code).toBe(1)
    expect(stderr).toContain(`${ADDRESS}.old is now declared as ${ADDRESS}.new`)
    expect(stderr).toContain(`--target ${ADDRESS}.new`)
    expect(await writesIn(here)).toEqual([])
    expect(await recorded(here)).toEqual([`${ADDRESS}.old`])
  },
)

it.each([[`${ADDRESS}.new`], [`${ADDRESS}.*`]])('a target of %s means both names', async (target) => {
  await renamed()
  const { document } = await here.json('plan', '--target', target)
  expect(actionsIn(document)).toEqual([[`${ADDRESS}.new`, 'moved']])
  expect(await here.run('apply', '--auto-approve', '--target', target)).toMatchObject({ code: 0 })
  expect(await writesIn(here)).toEqual([])
  expect(await recorded(here)).toEqual([`${ADDRESS}.new`])
})

it('what a selector stands for under a new name is seen by a target of its old name, too', async () => {
  here = await beginApplied(selecting('old'))
  await here.manifest(selecting('new'))
  await here.forgetRequests()
  const { code, stderr } = await here.run('apply', '--auto-approve', '--target', 'alertConfigurations.old')
  expect({ code, stderr }).toMatchObject({ code: 1 })
  expect(stderr).toMatch(/alertConfigurations\.old\[\w+\] is now declared as alertConfigurations\.new\[\w+\]/)
  expect(await writesIn(here)).toEqual([])
})

const schedule = (name: string): string =>
  only(
    'maintenanceWindows',
    `  ${name}: { alertTypeNames: [HOST], schedule: { rrule: FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0, timezone: UTC, duration: PT2H, horizon: P5D } }`,
  )

it('a schedule under a new name is told once, however many occurrences it has', async () => {
  here = await beginApplied(schedule('old'))
  await here.manifest(schedule('new'))
  const { code, stderr } = await here.run('plan', '--target', `${ADDRESS}.old`)
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `new name: ${ADDRESS}.old is now declared as ${ADDRESS}.new\n  The new name means both: --target ${ADDRESS}.new\n`,
    ),
  })
})

it('what nothing declares under any name is released, and nothing is read for other kinds', async () => {
  here = await beginApplied(windows('old'))
  await here.manifest(manifestWith({ maintenanceWindows: '' }))
  await here.forgetRequests()
  const { document } = await here.json('plan', '--target', `${ADDRESS}.old`)
  expect(at(document, `${ADDRESS}.old`)).toMatchObject({ action: 'release' })
  expect((await readsIn(here)).filter((path) => !path.endsWith('/events'))).toEqual([])
})

it('drift looks at the old name all the same', async () => {
  await renamed()
  const { code, document } = await here.json('drift', '--target', `${ADDRESS}.old`)
  expect({ code, resources: document.resources.map(({ address }: any) => address) }).toEqual({
    code: 0,
    resources: [`${ADDRESS}.old`],
  })
})

it('what a selector stood for is recorded once, when it is declared by its id and that alone is applied', async () => {
  const DOWN = '5d1113b25a115342acc2d0f3'
  const all = '  all: { select: { eventTypeName: HOST_DOWN }, enabled: true }'
  here = await beginApplied(only('alertConfigurations', all))
  expect(await recorded(here)).toContain(`alertConfigurations.all[${DOWN}]`)
  await here.manifest(
    only('alertConfigurations', `${all}\n  down: { alertConfigId: ${DOWN}, enabled: false }`),
  )
  const target = ['--target', 'alertConfigurations.down']
  const { document } = await here.json('plan', ...target)
  expect(actionsIn(document)).toEqual([
    ['alertConfigurations.down', 'moved'],
    ['alertConfigurations.down', 'update'],
  ])
  expect(await here.run('apply', '--auto-approve', ...target)).toMatchObject({ code: 0 })
  expect(await recorded(here)).not.toContain(`alertConfigurations.all[${DOWN}]`)
  const { code, document: drift } = await here.json('drift')
  expect({ code, inSync: drift.inSync }).toEqual({ code: 0, inSync: true })
})
