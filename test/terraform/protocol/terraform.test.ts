import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { noTerraform, runTerraform, type Ran } from '../support/terraform.ts'
import { StartedProvider, temporaryFolder } from './support/plugin-host.ts'

const THING = `
terraform {
  required_providers {
    toy = {
      source = "example/toy"
    }
  }
}

resource "toy_thing" "one" {
  name   = "first"
  size   = 0.1
  labels = { a = "b" }
  secret = "canary"
  parts  = [{ kind = "wheel", weights = [9007199254740991, 1.5, 1e21, 0.00000025] }]
}

resource "toy_thing" "two" {
  name   = "second"
  labels = { other = toy_thing.one.id }
}

output "one" {
  value = toy_thing.one
}
`

describe.skipIf(noTerraform)('the real Terraform, with a provider that runs already', () => {
  it('plans, applies, finds nothing to change, refuses, changes and destroys', async () => {
    const provider = new StartedProvider({ arguments: ['reattach'] })
    const [, value = ''] = /^TF_REATTACH_PROVIDERS='(.*)'$/.exec(await provider.line()) ?? []
    const cwd = temporaryFolder()
    const run = (...words: string[]): Promise<Ran> =>
      runTerraform(words, { cwd, env: { TF_REATTACH_PROVIDERS: value } })
    const write = (text: string): void => writeFileSync(join(cwd, 'main.tf'), text)

    write(THING)
    expect(await run('validate')).toMatchObject({ code: 0 })
    const applied = await run('apply', '-auto-approve')
    expect(applied.said).toMatch(/2 added, 0 changed, 0 destroyed/)
    expect(await run('plan')).toMatchObject({ said: expect.stringContaining('No changes.') })
    const { stdout } = await run('output', '-json')
    expect(stdout).toMatch(/9007199254740991/)
    expect(stdout).toMatch(/"size": 0\.1\b/)
    expect(JSON.parse(stdout)).toMatchObject({ one: { value: { id: 'thing-first', secret: null } } })

    write(THING.replace('0.1', '0.3'))
    const changed = await run('apply', '-auto-approve')
    expect(changed.said).toMatch(/0 added, 1 changed, 0 destroyed/)

    write(THING.replace('"second"', '"refused"'))
    const refused = await run('plan')
    expect(refused.code).toBe(1)
    expect(refused.said).toMatch(/Error: No such name with toy_thing\.two, on main\.tf line \d+/)

    write(THING.replace('"second"', '"broken"'))
    const broken = await run('apply', '-auto-approve')
    expect(broken.said).toMatch(/Error: The provider could not apply a change/)
    expect(broken.said).toMatch(/The toy is broken\./)

    const destroyed = await run('destroy', '-auto-approve')
    expect(destroyed.said).toMatch(/Destroy complete! Resources: 1 destroyed/)
    expect(provider.process.exitCode).toBe(null)
  })
})
