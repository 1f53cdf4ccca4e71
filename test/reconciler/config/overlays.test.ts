import { describe, expect, it } from 'vitest'
import { formatPosition } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { listFindings, loadDeclaration } from '../../../reconciler/config/index.ts'
import { folderOf, loadFiles, lines, refusal } from './support/manifests.ts'

const TOP = 'version: 1\nname: acme\n'
const PAYMENTS = '5c8100bcf2a30b12ff88258f'
const SEARCH = '5c8100bcf2a30b12ff882590'
const BASE = `${TOP}variables:
  ticket: { description: Why, default: A-1 }
projects:
  payments: { id: ${PAYMENTS}, orgId: 5980cfdf0b6d97029d82f86e }
defaults: { projectId: payments, protect: true }
alertConfigurations:
  noisy:
    alertConfigId: 5d1113b25a115342acc2d1aa
    enabled: false
maintenanceWindows:
  work:
    alertTypeNames: [HOST, CLUSTER]
    startDate: 2035-01-06T02:00:00Z
    endDate: 2035-01-06T04:00:00Z
    description: \${var.ticket}
integrations:
  paging: { type: PAGING }
`

/** A base and its overlays, each in a `--file` of its own. */
const over = (...overlays: readonly string[]) =>
  loadFiles(
    Object.fromEntries(
      [BASE, ...overlays].map((text, index) => [`${index}.yaml`, index === 0 ? text : TOP + text]),
    ),
  )

const refused = async (...overlays: readonly string[]): Promise<string[]> =>
  (await refusal(over(...overlays))).findings.map(
    ({ file, line, column, message, suggestion, also }) =>
      `${file}:${line}:${column} ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}${also === undefined ? '' : ` (${formatPosition(also)})`}`,
  )

