import { describe, expect, it } from 'vitest'
import { begin, beginApplied, only, type Scene } from '../support/scene.ts'
import { fields, MIGRATION } from '../support/one-window.ts'
import { fixtureWith, PROJECT } from '../support/installation.ts'

/** A text by a user that has the form of an instant. */
const TEXT = '2034-12-05T02:00:00Z'
const CHANGED = '2034-12-06T03:00:00+01:00'
/** How instants are displayed; a text must not be converted to this. */
const CONVERTED = /2034-12-0[56] 0[123]:00 UTC/

const window = (description: string): string =>
  only('maintenanceWindows', `  migration: ${fields({ description })}`)
const plans = (here: Scene): Promise<string[]> =>
  Promise.all(
    ['text', 'markdown', 'html'].map(async (format) => (await here.run('plan', '--format', format)).stdout),
  )

describe('a text that looks like an instant, or like an id,', () => {
  it('is shown by a plan as it is, in each format, and the dates beside it as instants', async () => {
    const here = await begin({ manifest: window(TEXT) })
    for (const shown of await plans(here)) {
      expect(shown).toContain(TEXT)
      expect(shown).toContain('2035-01-06 02:00 UTC')
      expect(shown).not.toMatch(CONVERTED)
    }
    expect((await here.run('plan')).stdout).toMatch(/description +2034-12-05T02:00:00Z$/m)
  })

  it('is not taken for the project of that id', async () => {
    const here = await begin({ manifest: window(PROJECT) })
    expect((await here.run('plan')).stdout).toMatch(
      new RegExp(`projectId +payments \\(5c81…\\)\\n[^]*description +${PROJECT}$`, 'm'),
    )
    expect((await here.run('plan', '--format', 'markdown')).stdout).toContain(
      `description\` | \`(none)\` | \`${PROJECT}\``,
    )
  })

  it('is so where it changes, in a drift report, and in what is recorded', async () => {
    const here = await beginApplied(window(TEXT))
    expect((await here.run('state', 'show', MIGRATION)).stdout).toMatch(
      /startDate +2035-01-06 02:00 UTC[^]*description +2034-12-05T02:00:00Z$/m,
    )
    await here.manifest(window(CHANGED))
    for (const shown of await plans(here)) {
      expect(shown).toContain(CHANGED)
      expect(shown).not.toMatch(CONVERTED)
    }
    for (const format of ['text', 'markdown', 'html', 'junit', 'brief']) {
      const { stdout } = await here.run('drift', '--pending-for', '0s', '--format', format)
      expect(stdout).not.toMatch(CONVERTED)
    }
  })

  it('is so where a data source has it in a field that is no instant', async () => {
    const agents = [
      { typeName: 'BACKUP', hostname: 'db1.example.com', tag: TEXT, lastConf: '2034-12-05T04:00:00Z' },
      { typeName: 'BACKUP', hostname: 'db2.example.com', lastConf: '2034-12-05T05:00:00Z' },
    ]
    const here = await begin({ fixture: fixtureWith({ agents }) })
    const { stdout } = await here.run('get', 'agents', '--project-id', PROJECT, '--type', 'BACKUP')
    expect(stdout).toContain('2034-12-05 04:00 UTC')
    expect(stdout).toContain(TEXT)
    expect(stdout).not.toMatch(CONVERTED)
  })
})
