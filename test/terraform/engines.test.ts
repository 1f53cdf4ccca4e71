import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { install, ORG } from '../support/installation.ts'
import { apps, run } from '../constructs/support/consumer.ts'
import { begin } from './support/workspace.ts'
import { noTerraform, unzipped } from './support/terraform.ts'
import { writesIn } from '../support/scene.ts'

const examples = join(import.meta.dirname, '..', '..', 'examples', 'typescript')

/** The installation of the examples, with the caller that the tests use. */
const installation = async (): Promise<object> => {
  const fixture = load(await readFile(join(examples, 'fixture.yaml'), 'utf8')) as {
    organizations: { apiKeys: object[] }[]
  }
  const roles = [{ roleName: 'ORG_OWNER', orgId: ORG }]
  const caller = { publicKey: 'ciadmin', privateKey: '9d2c2a3e-canary-0001' }
  const [first, ...others] = fixture.organizations
  const key = { ...first?.apiKeys[0], ...caller, roles, accessList: [] }
  return {
    ...fixture,
    organizations: [{ ...first, apiKeys: [key, ...(first?.apiKeys.slice(1) ?? [])] }, ...others],
  }
}

const synthesize = async (app: string): Promise<string> => {
  const outdir = await mkdtemp(join(tmpdir(), 'deploymgmt-synth-'))
  await run(process.execPath, [join(examples, app)], {
    // A stack keeps its state where it was synthesized, so each run needs a folder of its own.
    cwd: outdir,
    env: { ...process.env, CDKTF_OUTDIR: outdir },
  })
  const [stack = ''] = await readdir(join(outdir, 'stacks'))
  return join(outdir, 'stacks', stack, 'cdk.tf.json')
}

const PASSWORDS = { TF_VAR_dana_password: 'Correct-Horse-7-canary' }

describe.skipIf(noTerraform)('what constructs synthesize', () => {
  it.each(apps)('sends the same writes by Terraform and by deploymgmt alone: %s', async (app) => {
    const synthesized = await synthesize(app)
    const fixture = await installation()
    const terraform = await begin({ fixture, env: PASSWORDS })
    await cp(synthesized, join(terraform.folder, 'cdk.tf.json'))
    await terraform.expect(0, 'init', '-input=false')
    await terraform.forgetRequests()
    await terraform.expect(0, 'plan', '-out=saved.plan', '-input=false')
    const shown = (await terraform.expect(0, 'show', '-json', 'saved.plan')).stdout
    expect(shown + (await unzipped(join(terraform.folder, 'saved.plan')))).not.toMatch(/canary/)
    await terraform.expect(0, 'apply', '-input=false', 'saved.plan')
    expect((await terraform.expect(0, 'state', 'pull')).stdout).not.toMatch(/canary/)
    const alone = await install({ fixture })
    Object.assign(alone.env, PASSWORDS)
    await cp(synthesized, join(alone.folder, 'cdk.tf.json'))
    await alone.run('state', 'init', '-f', 'cdk.tf.json')
    await alone.forgetRequests()
    const applied = await alone.run('apply', '--auto-approve', '-f', 'cdk.tf.json')
    expect(`${applied.code} ${applied.stderr}`).toMatch(/^0 /)
    const writes = await Promise.all(
      // The two engines work in parallel, each in its own order.
      [terraform, alone].map(async (each) => (await writesIn(each)).toSorted()),
    )
    expect(writes[0]?.length).toBeGreaterThan(0)
    expect(writes[1]).toEqual(writes[0])
    expect((await alone.run('plan', '--detailed-exitcode', '-f', 'cdk.tf.json')).code).toBe(0)
    await terraform.expect(0, 'plan', '-detailed-exitcode', '-input=false')
    await alone.close()
    await rm(join(synthesized, '..', '..', '..'), { recursive: true })
  })
})
