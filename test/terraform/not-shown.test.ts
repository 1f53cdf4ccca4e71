/** A field that the answers of a service leave out, though an endpoint shows the thing. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { HOST_DOWN, hostDown, NOISY, noisy } from './support/hcl.ts'
import { betweenThem } from './support/proxied.ts'
import { noTerraform } from './support/terraform.ts'
import { begin, type Workspace } from './support/workspace.ts'

/** Applies with a service that does not show whether a configuration is enabled, or not in these answers. */
const appliedUnshown = async (
  hcl: string,
  isMeant: (method: string) => boolean = () => true,
): Promise<Workspace> => {
  const here = await begin()
  await here.configure(hcl)
  const proxy = await betweenThem(here)
  proxy.steer(async ({ method }, forward) => {
    const { body, ...passed } = await forward()
    if (!isMeant(method)) return { ...passed, body }
    return { ...passed, body: body.toString().replaceAll(/"enabled":(?:true|false),?/g, '') }
  })
  await here.apply()
  return here
}

describe.skipIf(noTerraform)('a field that is not shown', () => {
  it.each([
    ['one configuration', noisy(), NOISY, 'alert_configuration.noisy', 'enabled', false],
    [
      'what a selector matches',
      hostDown(),
      HOST_DOWN,
      'alert_configuration.host_down',
      'configurations',
      { [HOST_DOWN]: true },
    ],
  ])('of %s is as recorded, and asserted again after an event', async (_, hcl, id, address, name, value) => {
    const here = await appliedUnshown(hcl)
    expect(await here.newWrites()).toHaveLength(1)
    expect(await here.state(address)).toMatchObject({ [name]: value, evidence: 'recorded', present: true })
    await here.expectNoChanges()
    await here.apply('-refresh-only')
    expect(await here.state(address)).toMatchObject({ [name]: value, evidence: 'recorded', present: true })
    expect(await here.newWrites()).toEqual([])
    await here.control('POST', 'clock', { advance: 'PT1M' })
    await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${id}`, { enabled: id === NOISY })
    await here.newWrites()
    const { changes, said } = await here.plan()
    expect(changes).toMatchObject([{ actions: ['update'], after: { enabled: id !== NOISY } }])
    expect(said).toContain('by key "oncall"')
    expect(said).toContain(`Alert configuration ${PROJECT}/${id}`)
    await here.expect(0, 'apply', 'saved.plan')
    expect(await here.newWrites()).toHaveLength(1)
    await here.expectNoChanges()
  })

  it.each([
    ['one configuration', noisy(), 'alert_configuration.noisy'],
    ['what a selector matches', hostDown({ enabled: 'false' }), 'alert_configuration.host_down'],
  ])('of %s is as recorded where only the answer to its write shows it', async (_, hcl, address) => {
    const here = await appliedUnshown(hcl, (method) => method === 'GET')
    expect(await here.newWrites()).toHaveLength(1)
    expect(await here.state(address)).toMatchObject({ evidence: 'recorded' })
    await here.apply('-refresh-only')
    expect(await here.state(address)).toMatchObject({ evidence: 'recorded' })
  })

  it('is not said to be unset where somebody may have changed it after the plan', async () => {
    const here = await appliedUnshown(noisy())
    const main = await here.read('main.tf')
    await writeFile(join(here.folder, 'main.tf'), main.replace('enabled = false', 'enabled = true'))
    await here.plan()
    for (const enabled of [true, false])
      await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/${NOISY}`, { enabled })
    const { said } = await here.expect(1, 'apply', 'saved.plan')
    expect(said).toMatch(/DM-PLAN-STALE: somebody else changed [^:]*: enabled \(key "oncall"/)
  })
})
