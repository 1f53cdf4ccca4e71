import { expect, it } from 'vitest'
import { manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { at, beginApplied, only, type Scene } from '../support/scene.ts'

const WINDOW = 'maintenanceWindows.migration'
const window = only(
  'maintenanceWindows',
  '  migration: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ours }',
)

const saidIn = async (here: Scene, format: string, command = 'drift'): Promise<string> => {
  const { stdout } = await here.run(command, '--format', format)
  return stdout
    .replaceAll(/<(?:style|script)[\s\S]*?<\/\w+>/g, '')
    .replaceAll(/<[^>]*>|\\/g, format === 'junit' ? '$&' : '')
    .replaceAll('&#95;', '_')
    .replaceAll(/\s+/g, ' ')
}

const changed = async (here: Scene, address: string, path: string, body: object): Promise<any> => {
  const { users } = await here.control('GET', 'dump')
  const id =
    (await here.state()).resources[address].identity.id ??
    users.find(({ username }: any) => username === 'dana@example.com').id
  await here.outside('PATCH', `${path}/${id}`, body)
  return at((await here.json('drift')).document, address)
}

it('what an event tells of a value that no endpoint shows stands beside it, with the event, in every format', async () => {
  const here = await beginApplied(window)
  const { fields, actor } = await changed(here, WINDOW, `/groups/${PROJECT}/maintenanceWindows`, {
    description: 'theirs',
  })
  const described = fields.find(({ path }: any) => path === 'description')
  expect(described).toMatchObject({
    before: 'ours',
    after: null,
    told: {
      value: 'theirs',
      eventTypeName: 'MAINTENANCE_WINDOW_CHANGED_AUDIT',
      eventId: actor.eventId,
      at: actor.at,
    },
  })
  // The event tells nothing about the other fields.
  expect(fields.filter(({ told }: any) => told !== undefined)).toEqual([described])
  for (const format of ['text', 'markdown', 'html', 'junit', 'sarif'])
    expect({ format, said: await saidIn(here, format) }).toEqual({
      format,
      said: expect.stringContaining('(not known; MAINTENANCE_WINDOW_CHANGED_AUDIT says: theirs)'),
    })
  // A plan that writes the declared value says it too.
  const [planned] = (await here.json('plan')).document.changes
  expect(planned.fields.find(({ path }: any) => path === 'description')).toMatchObject({
    before: null,
    after: 'ours',
    told: { value: 'theirs' },
  })
  for (const format of ['text', 'markdown', 'html'])
    expect({ format, said: await saidIn(here, format, 'plan') }).toEqual({
      format,
      said: expect.stringContaining('(not known; MAINTENANCE_WINDOW_CHANGED_AUDIT says: theirs)'),
    })
  // A told value cannot be accepted as such: acceptance is for this event, and another event is another change.
  expect((await here.run('drift', 'accept', WINDOW, '--reason', 'fine')).code).toBe(0)
  expect((await here.json('drift')).document.accepted).toMatchObject([{ address: WINDOW }])
})

it('the newest that tells it counts, and what is no value of the field is left out', async () => {
  const here = await beginApplied(window)
  const path = `/groups/${PROJECT}/maintenanceWindows`
  await changed(here, WINDOW, path, { description: 'first' })
  await here.control('POST', 'clock', { advance: 'PT1M' })
  await changed(here, WINDOW, path, { description: 'second' })
  await here.control('POST', 'clock', { advance: 'PT1M' })
  const { fields } = await changed(here, WINDOW, path, { alertTypeNames: ['HOST', 'AGENT'] })
  const told = Object.fromEntries(fields.map((field: any) => [field.path, field.told?.value]))
  expect(told).toMatchObject({ description: 'second', alertTypeNames: ['HOST', 'AGENT'] })
})

it('roles of a user are told likewise', async () => {
  const here = await beginApplied(manifestWith({ apiKeys: '', alertConfigurations: '', integrations: '' }))
  const { fields } = await changed(here, 'users.dana', '/users', {
    roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
  })
  expect(fields).toMatchObject([
    { path: 'roles', after: null, told: { eventTypeName: expect.stringMatching(/ROLES_CHANGED|INVITED/) } },
  ])
  // Somebody who is invited as an owner has no roles yet, so the invitation is told separately.
  const told = expect.objectContaining({ invited: [{ roleName: 'ORG_OWNER', orgId: ORG }] })
  expect(fields[0].told).toEqual(told)
  for (const format of ['text', 'markdown', 'html', 'junit', 'sarif'])
    expect({ format, said: await saidIn(here, format) }).toEqual({
      format,
      said: expect.stringContaining('invited as ORG_OWNER'),
    })
})
