import { access, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { manifestWith, ORG, PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { listen } from '../support/listen.ts'
import { begin, emptyState, only, writesIn, type Scene } from '../support/scene.ts'
import { runHere } from '../support/command.ts'
import { asOnTerminal } from '../support/terminal.ts'
import { expectConverged, namedIn, resolve, resolveLater, unknownIn } from './support/unknown.ts'

let here: Scene

const line = (name: string, month: string): string =>
  `  ${name}: { alertTypeNames: [HOST], startDate: 2035-${month}-06T02:00:00Z, endDate: 2035-${month}-06T04:00:00Z, description: ${name} }`
const windows = (...lines: string[]): string => only('maintenanceWindows', lines.join('\n'))
const BOTH = windows(line('a', '01'), line('b', '02'))
const held = (): Promise<any[]> => windowsAt(here)
const idOf = async (name: string): Promise<string> =>
  (await held()).find(({ description }) => description === name)?.id

/** The creations of two windows lose their answers and leave no event, so a person has to decide. */
const beginLost = async (fault = 'reset-after'): Promise<void> => {
  here = await begin({ settings: { 'open.events': 'none' }, manifest: BOTH })
  await here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 2, fault })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

const decide = async (text: string, file = 'decided.yaml') => {
  await writeFile(join(here.folder, file), text)
  return resolveLater(here, '--from', file)
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
    expect(stderr).toContain('Outcome still unknown: maintenanceWindows.b.')
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.b'])
  })

  it.each([
    ['is not a list', 'address: maintenanceWindows.a\n', '1:1'],
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
    expect(stderr).toContain('is already recorded at maintenanceWindows.a')
  })

  it('is told all that is wrong in it at once, and each mistake once', async () => {
    await beginLost()
    const id = '6b00c3f15d1113b25a115342'
    const { stderr } = await decide(
      [
        `- { address: maintenanceWindows.a, created: ${id} }`,
        '- { adress: maintenanceWindows.b, notCreated: true }',
        '- { address: maintenanceWindows.c, notCreated: true }',
        '- { address: maintenanceWindows.b, created: twelve }',
        `- { address: maintenanceWindows.d, created: ${id} }`,
        '- { address: maintenanceWindows.e, notcreated: true }',
      ].join('\n'),
    )
    const places = [...stderr.matchAll(/^decided\.yaml:(\d+:\d+)/gm)].map(([, place]) => place)
    expect(places).toEqual(['2:5', '3:14', '4:45', '5:14', '5:45', '6:14', '6:36'])
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
  })

  it('is told once of an address that it has twice, and not of another one in other letters', async () => {
    await beginLost()
    const { stderr } = await decide(
      ['a', 'a', 'A'].map((name) => `- { address: maintenanceWindows.${name}, notCreated: true }\n`).join(''),
    )
    const twice = [...stderr.matchAll(/^decided\.yaml:(\d+:\d+).* twice$/gm)].map(([, place]) => place)
    expect(twice).toEqual(['2:14'])
  })

  it('that does not exist is not reported as a missing manifest', async () => {
    await beginLost()
    const { code, stderr } = await here.run('state', 'resolve', '--from', 'nope.yaml')
    expect(code).toBe(1)
    expect(stderr).toContain('Error DM-USAGE: cannot read nope.yaml: it does not exist')
    expect(stderr).toContain('--from')
    expect(stderr).not.toContain('--file')
  })

  it('has a line for each decision, and in JSON an item where there are several', async () => {
    await beginLost('reset-before')
    const told = [
      'maintenanceWindows.a counts as not created; the next plan decides again.',
      'maintenanceWindows.b counts as not created; the next plan decides again.',
      'Outcome still unknown: maintenanceWindows.b.',
    ]
    const { stderr } = await decide('- { address: maintenanceWindows.a, notCreated: true }\n')
    expect(stderr).toContain(`${told[0]}\n${told[2]}\n`)
    const { stdout } = await resolveLater(here, 'maintenanceWindows.b', '--not-created', '--format', 'json')
    expect(JSON.parse(stdout).done).toBe(told[1])
    await beginLost('reset-before')
    await writeFile(join(here.folder, 'a.yaml'), '- { address: maintenanceWindows.a, notCreated: true }\n')
    const { stdout: several } = await resolveLater(here, '--from', 'a.yaml', '--format', 'json')
    expect(JSON.parse(several).done).toEqual([told[0], told[2]])
  })

  it('has no decision beside it', async () => {
    await beginLost()
    expect((await here.run('state', 'resolve', 'maintenanceWindows.a', '--from', 'x')).stderr).toContain(
      'DM-USAGE',
    )
    expect((await here.run('state', 'resolve')).stderr).toContain(
      'DM-USAGE: give an ADDRESS with --created ID',
    )
  })
})