describe('a later --file', () => {
  it('overrides fields of an entry, and leaves the others and its place', async () => {
    const { declaration } = await over(
      'maintenanceWindows:\n  work:\n    alertTypeNames: [BACKUP]\n    description: Other\n',
    )
    const work = declaration.entries.find(({ address }) => address === 'maintenanceWindows.work')
    expect(work?.values).toMatchObject({
      alertTypeNames: ['BACKUP'],
      startDate: '2035-01-06T02:00:00Z',
      description: 'Other',
    })
    expect(work?.declaredAt).toMatchObject({ file: '0.yaml', line: 13 })
  })

  it.each([
    [
      'defaults: { projectId: a }\nintegrations: { paging: { type: PAGING } }',
      'defaults: { projectIds: all }',
      ['integrations.paging[x]', 'integrations.paging[y]'],
    ],
    [
      'integrations: { paging: { type: PAGING, projectId: a } }',
      'integrations: { paging: { projectIds: [b] } }',
      ['integrations.paging[y]'],
    ],
    [
      'integrations: { paging: { type: PAGING, projectIds: all } }',
      'integrations: { paging: { projectId: b } }',
      ['integrations.paging'],
    ],
  ])('says projectIds in place of projectId, and the other way: %s', async (base, overlay, addresses) => {
    const { declaration } = await loadFiles({
      '0.yaml': `${TOP}projects: { a: { id: x }, b: { id: y } }\n${base}\n`,
      '1.yaml': `${TOP}${overlay}\n`,
    })
    expect(declaration.entries.map(({ address }) => address)).toEqual(addresses)
  })

  it('overrides what supports entries, field by field, and the name and state of the declaration', async () => {
    const { head, declaration, variables } = await loadFiles({
      'base.yaml': BASE,
      'staging/over.yaml': `version: 1
name: acme-staging
state: staging.json
variables: { ticket: { default: S-1 } }
projects: { payments: { id: ${SEARCH} } }
defaults: { protect: false }
gates: { payments: [no-open-alerts] }
`,
    })
    expect(head).toMatchObject({ name: 'acme-staging', state: { text: 'staging.json' } })
    expect(head.state?.path).toMatch(/staging\/over\.yaml$/)
    expect(variables).toEqual({ ticket: 'S-1' })
    expect([...declaration.organizations]).toEqual([[SEARCH, '5980cfdf0b6d97029d82f86e']])
    expect(declaration.entries.map(({ protect, values }) => [protect, values['projectId']])).toContainEqual([
      false,
      SEARCH,
    ])
  })

  it('replaces the gates of a project whole', async () => {
    const { gates } = await over(
      'gates: { payments: [no-open-alerts, agents-active] }\n',
      'gates: { payments: [automation-converged] }\n',
    )
    expect(gates.map(({ gate }) => gate)).toEqual(['automation-converged'])
  })

  it('adds what is new, and wins over all earlier ones', async () => {
    const { declaration } = await over(
      'integrations: { other: { type: WEBHOOK } }\nalertConfigurations: { noisy: { enabled: true } }\n',
      'alertConfigurations: { noisy: { allowEmpty: true } }\n',
      'alertConfigurations: { noisy: { enabled: false } }\n',
    )
    expect(declaration.entries.map(({ address }) => address)).toContain('integrations.other')
    const noisy = declaration.entries.find(({ address }) => address === 'alertConfigurations.noisy')
    expect(noisy?.values).toMatchObject({ enabled: false, allowEmpty: true })
  })

  it('leaves an alias alone that shares what it overrides', async () => {
    const { declaration } = await loadFiles({
      'a.yaml': `${TOP}defaults: { projectId: ${PAYMENTS} }\nalertConfigurations:\n  a: &a { select: { eventTypeName: HOST_DOWN }, enabled: true }\n  b: { <<: *a, select: { eventTypeName: HOST_UP } }\n  c: *a\n`,
      'b.yaml': `${TOP}alertConfigurations: { a: { enabled: false } }\n`,
    })
    expect(declaration.entries.map(({ values }) => values['enabled'])).toEqual([false, true, true])
  })

  it('that is a folder says each thing once', async () => {
    const { findings } = await refusal(
      loadFiles(
        {
          'base.yaml': BASE,
          'over/a.yaml': `${TOP}alertConfigurations: { noisy: { enabled: true } }\n`,
          'over/b.yaml': `${TOP}alertConfigurations: { noisy: { enabled: false } }\n`,
        },
        { files: ['base.yaml', 'over'] },
      ),
    )
    expect(findings).toMatchObject([
      {
        file: 'over/b.yaml',
        message: expect.stringContaining('declared twice') as string,
        also: { file: 'over/a.yaml' },
      },
    ])
  })

  it('that names a file once more is where that file counts', async () => {
    const cwd = await folderOf({
      'a.yaml': `${TOP}defaults: { protect: true, projectId: ${PAYMENTS} }\nintegrations: { i: { type: PAGING } }\n`,
      'b.yaml': `${TOP}defaults: { protect: false }\n`,
    })
    const protectedBy = async (...files: string[]) =>
      (await loadDeclaration({ files, cwd }, kinds)).declaration.entries[0]?.protect
    expect(await protectedBy('a.yaml', 'b.yaml')).toBe(false)
    expect(await protectedBy('a.yaml', 'b.yaml', './a.yaml')).toBe(true)
    expect(await protectedBy('.', 'b.yaml')).toBe(false)
    expect(await protectedBy('a.yaml', 'a.yaml')).toBe(true)
  })

  it('needs version and name as every file does, and the same version', async () => {
    const files = { 'a.yaml': TOP, 'b.yaml': 'integrations: {}\n', 'c.yaml': 'version: 2\nname: c\n' }
    const { findings } = await refusal(loadFiles(files))
    expect(lines(findings)).toEqual([
      '1:1 version and name are missing; begin with version: 1 and name: …',
      '1:1 version: two files give this different values; keep one of them',
    ])
  })
})

