import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { type Socket, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { StartedProvider, temporaryFolder } from './support/plugin-host.ts'
import { Workspace, noTerraform } from './support/workspace.ts'

const reason = noTerraform === undefined ? '' : ` (skipped: ${noTerraform})`

const THING = `
resource "toy_thing" "one" {
  name   = "first"
  size   = 0.1
  labels = { a = "b" }
  secret = "canary"
  parts  = [{ kind = "wheel", weights = [9007199254740993, 1.5] }]
}

resource "toy_thing" "two" {
  name   = "second"
  labels = { other = toy_thing.one.id }
}

output "one" {
  value = toy_thing.one
}
`

describe.skipIf(noTerraform !== undefined)(`the real Terraform${reason}`, () => {
  it('plans, applies, finds nothing to change, refuses, changes and destroys', async () => {
    const workspace = new Workspace()
    workspace.write(THING)
    expect(await workspace.run('init')).toMatchObject({ code: 0 })
    expect(await workspace.run('validate')).toMatchObject({ code: 0 })
    const applied = await workspace.run('apply', '-auto-approve')
    expect(applied.output).toMatch(/2 added, 0 changed, 0 destroyed/)
    expect(await workspace.run('plan')).toMatchObject({ output: expect.stringMatching(/No changes\./) })
    const shown = await workspace.run('output', '-json')
    expect(shown.output).toMatch(/9007199254740993/)
    expect(shown.output).toMatch(/"size": 0\.1\b/)
    expect(JSON.parse(shown.output)).toMatchObject({ one: { value: { id: 'thing-first', secret: null } } })

    workspace.write(THING.replace('0.1', '0.30000000000000000001'))
    const changed = await workspace.run('apply', '-auto-approve')
    expect(changed.output).toMatch(/0 added, 1 changed, 0 destroyed/)

    workspace.write(THING.replace('"second"', '"refused"'))
    const refused = await workspace.run('plan')
    expect(refused.code).toBe(1)
    expect(refused.output).toMatch(/Error: No such name\n\n +with toy_thing\.two,\n +on main\.tf line \d+/)

    workspace.write(THING.replace('"second"', '"broken"'))
    const broken = await workspace.run('apply', '-auto-approve')
    expect(broken.output).toMatch(/Error: The provider could not apply a change/)
    expect(broken.output).toMatch(/The toy is broken\./)

    const destroyed = await workspace.run('destroy', '-auto-approve')
    expect(destroyed.output).toMatch(/Destroy complete! Resources: 1 destroyed/)
    expect(readdirSync(workspace.folder).filter((name) => name.startsWith('terraform-provider-'))).toEqual([])
  })

  it('leaves no provider behind when it is killed', async () => {
    const report = await reports()
    const workspace = new Workspace({ TOY_REPORT: report.path })
    workspace.write('resource "toy_thing" "slow" {\n  name = "slow"\n}\n')
    expect(await workspace.run('init')).toMatchObject({ code: 0 })
    const terraform = workspace.start('apply', '-auto-approve')
    const provider = await report.begun
    const ended = once(provider, 'close')
    terraform.kill('SIGKILL')
    // The connection is the provider's: it closes when the provider ends.
    await ended
    await terraform.output
  })

  it('uses a provider that runs already', async () => {
    const provider = new StartedProvider({ arguments: ['reattach'] })
    const [, value = ''] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(await provider.line()) ?? []
    const workspace = new Workspace({ TF_REATTACH_PROVIDERS: value })
    workspace.write(THING)
    for (const command of ['apply', 'destroy']) {
      const { output } = await workspace.run(command, '-auto-approve')
      expect(output).toMatch(/complete! Resources: (?:2 added|2 destroyed|0 added, 0 changed, 2 destroyed)/)
    }
    expect(provider.process.exitCode).toBe(null)
  })
})

/** A place where a slow call of the toy says that it has begun, over a connection that lives as long as the toy. */
const reports = async (): Promise<{ path: string; begun: Promise<Socket> }> => {
  const path = join(temporaryFolder(), 'report.sock')
  const server = createServer()
  const begun = once(server, 'connection').then(([socket]) => (socket as Socket).resume())
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { path, begun }
}
