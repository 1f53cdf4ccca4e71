import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifestWith } from '../support/installation.ts'
import { begin, only, writesIn, type Scene } from '../support/scene.ts'
import { asOnTerminal } from '../support/terminal.ts'
import { expectConverged, resolve, unknownIn } from './support/unknown.ts'

let here: Scene

const line = (name: string, month: string): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-${month}-06T02:00:00Z, endDate: 2035-${month}-06T04:00:00Z, description: ${name} }`
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const BOTH = windows(line('a', '01'), line('b', '02'))
const held = async (): Promise<any[]> => (await here.control('GET', 'dump')).projects[0].maintenanceWindows
const idOf = async (name: string): Promise<string> =>
  (await held()).find(({ description }) => description === name)?.id

/** Two windows lose their answer and leave no event: a person decides. */
const beginLost = async (fault = 'reset-after'): Promise<void> => {
  here = await begin({ settings: { 'open.events': 'none' }, manifest: BOTH })
  await here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 2, fault })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

const decide = async (text: string, file = 'decided.yaml') => {
  await writeFile(join(here.folder, file), text)
  return here.run('state', 'resolve', '--from', file)
}

describe('a list of decisions', () => {
  it.each([
    [
      'YAML',
      'decided.yaml',
      (a: string, b: string) =>
        `- address: maintenanceWindows.a\n  created: ${a}\n- { address: maintenanceWindows.b, created: ${b} }\n`,
    ],
    [
      'JSON',
      'decided.json',
      (a: string, b: string) =>
        JSON.stringify([
          { address: 'maintenanceWindows.a', created: a },
          { address: 'maintenanceWindows.b', created: b },
        ]),
    ],
  ])('settles all that is unknown, in %s', async (_, file, text) => {
    await beginLost()
    const ids = [await idOf('a'), await idOf('b')] as const
    expect(await decide(text(...ids), file)).toMatchObject({ code: 0 })
    expect(await unknownIn(here)).toEqual([])
    await expectConverged(here)
    expect((await held()).map(({ id }) => id)).toEqual(expect.arrayContaining([...ids]))
    expect(await held()).toHaveLength(2)
  })

  it('may decide about some, and says what stays open', async () => {
    await beginLost('reset-before')
    const { code, stderr } = await decide('- { address: maintenanceWindows.a, notCreated: true }\n')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    expect(stderr).toContain('Still of unknown outcome: maintenanceWindows.b.')
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.b'])
  })

  it.each([
    ['is no list', 'address: maintenanceWindows.a\n', '1:1'],
    ['is empty', '\n', '1:1'],
    ['has an item that is none', '- maintenanceWindows.a\n- a: 1\n', '1:3'],
    ['misspells a word', '- { address: maintenanceWindows.a, notcreated: true }\n', '1:36'],
    ['decides nothing', '- { address: maintenanceWindows.a }\n', '1:3'],
    [
      'decides both',
      '- { address: maintenanceWindows.a, notCreated: true, created: 6b00c3f15d1113b25a115342 }\n',
      '1:3',
    ],
    ['takes back what it says', '- { address: maintenanceWindows.a, notCreated: false }\n', '1:48'],
    [
      'names an address twice',
      '- { address: maintenanceWindows.a, notCreated: true }\n- { address: maintenanceWindows.a, notCreated: true }\n',
      '2:14',
    ],
    ['names what is not open', '- { address: maintenanceWindows.c, notCreated: true }\n', '1:14'],
    ['gives what is no id', '- { address: maintenanceWindows.a, created: 12 }\n', '1:45'],
    [
      'gives one id to two',
      ['a', 'b']
        .map((name) => `- { address: maintenanceWindows.${name}, created: 6b00c3f15d1113b25a115342 }\n`)
        .join(''),
      '2:45',
    ],
    [
      'has one wrong decision beside a right one',
      '- { address: maintenanceWindows.a, notCreated: true }\n- { address: maintenanceWindows.c, notCreated: true }\n',
      '2:14',
    ],
  ])('that %s is refused as a whole, with the place', async (_, text, place) => {
    await beginLost()
    const { code, stderr } = await decide(text)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain('DM-DECISIONS')
    expect(stderr).toContain(`decided.yaml:${place} `)
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
  })

  it('that gives the id of something recorded is refused, however it is spelt', async () => {
    await beginLost()
    const id = await idOf('a')
    await resolve(here, 'maintenanceWindows.a', '--created', id)
    const { code, stderr } = await decide(
      `- { address: maintenanceWindows.b, created: ${id.toUpperCase()} }\n`,
    )
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toContain('is recorded already, at maintenanceWindows.a')
  })

  it('has no decision beside it', async () => {
    await beginLost()
    expect((await here.run('state', 'resolve', 'maintenanceWindows.a', '--from', 'x')).stderr).toContain(
      'DM-USAGE',
    )
    expect((await here.run('state', 'resolve')).stderr).toContain('DM-USAGE')
  })
})

it('on a terminal each unknown outcome is a question', async () => {
  await beginLost()
  const terminal = asOnTerminal(here, 'state', 'resolve')
  await terminal.waitFor('maintenanceWindows.a: POST')
  terminal.type('what?\n')
  terminal.type(`${await idOf('a')}\n`)
  await terminal.waitFor('maintenanceWindows.b: POST')
  terminal.type('\n')
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await unknownIn(here)).toEqual(['maintenanceWindows.b'])
})

describe('a decision of a person', () => {
  it('is asserted: the next apply writes all fields of what was named', async () => {
    await beginLost()
    // A person has mixed them up: whichever is named, it is what was declared afterwards.
    await resolve(here, 'maintenanceWindows.a', '--created', await idOf('b'))
    await resolve(here, 'maintenanceWindows.b', '--created', await idOf('a'))
    await expectConverged(here)
    const { resources } = await here.state()
    for (const window of await held()) {
      expect(resources[`maintenanceWindows.${window.description}`].identity.id).toBe(window.id)
      expect(window.startDate).toContain(window.description === 'a' ? '2035-01' : '2035-02')
    }
  })

  it('about a user is asserted, too', async () => {
    here = await begin({
      settings: { 'open.events': 'none' },
      manifest: manifestWith({
        apiKeys: '',
        alertConfigurations: '',
        maintenanceWindows: '',
        integrations: '',
      }),
    })
    await here.control('POST', 'faults', { method: 'POST', path: '^/users$', fault: 'reset-after', count: 1 })
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
    const [{ id }] = (await here.control('GET', 'dump')).users
    await resolve(here, 'users.dana', '--created', id)
    await here.forgetRequests()
    await expectConverged(here)
    expect(await writesIn(here)).toEqual([`PATCH /users/${id}`])
  })
})
