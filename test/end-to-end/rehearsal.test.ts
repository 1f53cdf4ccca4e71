import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startService } from '@deploymgmt/service'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runHere } from '../support/command.ts'
import { ORG, PROJECT } from '../support/installation.ts'
import { only, OTHER_PROJECT } from '../support/scene.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'deploymgmt-'))
})
afterEach(() => rm(folder, { recursive: true }))

const run = (...words: string[]) => runHere({ folder, env: {} }, [...words, '--local'])
const window = (name: string, project: string): string =>
  `  ${name}: { projectId: ${project}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z }`
const declare = (...entries: string[]): Promise<void> =>
  writeFile(join(folder, 'deploymgmt.yaml'), only('maintenanceWindows', entries.join('\n')))
const data = (): string => join(folder, '.deploymgmt', 'local.sqlite')

/** The number of windows in each project of the rehearsal. */
const held = async (): Promise<Record<string, number>> => {
  const service = await startService({ data: data(), control: true })
  try {
    const headers = { authorization: `Bearer ${service.controlToken}` }
    const dump: any = await (await fetch(`${service.controlUrl}/dump`, { headers })).json()
    return Object.fromEntries(
      dump.projects.map(({ id, maintenanceWindows }: any) => [id, maintenanceWindows.length]),
    )
  } finally {
    await service.close()
  }
}

it('a rehearsal without a state is told the commands that begin one', async () => {
  await declare(window('a', PROJECT))
  expect((await run('drift')).stderr).toContain(
    'deploymgmt state init --local, then: deploymgmt apply --local',
  )
  expect((await run('plan')).stdout.replaceAll(/\s+/g, ' ')).toContain(
    'until deploymgmt state init --local has',
  )
})

it('a rehearsal creates a user without the password, which stands nowhere afterwards', async () => {
  const password = 'a-password-of-a-person-7'
  const user = `  dana: { username: dana@example.com, emailAddress: dana@example.com, firstName: Dana, lastName: Reyes, mobileNumber: '2125550198', password: { env: DANA }, roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }] }`
  await writeFile(join(folder, 'deploymgmt.yaml'), only('users', user))
  await run('state', 'init')
  const words = ['apply', '--auto-approve', '--local']
  expect((await runHere({ folder, env: {} }, words)).stderr).toContain('DANA is not set')
  expect(await runHere({ folder, env: { DANA: password } }, words)).toMatchObject({ code: 0 })
  for (const name of await readdir(join(folder, '.deploymgmt')))
    expect(await readFile(join(folder, '.deploymgmt', name), 'latin1')).not.toContain(password)
})

describe('a rehearsal', () => {
  beforeEach(async () => {
    await declare(window('a', PROJECT))
    await run('state', 'init')
    await run('apply', '--auto-approve')
  })

  it('keeps what it holds when the manifests name another project', async () => {
    await declare(window('a', PROJECT), window('b', OTHER_PROJECT))
    expect(await run('apply', '--auto-approve')).toMatchObject({ code: 0 })
    expect(await held()).toEqual({ [PROJECT]: 1, [OTHER_PROJECT]: 1 })
    expect(await readdir(join(folder, '.deploymgmt'))).toEqual(['local.sqlite', 'local.state.json'])
  })

  it('keeps what it holds when an organization that is named later is refused', async () => {
    expect(await held()).toEqual({ [PROJECT]: 1 })
    const key = `apiKeys:\n  ci: { apiKeyId: 5c47503320eef5699e1cce8f, orgId: no-id-of-an-organization, desc: ci }`
    await declare(window('a', PROJECT), window('b', OTHER_PROJECT), key)
    expect(await run('plan')).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-SERVE') })
    expect(await held()).toEqual({ [PROJECT]: 1 })
  })

  it('begins anew with what a kill left half built beside it', async () => {
    await writeFile(`${data()}.new`, 'half a')
    await writeFile(`${data()}.new-wal`, 'half a')
    await declare(window('a', PROJECT), window('b', OTHER_PROJECT))
    expect(await run('plan')).toMatchObject({ code: 0 })
    expect(await held()).toEqual({ [PROJECT]: 1, [OTHER_PROJECT]: 0 })
    expect(await readdir(join(folder, '.deploymgmt'))).toEqual(['local.sqlite', 'local.state.json'])
  })
})
