/** Projects that are nearly alike: what differs in one of them has its own entry, and the rest stays common. */
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { letteredConfig, letteredFixture, letteredManifest, type Lettered } from '../support/lettered.ts'
import { ORG } from '../support/installation.ts'
import { projectId } from '../support/many-projects.ts'
import { begin, writesIn, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const METRIC = 'OUTSIDE_METRIC_THRESHOLD'
const LETTERS = ['a', 'b', 'c', 'd', 'e']

/** Entries without the comments above them. */
const entriesIn = (text: string): string[] =>
  text
    .split('\n')
    .filter((line) => /^ {2}[\w-]/.test(line) || /^ {4}/.test(line))
    .join('\n')
    .split(/\n(?! {4})/)
    .map((entry) => entry.trim().replaceAll(/\s+/g, ' '))
const beginWith = async (projects: readonly Lettered[], events: readonly object[] = []): Promise<void> => {
  here = await begin({
    fixture: letteredFixture(projects, { events }),
    manifest: letteredManifest(LETTERS.slice(0, projects.length)),
  })
}
const provesItself = async (): Promise<void> => {
  expect((await planOf()).inSync).toBe(true)
  expect(await adopt(...STATE)).toMatch(/^There is nothing new/)
  expect(await writesIn(here)).toEqual([])
}

const metric = (metricName: string, threshold: number): object => ({
  metricThreshold: { metricName, mode: 'AVERAGE', operator: 'GREATER_THAN', threshold, units: 'RAW' },
})
/** A warning and an alarm for one metric; either or both can be off. */
const connections = (project: number, off: readonly number[] = []): object[] =>
  [500, 1000].map((threshold, index) =>
    letteredConfig(project, index, METRIC, {
      ...metric('CONNECTIONS', threshold),
      enabled: !off.includes(threshold),
    }),
  )

/** Four configurations that no selector tells apart: it matches all of them or none. */
const four = (project: number, off: readonly number[]): object[] =>
  [0, 1, 2, 3].map((index) => letteredConfig(project, index, 'HOST_DOWN', { enabled: !off.includes(index) }))

describe('a project with one thing otherwise', () => {
  it('stays in the entry for all, and that is one entry by its id, which says its threshold', async () => {
    await beginWith([0, 1, 2].map((each) => ({ alertConfigs: connections(each, each === 1 ? [1000] : []) })))
    await adopt(...STATE)
    expect(entriesIn(await textOf())).toEqual([
      `connections: projectIds: all select: { eventTypeName: ${METRIC}, metricName: CONNECTIONS } enabled: true`,
      'b-connections-greater-than-1000-raw: projectId: b alertConfigId: 5d1113b25a115342ac01d0f1 allowEmpty: true enabled: false',
    ])
    await provesItself()
  })

  it('stays in it with what is added there later', async () => {
    await beginWith([0, 1, 2].map((each) => ({ alertConfigs: connections(each, each === 1 ? [1000] : []) })))
    await adopt(...STATE)
    const later = letteredConfig(1, 5, METRIC, { ...metric('CONNECTIONS', 2000), enabled: false })
    await here.control('PUT', `projects/${projectId(1)}/alertConfigs`, [...connections(1, [1000]), later])
    const { summary, changes } = await planOf()
    expect(summary).toMatchObject({ unchanged: 6, adopt: 1 })
    expect(changes.flatMap(({ requests }: any) => requests)).toHaveLength(1)
  })

  it('stays in what is off in several, too', async () => {
    await beginWith(
      [0, 1, 2].map((each) => ({ alertConfigs: connections(each, each === 1 ? [500] : [500, 1000]) })),
    )
    await adopt(...STATE)
    expect(entriesIn(await textOf())).toEqual([
      `connections: projectIds: [a, b, c] select: { eventTypeName: ${METRIC}, metricName: CONNECTIONS, createdBefore: 2026-03-03T00:00:00Z } allowEmpty: true enabled: false`,
      'b-connections-greater-than-1000-raw: { projectId: b, alertConfigId: 5d1113b25a115342ac01d0f1, enabled: true }',
    ])
    await provesItself()
  })

  it('has the same selector as the others with --no-policy', async () => {
    await beginWith([0, 1, 2].map((each) => ({ alertConfigs: connections(each, each === 1 ? [1000] : []) })))
    await adopt('--no-policy', ...STATE)
    for (const name of ['a', 'b', 'c'])
      expect(await textOf()).toContain(
        `  ${name}-connections:\n    projectId: ${name}\n    select: { eventTypeName: ${METRIC}, metricName: CONNECTIONS }\n    enabled: true\n`,
      )
    await provesItself()
  })
})

describe('an exception is the better form', () => {
  it('where most of a project is otherwise', async () => {
    const usual = [0, 1, 2].map((each) => ({ alertConfigs: four(each, []) }))
    await beginWith([...usual, { alertConfigs: four(3, [0, 1, 2, 3]) }])
    await adopt(...STATE)
    expect(entriesIn(await textOf())).toEqual([
      'host-down: { projectIds: { all: true, except: [d] }, select: { eventTypeName: HOST_DOWN }, enabled: true }',
      'd-host-down: projectId: d select: { eventTypeName: HOST_DOWN, createdBefore: 2026-03-03T00:00:00Z } allowEmpty: true enabled: false',
    ])
    await provesItself()
  })

  it('where nothing is alike: once what is off is deleted, no plan waits for another one', async () => {
    await beginWith(
      [0, 1, 2].map((each) => ({
        alertConfigs: [letteredConfig(each, 0, 'HOST_DOWN', { enabled: each !== 1 })],
      })),
    )
    await adopt(...STATE)
    expect(entriesIn(await textOf())).toEqual([
      'host-down: { projectIds: { all: true, except: [b] }, select: { eventTypeName: HOST_DOWN }, enabled: true }',
      'b-host-down: { projectId: b, alertConfigId: 5d1113b25a115342ac01d0f0, allowEmpty: true, enabled: false }',
    ])
    await here.control('PUT', `projects/${projectId(1)}/alertConfigs`, [])
    expect((await planOf()).summary).toMatchObject({ blocked: 0 })
  })
})

it('beside except stands why, of a handful of projects each', async () => {
  const all = [0, 1, 2, 3, 4].map((each) => ({
    alertConfigs: [
      ...(each === 0 ? [] : [letteredConfig(each, 9, 'BACKUP', { enabled: each !== 1 })]),
      ...four(each, each === 4 ? [0, 1, 2] : []),
    ],
    integrations: each === 2 ? [] : [{ type: 'PAGING', serviceKey: 'x' }],
  }))
  await beginWith(all)
  await adopt(...STATE)
  const text = await textOf()
  expect(text).toContain('  # except: none in a; off in b\n  backup:')
  expect(text).toContain('  # matches 4 in each project; except where 3 of 4 are off\n  host-down:')
  expect(text).toContain('  # except where there is none\n  paging:')
  await provesItself()
})

const roleOf = (name: string, index: number): object => ({
  id: `5dc9f1a2b3c4d5e6f708190${index}`,
  created: `2026-09-0${index}T00:00:00Z`,
  eventTypeName: 'USER_ROLES_CHANGED_AUDIT',
  orgId: ORG,
  targetUsername: `${name}@example.com`,
})

/** Configurations of this many metrics that no other project has. */
const own = (project: number, count: number): object[] =>
  Array.from({ length: count }, (_, index) =>
    letteredConfig(project, index, METRIC, metric(`METRIC_${index}`, 1)),
  )
const filesOf = (said: string): string[] => said.match(/^.*(?= was written\.$)/gm) ?? []
const withoutDate = (text: string): string => text.replace(/^.*\n/, '')

describe('--split', () => {
  const HOLDS = /^# What .* has in common with other projects is in .*$/m
  const twoOwn = [0, 1, 2].map((each) => ({
    alertConfigs: [
      letteredConfig(each, 9, 'BACKUP'),
      ...(each === 0 ? [letteredConfig(each, 8, 'REPLICA_SET')] : []),
    ],
  }))
  const perProject = ['a', 'b', 'c'].map((name) => `deploymgmt.adopted.${name}.yaml`)

  it('gives each project a file with all of it, and what is of the organization a common one', async () => {
    await beginWith(twoOwn, [roleOf('sam', 1)])
    expect(filesOf(await adopt('--split', ...STATE))).toEqual([FIRST, ...perProject])
    const text = await textOf()
    expect(text).toContain('  # sam: # sam@example.com, known from')
    expect(text).toContain(
      '\n# What only one project has is in a file of that project, such as deploymgmt.adopted.a.yaml.\n',
    )
    expect(entriesIn(text)).toEqual([''])
    const first = await textOf('deploymgmt.adopted.a.yaml')
    expect(first).not.toMatch(/sam| {2}## a/)
    expect(first).not.toMatch(HOLDS)
    expect(entriesIn(first)).toEqual([
      'a-backup: { projectId: a, select: { eventTypeName: BACKUP }, enabled: true }',
      'a-replica-set: { projectId: a, select: { eventTypeName: REPLICA_SET }, enabled: true }',
    ])
    await provesItself()
  })

  it('counts very many files, and the next command names their folder', async () => {
    await beginWith(
      Array.from({ length: 5 }, (_, each) => ({ alertConfigs: [letteredConfig(each, 9, 'BACKUP')] })),
    )
    await mkdir(join(here.folder, 'own'))
    const said = await adopt('--split', '--output', 'own/all.yaml')
    expect(said).toMatch(
      /^5 files were written: own\/all\.a\.yaml, own\/all\.b\.yaml, own\/all\.c\.yaml and 2 more\.$/m,
    )
    expect(said).toMatch(/ Next: deploymgmt plan -f deploymgmt\.yaml -f own$/m)
    expect(await here.json('plan', '-f', 'deploymgmt.yaml', '-f', 'own')).toMatchObject({
      code: 0,
      document: { summary: { adopt: 5, blocked: 0 } },
    })
  })

  it('is the same with --no-policy, and writes no common file where nothing is of an organization', async () => {
    await beginWith(twoOwn)
    expect(filesOf(await adopt('--split'))).toEqual(perProject)
    const texts = await Promise.all(perProject.map((name) => textOf(name)))
    await beginWith(twoOwn)
    expect(filesOf(await adopt('--split', '--no-policy'))).toEqual(perProject)
    const again = await Promise.all(perProject.map((name) => textOf(name)))
    expect(again.map(withoutDate)).toEqual(texts.map(withoutDate))
  })

  it('writes later finds of projects that have a file into one, and a new project into its own', async () => {
    await beginWith(twoOwn)
    await here.manifest(letteredManifest(['a', 'b']))
    await adopt('--split', ...STATE)
    for (const each of [0, 1])
      await here.control('PUT', `projects/${projectId(each)}/alertConfigs`, [
        ...(twoOwn[each]?.alertConfigs ?? []),
        letteredConfig(each, 7, 'HOST_DOWN'),
      ])
    await here.manifest(letteredManifest(['a', 'b', 'c']))
    expect(filesOf(await adopt('--split', ...STATE))).toEqual([FIRST, 'deploymgmt.adopted.c.yaml'])
    expect(await textOf()).toContain('  ## a\n  a-host-down:')
    expect(await textOf()).toContain('  ## b\n  b-host-down:')
    await provesItself()
  })

  it('with --policy leaves what is otherwise in one project beside what it has in common', async () => {
    await beginWith(twoOwn)
    const said = await adopt('--split', '--policy')
    expect(filesOf(said)).toEqual([FIRST])
    expect(said).toContain(
      'No project has 5 entries of its own, so everything is in one file; --split without --policy gives each project a file with all of it.\n',
    )
    expect(await textOf()).toContain('  ## a\n  a-replica-set:')
  })

  it('with --policy gives a project a file that has enough, and says there where the rest stands', async () => {
    const projects = [0, 1, 2].map((each) => ({
      alertConfigs: [letteredConfig(each, 9, 'BACKUP'), ...(each === 0 ? own(each, 5) : [])],
    }))
    await beginWith(projects)
    expect(filesOf(await adopt('--split', '--policy', ...STATE))).toEqual([FIRST, perProject[0]])
    expect(await textOf('deploymgmt.adopted.a.yaml')).toContain(
      `\n# What a has in common with other projects is in ${FIRST}.\n`,
    )
    expect(await textOf()).not.toMatch(HOLDS)
    await provesItself()
  })

  it('with --policy says where projects with less stand, and later not that no project has enough', async () => {
    const apart = [own(0, 5), [letteredConfig(1, 8, 'REPLICA_SET')], []]
    const projects = apart.map((of, each) => ({ alertConfigs: [letteredConfig(each, 9, 'BACKUP'), ...of] }))
    await beginWith(projects)
    const words = ['--split', '--policy', ...STATE]
    expect(filesOf(await adopt(...words))).toEqual([FIRST, perProject[0]])
    const text = (await textOf()).replaceAll('\n# ', ' ')
    expect(text).toContain(
      'What only one project has is in a file of that project if it has 5 entries or more, such as deploymgmt.adopted.a.yaml; otherwise its entries are here, under its heading.',
    )
    expect(text).toContain('\n  ## b\n')
    await here.control('PUT', `projects/${projectId(2)}/alertConfigs`, [
      ...(projects[2]?.alertConfigs ?? []),
      letteredConfig(2, 7, 'HOST_DOWN'),
    ])
    const later = await adopt(...words)
    expect(filesOf(later)).toEqual(['deploymgmt.adopted-2.yaml'])
    expect(later).not.toContain('No project has')
  })
})

const host = (value: string): object => ({
  matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value }],
})

