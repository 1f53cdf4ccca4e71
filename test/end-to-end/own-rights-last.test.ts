import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { CI_ID, ONCALL_ID, REPORTER } from '../support/people.ts'
import { windowsAt } from '../support/one-window.ts'
import { applied, begin, type Scene } from '../support/scene.ts'

const OWNER = '--allow-owner-removal'
const WORDS = ['--auto-approve', '--concurrency', '1', OWNER]
const HEAD = `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\n`

const key = (name: string, apiKeyId: string, desc: string, role: string): string =>
  `  ${name}: { apiKeyId: ${apiKeyId}, desc: "${desc}", roles: [${role}] }\n`
/** The first one is the calling key. */
const keys = (own: string, desc: string, ownDesc = 'CI'): string =>
  `apiKeys:\n${key('ci', CI_ID, ownDesc, own)}${key('oncall', ONCALL_ID, desc, 'ORG_OWNER')}`
const window = (name: string, year: number, description = name): string =>
  `  ${name}: { projectId: payments, alertTypeNames: [HOST], startDate: ${year}-01-06T02:00:00Z, endDate: ${year}-01-06T04:00:00Z, description: "${description}" }\n`

/** The path of the last successful write. */
const lastWrite = async (here: Scene): Promise<string | undefined> =>
  (await here.requests()).log.findLast(({ method, status }) => method !== 'GET' && status < 300)?.path

describe('the owner role of the calling key is taken last', () => {
  it('so that nothing else of the apply lacks it', async () => {
    const here = await begin()
    await applied(here, HEAD + keys('ORG_OWNER', 'before'))
    await here.manifest(HEAD + keys('ORG_MEMBER', 'after'))
    expect(await here.run('apply', ...WORDS)).toMatchObject({ code: 0 })
    expect(await lastWrite(here)).toContain(CI_ID)
  })

  it('where only the first answer of an adoption tells whose key it is', async () => {
    const here = await begin({ manifest: HEAD + keys('ORG_MEMBER', 'after') })
    expect(await here.run('apply', ...WORDS)).toMatchObject({ code: 0 })
    expect(await lastWrite(here)).toContain(CI_ID)
  })

  it('behind releases, also where it waits for what the apply creates', async () => {
    const here = await begin()
    const before = `${keys('ORG_OWNER', 'a')}maintenanceWindows:\n${window('gone', 2035)}`
    await applied(here, HEAD + before)
    const after = keys('ORG_MEMBER', 'b', '${maintenanceWindows.w.id}')
    await here.manifest(`${HEAD}${after}maintenanceWindows:\n${window('w', 2036)}`)
    expect(await here.run('apply', ...WORDS, '--allow-mass-change')).toMatchObject({ code: 0 })
    expect(await lastWrite(here)).toContain(CI_ID)
  })

  it('and what refers to such a key is done in the same apply, as its plan says', async () => {
    const here = await begin()
    const reporter = `apiKeys:\n  reporter: { apiKeyId: ${REPORTER}, roles: [ORG_MEMBER] }\n`
    const by = window('w', 2035, 'by ${apiKeys.reporter.publicKey}')
    await here.manifest(`${HEAD}${reporter}maintenanceWindows:\n${by}`)
    expect(await here.run('apply', ...WORDS)).toMatchObject({ code: 0 })
    expect(await windowsAt(here)).toMatchObject([{ description: 'by reporter' }])
  })

  it('where its entry allows it itself', async () => {
    const here = await begin()
    const file = 'cdktf.out/stacks/test/cdk.tf.json'
    const write = async (own: object, desc: string): Promise<void> => {
      const deploymgmt = { source: 'deploymgmt/deploymgmt', version: '0.1.0' }
      const stack = {
        '//': { metadata: { backend: 'local', stackName: 'test', version: '0.21.0' } },
        terraform: { required_providers: { deploymgmt } },
        provider: { deploymgmt: [{ org_id: ORG, base_url: here.env['DEPLOYMGMT_BASE_URL'] }] },
        resource: {
          deploymgmt_api_key: {
            ci: { org_id: ORG, api_key_id: CI_ID, desc: 'CI', ...own },
            oncall: { org_id: ORG, api_key_id: ONCALL_ID, desc, roles: ['ORG_OWNER'] },
          },
        },
      }
      await mkdir(dirname(join(here.folder, file)), { recursive: true })
      await writeFile(join(here.folder, file), JSON.stringify(stack))
    }
    await write({ roles: ['ORG_OWNER'] }, 'before')
    const words = ['-f', file, '--auto-approve', '--concurrency', '1']
    expect(await here.run('apply', ...words)).toMatchObject({ code: 0 })
    await write({ roles: ['ORG_MEMBER'], allow: ['owner-removal'] }, 'after')
    expect(await here.run('apply', ...words)).toMatchObject({ code: 0 })
    expect(await lastWrite(here)).toContain(CI_ID)
  })
})
