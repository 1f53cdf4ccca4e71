import { copyFile, glob, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { dataSources } from '@deploymgmt/provider/data-sources'
import { kinds } from '@deploymgmt/provider/kinds'
import { describe, expect, it } from 'vitest'
import { installation, organizationKey, personalKey } from '../provider/data-sources/support/installation.ts'
import { ORG, PASSWORD } from '../support/installation.ts'
import { noTerraform, ROOT } from './support/terraform.ts'
import { begin, type Workspace } from './support/workspace.ts'

const EXAMPLES = join(ROOT, 'examples', 'terraform')

const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]
const key = (id: string, publicKey: string, more: object = {}) => ({
  id,
  desc: publicKey,
  publicKey,
  privateKey: `${publicKey}-canary`,
  roles: owner,
  ...more,
})

/** A service with everything that the examples name. */
const fixture = (): object => {
  const [organization] = installation.organizations
  const [project] = installation.projects
  return {
    ...installation,
    organizations: [
      {
        ...organization,
        apiKeys: [
          ...(organization?.apiKeys ?? []),
          key('5c47503320eef5699e1cce8e', 'oncall'),
          key('5c47503320eef5699e1cce8f', 'reporter', {
            roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
            accessList: [
              { cidrBlock: '192.0.2.0/24' },
              { ipAddress: '198.51.100.7', cidrBlock: '198.51.100.7/32' },
            ],
          }),
        ],
      },
    ],
    projects: [
      {
        ...project,
        alertConfigs: [
          ...(project?.alertConfigs ?? []),
          { id: '5d1113b25a115342acc2d0f3', eventTypeName: 'HOST_DOWN', enabled: false },
          { id: '5d1113b25a115342acc2d0f4', eventTypeName: 'REPLICA_SET', enabled: false },
        ],
        maintenanceWindows: [
          {
            id: '5e1f2a3b4c5d6e7f8091a2b3',
            alertTypeNames: ['HOST'],
            startDate: '2035-01-06T02:00:00Z',
            endDate: '2035-01-06T04:00:00Z',
          },
        ],
      },
    ],
  }
}

const env = {
  DEPLOYMGMT_PUBLIC_KEY: organizationKey.publicKey,
  DEPLOYMGMT_PRIVATE_KEY: organizationKey.privateKey,
  TF_VAR_initial_password: PASSWORD,
}

const withExample = async (
  folder: string,
  options: { env?: Record<string, string>; leaveOut?: (name: string) => boolean } = {},
): Promise<Workspace> => {
  const here = await begin({ fixture: fixture(), env: { ...env, ...options.env } })
  const names = (await readdir(join(EXAMPLES, folder))).filter((name) => name.endsWith('.tf'))
  for (const name of names)
    if (options.leaveOut?.(name) !== true)
      await copyFile(join(EXAMPLES, folder, name), join(here.folder, name))
  return here
}

describe.skipIf(noTerraform)('examples/terraform', () => {
  it('has an example of each resource and each data source', async () => {
    expect((await readdir(join(EXAMPLES, 'resources'))).toSorted()).toEqual(
      kinds.map(({ kind }) => kind).toSorted(),
    )
    const shown = (await readdir(join(EXAMPLES, 'data-sources'))).map((name) => basename(name, '.tf'))
    expect(shown.toSorted()).toEqual([...dataSources.map(({ name }) => name), 'versions'].toSorted())
  })

  it('is formatted as terraform fmt does', async () => {
    const here = await begin()
    expect(await here.expect(0, 'fmt', '-recursive', '-check', EXAMPLES)).toMatchObject({ stdout: '' })
  })

  it('names no secret and no place', async () => {
    const texts: string[] = []
    for await (const path of glob('**/*.{tf,sh}', { cwd: EXAMPLES }))
      texts.push(await readFile(join(EXAMPLES, path), 'utf8'))
    expect(texts.join('\n')).not.toMatch(/https?:|canary|\/work\//)
  })

  it('configures the provider', async () => {
    const here = await withExample('provider')
    await here.expect(0, 'validate')
    expect((await here.expect(0, 'plan')).said).toContain('No changes.')
  })

  it.each(kinds.map(({ kind }) => kind))(
    'resources/%s is valid, applied, and leaves nothing to do',
    async (kind) => {
      const here = await withExample(`resources/${kind}`)
      await here.expect(0, 'validate')
      await here.apply()
      await here.expectNoChanges()
      expect((await here.expect(0, 'destroy', '-auto-approve')).said).toContain('Destroy complete!')
    },
  )

  it.each(kinds.map(({ kind }) => kind))('resources/%s can be imported as import.sh says', async (kind) => {
    const here = await withExample(`resources/${kind}`)
    const [line = ''] =
      /^terraform .*$/m.exec(await readFile(join(EXAMPLES, 'resources', kind, 'import.sh'), 'utf8')) ?? []
    const { said } = await here.expect(0, ...line.split(' ').slice(1))
    expect(said).toContain('Import successful!')
  })

  it('data-sources can be read with the key of the organization, and one with the own key', async () => {
    const own = 'user_access_list_entry.tf'
    const here = await withExample('data-sources', { leaveOut: (name) => name === own })
    await here.expect(0, 'validate')
    await here.apply()
    const outputs = JSON.parse((await here.expect(0, 'output', '-json')).stdout)
    expect(Object.keys(outputs)).toHaveLength(dataSources.length - 1)
    expect(outputs).toMatchObject({
      raw_event: { value: { note: 'not a contract' } },
      processes_behind: { value: ['db1'] },
      reporting_addresses: { value: ['192.0.2.0/24', '198.51.100.7/32'] },
    })
    const ownKey = {
      DEPLOYMGMT_PUBLIC_KEY: personalKey.publicKey,
      DEPLOYMGMT_PRIVATE_KEY: personalKey.privateKey,
    }
    const alone = await withExample('data-sources', {
      env: ownKey,
      leaveOut: (name) => ![own, 'versions.tf'].includes(name),
    })
    await alone.apply()
    expect(JSON.parse((await alone.expect(0, 'output', '-json')).stdout)).toMatchObject({
      own_address_is_listed: { value: true },
    })
  })
})
