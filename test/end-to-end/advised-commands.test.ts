import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { none, one, windowsAt } from '../support/one-window.ts'
import { applied, begin, twoProjects, type Scene } from '../support/scene.ts'
import { QUIET, windowOf } from '../support/silence.ts'

/** A manifest that is found by its flag alone: what is advised without it means another one, or none. */
const ELSEWHERE = ['-f', 'our manifest.yaml']
const FLAGS = `-f 'our manifest.yaml'`

const AGENTS = [
  {
    typeName: 'AUTOMATION',
    hostname: 'db1.example.com',
    stateName: 'ACTIVE',
    confCount: 1,
    lastConf: '2026-10-01T00:00:00Z',
  },
]

const moveManifest = ({ folder }: Scene): Promise<void> =>
  rename(join(folder, 'deploymgmt.yaml'), join(folder, 'our manifest.yaml'))

const asOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')

it('a gate is waited for by the flags of the command that it stopped', async () => {
  const here = await begin({
    fixture: twoProjects({ agents: [] }),
    manifest: `${one()}gates: { payments: [agents-active] }\n`,
  })
  await moveManifest(here)
  const { code, stderr } = await here.run('apply', '--auto-approve', ...ELSEWHERE)
  expect(code).toBe(1)
  const advised = `deploymgmt wait agents --active --project payments ${FLAGS}`
  expect(asOneLine(stderr)).toContain(advised)
  await here.control('PUT', `projects/${PROJECT}/agents`, AGENTS)
  expect(await here.run('wait', 'agents', '--active', '--project', 'payments', ...ELSEWHERE)).toMatchObject({
    code: 0,
  })
})

it('a silence that is listed is ended by the flags of the list', async () => {
  const here = await begin({ manifest: none })
  await moveManifest(here)
  expect(await here.run(...QUIET, ...ELSEWHERE)).toMatchObject({ code: 0 })
  const { stdout } = await here.run('silence', 'list', ...ELSEWHERE)
  expect(stdout).toContain(`To end one: deploymgmt silence end ID ${FLAGS}\n`)
  const { id } = await windowOf(here)
  expect(await here.run('silence', 'end', id, ...ELSEWHERE)).toMatchObject({ code: 0 })
})

it('what nobody knows is disowned by the flags of the plan that met it', async () => {
  const here = await begin()
  await applied(here, one())
  await moveManifest(here)
  await rm(join(here.folder, 'deploymgmt.state.json'))
  await here.run('state', 'init', ...ELSEWHERE)
  for (const ran of [
    await here.run('plan', ...ELSEWHERE),
    await here.run('apply', '--auto-approve', ...ELSEWHERE),
  ]) {
    expect(ran.code).toBe(3)
    expect(asOneLine(ran.stdout)).toContain(`deploymgmt state disown --everything ${FLAGS}`)
    expect(asOneLine(ran.stdout)).toContain(
      `or say that it is not ours with deploymgmt state disown ${FLAGS};`,
    )
  }
  expect(await here.run('state', 'disown', '--everything', ...ELSEWHERE)).toMatchObject({ code: 0 })
  expect(await here.run('apply', '--auto-approve', ...ELSEWHERE)).toMatchObject({ code: 0 })
  expect(await windowsAt(here)).toHaveLength(2)
})
