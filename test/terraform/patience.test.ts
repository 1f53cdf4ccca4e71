/** How long the provider waits for the service, and what its log says about that. */
import { describe, expect, it, onTestFinished } from 'vitest'
import { CI, failing, install } from '../support/installation.ts'
import { noisy } from './support/hcl.ts'
import { serveProvider } from './support/provider.ts'
import { noTerraform } from './support/terraform.ts'
import { workspaceIn } from './support/workspace.ts'

/** A workspace, and the lines that its provider logs. */
const logged = async () => {
  const here = await install()
  onTestFinished(() => here.close())
  const lines: string[] = []
  const reattach = await serveProvider(here.env, (line) => lines.push(line))
  return { lines, ...workspaceIn(here, { ...here.env, TF_REATTACH_PROVIDERS: reattach }) }
}

const provider = (line: string) => `provider "deploymgmt" {\n  ${line}\n}\n`

describe.skipIf(noTerraform)('the provider', () => {
  it('logs each request, retry and wait at the level of debugging, without a secret', async () => {
    const here = await logged()
    await here.configure(noisy())
    await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 503, count: 1 })
    await here.plan()
    const said = here.lines.map((line) => JSON.parse(line)).filter((line) => line['@level'] === 'debug')
    const messages = said.map((line) => String(line['@message']))
    const requests = (await here.requests()).log.map(
      ({ method, path, status }) => `${method} ${path} → ${status}`,
    )
    expect(messages.map((message) => message.replace(/ in \d+ ms.*/, '')).toSorted()).toEqual(
      requests.toSorted(),
    )
    expect(messages.join('\n')).toMatch(/→ 200 in .*attempt 2, after DM-SERVICE-FAILURE, waited \d+ ms/)
    expect(here.lines.join('')).not.toContain(CI.privateKey)
  })

  it('gives up a request after the time that its configuration says', async () => {
    const here = await logged()
    await here.configure(noisy(), provider('request_timeout_seconds = 1\n  retry_timeout_seconds = 0'))
    await failing(here, 'GET', 'alertConfigs', { fault: 'latency', ms: 86_400_000, count: 1 })
    const { said } = await here.expect(1, 'plan')
    expect(said).toContain('DM-DEADLINE')
  })

  it('sends nothing again where its configuration gives no time for that', async () => {
    const here = await logged()
    await here.configure(noisy(), provider('retry_timeout_seconds = 0'))
    await failing(here, 'GET', 'alertConfigs', { fault: 'status', status: 503, count: 1 })
    expect((await here.expect(1, 'plan')).said).toContain('DM-SERVICE-FAILURE')
    await here.expect(0, 'plan')
  })
})