describe('an error of what is overridden', () => {
  it('points into the file that says it', async () => {
    expect(
      await refused(
        'maintenanceWindows:\n  work:\n    alertTypeNames: [3]\n',
        'maintenanceWindows:\n  work:\n    endDate: soon\n    endDtae: x\n',
      ),
    ).toEqual([
      expect.stringMatching(/^1\.yaml:5:22 /),
      expect.stringMatching(/^2\.yaml:5:14 "soon" is not an instant/),
      expect.stringMatching(/^2\.yaml:6:5 there is no field "endDtae" here → endDate/),
    ])
  })

  it.each([
    [
      'alertConfigurations: [a]\n',
      '1.yaml:3:22 alertConfigurations is a mapping of each alert configuration by its name, not a list',
    ],
    ['alertConfigurations: { noisy: [a] }\n', '1.yaml:3:31 a list stands where a mapping is expected'],
    ['defaults: none\n', '1.yaml:3:11 defaults is a mapping of fields, not a string'],
    ['name: [a]\n', '1.yaml:3:1 this key is used twice in one mapping; keep one of them (1.yaml:2:1)'],
    ['otherStates: { a: b }\n', '1.yaml:3:14 a mapping stands where a list is expected'],
    ['integrations: { paging: }\n', '1.yaml:3:23 nothing stands where a mapping is expected'],
  ])('is said of another type: %j', async (text, expected) => {
    expect((await refused(text)).map((line) => line.slice(0, expected.length))).toEqual([expected])
  })

  it('stays that of the earlier file where that one is no mapping', async () => {
    const files = {
      'a.yaml': `${TOP}integrations: { i: 3 }\n`,
      'b.yaml': `${TOP}integrations: { i: { type: PAGING } }\n`,
    }
    expect((await refusal(loadFiles(files))).findings).toMatchObject([
      { file: 'a.yaml', line: 3, column: 20 },
    ])
  })

  it('never shows a secret that another file overrides', async () => {
    const files = {
      'a.yaml': `${TOP}users:\n  dana: { password: Correct-Horse-7, nonsense: 1, userId: 5c47503320eef5699e1cce8f, roles: [] }\n`,
      'b.yaml': `${TOP}users: { dana: { password: { env: DANA } } }\n`,
    }
    const { findings } = await refusal(loadFiles(files))
    expect(findings.length).toBeGreaterThan(0)
    expect(JSON.stringify(findings)).not.toContain('Correct-Horse-7')
  })
})

