/** A project was taken out of the manifest: what is released there is still shown with the project's name. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { letteredConfig, letteredFixture, letteredManifest } from '../support/lettered.ts'
import { projectId } from '../support/many-projects.ts'
import { begin, type Scene } from '../support/scene.ts'

let here: Scene

const STATE = 'deploymgmt.state.json'
const ENTRIES =
  'alertConfigurations:\n  down: { projectIds: all, select: { eventTypeName: HOST_DOWN }, enabled: true }\n'
const declare = (...names: string[]): Promise<void> => here.manifest(`${letteredManifest(names)}${ENTRIES}`)
const stateOf = async () => JSON.parse(await readFile(join(here.folder, STATE), 'utf8'))
const released = async (): Promise<unknown[]> => {
  const { document } = await here.json('plan')
  return document.changes.map(({ action, notes }: any) => [action, notes])
}
const apply = async (): Promise<void> =>
  expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })

beforeEach(async () => {
  const projects = [0, 1].map((each) => ({ alertConfigs: [letteredConfig(each, 0, 'HOST_DOWN')] }))
  here = await begin({ fixture: letteredFixture(projects) })
  await declare('a', 'b')
  await apply()
})

it('the state has its name as long as something of it is recorded', async () => {
  expect((await stateOf()).projects).toEqual({ [projectId(0)]: 'a', [projectId(1)]: 'b' })
  await declare('a')
  expect(await released()).toEqual([
    ['release', [`in project b (${projectId(1)}), which the manifest no longer names`]],
  ])
  const reason =
    'its entry is there, but no longer stands for it: nothing is sent, and it stays at the service as it is'
  expect((await here.json('plan')).document.changes[0]).toMatchObject({ reason })
  for (const format of ['text', 'markdown', 'html'])
    expect((await here.run('plan', '--format', format)).stdout).toContain('in project b (')
  await apply()
  expect((await stateOf()).projects).toEqual({ [projectId(0)]: 'a' })
})

it('a name that has changed alone is saved with what else there is to save', async () => {
  await here.manifest(`${letteredManifest(['a', 'b']).replace(' b:', ' other:')}${ENTRIES}`)
  const before = await stateOf()
  await apply()
  expect(await stateOf()).toEqual(before)
  await here.control('PUT', `projects/${projectId(0)}/alertConfigs`, [
    letteredConfig(0, 0, 'HOST_DOWN', { enabled: false }),
  ])
  await apply()
  expect((await stateOf()).projects).toEqual({ [projectId(0)]: 'a', [projectId(1)]: 'other' })
})

it('a state that has no names tells none, and the id is said', async () => {
  const { projects: _, ...earlier } = await stateOf()
  await writeFile(join(here.folder, STATE), JSON.stringify(earlier))
  await declare('a')
  expect(await released()).toEqual([
    ['release', [`in project ${projectId(1)}, which the manifest does not name`]],
  ])
})
