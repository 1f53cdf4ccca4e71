/** A file that adopt wrote is recognized after a user has renamed it: its content is not written a second time. */
import { readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { adopting, FIRST, STATE } from '../support/adopting.ts'
import { ORG, PROJECT } from '../support/installation.ts'
import { begin, only, OTHER_PROJECT, twoProjects, type Scene } from '../support/scene.ts'

let here: Scene
const { adopt } = adopting(() => here)

const RENAMED = 'base.yaml'
const COPY = 'base.old.yaml'
const BOTH = ['-f', 'deploymgmt.yaml', '-f', RENAMED]
const path = (name: string): string => join(here.folder, name)
const manifestsIn = async (): Promise<string[]> =>
  (await readdir(here.folder)).filter((name) => name.endsWith('.yaml')).toSorted()
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
const renamedIn = (text: string): string => text.replaceAll(/^ {2}(?=[a-z][a-z-]*: \{)/gm, '  my-')
const nothingWritten = async (): Promise<string> => {
  const before = await manifestsIn()
  const { code, stdout, stderr } = await here.run('adopt')
  expect({ code, stdout, files: await manifestsIn() }).toEqual({ code: 1, stdout: '', files: before })
  return inOneLine(stderr)
}

describe('a file that was renamed', () => {
  beforeEach(async () => {
    here = await begin({ manifest: only('users', '') })
  })

  it.each([
    ['as it is', (text: string) => text],
    ['with entries renamed', renamedIn],
  ])('is named, with the flags that read it, and nothing is written: %s', async (_, edited) => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    await writeFile(path(RENAMED), edited(await readFile(path(RENAMED), 'utf8')))
    const { code, stdout, stderr } = await here.run('adopt')
    expect({ code, stdout, files: await manifestsIn() }).toEqual({
      code: 1,
      stdout: '',
      files: [RENAMED, 'deploymgmt.yaml'],
    })
    expect(inOneLine(stderr)).toContain(
      'Error DM-USAGE: base.yaml is not read, and has 4 of the 4 things that would be written To read it as well: deploymgmt adopt -f deploymgmt.yaml -f base.yaml;',
    )
    expect(await adopt(...BOTH)).toMatch(/^There is nothing new/)
  })

  it('is read by a command for the same state', async () => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    const { stderr } = await here.run('adopt', ...STATE)
    const words = [...BOTH, ...STATE]
    expect(inOneLine(stderr)).toContain(` To read it as well: deploymgmt adopt ${words.join(' ')};`)
    expect(await adopt(...words)).toContain(
      `Nothing was recorded: deploymgmt apply ${words.join(' ')} records what is already declared.`,
    )
  })

  it.each([
    [
      'the same names',
      (text: string) => text,
      ' To read them as well: deploymgmt adopt -f deploymgmt.yaml -f base.old.yaml -f base.yaml;',
    ],
    [
      'names of its own',
      renamedIn,
      ' They cannot be read together. To read one of them as well: deploymgmt adopt -f deploymgmt.yaml -f base.old.yaml; move the others out of the folder.',
    ],
  ])('and has a copy beside it, with %s: nothing is written a second time', async (_, edited, hint) => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    await writeFile(path(COPY), edited(await readFile(path(RENAMED), 'utf8')))
    expect(await nothingWritten()).toContain(
      `Error DM-USAGE: base.old.yaml, base.yaml are not read, and have 4 of the 4 things that would be written${hint}`,
    )
  })

  it('and has an overlay that nothing reads without it: both are named, in the order that reads them', async () => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    const name = /^alertConfigurations:\n(?: +#.*\n)* {2}(?<name>[a-z-]+):/m.exec(
      await readFile(path(RENAMED), 'utf8'),
    )?.groups?.['name']
    await writeFile(
      path('base.more.yaml'),
      `version: 1\nname: test\nalertConfigurations:\n  ${name}: { allowEmpty: true }\n`,
    )
    expect(await nothingWritten()).toContain(
      'base.yaml, base.more.yaml are not read, and have 4 of the 4 things that would be written To read them as well: deploymgmt adopt -f deploymgmt.yaml -f base.yaml -f base.more.yaml;',
    )
  })

  it('and cannot be read any more is named: whether it has what would be written cannot be told', async () => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    const text = await readFile(path(RENAMED), 'utf8')
    await writeFile(path(RENAMED), text.replaceAll('enabled:', 'enable:'))
    expect(await nothingWritten()).toContain(
      'Error DM-USAGE: base.yaml is not read, and may have what would be written: together with the other manifests it cannot be read deploymgmt validate -f deploymgmt.yaml -f base.yaml says why; if it is not part of this, move it out of the folder.',
    )
  })

  it('and cannot be read stands in no way where it declares nothing of the kinds that would be written', async () => {
    await writeFile(path(RENAMED), 'version: 1\nname: test\nusers:\n  dana: { usernam: dana@example.com }\n')
    expect(await adopt()).toContain(`${FIRST} was written.`)
  })

  it('into a name with a blank is one word of the command to copy', async () => {
    const spaced = 'my alerts.yaml'
    await adopt('--project', PROJECT)
    await rename(path(FIRST), path(spaced))
    await writeFile(path(spaced), 'version: 1\nname: test\n')
    expect(await adopt()).toContain(
      "my alerts.yaml is a manifest of the same name that was not read: to plan with it, you need -f 'my alerts.yaml', too.",
    )
  })

  it('is no lost file, once it is recorded: adopt names it, and --again writes nothing', async () => {
    await adopt(...STATE)
    await rename(path(FIRST), path(RENAMED))
    const said = await adopt()
    expect(said).toContain('There is nothing new')
    expect(said).toContain(
      'base.yaml is not read, and declares 4 things that an apply would take as removed; to read it as well: deploymgmt adopt -f deploymgmt.yaml -f base.yaml\n',
    )
    expect(said).not.toContain('--again')
    const again = await here.run('adopt', '--again')
    expect(again.code).toBe(1)
    expect(again.stderr).toContain('base.yaml is not read, and has 4 of the 4 things')
    expect(await manifestsIn()).toEqual([RENAMED, 'deploymgmt.yaml'])
    expect(await adopt(...BOTH, '--again')).toMatch(/^There is nothing new/)
  })

  it('stands in no way of what is new, which has names of its own, and is named', async () => {
    await writeFile(
      path(RENAMED),
      `version: 1\nname: test\nalertConfigurations:\n  host-down: { projectId: ${OTHER_PROJECT}, select: { eventTypeName: HOST_DOWN }, enabled: true }\n`,
    )
    const said = await adopt()
    expect(said).toContain(`${FIRST} was written.`)
    expect(said).toContain('base.yaml is a manifest of the same name that was not read')
    const text = await readFile(path(FIRST), 'utf8')
    expect(text).toContain('  host-down-2: { projectId: payments,')
  })

  it('of another name is another one', async () => {
    await adopt()
    await rename(path(FIRST), path(RENAMED))
    const text = await readFile(path(RENAMED), 'utf8')
    await writeFile(path(RENAMED), text.replace('name: test', 'name: other'))
    expect(await adopt()).not.toContain('base.yaml')
    expect(await manifestsIn()).toEqual([RENAMED, FIRST, 'deploymgmt.yaml'])
  })
})