describe('remove', () => {
  it('takes entries of earlier files out', async () => {
    const { declaration } = await over('remove: [maintenanceWindows.work, integrations.paging]\n')
    expect(declaration.entries.map(({ address }) => address)).toEqual(['alertConfigurations.noisy'])
  })

  it('comes before what its own file declares, which is then whole', async () => {
    const { declaration } = await over(
      'remove: [alertConfigurations.noisy]\nalertConfigurations:\n  noisy: { select: { eventTypeName: HOST_DOWN }, enabled: true }\n',
    )
    const noisy = declaration.entries.find(({ address }) => address === 'alertConfigurations.noisy')
    expect(noisy?.values).not.toHaveProperty('alertConfigId')
    expect(noisy?.declaredAt).toMatchObject({ file: '1.yaml', line: 5 })
  })

  it('takes out what is wrong or what nothing refers to any more', async () => {
    await expect(
      loadFiles({
        'a.yaml': `${TOP}integrations: { i: { nonsense: 1 } }\n`,
        'b.yaml': `${TOP}remove: [integrations.i]\n`,
      }),
    ).resolves.toMatchObject({ declaration: { entries: [] } })
  })

  it.each([
    [
      ['remove: [integrations.pagin]\n'],
      [
        '1.yaml:3:10 no earlier --file declares "integrations.pagin"; an address is SECTION.NAME → integrations.paging',
      ],
    ],
    [
      ['remove: [projects.payments]\n'],
      ['1.yaml:3:10 no earlier --file declares "projects.payments"; an address is SECTION.NAME'],
    ],
    [['remove: [paging]\n'], ['1.yaml:3:10 no earlier --file declares "paging"; an address is SECTION.NAME']],
    [['remove: ["integrations.paging[x]"]\n'], [expect.stringContaining('→ integrations.paging') as string]],
    [
      ['integrations: { own: { type: WEBHOOK } }\nremove: [integrations.own]\n'],
      [expect.stringMatching(/^1\.yaml:4:10 no earlier/) as string],
    ],
    [
      ['remove: [integrations.paging, integrations.paging]\n'],
      ['1.yaml:3:31 integrations.paging has already been removed (1.yaml:3:10)'],
    ],
    [
      ['remove: [integrations.paging]\n', 'remove: [integrations.paging]\n'],
      ['2.yaml:3:10 integrations.paging has already been removed (1.yaml:3:10)'],
    ],
    [['remove: integrations.paging\n'], ['1.yaml:3:9 remove is a list of addresses → [integrations.paging]']],
    [
      ['remove: [[a], { b: c }]\n'],
      ['1.yaml:3:10 an address is a text: SECTION.NAME', '1.yaml:3:15 an address is a text: SECTION.NAME'],
    ],
    [
      ['remove: [toString.constructor, __proto__.x, 3, ]\n'],
      [expect.any(String), expect.any(String), expect.any(String)],
    ],
  ])('refuses what is not there: %j', async (overlays, expected) => {
    expect(await refused(...overlays)).toEqual(expected)
  })

  it('is refused where nothing comes before it', async () => {
    const text = `${BASE}remove: [integrations.paging]\n`
    expect(lines((await refusal(loadFiles({ 'a.yaml': text }))).findings)).toEqual([
      '20:1 remove: the first --file has nothing before it that could be removed; take the entry itself out',
    ])
  })

  it.each(['remove: []', 'remove:'])('may be empty everywhere: %s', async (text) => {
    const { declaration } = await loadFiles({ 'a.yaml': `${BASE}${text}\n`, 'b.yaml': `${TOP}${text}\n` })
    expect(declaration.entries).toEqual((await loadFiles({ 'a.yaml': BASE })).declaration.entries)
  })

  it('may name an entry once more that is declared anew', async () => {
    const { declaration } = await over(
      'remove: [integrations.paging]\n',
      'integrations: { paging: { type: WEBHOOK } }\n',
    )
    expect(declaration.entries.at(-1)?.values).toMatchObject({ type: 'WEBHOOK' })
  })

  it('says nothing of what stands in a file that cannot be read', async () => {
    const files = { 'a.yaml': 'a: [', 'b.yaml': `${TOP}remove: [integrations.paging]\n` }
    expect((await refusal(loadFiles(files))).findings.map(({ file }) => file)).toEqual(['a.yaml'])
  })

  it('leaves a reference to what is gone as an error', async () => {
    expect(
      await refused(
        'maintenanceWindows:\n  later: { alertTypeNames: [HOST], startDate: "${maintenanceWindows.work.endDate}", endDate: 2035-01-06T08:00:00Z }\n',
        'remove: [maintenanceWindows.work]\n',
      ),
    ).toEqual([expect.stringMatching(/^1\.yaml:4:47 there is no entry in maintenanceWindows/)])
  })
})

const windowOf = (project: string, day: number): string =>
  `maintenanceWindows:\n  patching: { projectId: ${project}, alertTypeNames: [HOST], startDate: 2035-01-0${day}T01:00:00Z, endDate: 2035-01-0${day}T06:00:00Z }\n`