/** A service with ids of another form, which loses its answer to each creation and shows no events. */
const otherIds = (): Server =>
  createServer((request: IncomingMessage, response) => {
    request.resume()
    if (request.headers.authorization === undefined)
      response.writeHead(401, { 'www-authenticate': 'Digest realm="r", nonce="n", qop="auth"' }).end()
    else if (request.method === 'POST') request.socket.destroy()
    else response.end(JSON.stringify({ results: [], links: [], totalCount: 0 }))
  })

it('an id of another form is taken where the places of the service have ids of other forms', async () => {
  here = await begin()
  const server = otherIds()
  onTestFinished(() => void server.close())
  here.env['DEPLOYMGMT_BASE_URL'] = `http://127.0.0.1:${await listen(server)}/api/public/v1.0`
  await rm(join(here.folder, 'deploymgmt.state.json'))
  await emptyState(here)
  await here.manifest(windows(line('a', '01')).replaceAll(PROJECT, 'project:7f'))
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  expect(await resolveLater(here, 'maintenanceWindows.a', '--created', 'a/b')).toMatchObject({ code: 1 })
  expect(await resolveLater(here, 'maintenanceWindows.a', '--created', 'Window:7F')).toMatchObject({
    code: 0,
  })
  const { resources } = await here.state()
  expect(resources['maintenanceWindows.a'].identity).toEqual({ projectId: 'project:7f', id: 'Window:7F' })
})

it('on a terminal each unknown outcome is a question', async () => {
  await beginLost()
  const terminal = asOnTerminal(here, 'state', 'resolve')
  await terminal.waitFor('maintenanceWindows.a: POST')
  terminal.type('what?\n')
  await terminal.waitFor('"what?" is not an id: those usually have 24 hexadecimal digits.')
  terminal.type(`${await idOf('a')}\n`)
  await terminal.waitFor('maintenanceWindows.b: POST')
  terminal.type('\n')
  expect(await terminal.ended).toMatchObject({ code: 0 })
  expect(await unknownIn(here)).toEqual(['maintenanceWindows.b'])
})

it('on a terminal a person is told what was to be created, what is known of it, and how to look', async () => {
  here = await begin({ manifest: windows(line('a', '01')) })
  await here.control('POST', 'faults', { method: 'POST', path: 'Windows', count: 1, fault: 'reset-after' })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  const terminal = asOnTerminal(here, 'state', 'resolve')
  await terminal.waitFor('or nothing to leave it open: ')
  terminal.type('\n')
  const { shown } = await terminal.ended
  expect(shown).toMatch(/^ {2}startDate +2035-01-06 02:00 UTC$/m)
  expect(shown).toMatch(/^ {2}description +a$/m)
  expect(shown).toContain(await idOf('a'))
  expect(shown).toContain(`To look: deploymgmt get organization_events --org-id ${ORG}`)
  expect(shown).toContain('Run deploymgmt apply first: it settles what it can by itself.')
})

it('on a terminal a person is asked without a service that answers, too', async () => {
  await beginLost()
  here.env['DEPLOYMGMT_PRIVATE_KEY'] = 'wrong'
  const terminal = asOnTerminal(here, 'state', 'resolve', 'maintenanceWindows.a')
  await terminal.waitFor('or nothing to leave it open: ')
  terminal.type('\n')
  expect(await terminal.ended).toMatchObject({ code: 0 })
})

it('on a terminal no id is taken for two addresses', async () => {
  await beginLost()
  const terminal = asOnTerminal(here, 'state', 'resolve')
  for (const name of ['a', 'b']) {
    await terminal.waitFor(`maintenanceWindows.${name}: POST`)
    terminal.type(`${await idOf('a')}\n`)
  }
  const { code, shown } = await terminal.ended
  expect(code).toBe(1)
  expect(shown).toMatch(/[0-9a-f]{24} can have only one address, but is given for/)
  expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
})

