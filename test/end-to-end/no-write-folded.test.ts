import { describe, expect, it } from 'vitest'
import { fixtureWith, PROJECT } from '../support/installation.ts'
import { applied, begin, only, writesIn, type Scene } from '../support/scene.ts'

const ids = Array.from({ length: 12 }, (_, index) => `5d1113b25a115342acc2d0${(160 + index).toString(16)}`)
const DISABLED = [3, 7]
const PATH = `/groups/${PROJECT}/alertConfigs`

/** Twelve configurations with declared ids, some of which somebody has switched off. */
const started = (disabled: readonly number[] = DISABLED): Promise<Scene> =>
  begin({
    fixture: fixtureWith({
      alertConfigs: ids.map((id, index) => ({
        id,
        eventTypeName: 'HOST_DOWN',
        enabled: !disabled.includes(index),
      })),
    }),
  })
const manifest = only(
  'alertConfigurations',
  ids
    .map(
      (id, index) =>
        `  p${index}: { alertConfigId: ${id}, enabled: true${index === 7 ? ', onRemove: restore' : ''} }`,
    )
    .join('\n'),
)
const nothing = only('alertConfigurations', '')
const sentTo = (...indexes: number[]) => indexes.map((index) => `PATCH ${PATH}/${ids[index]}`)

describe('a plan folds no write away', () => {
  it('where adoptions that change something stand among those that do not', async () => {
    const here = await started()
    await here.manifest(manifest)
    const { stdout } = await here.run('plan')
    expect(
      stdout.match(
        /> alertConfigurations\.p[37] +deploymgmt.yaml:\d+\n +HOST_DOWN\n +enabled +false → true/g,
      ),
    ).toHaveLength(2)
    expect(stdout).toContain('… 5 more like it')
    expect(stdout).toContain('10 to adopt, 2 to adopt and change')

    await here.forgetRequests()
    const { stdout: done, stderr } = await here.run('apply', '--auto-approve')
    expect((await writesIn(here)).toSorted()).toEqual(sentTo(3, 7))
    expect(done).toContain('10 adopted, 2 adopted and changed')
    expect(stderr.match(/> adopted   alertConfigurations\.p\w+ and changed$/gm)?.toSorted()).toEqual([
      '> adopted   alertConfigurations.p3 and changed',
      '> adopted   alertConfigurations.p7 and changed',
    ])
  })

  it('a saved one neither', async () => {
    const here = await started()
    await here.manifest(manifest)
    await here.run('plan', '--out', 'saved.json')
    const { stdout } = await here.run('plan', 'saved.json')
    expect(stdout).toMatch(
      /> alertConfigurations\.p7 +deploymgmt.yaml:\d+\n +HOST_DOWN\n +enabled +false → true/,
    )
    expect(stdout).toContain('10 to adopt, 2 to adopt and change')
  })

  it('where releases that restore something stand among those that do not', async () => {
    const here = await started()
    await applied(here, manifest)
    await here.manifest(nothing)
    const { stdout } = await here.run('plan')
    expect(stdout).toMatch(/< alertConfigurations\.p7 .*\n +HOST_DOWN\n +enabled +true → false/)
    expect(stdout).toContain('11 to leave unmanaged, 1 to restore')

    await here.forgetRequests()
    const { stdout: done } = await here.run('apply', '--auto-approve', '--allow-mass-removal')
    expect(await writesIn(here)).toEqual(sentTo(7))
    expect(done).toContain('11 left unmanaged, 1 restored')
  })

  it('and groups writes that do the same, with their count and every address', async () => {
    const here = await started(ids.map((_, index) => index))
    await here.manifest(manifest)
    const { stdout } = await here.run('plan')
    expect(stdout).not.toContain('more like it')
    expect(stdout).toMatch(
      /> 12 alert configurations to adopt and change\n +HOST_DOWN\n +enabled +false → true\n/,
    )
    for (const index of ids.keys()) expect(stdout).toMatch(new RegExp(`alertConfigurations\\.p${index}\\b`))
    expect(stdout).toMatch(/\n12 to adopt and change\n/)
  })
})