describe('an entry that two files each declare in full', () => {
  const warned = async (...files: readonly string[]) => {
    const named = Object.fromEntries(files.map((text, index) => [`${index}.yaml`, TOP + text]))
    return (await loadFiles(named)).warnings.map(
      ({ severity, file, line, path, also }) =>
        `${severity} ${file}:${line} ${path} ${also === undefined ? '' : formatPosition(also)}`,
    )
  }

  it('is warned of at both places, and the later one counts', async () => {
    const files = { 'a.yaml': TOP + windowOf(PAYMENTS, 1), 'b.yaml': TOP + windowOf(SEARCH, 2) }
    const { declaration, warnings } = await loadFiles(files)
    expect(declaration.entries.map(({ values }) => values['projectId'])).toEqual([SEARCH])
    expect(warnings).toMatchObject([
      {
        severity: 'warning',
        file: 'b.yaml',
        line: 4,
        path: 'maintenanceWindows.patching',
        also: { file: 'a.yaml', line: 4 },
      },
    ])
    expect(warnings[0]?.message).toMatch(/two things, rename one.*one, say only what differs/)
    expect(listFindings(warnings)).toContain('(also at a.yaml:4:3)')
  })

  it('is compared with each earlier one that is whole, also behind an overlay', async () => {
    const overlay = 'maintenanceWindows: { patching: { description: Other } }\n'
    expect(await warned(windowOf(PAYMENTS, 1), overlay, windowOf(SEARCH, 2))).toEqual([
      'warning 2.yaml:4 maintenanceWindows.patching 0.yaml:4:3',
    ])
    expect(await warned(overlay, windowOf(PAYMENTS, 1), windowOf(SEARCH, 2))).toEqual([
      'warning 2.yaml:4 maintenanceWindows.patching 1.yaml:4:3',
    ])
  })

  it.each([
    [
      'integrations: { chat: { projectId: x, type: CHAT_A } }',
      'integrations: { chat: { projectId: y, type: CHAT_A } }',
    ],
    [
      'alertConfigurations: { down: { projectId: x, select: { eventTypeName: HOST_DOWN }, enabled: true } }',
      'alertConfigurations: { down: { projectId: y, select: { eventTypeName: HOST_DOWN }, enabled: false } }',
    ],
    [
      'apiKeys: { robot: { orgId: x, apiKeyId: a, desc: One, roles: [ORG_MEMBER] } }',
      'apiKeys: { robot: { orgId: y, apiKeyId: b, desc: Two, roles: [ORG_MEMBER] } }',
    ],
  ])('of another kind: %s', async (first, second) => {
    expect((await warned(first, second)).filter((each) => each.includes('0.yaml'))).toHaveLength(1)
  })

  it.each([
    [
      'part of it',
      BASE,
      'maintenanceWindows: { work: { startDate: 2035-01-05T02:00:00Z, description: Other } }',
    ],
    ['another id', BASE, 'alertConfigurations: { noisy: { alertConfigId: 5d1113b25a115342acc2d1ab } }'],
    [
      'another id of a key',
      `${TOP}defaults: { orgId: 5980cfdf0b6d97029d82f86e }\napiKeys: { robot: { apiKeyId: 5c47503320eef5699e1cce8f, desc: One, roles: [ORG_MEMBER] } }\n`,
      'apiKeys: { robot: { apiKeyId: 5c47503320eef5699e1cce90, desc: Two } }',
    ],
    [
      'the only field that it has',
      `${TOP}integrations: { rest: { projectId: ${PAYMENTS}, only: [PAGING] } }\n`,
      'integrations: { rest: { only: [PAGING, WEBHOOK] } }',
    ],
    [
      'all of it in place of what it removes',
      BASE,
      `remove: [maintenanceWindows.work]\n${windowOf(SEARCH, 2).replace('patching', 'work')}`,
    ],
    [
      'projects and defaults',
      BASE,
      `projects: { payments: { id: ${SEARCH}, orgId: 5980cfdf0b6d97029d82f86e } }\ndefaults: { projectId: payments, protect: true }`,
    ],
  ])('is nothing else: %s', async (_, base, overlay) => {
    const { warnings } = await loadFiles({ '0.yaml': base, '1.yaml': `${TOP}${overlay}\n` })
    expect(warnings).toEqual([])
  })
})
