import { expect, it } from 'vitest'
import { manifestWith, ONCALL, PROJECT } from '../support/installation.ts'
import { fields, windowsAt } from '../support/one-window.ts'
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

/** A window is renamed in the manifest, and somebody else has changed it. */
const renamedAndChanged = async (): Promise<string> => {
  await renamed()
  const [{ id }] = await windowsAt(here)
  const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
  await here.control('POST', 'clock', { advance: 'PT1M' })
  await here.outside('PATCH', path, { description: 'theirs' }, ONCALL)
  await here.forgetRequests()
  return path
}

it.each([['new'], ['old']])(
  'drift of the %s name finds what has drifted, and where it is declared now',
  async (name) => {
    await renamedAndChanged()
    const { code, document } = await here.json('drift', '--target', `${ADDRESS}.${name}`)
    expect({ code, resources: document.resources }).toMatchObject({
      code: 2,
      resources: [
        {
          address: `${ADDRESS}.old`,
          verdict: 'drifted',
          movedTo: `${ADDRESS}.new`,
          undo: { command: `deploymgmt apply --target ${ADDRESS}.new` },
        },
      ],
    })
  },
)

it('what has drifted is accepted by its new name, too, as it is recorded', async () => {
  await renamedAndChanged()
  const ran = await here.run('drift', 'accept', `${ADDRESS}.new.description`, '--reason', 'fine')
  expect(ran).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`${ADDRESS}.old.description is accepted`),
  })
})

it('what a selector found and has drifted is accepted by the new name of its entry, too', async () => {
  here = await beginApplied(selecting('old'))
  await here.manifest(selecting('new'))
  const [address] = await recorded(here)
  const id = address?.slice('alertConfigurations.old['.length, -1)
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: true })
  const ran = await here.run('drift', 'accept', 'alertConfigurations.new.enabled', '--reason', 'fine')
  expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`${address}.enabled is accepted`) })
})

it('what an applied list does not allow and has appeared since is drift, also under the new name of the list', async () => {
  here = await beginApplied(only('integrations', '  old: { only: [PAGING, CHAT_A] }'))
  await here.control('PUT', `projects/${PROJECT}/integrations`, [{ type: 'PAGING' }, { type: 'WEBHOOK' }])
  await here.manifest(only('integrations', '  new: { only: [PAGING, CHAT_A] }'))
  const { code, document } = await here.json('drift')
  expect({ code, found: at(document, 'integrations.new[WEBHOOK]') }).toMatchObject({
    code: 2,
    found: { verdict: 'drifted', reasonCode: 'not-listed' },
  })
})

it('the command that drift names to undo a change of a renamed thing does so', async () => {
  const path = await renamedAndChanged()
  const { document } = await here.json('plan', '--target', `${ADDRESS}.new`)
  expect(actionsIn(document)).toEqual([
    [`${ADDRESS}.new`, 'moved'],
    [`${ADDRESS}.new`, 'update'],
  ])
  await here.run('apply', '--auto-approve', '--target', `${ADDRESS}.new`)
  expect(await writesIn(here)).toEqual([`PATCH ${path}`])
  expect((await here.run('drift')).code).toBe(0)
})

it.each([['new'], ['old']])('drift of the %s name says that the new one is not applied yet', async (name) => {
  here = await beginApplied(selecting('old'))
  await here.manifest(selecting('new'))
  const { code, document } = await here.json('drift', '--target', `alertConfigurations.${name}`)
  expect(code).toBe(0)
  expect(document.resources).not.toEqual([])
  for (const { address, verdict, movedTo } of document.resources)
    expect({ address, verdict, movedTo }).toEqual({
      address: expect.stringMatching(/^alertConfigurations\.old\[/),
      verdict: 'pending',
      movedTo: address.replace('.old[', '.new['),
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
