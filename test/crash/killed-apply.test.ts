import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import type { Scene } from '../support/scene.ts'
import { after, before, filesIn, killAt, resolveAll, scene, expectRecovered } from './support/kill.ts'
import { namedIn, resolveLater, unknownIn } from './support/unknown.ts'

let here: Scene

const STATE = 'deploymgmt.state.json'
/** The writes of an apply of all five kinds, in the order in which a single worker sends them. */
const WRITES = [
  'apiKeys.reporting',
  'apiKeys.reporting',
  'users.dana',
  'alertConfigurations.host-down[5d1113b25a115342acc2d0f3]',
  'alertConfigurations.noisy',
  'maintenanceWindows.migration',
  'integrations.old-chat',
]
const FATES = [
  ['before the service has it', before],
  ['after the service has committed it', after],
] as const
/** Only a creation that never arrived needs a person: a creation that did arrive has an event that names its thing. */
const needsPerson = (address: string, fate: unknown): boolean =>
  /^(?:users|maintenanceWindows)\./.test(address) && fate === before

const CASES = WRITES.flatMap((address, index) =>
  FATES.map(([when, fate]) => ({ n: index + 1, address, when, fate })),
)

describe('an apply of all five kinds that is killed', () => {
  it.each(CASES)('at write $n ($address), $when, loses and repeats nothing', async ({ n, address, fate }) => {
    here = await scene()
    await killAt(here, ({ write }) => write === n, fate)
    expect(await unknownIn(here)).toEqual([address])
    const plan = await here.run('plan')
    const waiting = needsPerson(address, fate) ? [address] : []
    expect([plan.code, namedIn(plan.stderr)]).toEqual([waiting.length > 0 ? 3 : 0, waiting])
    await resolveAll(here, waiting)
    await expectRecovered(here)
    expect(await filesIn(here)).toEqual([STATE, 'deploymgmt.yaml'])
  })

  it.each(FATES)(
    'blames nobody for a change to an adopted thing that the apply itself was about to make, %s',
    async (_, fate) => {
      here = await scene()
      const address = 'alertConfigurations.noisy'
      await killAt(here, ({ write }) => write === WRITES.indexOf(address) + 1, fate)
      const { document } = await here.json('drift')
      const told = document.resources.find((each: any) => each.address === address)
      expect([told?.verdict, told?.actor]).not.toContain('drifted')
      expect(document.toBeSettled).toMatchObject([{ address }])
      const plan = (await here.json('plan')).document
      expect(JSON.stringify(plan.changes)).not.toMatch(/no event shows who did it/)
      expect((await here.run('plan')).stdout).not.toMatch(/changed outside/i)
      await expectRecovered(here)
    },
  )

  it('still names who has changed it back since', async () => {
    here = await scene()
    const address = 'alertConfigurations.noisy'
    await killAt(here, ({ write }) => write === WRITES.indexOf(address) + 1, after)
    const path = `/groups/${PROJECT}/alertConfigs/5d1113b25a115342acc2d1aa`
    await here.outside('PATCH', path, { enabled: true })
    const { document } = await here.json('drift')
    const told = document.resources.find((each: any) => each.address === address)
    expect(told).toMatchObject({ verdict: 'drifted', actor: { publicKey: 'oncall' } })
    await expectRecovered(here)
  })

  it('is taken over with a notice, and what the journal holds is replayed with no request', async () => {
    here = await scene()
    await killAt(here, ({ write }) => write === 6, before)
    await here.forgetRequests()
    const { code, stderr } = await resolveLater(here, 'maintenanceWindows.migration', '--not-created')
    expect(code).toBe(0)
    expect(stderr).toMatch(
      /Took over the lock of "apply" \(process \d+ on .*\), which is no longer running\./,
    )
    expect(stderr).toMatch(/Took \d results of an earlier command from the journal\./)
    expect((await here.requests()).log).toEqual([])
    const { resources } = await here.state()
    expect(Object.keys(resources)).toEqual(
      expect.arrayContaining(['apiKeys.reporting', 'users.dana', 'alertConfigurations.noisy']),
    )
  })

  it('and killed again in its recovery, again and again, still loses and repeats nothing', async () => {
    here = await scene()
    for (const n of [4, 1, 1]) await killAt(here, ({ write }) => write === n, after)
    expect(await unknownIn(here)).toHaveLength(1)
    await expectRecovered(here)
  })

  it('before its first write has sent nothing, and is planned again', async () => {
    here = await scene()
    await killAt(here, ({ path }) => path.includes('/integrations'), before)
    expect(await here.run('plan')).toMatchObject({ code: 0 })
    await expectRecovered(here)
  })

  it('keeps no secret in what it leaves behind', async () => {
    here = await scene()
    await killAt(here, ({ path, write }) => write > 0 && path === '/users', after)
    const names = (await filesIn(here)).filter((name) => name !== 'deploymgmt.yaml')
    expect(names).toEqual(['deploymgmt.state.journal', STATE, `${STATE}.lock`])
    const texts = await Promise.all(names.map((name) => readFile(join(here.folder, name), 'utf8')))
    expect(texts.join('\n')).not.toContain('canary')
  })
})
