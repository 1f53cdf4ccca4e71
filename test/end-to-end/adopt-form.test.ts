/** Users keep what adopt writes, so it says common things once and claims no more than is true. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { fixtureWith, ORG } from '../support/installation.ts'
import { manyManifest, manyProjects, projectId } from '../support/many-projects.ts'
import { runHere } from '../support/command.ts'
import { unwrapped } from '../support/comments.ts'
import { begin, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

/** An entry with the comment above it. */
const entryIn = (text: string, name: string): string =>
  new RegExp(`(?: {2}# .*\\n)? {2}${name}:.*\\n(?: {4}.*\\n)*`).exec(unwrapped(text))?.[0] ?? ''
const namesIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}([\w-]+):/gm)].map(([, name = '']) => name)

const MADE = '2026-03-02T08:00:00Z'
const config = (id: string, eventTypeName: string, more: object = {}) => ({
  id,
  eventTypeName,
  enabled: true,
  created: MADE,
  notifications: [{ typeName: 'GROUP' }],
  ...more,
})
const idOf = (project: number, index: number): string => `5d1113b25a115342ac0${project}d0f${index}`
const metric = (metricName: string): object => ({
  metricThreshold: { metricName, mode: 'AVERAGE', operator: 'GREATER_THAN', threshold: 100, units: 'RAW' },
})
const METRIC = 'OUTSIDE_METRIC_THRESHOLD'
const NAMES = ['a', 'b', 'c', 'd', 'e']
/** The comment of a selector that matches nothing that is added later. */
const DAY = 'createdBefore is the day after the newest alert configuration was made'

/** Projects `a`, `b`, … with these configurations. */
const beginWith = async (
  projects: readonly object[][],
  { events = [], more = '' }: { events?: object[]; more?: string } = {},
): Promise<void> => {
  const { organizations } = manyProjects() as { organizations: object[] }
  const ids = projects.map((_, index) => `${NAMES[index] ?? ''}: { id: ${projectId(index)} }`)
  here = await begin({
    fixture: {
      organizations: organizations.map((each) => ({ ...each, events })),
      projects: projects.map((alertConfigs, index) => ({
        id: projectId(index),
        orgId: ORG,
        name: NAMES[index],
        alertConfigs,
        integrations: [],
      })),
    },
    manifest: `version: 1\nname: test\ndefaults: { orgId: ${ORG} }\nprojects: { ${ids.join(', ')} }\n${more}`,
  })
}

const off = (id: string): object => config(id, 'HOST_DOWN', { enabled: false })
const twoMetrics = (project: number, enabled: boolean): object[] => [
  config(idOf(project, 0), METRIC, metric('CONNECTIONS')),
  config(idOf(project, 1), METRIC, { ...metric('OPCOUNTER_CMD'), enabled }),
]

