import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { loadDeclaration, type LoadOptions } from '../../../reconciler/config/index.ts'
import { folderOf, lines, refusal } from './support/manifests.ts'

const ID = '5c8100bcf2a30b12ff88258f'
const MANIFEST = `version: 1
name: acme
variables:
  ticket: { default: A-1 }
  on: { default: true }
  least: { default: 3 }
  types: { default: [HOST, CLUSTER] }
  where: { default: { project: ${ID}, deep: { zone: Europe/Madrid } } }
  given: { default: x }
defaults: { orgId: 5980cfdf0b6d97029d82f86e }
maintenanceWindows:
  work:
    projectId: \${var.where.project}
    alertTypeNames: \${var.types}
    schedule: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: "\${var.where.deep.zone}", duration: PT1H, horizon: P3D }
    description: \${var.ticket} \${var.given}
`

const loadWith = async (
  files: Readonly<Record<string, string>>,
  { manifest = MANIFEST, ...options }: Partial<LoadOptions> & { manifest?: string } = {},
) => {
  const cwd = await folderOf({ 'deploymgmt.yaml': manifest, ...files })
  return loadDeclaration({ files: [], varFiles: Object.keys(files), ...options, cwd }, kinds)
}
const valuesWith = async (...given: Parameters<typeof loadWith>) =>
  (await loadWith(...given)).declaration.entries[0]?.values

const refusedWith = async (...given: Parameters<typeof loadWith>): Promise<string[]> =>
  (await refusal(loadWith(...given))).findings.map(
    ({ file, line, column, message, suggestion }) =>
      `${file}:${line}:${column} ${message}${suggestion === undefined ? '' : ` → ${suggestion}`}`,
  )