const TWO = `version: 1\nname: test\ndefaults: { orgId: ${ORG} }\nprojects: { payments: { id: ${PROJECT} }, ledger: { id: ${OTHER_PROJECT} } }\n`
const LEDGER = {
  alertConfigs: [{ id: '5d1113b25a115342acc2d0e1', eventTypeName: 'HOST_DOWN', enabled: true }],
  integrations: [{ type: 'PAGING', serviceKey: 'x' }],
}

describe('project by project', () => {
  beforeEach(async () => {
    here = await begin({ fixture: twoProjects({}, LEDGER), manifest: TWO })
  })

  it.each([[[]], [STATE]])(
    'into files of their own: the second names the first, and a plan over all is empty: %j',
    async (words) => {
      await adopt('--project', 'payments', '--output', 'payments.yaml', ...words)
      const said = await adopt('--project', 'ledger', '--output', 'ledger.yaml', ...words)
      expect(said).toContain('ledger.yaml was written.')
      expect(said).toContain('It has 2 entries for 2 things.')
      expect(said).toContain(
        'payments.yaml is a manifest of the same name that was not read: to plan with it, you need -f payments.yaml, too.',
      )
      const flags = '-f deploymgmt.yaml -f ledger.yaml'
      // Without this file, what is recorded would be released.
      const next = words.length > 0 ? `${flags} -f payments.yaml --state deploymgmt.state.json` : flags
      expect(said).toContain(`Next: deploymgmt plan ${next}\n`)
      const { document } = await here.json('plan', ...flags.split(' '), '-f', 'payments.yaml', ...words)
      const written = document.changes.flatMap(({ requests, fields }: any) => [...requests, ...fields])
      expect(written).toEqual([])
      expect(document.summary).toMatchObject(words.length > 0 ? { unchanged: 6 } : { adopt: 6 })
      expect(document.inSync).toBe(words.length > 0)
    },
  )
})
