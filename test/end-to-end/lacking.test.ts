/**
 * A project without anything that entries for all projects declare: told once, with the text to paste into all of them.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ORG } from '../support/installation.ts'
import { begin, type Scene } from '../support/scene.ts'

let here: Scene

const IDS = { a: '5c8100bcf2a30b12ff8800a0', b: '5c8100bcf2a30b12ff8801a0', c: '5c8100bcf2a30b12ff8802a0' }
const TYPES = ['HOST_DOWN', 'REPLICA_SET', 'BACKUP', 'NO_PRIMARY']
const nameOf = (type: string): string => type.toLowerCase().replace('_', '-')

const manifestOf = (names: readonly (keyof typeof IDS)[]): string =>
  [
    'version: 1',
    'name: test',
    `defaults: { orgId: ${ORG} }`,
    `projects: { ${names.map((name) => `${name}: { id: ${IDS[name]} }`).join(', ')} }`,
    'alertConfigurations:',
    ...TYPES.map(
      (type) => `  ${nameOf(type)}: { projectIds: all, select: { eventTypeName: ${type} }, enabled: true }`,
    ),
    'integrations:',
    '  paging: { projectIds: all, type: PAGING }',
    '',
  ].join('\n')

const textOf = async (...words: string[]): Promise<string> => {
  const { stdout } = await here.run('plan', ...words)
  return stdout
}
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ')
const edit = async (from: string | RegExp, to: string): Promise<void> => {
  const path = join(here.folder, 'deploymgmt.yaml')
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(from, to))
}

beforeEach(async () => {
  const alertConfigs = TYPES.map((eventTypeName, index) => ({
    id: `5d1113b25a115342ac00d0f${index}`,
    eventTypeName,
    enabled: true,
  }))
  const projects = Object.entries(IDS).map(([name, id]) => ({ id, orgId: ORG, name, integrations: [] }))
  const [first, ...others] = projects
  here = await begin({
    fixture: {
      organizations: [
        {
          id: ORG,
          name: 'Acme',
          apiKeys: [
            {
              id: '5c47503320eef5699e1cce8d',
              desc: 'CI',
              publicKey: 'ciadmin',
              privateKey: '9d2c2a3e-canary-0001',
              roles: [{ roleName: 'ORG_OWNER', orgId: ORG }],
            },
          ],
        },
      ],
      projects: [
        { ...first, alertConfigs, integrations: [{ type: 'PAGING', serviceKey: 'canary-0002' }] },
        ...others.map((each) => ({ ...each, alertConfigs: [] })),
      ],
    },
    manifest: manifestOf(['a', 'b']),
  })
})

describe('a project that has none of what entries for all projects stand for', () => {
  it('is one sentence of a plan, with the entries and what is pasted into each', async () => {
    const text = await textOf()
    expect(text).toContain('  ! project b has nothing of what 5 entries declare\n')
    const said = flat(text)
    expect(said).toContain(
      'alertConfigurations.host-down, alertConfigurations.replica-set, alertConfigurations.backup, alertConfigurations.no-primary, integrations.paging By hand: set it up there, then plan again; plan --all says where. Or leave it out, in each of them: projectIds: { all: true, except: [b] } Or allow that nothing is there, in the 4 of alertConfigurations: allowEmpty: true',
    )
    expect(text).not.toContain('! alertConfigurations.host-down[')
    expect(text).toContain('5 blocked')
  })

  it('is planned without it once that is pasted into all of them', async () => {
    await edit('projectIds: all', 'projectIds: { all: true, except: [b] }')
    expect((await here.json('plan')).document.summary.blocked).toBe(0)
  })

  it('stands in the document, and --all shows each thing, too', async () => {
    const { document } = await here.json('plan')
    const entries = [...TYPES.map((type) => `alertConfigurations.${nameOf(type)}`), 'integrations.paging']
    expect(document.lacking).toEqual([
      {
        projects: ['b'],
        entries,
        ways: [
          { does: 'leaves-out', edit: 'projectIds: { all: true, except: [b] }', entries },
          { does: 'allows', edit: 'allowEmpty: true', entries: entries.slice(0, 4) },
        ],
      },
    ])
    const text = await textOf('--all')
    expect(text).toContain(`! alertConfigurations.host-down[${IDS.b}]`)
    expect(text).toContain('  ! project b has nothing of what 5 entries declare\n')
  })

  it('is named with others that are the same, and what is pasted leaves out all of them', async () => {
    await here.manifest(manifestOf(['a', 'b', 'c']))
    await edit('paging: { projectIds: all', 'paging: { projectIds: { all: true, except: [c] }')
    const { document } = await here.json('plan')
    expect(document.lacking).toMatchObject([
      { projects: ['b', 'c'], ways: [{ edit: 'projectIds: { all: true, except: [b, c] }' }, {}] },
    ])
    const text = await textOf()
    expect(text).toContain('  ! projects b, c have nothing of what 4 entries declare\n')
    expect(text).toContain('Or leave them out, in each of them:\n')
    expect(text).toContain(`! integrations.paging[${IDS.b}]`)
  })

  it('has its own edit for an entry that names its projects', async () => {
    await edit('backup: { projectIds: all', 'backup: { projectIds: [a, b]')
    expect(flat(await textOf())).toContain(
      'Or leave it out, in alertConfigurations.host-down, alertConfigurations.replica-set, alertConfigurations.no-primary, integrations.paging: projectIds: { all: true, except: [b] } in alertConfigurations.backup: take b out of projectIds Or',
    )
  })

  it('is not left out where nothing would be left, which a manifest cannot say', async () => {
    await here.manifest(manifestOf(['b', 'c']))
    const { document } = await here.json('plan')
    expect(document.lacking).toMatchObject([{ projects: ['b', 'c'], ways: [{ does: 'allows' }] }])
    await here.manifest(manifestOf(['b']).replace(/ {2}(?:backup|no-primary|replica-set): .*\n/g, ''))
    expect(await textOf()).not.toContain('except')
  })

  it('is told in a comment and in a page, too', async () => {
    for (const format of ['markdown', 'html']) {
      const said = flat(await textOf('--format', format))
      expect(said).toContain('has nothing of what 5 entries declare')
      expect(said).toContain('leave it out, in each of them: projectIds:')
      expect(said).toContain('in the 4 of alertConfigurations: allowEmpty: true')
    }
  })
})

it('of one or two entries each is told by itself', async () => {
  await edit(/ {2}(?:backup|no-primary|replica-set): .*\n/g, '')
  expect((await here.json('plan')).document.lacking).toBeUndefined()
  expect(await textOf()).toContain(`! alertConfigurations.host-down[${IDS.b}]`)
})

it('is what adopt says first, whole, where it finds nothing to write', async () => {
  await here.manifest(manifestOf(['a', 'b', 'c']))
  const { code, stdout } = await here.run('adopt')
  const [first = '', , ways = ''] = stdout.split('\n')
  expect(code).toBe(0)
  expect(first).toMatch(/^Entries that were already there differ from what is in .*blocked/)
  const except = /projectIds: \{ all: true, except: \[[^\]]*\] \}/.exec(ways)?.[0] ?? ''
  expect(stdout).toMatch(/^There is nothing new/m)
  await edit('projectIds: all', except)
  expect((await here.run('plan')).stdout).not.toContain('blocked')
})