describe('of 20 projects', () => {
  it('the file is short: what is alike is said once, on or off, and what is in one project stands there', async () => {
    here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
    await adopt()
    const text = await textOf()
    expect(text.split('\n').length).toBeLessThan(140)
    expect(text).not.toContain('alertConfigId')
    expect(entryIn(text, 'backup')).toBe(
      '  # except where it is off\n  backup:\n    projectIds: { all: true, except: [team-00, team-01, team-02] }\n    select: { eventTypeName: BACKUP }\n    enabled: true\n',
    )
    expect(entryIn(text, 'backup-exceptions')).toBe(
      `  # off; ${DAY}\n  backup-exceptions:\n    projectIds: [team-00, team-01, team-02]\n    select: { eventTypeName: BACKUP, createdBefore: 2026-03-03T00:00:00Z }\n    allowEmpty: true\n    enabled: false\n`,
    )
    expect(entryIn(text, 'restarts-in-last-hour')).toMatch(
      /^ {2}# off; matches 4 in each project; createdBefore .*\n.*\n {4}projectIds:\n {6}\[team-00, .*,\n {7}.*, team-19\]\n/,
    )
    expect(entryIn(text, 'replica-set')).toMatch(/^ {2}# notifies nobody\n/)
    expect(entryIn(text, 'paging')).toBe('  paging: { projectIds: all, type: PAGING }\n')
    expect(entryIn(text, 'chat-a')).toBe(
      '  # except where there is none\n  chat-a: { projectIds: { all: true, except: [team-00] }, type: CHAT_A }\n',
    )
    expect(entryIn(text, 'team-00-metrics-scraper')).toMatch(
      /^ {2}# off; this API has no call that deletes it\n/,
    )
    expect(text).not.toContain('ensure')
    for (const line of text.split('\n').filter((each) => !each.includes('#')))
      expect(line.length).toBeLessThanOrEqual(120)
    // Below each heading, entries are ordered by name.
    for (const part of text.split(/^ {2}## .*$/m).map(namesIn))
      expect(part).toEqual(part.toSorted((x, y) => x.localeCompare(y, 'en', { numeric: true })))
  })

  it('its head says what an entry for all projects and one with createdBefore stand for, where it has such', async () => {
    here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
    await adopt()
    const text = await textOf()
    for (const line of text.split('\n').filter((each) => /^ *#(?! \S+: #)/.test(each)))
      expect(line.length).toBeLessThanOrEqual(120)
    expect(unwrapped(text)).toContain(
      ' An entry for all projects also covers those that you name later; a selector also covers what is added later, and sets it as its entry says. A selector with createdBefore covers only what existed by then: nothing that is added later is turned off. Remove createdBefore, and it is. An id beats a selector: declare an exception by its id, in an entry of its own. deploymgmt inventory --format csv lists ids. ',
    )
    here = await begin({ manifest: only('users', '') })
    await adopt()
    expect(await textOf()).not.toMatch(/createdBefore|for all projects/)
  })

  it('with --no-policy each project has entries of its own', async () => {
    here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
    await adopt('--no-policy')
    const text = await textOf()
    expect(text).not.toContain('projectIds')
    expect(entryIn(text, 'team-04-host-down')).toBe(
      '  team-04-host-down: { projectId: team-04, select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
    )
    expect(text).toContain(
      '  # BACKUP; off\n  team-00-backup: { projectId: team-00, alertConfigId: 5d1113b25a11005342ac02f0, allowEmpty: true, enabled: false }\n',
    )
    expect(entryIn(text, 'team-04-restarts-in-last-hour')).toContain(
      `# off; matches 4 in the project; ${DAY}\n  team-04-restarts-in-last-hour:\n    projectId: team-04\n    select:`,
    )
  })
})

describe('what is off', () => {
  it('in several projects is one entry, that stands for nothing which is added later', async () => {
    await beginWith([[off(idOf(0, 0))], [off(idOf(1, 0))], [config(idOf(2, 0), 'HOST_DOWN')]])
    await adopt(...STATE)
    expect(entryIn(await textOf(), 'host-down')).toBe(
      `  # off; ${DAY}\n  host-down:\n    projectIds: [a, b]\n    select: { eventTypeName: HOST_DOWN, createdBefore: 2026-03-03T00:00:00Z }\n    allowEmpty: true\n    enabled: false\n`,
    )
    const later = config(idOf(0, 9), 'HOST_DOWN', { created: '2026-03-03T00:00:00Z' })
    await here.control('PUT', `projects/${projectId(0)}/alertConfigs`, [off(idOf(0, 0)), later])
    expect((await planOf()).summary).toMatchObject({ unchanged: 3, update: 0, adopt: 0 })
  })

  it('and was made today has createdBefore at the next second', async () => {
    // The clock of the command stops at noon, so that today does not end during the test.
    const noon = new Date().toISOString().replace(/T.*/, 'T12:00:00Z')
    const made = noon.replace('T12:00:00', 'T11:59:55')
    const offNow = (id: string): object => config(id, 'HOST_DOWN', { enabled: false, created: made })
    await beginWith([[offNow(idOf(0, 0))], [offNow(idOf(1, 0))]])
    const ran = await runHere(here, ['adopt'], { now: () => new Date(noon) })
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    const text = await textOf()
    expect(text).toContain('; createdBefore is the second after the newest alert configuration was made\n')
    expect(text).not.toContain(DAY)
  })

  it('is a rule for no project that is named later', async () => {
    await beginWith([[off(idOf(0, 0))], [off(idOf(1, 0))]])
    await adopt()
    expect(await textOf()).not.toMatch(/projectIds: (?:all|\{)/)
  })

  it('has its id where nothing says when it was made', async () => {
    here = await begin({
      fixture: fixtureWith({ alertConfigs: [off(idOf(0, 0)), off(idOf(0, 1))], integrations: [] }),
      manifest: only('users', ''),
      proxied: true,
    })
    here.proxy.steer(async (_, forward) => {
      const { body, ...passed } = await forward()
      return { ...passed, body: body.toString().replaceAll('"created":', '"made":') }
    })
    await adopt()
    const text = await textOf()
    expect(text.match(/alertConfigId/g)).toHaveLength(2)
    expect(text).not.toContain('createdBefore')
  })

  it('says who has turned it off in which of the projects', async () => {
    const audit = (index: number, more: object) => ({
      id: `5dc9f1a2b3c4d5e6f708190${index}`,
      created: `2026-09-0${index}T00:00:00Z`,
      eventTypeName: 'ALERT_CONFIG_DISABLED_AUDIT',
      orgId: ORG,
      groupId: projectId(1),
      alertConfigId: idOf(1, 0),
      username: 'dana@example.com',
      ...more,
    })
    await beginWith([[off(idOf(0, 0))], [off(idOf(1, 0))]], { events: [audit(1, {})] })
    await adopt()
    expect(entryIn(await textOf(), 'host-down').split('\n')[0]).toBe(
      `  # off; turned off in b by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, 2026-09-01 00:00:00 UTC, event 5dc9f1a2b3c4d5e6f7081901; ${DAY}`,
    )
    const all = [0, 1, 2, 3].map((index) => [off(idOf(index, 0))])
    const events = all.map((_, index) =>
      audit(index + 1, { groupId: projectId(index), alertConfigId: idOf(index, 0) }),
    )
    await beginWith(all, { events })
    await adopt()
    expect(entryIn(await textOf(), 'host-down').split('\n')[0]).toBe(
      `  # off; turned off in d by ALERT_CONFIG_DISABLED_AUDIT by user dana@example.com, 2026-09-04 00:00:00 UTC, event 5dc9f1a2b3c4d5e6f7081904, the last of 4 such events; ${DAY}`,
    )
  })
})

describe('what is alike', () => {
  it('has one selector in all projects, also where a broader one would do in some', async () => {
    await beginWith([twoMetrics(0, false), twoMetrics(1, false), twoMetrics(2, true).slice(0, 1)])
    await adopt(...STATE)
    const text = await textOf()
    expect(entryIn(text, 'connections')).toContain('projectIds: all')
    expect(namesIn(text)).toEqual(['connections', 'opcounter-cmd'])
    expect((await planOf()).inSync).toBe(true)
  })

  it('has a selector for each metric, which misses the one that is deleted', async () => {
    await beginWith([twoMetrics(0, true), twoMetrics(1, true)])
    await adopt()
    expect(namesIn(await textOf())).toEqual(['connections', 'opcounter-cmd'])
  })

  it('says what holds of some of it alone', async () => {
    const silent = { notifications: [] }
    await beginWith([
      [config(idOf(0, 0), 'HOST_DOWN'), config(idOf(0, 1), 'BACKUP', silent)],
      [config(idOf(1, 0), 'HOST_DOWN', silent), config(idOf(1, 1), 'BACKUP', silent)],
      [config(idOf(2, 0), 'HOST_DOWN'), config(idOf(2, 1), 'HOST_DOWN', silent)],
    ])
    await adopt()
    expect(entryIn(await textOf(), 'host-down')).toMatch(
      /^ {2}# notifies nobody in b; 1 of 2 notifies nobody in c; matches 1 to 2 in each project\n/,
    )
  })
})

/** An event by the calling key. */
const keyAudit = (index: number, eventTypeName: string, more: object): object => ({
  id: `5dc9f1a2b3c4d5e6f708190${index}`,
  created: `2026-09-0${index}T00:00:00Z`,
  eventTypeName,
  orgId: ORG,
  publicKey: 'ciadmin',
  ...more,
})

describe('a comment', () => {
  const silent = { notifications: [] }

  it('names a handful of projects, and the head says what lists all', async () => {
    const all = NAMES.map((_, index) => [config(idOf(index, 0), 'HOST_DOWN', index < 4 ? silent : {})])
    await beginWith(all)
    await adopt()
    const text = await textOf()
    expect(entryIn(text, 'host-down')).toMatch(/^ {2}# notifies nobody in a, b, c and 1 more\n/)
    expect(text).toContain(
      'only fields are compared. Where one is cut short, deploymgmt inventory lists all.\n',
    )
  })

  it('has a handful of remarks', async () => {
    const all = NAMES.map((_, index) =>
      NAMES.map((_name, place) => config(idOf(index, place), 'HOST_DOWN', place < index ? silent : {})),
    )
    await beginWith(all)
    await adopt()
    expect(entryIn(await textOf(), 'host-down').split('\n')[0]).toBe(
      '  # 1 of 5 notifies nobody in b; 2 of 5 notifies nobody in c; 3 of 5 notifies nobody in d; and 1 more such; matches 5 in each project',
    )
  })

  it('stands in the order in which it begins, whatever its ids are', async () => {
    const days = ['2099-12-13', '2099-11-29', '2099-12-06']
    const events = days.map((day, index) => ({
      id: `5dc9f1a2b3c4d5e6f708190${index}`,
      created: '2026-09-01T00:00:00Z',
      eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
      orgId: ORG,
      groupId: projectId(0),
      maintenanceWindowId: `5dd0f1a2b3c4d5e6f708190${index}`,
      raw: {
        id: `5dd0f1a2b3c4d5e6f708190${index}`,
        startDate: `${day}T02:00:00Z`,
        endDate: `${day}T04:00:00Z`,
        alertTypeNames: ['HOST'],
      },
    }))
    await beginWith([[off(idOf(0, 0))]], { events })
    await adopt()
    const found = [...(await textOf()).matchAll(/# (window(?:-\d)?): |startDate: "?(\S+?)T/g)]
    expect(found.map(([, name, day]) => name ?? day)).toEqual([
      'window',
      '2099-11-29',
      'window-2',
      '2099-12-06',
      'window-3',
      '2099-12-13',
    ])
  })

  it('is there, whatever name the service gives to the type of a later event about it', async () => {
    const about = {
      created: '2026-09-01T00:00:00Z',
      orgId: ORG,
      groupId: projectId(0),
      maintenanceWindowId: '5dd0f1a2b3c4d5e6f7081901',
    }
    const raw = {
      startDate: '2099-11-29T02:00:00Z',
      endDate: '2099-11-29T04:00:00Z',
      alertTypeNames: ['HOST'],
    }
    // In the order of the service: newest first.
    const events = [
      { ...about, id: '5dc9f1a2b3c4d5e6f7081902', eventTypeName: 'constructor' },
      { ...about, id: '5dc9f1a2b3c4d5e6f7081901', eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT', raw },
    ]
    await beginWith([[off(idOf(0, 0))]], { events })
    await adopt()
    expect(await textOf()).toContain('startDate: 2099-11-29T02:00:00Z')
  })

  it('alone makes no file of a project: it stands in the common one', async () => {
    const window = {
      id: '5dc9f1a2b3c4d5e6f7081901',
      created: '2026-09-01T00:00:00Z',
      eventTypeName: 'MAINTENANCE_WINDOW_ADDED_AUDIT',
      orgId: ORG,
      groupId: projectId(1),
      maintenanceWindowId: '5dd0f1a2b3c4d5e6f7081901',
    }
    await beginWith([[off(idOf(0, 0)), config(idOf(0, 1), 'BACKUP')], []], {
      events: [window],
    })
    const said = await adopt('--split')
    expect(said.match(/^.* was written\.$/gm)).toEqual([
      `${FIRST} was written.`,
      'deploymgmt.adopted.a.yaml was written.',
    ])
    expect(await textOf()).toContain('  ## b\n  # b-window: # 5dd0f1a2b3c4d5e6f7081901')
    expect(await adopt('--split')).toMatch(/^There is nothing new/)
  })

  it('of the calling key says so, and is there where an event is about it', async () => {
    const done = keyAudit(2, 'API_KEY_ROLES_CHANGED', { targetPublicKey: 'nightly' })
    await beginWith([[off(idOf(0, 0))]], { events: [done] })
    await adopt()
    expect(await textOf()).toContain('# nightly: #')
    expect(await textOf()).not.toContain('# ciadmin: #')
    const about = keyAudit(1, 'API_KEY_ROLES_CHANGED', { targetPublicKey: 'ciadmin' })
    await beginWith([[off(idOf(0, 0))]], { events: [about, done] })
    await adopt()
    expect(await textOf()).toContain(
      '# ciadmin: # ciadmin, the key that this command uses: managing it here can lock the command out, known from ',
    )
  })

  it('is not there of a key or a person that the newest event about it says is deleted', async () => {
    const [key, person] = [{ targetPublicKey: 'nightly' }, { targetUsername: 'sam@example.com' }]
    const known = [keyAudit(1, 'API_KEY_ROLES_CHANGED', key), keyAudit(2, 'USER_ROLES_CHANGED_AUDIT', person)]
    await beginWith([[off(idOf(0, 0))]], { events: known })
    await adopt()
    expect(await textOf()).toMatch(/# nightly: #[\s\S]*# sam: #/)
    const deleted = [keyAudit(3, 'API_KEY_DELETED', key), keyAudit(4, 'USER_DELETED_AUDIT', person)]
    await beginWith([[off(idOf(0, 0))]], { events: [...known, ...deleted] })
    await adopt()
    expect(await textOf()).not.toMatch(/nightly|sam/)
    // Who deletes another thing is there.
    const others = [
      keyAudit(5, 'API_KEY_DELETED', { targetPublicKey: 'old', publicKey: 'nightly' }),
      keyAudit(6, 'USER_DELETED_AUDIT', { targetUsername: 'kim@example.com', username: 'sam@example.com' }),
    ]
    await beginWith([[off(idOf(0, 0))]], { events: [...known, ...others] })
    await adopt()
    expect(await textOf()).toMatch(/# nightly: #[\s\S]*# sam: #/)
  })

  it('of a key has its description and roles, where events about it tell them', async () => {
    const reporter = { targetPublicKey: 'reporter' }
    const roles = [
      { roleName: 'ORG_MEMBER', orgId: ORG },
      { roleName: 'GROUP_OWNER', groupId: projectId(0) },
    ]
    const events = [
      keyAudit(1, 'API_KEY_ROLES_CHANGED', { ...reporter, raw: { roles } }),
      keyAudit(2, 'API_KEY_DESCRIPTION_CHANGED', { ...reporter, raw: { desc: 'Nightly "report"' } }),
      keyAudit(3, 'API_KEY_ROLES_CHANGED', { targetPublicKey: 'nightly', raw: { roles } }),
      // An event about what the key did to others says nothing about the key itself. A change whose new value is not
      // told leaves the value unknown.
      keyAudit(4, 'USER_ROLES_CHANGED_AUDIT', {
        publicKey: 'reporter',
        apiKeyId: '5c47503320eef5699e1cce8f',
        targetUsername: 'sam@example.com',
        raw: { desc: 'theirs', roles: [{ roleName: 'ORG_OWNER', orgId: ORG }] },
      }),
      keyAudit(5, 'API_KEY_ROLES_CHANGED', { targetPublicKey: 'nightly' }),
    ]
    await beginWith([[off(idOf(0, 0))]], { events })
    await adopt()
    const text = await textOf()
    const commentOf = (name: string): string =>
      new RegExp(`  # ${name}: #.*\\n(?:  #   .*\\n)*`).exec(text)?.[0] ?? ''
    expect(commentOf('reporter')).toContain('  #   desc: "Nightly \\"report\\""\n  #   roles: [ORG_MEMBER]\n')
    expect(commentOf('nightly')).toContain('apiKeyId: # to be put here')
    expect(commentOf('nightly')).not.toContain('roles:')
    expect(text).not.toMatch(/theirs|ORG_OWNER/)
  })
})

describe('a person', () => {
  it('edits one project of an entry for all, and nothing that is there is changed by the next run', async () => {
    here = await begin({ fixture: manyProjects(), manifest: manyManifest() })
    await adopt(...STATE)
    const edited = (await textOf())
      .replace('  paging: { projectIds: all,', '  pages: { projectIds: { all: true, except: [team-03] },')
      .replace(
        '  host-down: { projectIds: all,',
        '  host-down: { projectIds: { all: true, except: [team-04] },',
      )
      .replace(
        'alertConfigurations:\n',
        'alertConfigurations:\n  mine: { projectId: team-04, select: { eventTypeName: HOST_DOWN }, enabled: false }\n',
      )
    await writeFile(join(here.folder, FIRST), edited)
    // What was taken out is still recorded, and the plan of the user's own edits is up to the user.
    expect((await planOf()).summary).toMatchObject({ moved: 20, update: 1, release: 1, adopt: 0 })
    await here.control('PUT', `projects/${projectId(7)}/alertConfigs`, [
      config(idOf(7, 7), 'NEW_ONE', { enabled: true }),
    ])
    expect(await adopt()).toContain('It has 1 entry for 1 thing.')
    expect(await textOf()).toBe(edited)
    expect(await textOf('deploymgmt.adopted-2.yaml')).toContain('  team-07-new-one: {')
    expect(await adopt()).toMatch(/There is nothing new/)
    expect(await writesIn(here)).toEqual([])
  })

  it('has names that stay true when it is turned on or off', async () => {
    const twins = [0, 1].map((index) =>
      config(idOf(0, index), 'HOST_DOWN', { enabled: index === 0, ...metric('CONNECTIONS') }),
    )
    here = await begin({
      fixture: fixtureWith({ alertConfigs: twins, integrations: [] }),
      manifest: only('users', ''),
    })
    await adopt()
    expect(namesIn(await textOf())).not.toContainEqual(expect.stringMatching(/-(?:on|off)\b/))
  })
})