describe('a variable', () => {
  it('may be a list or a mapping, which is taken whole or by key', async () => {
    expect(await valuesWith({})).toMatchObject({
      projectId: ID,
      alertTypeNames: ['HOST', 'CLUSTER'],
      schedule: { timezone: 'Europe/Madrid' },
      description: 'A-1 x',
    })
  })

  it('is of the type that is declared where it stands, in its values too', async () => {
    const manifest = `version: 1
name: acme
variables:
  projects: { default: [590000000000000000000001, "${ID}", named] }
  at: { default: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: Europe/Madrid, duration: PT1H, horizon: P3D } }
projects: { named: { id: 590000000000000000000002 } }
maintenanceWindows:
  work: { projectIds: "\${var.projects}", alertTypeNames: [HOST], schedule: "\${var.at}" }
`
    const { declaration } = await loadWith({}, { manifest })
    expect(declaration.entries.map(({ values }) => values['projectId'])).toEqual([
      '590000000000000000000001',
      ID,
      '590000000000000000000002',
    ])
    expect(declaration.entries[0]?.values['schedule']).toMatchObject({ duration: 'PT1H' })
  })

  it.each([
    ['${var.where.projct}', 'the variable where has no projct → project'],
    ['${var.where.deep.zone.x}', 'the variable where.deep.zone is not a mapping, so it has no x'],
    ['${var.ticket.x}', 'the variable ticket is not a mapping, so it has no x'],
    ['${var.given.x}', 'the variable given is not a mapping, so it has no x'],
    ['a ${var.types}', '${var.types} is not text, so it cannot be part of a text'],
    ['${var.where}', '${var.where} is a mapping, which cannot stand here'],
    ['${var.types}', '${var.types} is a list, which cannot stand here'],
    ['${var.where.toString}', 'the variable where has no toString'],
  ])('cannot be used as %s', async (text, message) => {
    const manifest = MANIFEST.replace('${var.ticket} ${var.given}', `"${text}"`)
    expect(await refusedWith({}, { manifest, vars: ['given=y'] })).toEqual([
      `deploymgmt.yaml:16:18 ${message}`,
    ])
  })

  it('that is no text is not given on the command line', async () => {
    await expect(loadWith({}, { vars: ['types=HOST'] })).rejects.toMatchObject({
      code: 'DM-VARIABLE',
      message: 'the variable types is a list, and --var gives text',
      hint: 'Give it in a file: --var-file FILE.',
    })
  })

  it('never makes a small manifest a large one', async () => {
    const many = Array.from({ length: 1000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`)
    const entries = Array.from(
      { length: 101 },
      (_, index) =>
        `  k${index}: { apiKeyId: "${String(index).padStart(24, '0')}", accessList: "\${var.many}" }\n`,
    )
    const manifest = `version: 1\nname: acme\nvariables: { many: { default: [${many.join(', ')}] } }\ndefaults: { orgId: ${ID} }\napiKeys:\n${entries.join('')}`
    expect((await refusedWith({}, { manifest }))[0]).toContain(
      'references to lists and mappings make more than 100,000 values of this manifest',
    )
    const inOneAnother = `version: 1\nname: acme\nvariables:\n  a: { default: [x, y] }\n  b: { default: ["\${var.a}", "\${var.a}"] }\n`
    expect(await refusedWith({}, { manifest: inOneAnother })).toEqual([
      'deploymgmt.yaml:5:18 ${var.a} is a list, which cannot stand here',
      'deploymgmt.yaml:5:30 ${var.a} is a list, which cannot stand here',
    ])
  })
})

describe('--var-file', () => {
  it('never shows what a manifest would hide where the variable is used', async () => {
    const manifest = `version: 1
name: acme
variables: { roles: { default: [] } }
users: { u: { userId: "${ID}", roles: "\${var.roles}" } }
`
    const files = { 'roles.yaml': 'roles: [{ pasword: hunter2, roleName: "${var.x}" }]\n' }
    const error = await refusal(loadWith(files, { manifest }))
    expect(error.describe()).toContain('roles.yaml:1:')
    expect(error.describe()).not.toContain('hunter2')
  })

  it('that is not there is told of as one, and not as a manifest', async () => {
    await expect(loadWith({}, { varFiles: ['nofile.yaml'] })).rejects.toMatchObject({
      message: 'cannot read nofile.yaml: it does not exist',
      hint: 'Name a file of variables, NAME: VALUE, with --var-file.',
    })
  })

  it('sets variables: a later file beats an earlier one, and --var both', async () => {
    const files = {
      'a.yaml': 'ticket: F-1\ntypes: [BACKUP]\ngiven: a\n',
      'b.json':
        '{ "ticket": "F-2", "on": false, "where": { "project": "5c8100bcf2a30b12ff882590", "deep": { "zone": "UTC" } } }',
    }
    expect(await valuesWith(files, { vars: ['given=z'] })).toMatchObject({
      projectId: '5c8100bcf2a30b12ff882590',
      alertTypeNames: ['BACKUP'],
      description: 'F-2 z',
    })
    const { variables, sources } = await loadWith(files, { vars: ['given=z'] })
    expect(variables).toMatchObject({ ticket: 'F-2', on: false, least: 3, types: ['BACKUP'], given: 'z' })
    expect(sources.map(({ file }) => file)).toEqual(['deploymgmt.yaml', 'a.yaml', 'b.json'])
  })

  it('gives a value to a variable that has no default, of any type', async () => {
    const manifest = MANIFEST.replace('{ default: [HOST, CLUSTER] }', '{}')
    expect(await valuesWith({ 'v.yaml': 'types: [BACKUP]\n' }, { manifest })).toMatchObject({
      alertTypeNames: ['BACKUP'],
    })
  })

  it('may be a file that is named twice, or by a link', async () => {
    const cwd = await folderOf({
      'deploymgmt.yaml': MANIFEST,
      'v.yaml': 'ticket: F-1\n',
      'w.yaml': 'ticket: F-2\n',
    })
    await symlink('v.yaml', join(cwd, 'link.yaml'))
    const varFiles = ['v.yaml', 'w.yaml', 'link.yaml', 'link.yaml']
    const { variables } = await loadDeclaration({ files: [], varFiles, cwd }, kinds)
    expect(variables['ticket']).toBe('F-1')
  })

  it('takes an id of digits for a text', async () => {
    const manifest = MANIFEST.replace('default: A-1', `default: "${ID}"`)
    const { description } =
      (await valuesWith({ 'v.yaml': 'ticket: 590000000000000000000001\n' }, { manifest })) ?? {}
    expect(description).toBe('590000000000000000000001 x')
  })

  it.each([
    ['tickt: A\n', ['v.yaml:1:1 the manifest has no variable tickt → ticket']],
    ['ticket: 42\n', ['v.yaml:1:9 the variable is a text by its default, and here stands a number → "42"']],
    ['ticket: [A]\n', ['v.yaml:1:9 the variable is a text by its default, and here stands a list']],
    ['on: yes\n', ['v.yaml:1:5 the variable is a truth value by its default, and here stands a text']],
    [
      'least: "3"\ntypes: HOST\n',
      [
        'v.yaml:1:8 the variable is a number by its default, and here stands a text',
        'v.yaml:2:8 the variable is a list by its default, and here stands a text',
      ],
    ],
    ['where: [a]\n', ['v.yaml:1:8 the variable is a mapping by its default, and here stands a list']],
    ['ticket:\n', ['v.yaml:1:7 there is no value here; give one or remove the line']],
    ['ticket: A\nticket: B\n', ['v.yaml:2:1 this key is used twice in one mapping; keep one of them']],
    ['- ticket: A\n', ['v.yaml:1:1 a file of variables is a mapping: NAME: VALUE']],
    ['', ['v.yaml:1:1 the file is empty; a file of variables is a mapping: NAME: VALUE']],
    ['__proto__: { ticket: A }\n', ['v.yaml:1:1 the manifest has no variable __proto__']],
    [
      'types: ["${var.types}"]\n',
      [expect.stringMatching(/^v\.yaml:1:9 .*in a circle|cannot stand here/) as string],
    ],
  ])('is refused at its place: %j', async (text, expected) => {
    expect(await refusedWith({ 'v.yaml': text })).toEqual(expected)
  })

  it('is told to be wrong where its value stands, when it is used', async () => {
    expect(await refusedWith({ 'v.yaml': 'where: { project: a/b, deep: { zone: UTC } }\n' })).toEqual([
      expect.stringMatching(/^deploymgmt\.yaml:13:16 "a\/b" cannot be an id/),
    ])
  })

  it('says nothing of unknown names where a manifest cannot be read', async () => {
    const findings = await refusedWith({ 'v.yaml': 'other: 1\n' }, { manifest: 'a: [' })
    expect(findings.every((line) => line.startsWith('deploymgmt.yaml'))).toBe(true)
  })

  it('shows no secret that is wrong in it, and not the private key', async () => {
    const { findings } = await refusal(
      loadWith(
        { 'v.yaml': 'db_password: Correct-Horse-7\nticket: [0123456789abcdef-key]\n' },
        {
          env: { DEPLOYMGMT_PRIVATE_KEY: '0123456789abcdef-key' },
        },
      ),
    )
    expect(lines(findings)).toHaveLength(2)
    expect(JSON.stringify(findings)).not.toMatch(/Correct-Horse|0123456789abcdef/)
  })

  it('that is not there is told by name', async () => {
    await expect(loadWith({}, { varFiles: ['no.yaml'] })).rejects.toMatchObject({
      message: 'cannot read no.yaml: it does not exist',
    })
  })

  it('is refused beside what cdktf synth writes', async () => {
    const cwd = await folderOf({ 'cdk.tf.json': '{"terraform":{},"resource":{}}', 'v.yaml': 'a: 1\n' })
    await expect(
      loadDeclaration({ files: ['cdk.tf.json'], varFiles: ['v.yaml'], cwd }, kinds),
    ).rejects.toMatchObject({ code: 'DM-MANIFEST-UNSUPPORTED' })
  })
})

const alsoAt = async (text: string, manifest = MANIFEST): Promise<string[]> =>
  (await refusal(loadWith({ 'prod.yaml': text }, { manifest }))).findings.map(
    ({ file, line, also }) => `${file}:${line} ${also?.file}:${also?.line}:${also?.column}`,
  )

it('an error in a value that a file of variables brings names its place there too, within lists as well', async () => {
  expect(await alsoAt('where: { project: "", deep: { zone: Europe/Madrid } }\n')).toEqual([
    'deploymgmt.yaml:13 prod.yaml:1:19',
  ])
  expect(await alsoAt('types: [HOST, ""]\n')).toEqual(['deploymgmt.yaml:14 prod.yaml:1:15'])
})

const TIMES = `version: 1
name: acme
variables:
  day: { default: 2035-01-06 }
  hours: { default: { from: "02:00", to: "04:00" } }
  begins: { default: "\${var.day}T\${var.hours.from}:00" }
  at: { default: { rrule: "FREQ=DAILY;BYHOUR=2;BYMINUTE=0;BYSECOND=0", timezone: Europe/Madrid, duration: PT1H, horizon: P3D } }
  until: { default: 2035-01-01 }
projects: { payments: { id: ${ID}, orgId: 5980cfdf0b6d97029d82f86e } }
gates: { payments: [{ gate: agents-active, except: [{ name: db1, reason: x, until: "\${var.until}" }] }] }
unmanaged: { ignore: [{ section: integrations, reason: x, until: "\${var.until}" }] }
maintenanceWindows:
  work:
    projectId: payments
    alertTypeNames: [HOST]
    startDate: "\${var.begins}[Europe/Madrid]"
    endDate: "2035-01-06T\${var.hours.to}:00[Europe/Madrid]"
  again: { projectId: payments, alertTypeNames: [HOST], schedule: "\${var.at}" }
  parts: { projectId: payments, alertTypeNames: [HOST], schedule: { rrule: "\${var.at.rrule}", timezone: UTC, duration: PT1H, horizon: P3D } }
`

it.each([
  // A local time that does not exist, used by a third variable: it combines two variables, and the file sets the second
  // one.
  ['day: 2035-03-25\nhours: { from: "02:30", to: "04:00" }\n', ['deploymgmt.yaml:16 prod.yaml:1:6']],
  ['hours: { from: "02:00", to: "0400" }\n', ['deploymgmt.yaml:17 prod.yaml:1:29']],
  // A rule over two fields names the field that its finding is about.
  ['hours: { from: "02:00", to: "01:00" }\n', ['deploymgmt.yaml:17 prod.yaml:1:29']],
  [
    'at: { rrule: "FREQ=DAILY;BYDAY=XX", timezone: UTC, duration: PT1H, horizon: P3D }\n',
    ['deploymgmt.yaml:18 prod.yaml:1:14', 'deploymgmt.yaml:19 prod.yaml:1:14'],
  ],
  ['until: 2035-02-30\n', ['deploymgmt.yaml:10 prod.yaml:1:8', 'deploymgmt.yaml:11 prod.yaml:1:8']],
])('so does one of a time or of a rule: %j', async (text, places) => {
  expect(await alsoAt(text, TIMES)).toEqual(places)
})