describe('where no outcome is unknown', () => {
  const SAID = 'No request has an unknown outcome: there is nothing to decide.'

  it('a person is told so, on a terminal and without one', async () => {
    here = await begin({ manifest: BOTH })
    expect(await here.run('state', 'resolve')).toMatchObject({ code: 0, stderr: `${SAID}\n` })
    const { code, shown } = await asOnTerminal(here, 'state', 'resolve').ended
    expect({ code, shown }).toEqual({ code: 0, shown: expect.stringContaining(SAID) })
  })

  it('none begins where the state is lost', async () => {
    here = await begin({ manifest: BOTH })
    const state = join(here.folder, 'deploymgmt.state.json')
    await rm(state)
    const { code, stderr } = await here.run('state', 'resolve')
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringContaining('There is no state at deploymgmt.state.json yet.'),
    })
    await expect(access(state)).rejects.toThrow('ENOENT')
  })

  it('no decision is asked for about an address that needs none', async () => {
    here = await begin({ manifest: BOTH })
    expect(await here.run('state', 'resolve', 'maintenanceWindows.a')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no request about maintenanceWindows.a has an unknown outcome'),
    })
  })
})

/** A change of a window loses its answer. */
const changed = async (): Promise<void> => {
  here = await begin({ manifest: windows(line('a', '01')) })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  await here.manifest(windows(line('a', '02')))
  await here.control('POST', 'faults', { method: 'PATCH', count: 1, fault: 'reset-after' })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
}

