import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openSession } from '../../reconciler/state/index.ts'
import { put } from '../reconciler/state/support/samples.ts'
import { bareRepository } from '../support/git.ts'
import { manifestWith } from '../support/installation.ts'
import { beginApplied } from '../support/scene.ts'

const PULL = ['state', 'pull', '--output', 'kept.json']
const PUSH = ['state', 'push', 'kept.json']
const STATE = 'deploymgmt.state.json'

it('a state that was pulled is put back where there is none, as docs/state-repair.md tells', async () => {
  const here = await beginApplied(manifestWith())
  const page = await readFile(new URL('../../docs/state-repair.md', import.meta.url), 'utf8')
  for (const words of [PULL, PUSH]) expect(page).toContain(`deploymgmt ${words.join(' ')}\n`)
  const before = await here.state()
  await here.run(...PULL)
  expect(await here.run(...PUSH)).toMatchObject({
    code: 0,
    stderr: `${STATE} already has the state of kept.json, serial ${before.serial}; nothing was written.\nNext: deploymgmt plan\n`,
  })
  await rm(join(here.folder, STATE))
  expect(await here.run(...PUSH)).toMatchObject({
    code: 0,
    stderr: `The state of kept.json is now at ${STATE}, serial ${before.serial}.\nNext: deploymgmt plan\n`,
  })
  expect((await here.run(...PUSH, '-f', '.')).stderr).toMatch(/\nNext: deploymgmt plan -f \.\/\n$/)
  expect(await here.state()).toStrictEqual(before)
  expect(await here.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 })
})

it('that is done in another store, too, and with no manifest', async () => {
  const here = await beginApplied(manifestWith())
  const place = `git+file://${await bareRepository()}#state`
  await here.run(...PULL)
  await rm(join(here.folder, 'deploymgmt.yaml'))
  expect(await here.run(...PUSH, '--state', place)).toMatchObject({ code: 0 })
  expect(JSON.parse((await here.run('state', 'pull', '--state', place)).stdout)).toStrictEqual(
    await here.state(),
  )
})

it('where another state is, it is refused with the serials of one history, and the lineages of two', async () => {
  const here = await beginApplied(manifestWith())
  await here.run(...PULL)
  const kept = await here.state()
  await here.run('state', 'forget', 'users.dana')
  const later = await here.state()
  const refused = await here.run(...PUSH)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('DM-STATE-CONFLICT') })
  expect(refused.stderr).toContain(
    `there is already one with the same history (serial ${later.serial}, but the file has ${kept.serial})`,
  )
  await writeFile(join(here.folder, 'kept.json'), JSON.stringify({ ...kept, lineage: 'another' }))
  const { stderr } = await here.run(...PUSH)
  expect(stderr).toContain(`of another history (lineage ${kept.lineage}, and that of the file is another)`)
  expect(await here.state()).toStrictEqual(later)
})

it('where only a journal is, it is refused, for a command may have begun there', async () => {
  const here = await beginApplied(manifestWith())
  await here.run(...PULL)
  const statePath = join(here.folder, STATE)
  await rm(statePath)
  const session = await openSession({
    statePath,
    expect: { name: 'test', baseUrl: here.baseUrl },
    command: 'apply',
  })
  await session.effects([put('things.a')])
  await session.close()
  expect(await here.run(...PUSH)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/DM-STATE-CONFLICT: .*there is already a journal/),
  })
  expect(existsSync(statePath)).toBe(false)
})

it('a state of another manifest is not pushed, and a file that is no state is called just that', async () => {
  const here = await beginApplied(manifestWith())
  await here.run(...PULL)
  await rm(join(here.folder, STATE))
  await here.manifest(manifestWith().replace('name: test', 'name: other'))
  expect(await here.run(...PUSH)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to the manifest "test"'),
  })
  await writeFile(join(here.folder, 'kept.json'), '{"a": 1}')
  const { stderr } = await here.run(...PUSH)
  expect(stderr).toContain('the file cannot be pushed: it is neither a rescue file nor a state')
  expect(stderr).toContain('what deploymgmt state pull has printed')
})

it('a rescue file of a later version is refused as one', async () => {
  const here = await beginApplied(manifestWith())
  await writeFile(join(here.folder, 'kept.json'), JSON.stringify({ type: 'rescue', version: 2 }))
  expect(await here.run(...PUSH)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DM-STATE-VERSION: the rescue file has format version 2'),
  })
})

it('a file that a shell or an editor has begun with a byte order mark is pushed', async () => {
  const here = await beginApplied(manifestWith())
  await here.run(...PULL)
  const before = await here.state()
  await rm(join(here.folder, STATE))
  await writeFile(join(here.folder, 'kept.json'), `\uFEFF${JSON.stringify(before)}`)
  expect(await here.run(...PUSH)).toMatchObject({ code: 0 })
  expect(await here.state()).toStrictEqual(before)
})
