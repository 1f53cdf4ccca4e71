/** A request that a person has to decide about hides nothing else from a drift report. */
import { describe, expect, it } from 'vitest'
import { manifestWith, PROJECT } from '../support/installation.ts'
import { begin, type Scene } from '../support/scene.ts'
import { line } from './support/two-windows.ts'
import { namedIn } from './support/unknown.ts'

const LOST = 'maintenanceWindows.lost'
const NOISY = 'alertConfigurations.noisy'
const manifest = manifestWith({
  apiKeys: '',
  users: '',
  integrations: '',
  maintenanceWindows: line('lost', '02'),
})

/** A window was made and nobody can tell, or was not; everything else is applied. */
const stuck = async (fault: string, settings: Record<string, string>): Promise<Scene> => {
  const here = await begin({ settings, manifest })
  await here.control('POST', 'faults', { method: 'POST', path: 'maintenanceWindows', count: 1, fault })
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 3 })
  await here.control('DELETE', 'faults')
  await here.control('POST', 'clock', { advance: 'PT1M' })
  await here.outside('PATCH', `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`, { enabled: true })
  return here
}

describe('drift beside a request that nobody can settle', () => {
  it.each([
    ['took effect', 'reset-after', { 'open.events': 'none' }],
    ['took none', 'reset-before', { 'open.events': 'none' }],
  ])(
    'reports everything else, names the commands, and ends with exit 3: it %s',
    async (_, fault, settings) => {
      const here = await stuck(fault, settings)
      const { code, document, stderr } = await here.json('drift', '--unmanaged=report')
      expect({ code, named: namedIn(stderr) }).toEqual({ code: 3, named: [LOST] })
      expect(document).toMatchObject({ exitCode: 3, inSync: false })
      const said = document.resources.map(({ address, verdict }: any) => [address, verdict])
      expect(said).toEqual(expect.arrayContaining([[NOISY, 'drifted']]))
      expect(said.map(([address]: string[]) => address)).not.toContain(LOST)
      expect(document.warnings).toContainEqual(expect.stringContaining(`POST for ${LOST}`))
      expect(document.unmanaged.filter(({ kind }: any) => kind === 'maintenance_window')).toEqual([])
      expect((await here.run('drift')).stdout).toContain(NOISY)
      expect((await here.run('plan')).stdout).toBe('')
    },
  )

  it('is not accepted by drift accept', async () => {
    const here = await stuck('reset-after', { 'open.events': 'none' })
    const { code, stderr } = await here.run('drift', 'accept', NOISY, '--reason', 'known')
    expect(code).toBe(3)
    expect(stderr).toContain('DM-UNKNOWN-OUTCOME')
  })
})
