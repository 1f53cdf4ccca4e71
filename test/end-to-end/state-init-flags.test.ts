/** The next command that state init prints reads all manifests of the folder that belong together. */
import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ORG, PROJECT } from '../support/installation.ts'
import { begin, type Scene } from '../support/scene.ts'

let here: Scene

const head = `version: 1\nname: test\n`
const windows = (name: string): string =>
  `${head}alertConfigurations:\n  ${name}: { projectId: ${PROJECT}, select: { eventTypeName: ${name.toUpperCase()} }, enabled: true }\n`
const put = (name: string, text: string): Promise<void> => writeFile(join(here.folder, name), text)
const next = async (...words: string[]): Promise<string | undefined> => {
  await rm(join(here.folder, 'deploymgmt.state.json'), { force: true })
  const { code, stderr } = await here.run('state', 'init', ...words)
  expect(code).toBe(0)
  return /Next: (.*)/.exec(stderr)?.[1]
}

it('names those that are not named, and the folder where they are many', async () => {
  here = await begin({
    manifest: `${head}defaults: { orgId: ${ORG} }\n${windows('backup').slice(head.length)}`,
  })
  expect(await next()).toBe('deploymgmt plan')
  await put('more.yaml', windows('host_down'))
  expect(await next()).toBe('deploymgmt plan -f deploymgmt.yaml -f more.yaml')
  expect(await next('-f', 'deploymgmt.yaml')).toBe('deploymgmt plan -f deploymgmt.yaml -f more.yaml')
  await put('other.yaml', windows('replica_set'))
  // It declares nothing yet, but belongs to the others.
  await put('users.yaml', `${head}users:\n`)
  expect(await next()).toBe('deploymgmt plan -f ./')
  expect(await next('-f', '.')).toBe('deploymgmt plan -f ./')
})

it('names none that is of another name, or that says something else of what is there', async () => {
  here = await begin({ manifest: windows('backup') })
  await put('other.yaml', windows('host_down').replace('name: test', 'name: other'))
  await put('overlay.yaml', `${head}alertConfigurations:\n  backup: { enabled: false }\n`)
  expect(await next()).toBe('deploymgmt plan')
})

it('init writes no YAML into a file that would be read as JSON', async () => {
  here = await begin({ manifest: head })
  const { code, stderr } = await here.run('init', '-f', 'my.json')
  expect(code).toBe(1)
  expect(stderr).toContain('init writes YAML, for its comments, but my.json would be JSON')
  await expect(readdir(here.folder)).resolves.not.toContain('my.json')
})

it('of init names no file by -f -, which is stdin', async () => {
  here = await begin()
  expect(await here.run('init', '-f', '-')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('init writes a manifest, and -f - stands for one that is read'),
  })
})