describe('a name', () => {
  it('does not say its project twice', async () => {
    await beginWith([
      {
        alertConfigs: [
          letteredConfig(0, 0, 'HOST_DOWN'),
          letteredConfig(0, 1, 'HOST_DOWN', { ...host('a-db1'), enabled: false }),
        ],
      },
      { alertConfigs: [letteredConfig(1, 0, 'HOST_DOWN')] },
    ])
    await adopt()
    expect(await textOf()).toContain('\n  a-host-down-db1:')
  })

  it('tells what is off in several projects from what is on in others', async () => {
    await beginWith(
      [0, 1, 2, 3].map((each) => ({
        alertConfigs: [letteredConfig(each, 0, 'BACKUP', { enabled: each < 2 })],
      })),
    )
    await adopt()
    const names = entriesIn(await textOf()).map((entry) => entry.replace(/:.*/, ''))
    expect(names).toEqual(['backup', 'backup-before-2026-03-03'])
  })

  it('stands where one looks for it, also in comments', async () => {
    await beginWith(
      [{ alertConfigs: [letteredConfig(0, 0, 'BACKUP')] }],
      [roleOf('sam', 1), roleOf('dana10', 2), roleOf('dana9', 3), roleOf('alex', 4)],
    )
    await adopt()
    const names = [...(await textOf()).matchAll(/^ {2}# (\w+): #/gm)].map(([, name]) => name)
    expect(names).toEqual(['alex', 'dana9', 'dana10', 'sam'])
  })
})

describe('what is said of it', () => {
  const nearly = [0, 1, 2].map((each) => ({
    alertConfigs: connections(each, each === 1 ? [1000] : []),
    integrations: [{ type: 'PAGING', serviceKey: 'x' }],
  }))

  it('has consistent numbers of entries, of things, and of what a plan calls declared', async () => {
    await beginWith(nearly)
    const said = await adopt()
    expect(said).toContain(
      [
        'It has 3 entries for 9 things.',
        'Of that, alertConfigurations 2 entries for 6 things; integrations 1 entry for 3 things.',
        'A plan counts an entry once for each of its projects: as 7 declared.',
      ].join('\n'),
    )
    expect((await here.run('plan', '-f', '.')).stdout).toContain(' 7 declared ')
  })

  it('names the folder where that reads more than a few files', async () => {
    await beginWith(nearly)
    const said = await adopt('--split', '--no-policy')
    expect(said).toMatch(/^They have 7 entries for 9 things\.$/m)
    expect(said).toMatch(/ Next: deploymgmt plan -f \.\/$/m)
    expect((await planOf()).summary).toMatchObject({ adopt: 9 })
    await beginWith(nearly)
    await writeFile(join(here.folder, 'values.yaml'), 'replicas: 3\n')
    expect(await adopt('--split', '--no-policy')).toMatch(/ Next: deploymgmt plan -f \.\/$/m)
    await beginWith(nearly)
    await writeFile(join(here.folder, 'other.yaml'), 'version: 1\nname: other\n')
    expect(await adopt('--split', '--no-policy')).toMatch(/ Next: deploymgmt plan -f deploymgmt\.yaml -f /)
  })
})

it('whatever is on and off where, what is written declares exactly that', async () => {
  const types = ['HOST_DOWN', 'BACKUP', METRIC]
  // No two projects are alike, and every selector matches both enabled and disabled ones.
  const projects = [0, 1, 2, 3, 4].map((project) => ({
    alertConfigs: Array.from({ length: 9 }, (_, index) =>
      letteredConfig(project, index, types[index % 3] ?? '', {
        enabled: (index * 7 + project * 5 + ((index * project) % 4)) % 3 !== 0,
        ...(index % 3 === 2 ? metric(index > 4 ? 'CONNECTIONS' : 'OPCOUNTER_CMD', index) : {}),
        ...(index % 2 === 0
          ? { matchers: [{ fieldName: 'HOSTNAME', operator: 'EQUALS', value: `db${index % 4}` }] }
          : {}),
      }),
    ),
  }))
  for (const words of [[], ['--no-policy'], ['--split']]) {
    await beginWith(projects)
    await adopt(...STATE, ...words)
    expect((await readdir(here.folder)).filter((name) => name.startsWith('.'))).toEqual([])
    await provesItself()
  }
})
