/**
 * Adopting project by project, and a project that is named later: what applies to it already, and what an apply would
 * do there.
 */
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { letteredConfig, letteredFixture, letteredManifest } from '../support/lettered.ts'
import { unwrapped } from '../support/comments.ts'
import { projectId } from '../support/many-projects.ts'
import { begin, writesIn, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt, planOf, textOf } = adopting(() => here)

const SECOND = 'deploymgmt.adopted-2.yaml'
const changed = ({ changes }: any): string[] =>
  changes
    .filter(
      ({ requests, fields, action }: any) => requests.length + fields.length > 0 || action === 'blocked',
    )
    .map(({ address }: any) => address.replace(/\[.*/, ''))

const PAGING = { type: 'PAGING', serviceKey: 'x' }
/** The last project is like the others, except for what is off or missing there. */
const LAST = 3
const projects = [0, 1, 2, LAST].map((index) => ({
  alertConfigs: [
    letteredConfig(index, 0, 'HOST_DOWN', { enabled: index !== LAST }),
    letteredConfig(index, 1, 'BACKUP', { enabled: false }),
    letteredConfig(index, 2, 'REPLICA_SET'),
  ],
  integrations: index === LAST ? [] : [PAGING],
}))

beforeEach(async () => {
  here = await begin({ fixture: letteredFixture(projects), manifest: letteredManifest(['a', 'b', 'c']) })
})

describe('a project that is named later', () => {
  it('is told of where one would add its name, and by the last words', async () => {
    const said = await adopt()
    const text = await textOf()
    const [alerts = '', integrations = ''] = unwrapped(text).split(/^integrations:$/m)
    expect(alerts).toContain(
      '  ## all projects A project that is named later is one of them: an apply turns configurations on or off there to match their entries, and a plan is blocked there until somebody has set up what is missing, unless its entry has allowEmpty. To leave it out: projectIds: { all: true, except: [NAME] }\n',
    )
    expect(alerts).toContain(
      '  ## several projects In a project that is added to one of these: an apply turns configurations on or off there to match their entries, and a plan is blocked there until somebody has set up what is missing, unless its entry has allowEmpty.\n',
    )
    expect(integrations).toContain(
      '  ## all projects A project that is named later is one of them: a plan is blocked there until somebody has set up what its entry says. To leave it out: projectIds: { all: true, except: [NAME] }\n',
    )
    expect(said).toContain(
      'The 3 entries for all projects also apply to projects that are named later: look at the plan before you apply it then.',
    )
  })

  it('is told of once it is there: what an apply would do, and how to leave it out', async () => {
    await adopt(...STATE)
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    const own = 'host-down-03d0f0: { projectId: d, alertConfigId: 5d1113b25a115342ac03d0f0, enabled: false }'
    for (const words of [[], ['--project', 'd']]) {
      const said = await adopt(...words)
      expect(said).toContain(
        'Entries that were already there differ from what is in d: an apply turns on 1 (alertConfigurations.host-down); 1 is blocked (integrations.paging).\n',
      )
      expect(said).toContain(
        `If that is not what you want, do this and run adopt again:\n  declare it by itself, under alertConfigurations: ${own}\n  leave d out of integrations.paging: projectIds: { all: true, except: [d] }\n`,
      )
    }
    expect(changed(await planOf())).toEqual(['alertConfigurations.host-down', 'integrations.paging'])
    const text = await textOf()
    await writeFile(
      join(here.folder, FIRST),
      text
        .replace('alertConfigurations:\n', `alertConfigurations:\n  ${own}\n`)
        .replace('paging: { projectIds: all', 'paging: { projectIds: { all: true, except: [d] }'),
    )
    expect(await adopt(...STATE)).not.toContain('differ from what is in')
    expect((await planOf()).inSync).toBe(true)
    expect(await writesIn(here)).toEqual([])
  })

  it('is left out together with others that are named with it', async () => {
    const more = [...projects, projects[LAST] ?? { alertConfigs: [] }]
    here = await begin({ fixture: letteredFixture(more), manifest: letteredManifest(['a', 'b', 'c']) })
    await adopt()
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd', 'e']))
    const said = await adopt()
    expect(said).toContain('in d, e: an apply turns on 2 (alertConfigurations.host-down); 2 are blocked')
    const pasted = 'projectIds: { all: true, except: [d, e] }'
    expect(said).toContain(`leave d, e out of integrations.paging: ${pasted}\n`)
    const own = [...said.matchAll(/ under alertConfigurations: (.*)/g)].map(([, entry]) => `  ${entry}\n`)
    expect(own).toHaveLength(2)
    const text = await textOf()
    await writeFile(
      join(here.folder, FIRST),
      text
        .replace('alertConfigurations:\n', `alertConfigurations:\n${own.join('')}`)
        .replaceAll(/(?<=paging: \{ )projectIds: all/g, pasted),
    )
    expect(await adopt()).not.toContain('differ from what is in')
    expect(changed(await planOf())).toEqual([])
  })

  it('is not said to have been adopted before, where --state records what stands for it', async () => {
    await adopt(...STATE)
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    const said = await adopt(...STATE)
    expect(said).toContain(`${SECOND} was written.\nIt has 1 entry for 1 thing.\n`)
    expect(said).toContain('1 thing in d was recorded, too, because existing entries cover it.\n')
    expect(said).not.toContain('adopted before')
    expect(said).not.toContain('All of it is recorded.')
    expect(said).toContain('All that it declares is recorded. Next: deploymgmt plan')
    expect(changed(await planOf())).toEqual(['alertConfigurations.host-down', 'integrations.paging'])
    const again = await adopt(...STATE)
    expect(again).toContain('There is nothing new')
    expect(again).toContain('differ from what is in d: an apply turns on 1')
    expect(again).not.toContain('adopted before')
  })
})

/** The edits that are suggested, and what each one replaces. */
const editsIn = (text: string): string[] =>
  [...text.matchAll(/^ {2}(\S+), in place of (.*?): (projectIds: .*)$/gm)].map(([, ...parts]) =>
    parts.join(' | '),
  )
/** Replaces the projects of an entry as suggested, and removes the second file, which is no longer needed. */
const follow = async (entry: string, from: string, to: string): Promise<void> => {
  await writeFile(
    join(here.folder, FIRST),
    (await textOf()).replace(`  ${entry}: { ${from}`, `  ${entry}: { ${to}`),
  )
  await rm(join(here.folder, SECOND))
}

describe('what entries of other projects say of it already', () => {
  it('is one edit of their except', async () => {
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    await adopt(...STATE)
    expect(await textOf()).toContain('paging: { projectIds: { all: true, except: [d] }, type: PAGING }')
    await here.control('PUT', `projects/${projectId(LAST)}/integrations`, [PAGING])
    const words = await adopt(...STATE)
    expect(words).toContain('One edit of an entry that was there already would do instead:\n')
    expect(editsIn(words)).toEqual(['integrations.paging | d-paging | projectIds: all'])
    await follow('paging', 'projectIds: { all: true, except: [d] }', 'projectIds: all')
    const { summary } = await planOf()
    expect(summary).toMatchObject({ moved: 1, update: 0, blocked: 0, release: 0, adopt: 0 })
  })

  it('is one edit of their list', async () => {
    const others = [...projects, { alertConfigs: [] }].map((each, index) => ({
      ...each,
      integrations: index < 2 ? [PAGING] : [],
    }))
    here = await begin({
      fixture: letteredFixture(others),
      manifest: letteredManifest(['a', 'b', 'c', 'd', 'e']),
    })
    await adopt(...STATE)
    for (const index of [2, LAST])
      await here.control('PUT', `projects/${projectId(index)}/integrations`, [PAGING])
    const words = await adopt(...STATE)
    expect(editsIn(words)).toEqual(['integrations.paging | paging-2 | projectIds: [a, b, c, d]'])
    await follow('paging', 'projectIds: [a, b]', 'projectIds: [a, b, c, d]')
    expect((await planOf()).summary).toMatchObject({ moved: 2, update: 0, blocked: 0, release: 0, adopt: 0 })
  })

  it('is an edit of the one or of the other, where the entries of two teams say the same', async () => {
    const teams = projects.map((each) => ({ ...each, alertConfigs: [], integrations: [PAGING] }))
    const ofTeams =
      'integrations:\n  paging: { projectIds: [a, b], type: PAGING }\n  paging-2: { projectIds: [c, d], type: PAGING }\n'
    here = await begin({
      fixture: letteredFixture([...teams, teams[0]!]),
      manifest: letteredManifest(['a', 'b', 'c', 'd', 'e']) + ofTeams,
    })
    expect(await adopt()).toContain(
      [
        'One edit of an entry that was there already would do instead:',
        '  integrations.paging, in place of e-paging: projectIds: [a, b, e]',
        '    or integrations.paging-2: projectIds: [c, d, e]',
        'A plan finds no difference',
      ].join('\n'),
    )
  })

  it('is none where entries say something else', async () => {
    await adopt(...STATE)
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    expect(editsIn(await adopt(...STATE))).toEqual([])
  })
})

describe('project by project', () => {
  it.each([[[]], [STATE]])(
    'each run has names of its project, and tells all the flags that the next plan needs: %j',
    async (words) => {
      await adopt('--project', 'a', ...words)
      const said = await adopt('--project', 'b', ...words)
      expect(said).toContain(`${SECOND} was written.`)
      expect(said).toContain(`Next: deploymgmt plan -f deploymgmt.yaml -f ${FIRST} -f ${SECOND}`)
      expect(said).not.toContain('adopted before')
      expect(await textOf()).toContain('  a-host-down: { projectId: a,')
      const text = await textOf(SECOND)
      expect(text).toContain('  b-host-down: { projectId: b,')
      expect(text).not.toContain('projects')
      const document = await planOf(...words)
      expect(changed(document)).toEqual([])
      expect(document.summary).toMatchObject(words.length > 0 ? { unchanged: 8 } : { adopt: 8 })
    },
  )

  it('the last run says which files stand in the way of the short form, and is short without them', async () => {
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    await adopt('--project', 'a')
    const second = await adopt('--project', 'b')
    expect(second).not.toContain('short form')
    const third = 'deploymgmt.adopted-3.yaml'
    const said = await adopt()
    expect(said).toContain(
      `1 common entry leaves out a, b, which files of their own declare. Nothing of that is recorded yet: for the short form, delete ${FIRST}, ${SECOND}, ${third} and run adopt once more.\n`,
    )
    for (const name of [FIRST, SECOND, third]) await rm(join(here.folder, name))
    expect(await adopt()).not.toContain('short form')
    expect(await textOf()).toContain(
      '  replica-set: { projectIds: all, select: { eventTypeName: REPLICA_SET }',
    )
    expect(changed(await planOf())).toEqual([])
  })

  it.each([
    ['recorded', () => adopt('--project', 'b', ...STATE)],
    [
      'edited',
      async () => {
        await adopt('--project', 'b')
        const edited = (await textOf()).replace(/(b-host-down: .*enabled: )true/, '$1false')
        await writeFile(join(here.folder, FIRST), edited)
      },
    ],
    [
      'of a person',
      async () => {
        await adopt('--project', 'b')
        await writeFile(join(here.folder, FIRST), (await textOf()).replace(/^#.*\n/, ''))
      },
    ],
  ])('no file is to be deleted that is %s', async (_, before) => {
    await here.manifest(letteredManifest(['a', 'b', 'c', 'd']))
    await before()
    const said = await adopt()
    expect(said).toContain('was written.')
    expect(said).not.toContain('short form')
  })

  it('what the first run did not record the second one leaves, and says so; one of all records it', async () => {
    await adopt('--project', 'a')
    const said = await adopt('--project', 'b', ...STATE)
    expect(said).toContain(
      'What was adopted before in a is not recorded: --project leaves it out. Without that, adopt records it, or an apply.\n',
    )
    expect(said).toContain('All that it declares is recorded. Next: deploymgmt plan')
    const again = await adopt('--project', 'b', ...STATE)
    expect(again).toContain('What was adopted before in a is not recorded')
    expect(again).not.toContain('Everything that was adopted before')
    const all = await adopt(...STATE)
    expect(all).toContain('4 things that were adopted before were recorded.')
    expect(all).not.toContain('is not recorded')
    expect((await planOf()).inSync).toBe(true)
  })
})

describe('what is added to a project that is declared', () => {
  it.each([[[]], [['--no-policy']]])(
    'and is off alone has an entry of its own to paste: %j',
    async (words) => {
      await adopt(...words, ...STATE)
      const added = letteredConfig(0, 7, 'HOST_DOWN', { enabled: false })
      const { alertConfigs = [] } = projects[0] ?? {}
      await here.control('PUT', `projects/${projectId(0)}/alertConfigs`, [...alertConfigs, added])
      const said = await adopt(...words)
      expect(said).toContain('differ from what is in a: an apply turns on 1')
      const [, own = ''] = /declare it by itself, under alertConfigurations: (.*)/.exec(said) ?? []
      expect(own).toContain('{ projectId: a, alertConfigId: ')
      expect(said).not.toContain('except')
      await writeFile(
        join(here.folder, FIRST),
        (await textOf()).replace('alertConfigurations:\n', `alertConfigurations:\n  ${own}\n`),
      )
      const document = await planOf()
      expect(document.summary).toMatchObject({ adopt: 1, update: 0, release: 0, blocked: 0 })
      expect(await adopt(...words)).not.toContain('differ from what is in')
    },
  )

  it.each(['--no-policy', '--split'])(
    'what an entry for one thing says otherwise is told before the first apply, too: %s',
    async (word) => {
      await adopt(word)
      const [, ...others] = projects[0]?.alertConfigs ?? []
      await here.control('PUT', `projects/${projectId(0)}/alertConfigs`, [
        letteredConfig(0, 0, 'HOST_DOWN', { enabled: false }),
        ...others,
      ])
      const said = await adopt(word)
      expect(said).toContain(
        'differ from what is in a: an apply turns on 1 (alertConfigurations.a-host-down).\n',
      )
      expect(said).toContain('There is nothing new')
      expect(changed(await planOf())).toEqual(['alertConfigurations.a-host-down'])
      await here.control('PUT', `projects/${projectId(0)}/alertConfigs`, others)
      expect(await adopt(word)).toContain(
        'differ from what is in a: 1 is blocked (alertConfigurations.a-host-down).\n',
      )
    },
  )

  it('and what an exception lets go of is told', async () => {
    await adopt(...STATE)
    const text = await textOf()
    await writeFile(
      join(here.folder, FIRST),
      text.replace('host-down: { projectIds: all', 'host-down: { projectIds: { all: true, except: [a] }'),
    )
    expect(await adopt()).toContain(
      '1 thing is recorded, and no manifest that was read declares it, so an apply takes it as removed: alertConfigurations.host-down.\n',
    )
    await adopt('--again')
    expect((await planOf()).summary).toMatchObject({ release: 0 })
  })
})
