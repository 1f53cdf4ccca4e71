import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PROJECT } from '../support/installation.ts'
import { none, one, windowsAt } from '../support/one-window.ts'
import { applied, begin, twoProjects, type Scene } from '../support/scene.ts'
import { QUIET, windowOf } from '../support/silence.ts'

/** A manifest that is only found with its flag: advice without the flag would mean another manifest, or none. */
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

/** Writes the lock of an unreachable machine, which nobody takes over. @returns its id */
const lockOfAnother = async ({ folder }: Scene, state = 'deploymgmt.state.json'): Promise<string> => {
  const [id, at] = ['8d90d4f8-80e4-4661-9451-8231c4c54357', '2026-10-01T00:00:00.000Z']
  const owner = { id, pid: 1, host: 'runner-7', boot: 'another', command: 'apply', at }
  await writeFile(join(folder, `${state}.lock`), JSON.stringify(owner))
  return id
}

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
  const [{ id }] = await windowsAt(here)
  for (const ran of [
    await here.run('plan', ...ELSEWHERE),
    await here.run('apply', '--auto-approve', ...ELSEWHERE),
  ]) {
    expect(ran.code).toBe(3)
    expect(asOneLine(ran.stdout)).toContain(`deploymgmt state disown --everything ${FLAGS}`)
    expect(asOneLine(ran.stdout)).toContain(
      `or say that it is not ours: deploymgmt state disown ${id} ${FLAGS}`,
    )
  }
  expect(await here.run('state', 'disown', '--everything', ...ELSEWHERE)).toMatchObject({ code: 0 })
  expect(await here.run('apply', '--auto-approve', ...ELSEWHERE)).toMatchObject({ code: 0 })
  expect(await windowsAt(here)).toHaveLength(2)
})

it('a state is begun by the flags of the command that found none', async () => {
  const here = await begin()
  await applied(here, one())
  await moveManifest(here)
  await rm(join(here.folder, 'deploymgmt.state.json'))
  const planned = await here.run('plan', ...ELSEWHERE)
  const said = asOneLine(planned.stdout)
  expect(said).toContain(`apply creates nothing until deploymgmt state init ${FLAGS} has made one`)
  // In the warning, and below what is blocked.
  expect(said.split(`begin with: deploymgmt state init ${FLAGS}`)).toHaveLength(3)
  const pulled = await here.run('state', 'pull', ...ELSEWHERE)
  expect(asOneLine(pulled.stderr)).toContain(`create one: deploymgmt state init ${FLAGS}`)
  expect(await here.run('state', 'init', ...ELSEWHERE)).toMatchObject({ code: 0 })
  here.env['DEPLOYMGMT_BASE_URL'] = 'https://other.example.com/api/public/v1.0'
  const mistaken = await here.run('plan', ...ELSEWHERE)
  expect(asOneLine(mistaken.stderr)).toContain(`start again with deploymgmt state init ${FLAGS};`)
})

it('a lock is removed by the flags of the command that it stopped', async () => {
  const here = await begin({ manifest: one() })
  await moveManifest(here)
  await here.run('state', 'init', ...ELSEWHERE)
  const id = await lockOfAnother(here)
  const stopped = await here.run('apply', '--auto-approve', ...ELSEWHERE)
  expect(stopped).toMatchObject({ code: 1 })
  expect(stopped.stderr).toContain(`run: deploymgmt state unlock ${id} ${FLAGS}\n`)
  const mistaken = await here.run('state', 'unlock', 'another', ...ELSEWHERE)
  expect(mistaken.stderr).toContain(`run: deploymgmt state unlock ${id} ${FLAGS}\n`)
  expect(await here.run('state', 'unlock', id, ...ELSEWHERE)).toMatchObject({ code: 0 })
})

it('a lock that stops an adoption is removed at the place that was named', async () => {
  const here = await begin({ manifest: none })
  const place = ['--state', 'other.json']
  await here.run('state', 'init', ...place)
  const id = await lockOfAnother(here, 'other.json')
  const { stderr } = await here.run('adopt', ...place)
  const words = ['-f', 'deploymgmt.yaml', '-f', 'deploymgmt.adopted.yaml', ...place]
  expect(stderr).toContain(`run: deploymgmt state unlock ${id} ${words.join(' ')}\n`)
  expect(await here.run('state', 'unlock', id, ...words)).toMatchObject({ code: 0 })
})

it('a lock that stops a copy is removed at the place that has it', async () => {
  const here = await begin({ manifest: one() })
  await here.run('state', 'init')
  const id = await lockOfAnother(here)
  const copied = await here.run('state', 'copy', '--from', 'deploymgmt.state.json', '--to', 'new place.json')
  expect(copied.stderr).toContain(`run: deploymgmt state unlock ${id} --state deploymgmt.state.json\n`)
  expect(await here.run('state', 'unlock', id, '--state', 'deploymgmt.state.json')).toMatchObject({ code: 0 })
})

it('a service or a state behind plain http is reached again by the flag that allowed it', async () => {
  const here = await begin({ manifest: one() })
  const planned = await here.run('plan', '--allow-http', '--out', 'saved')
  expect(planned.stderr).toMatch(/: deploymgmt apply saved --expect-sha256 [0-9a-f]{64} --allow-http\n/)
  here.env['DEPLOYMGMT_BASE_URL'] = 'http://opsmgr.invalid/api/public/v1.0'
  const begun = await here.run('state', 'init', '--state', 'new.json', '--allow-http')
  expect(begun.stderr).toContain('Next: deploymgmt plan --state new.json --allow-http\n')
  const id = await lockOfAnother(here, 'new.json')
  const words = ['mv', 'users.dana', 'users.dane', '--state', 'new.json']
  expect(await here.run('state', ...words)).toMatchObject({ code: 1 })
  const stopped = await here.run('state', ...words, '--allow-http')
  expect(stopped.stderr).toContain(`run: deploymgmt state unlock ${id} --state new.json --allow-http\n`)
})