describe('a change whose answer was lost', () => {
  const AGAIN = 'maintenanceWindows.a: the next plan decides again, whatever happened to the change.'

  it.each([
    ['--again', ['maintenanceWindows.a', '--again']],
    ['--not-created', ['maintenanceWindows.a', '--not-created']],
    ['again: true', ['--from', 'decided.yaml']],
    ['notCreated: true', ['--from', 'older.yaml']],
  ])('is given up by %s, and nothing is called created or not', async (_, words) => {
    await changed()
    await writeFile(join(here.folder, 'decided.yaml'), '- { address: maintenanceWindows.a, again: true }\n')
    await writeFile(
      join(here.folder, 'older.yaml'),
      '- { address: maintenanceWindows.a, notCreated: true }\n',
    )
    const { code, stderr } = await here.run('state', 'resolve', ...words)
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${AGAIN}\n` })
    await expectConverged(here)
  })

  it('is asked about on a terminal in words of its own', async () => {
    await changed()
    const terminal = asOnTerminal(here, 'state', 'resolve')
    await terminal.waitFor('"again" where it has said that it cannot, or nothing to leave it open: ')
    terminal.type('yes\n')
    await terminal.waitFor('"yes" is not "again".')
    terminal.type('again\n')
    const { code, shown } = await terminal.ended
    expect(code).toBe(0)
    expect(shown).toContain('The next apply finds out by itself, or sends it again.')
    expect(shown).toContain(AGAIN)
    expect(shown).not.toContain('created')
  })

  it('takes no id, and --again is refused for a creation', async () => {
    await changed()
    const id = '6b00c3f15d1113b25a115342'
    const { code, stderr } = await here.run('state', 'resolve', 'maintenanceWindows.a', '--created', id)
    expect({ code, stderr }).toMatchObject({ code: 1 })
    expect(stderr).toMatch(/nothing was being created there \(PATCH .*\); use --again/)
    await beginLost('reset-before')
    const again = await here.run('state', 'resolve', 'maintenanceWindows.a', '--again')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('a creation may have taken effect')
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
  })
})

describe('while a lost request can still take effect', () => {
  it.each([
    ['on the command line', 'maintenanceWindows.a', '--not-created'],
    ['in a list', '--from', 'decided.yaml'],
  ])('nobody can say %s that nothing was created', async (_, ...words) => {
    await beginLost('reset-before')
    await writeFile(
      join(here.folder, 'decided.yaml'),
      '- { address: maintenanceWindows.a, notCreated: true }\n',
    )
    const { code, stderr } = await here.run('state', 'resolve', ...words)
    expect(code).not.toBe(0)
    expect(stderr).toMatch(
      /the request about maintenanceWindows\.a could still take effect until \d{4}-\d\d-\d\d [\d:]+ UTC/,
    )
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
    expect(await resolveLater(here, ...words)).toMatchObject({ code: 0 })
  })

  it('a terminal does not offer that nothing was created', async () => {
    await beginLost('reset-before')
    const terminal = asOnTerminal(here, 'state', 'resolve', 'maintenanceWindows.a')
    await terminal.waitFor('Its id if it is there already, or nothing')
    terminal.type('no\n')
    await terminal.waitFor('It can still take effect until')
    terminal.type('\n')
    await terminal.ended
    expect(await unknownIn(here)).toEqual(['maintenanceWindows.a', 'maintenanceWindows.b'])
  })

  it.each([['apply', '--auto-approve'], ['plan'], ['state', 'list']])(
    '%s says when to run it again, and no report offers to say that it is not there',
    async (...words) => {
      await beginLost('reset-before')
      const { stdout, stderr } = await here.run(...words)
      expect(stdout + stderr).toMatch(/Run deploymgmt apply after \d{4}-/)
      expect(stdout + stderr).toContain('state resolve maintenanceWindows.a --created ID')
      expect(stdout + stderr).not.toContain('--not-created')
      await here.control('POST', 'clock', { advance: 'PT2M' })
      const later = { now: () => new Date(Date.now() + 120_000) }
      const after = await runHere(here, words, later)
      expect(after.stdout + after.stderr).toContain('state resolve maintenanceWindows.a --not-created')
    },
  )

  it('a plan names the first of many that are alike, and what names and decides all of them', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `w${String(index)}`)
    here = await begin({
      settings: { 'open.events': 'none' },
      manifest: windows(...names.map((name) => line(name, '03'))),
    })
    await here.control('POST', 'faults', {
      method: 'POST',
      path: 'maintenanceWindows',
      fault: 'reset-before',
    })
    expect(await here.run('apply', '--auto-approve', '--concurrency', '24')).toMatchObject({ code: 3 })
    await here.control('DELETE', 'faults')
    const unknown = await unknownIn(here)
    expect(unknown).toHaveLength(24)
    const { code, stderr } = await here.run('plan')
    expect(code).toBe(3)
    expect(stderr).toContain('the outcome of 24 earlier requests is unknown')
    expect(stderr).toMatch(/after \d{4}-[^:]+:\d\d:\d\d UTC: the requests could still take effect/)
    expect(namedIn(stderr)).toEqual(names.slice(0, 5).map((name) => `maintenanceWindows.${name}`))
    expect(stderr).toContain(
      '… 19 more like it, deploymgmt state list shows them\n      deploymgmt state resolve --from FILE takes a list that says what happened to each of them',
    )
  })

  it('a plan offers no list of decisions about many that the next apply finds out by itself', async () => {
    const names = Array.from({ length: 24 }, (_, index) => `w${String(index)}`)
    const lines = names.map((name) => line(name, '03'))
    const user = manifestWith({
      apiKeys: '',
      alertConfigurations: '',
      maintenanceWindows: lines.join('\n'),
      integrations: '',
    })
    here = await begin({ manifest: user })
    const lost = { method: 'POST', fault: 'reset-after' }
    await here.control('POST', 'faults', { ...lost, path: 'maintenanceWindows' })
    await here.control('POST', 'faults', { ...lost, path: '^/users$', fault: 'reset-before' })
    expect(await here.run('apply', '--auto-approve', '--concurrency', '25')).toMatchObject({ code: 3 })
    await here.control('DELETE', 'faults')
    const { stderr } = await here.run('plan')
    expect(stderr).toContain('the outcome of an earlier request is unknown')
    expect(stderr).toContain('The next apply finds out about these by itself:')
    expect(stderr).toMatch(/… 19 more like it, deploymgmt state list shows them\n$/)
    expect(stderr).not.toContain('--from FILE')
  })

  it('the apply that lost it says so, without advice for another try', async () => {
    here = await begin({ manifest: BOTH })
    await here.control('POST', 'faults', {
      method: 'POST',
      path: 'maintenanceWindows',
      count: 1,
      fault: 'reset-before',
    })
    const { code, stdout } = await here.run('apply', '--auto-approve')
    expect(code).toBe(3)
    expect(stdout).toMatch(/It may have taken effect\. Run deploymgmt apply after \d{4}-/)
    expect(stdout).not.toContain('--not-created')
    expect(stdout).not.toContain('Check the base URL')
  })
})

describe('a decision of a person', () => {
  it('is asserted: the next apply writes all fields of what was named', async () => {
    await beginLost()
    // The ids are swapped: the next apply writes to each window what its address declares.
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
