import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { runHere, type Ran } from '../support/command.ts'
import { PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { applied, begin, only, writesIn, type Scene } from '../support/scene.ts'

let here: Scene

const WINDOW = (description: string): string =>
  only(
    'maintenanceWindows',
    `  night: { alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: ${description} }`,
  )
const { create } = nodeFiles
afterEach(() => {
  Object.assign(nodeFiles, { create })
})

/** Runs an apply in which writing an intent takes seconds on all clocks; `meanwhile` runs during that time. */
const applySlowly = (
  takes: readonly number[],
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<Ran> => {
  const left = [...takes]
  let slept = 0
  Object.assign(nodeFiles, {
    create: async (path: string) => {
      const file = await create(path)
      const write = async (bytes: Uint8Array): Promise<void> => {
        const seconds = Buffer.from(bytes).toString('latin1').includes('"type":"intent"')
          ? left.shift()
          : undefined
        if (seconds !== undefined) {
          slept += seconds * 1000
          await here.control('POST', 'clock', { advance: `PT${seconds}S` })
          await meanwhile()
        }
        await file.write(bytes)
      }
      return { ...file, write }
    },
  })
  return runHere(here, ['apply', '--auto-approve'], { now: () => new Date(Date.now() + slept) })
}

/** The intents in the journal. */
const intents = (): any[] =>
  readFileSync(join(here.folder, 'deploymgmt.state.journal'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"intent"'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))))

describe('a write that is written down slowly', () => {
  it('leaves soon after its intent, which is written anew where that took too long', async () => {
    here = await begin({ manifest: WINDOW('Night'), proxied: true })
    const ages: number[] = []
    here.proxy.steer(async ({ method, write }, forward) => {
      if (method === 'POST' && write > 0) {
        const { now } = await here.control('GET', 'clock')
        ages.push(Date.parse(now) - Date.parse(intents().at(-1).detail.sentAt))
      }
      return forward()
    })
    expect(await applySlowly([100])).toMatchObject({ code: 0 })
    expect(ages.length).toBeGreaterThan(0)
    expect(Math.max(...ages)).toBeLessThan(60_000)
  })

  it('is not sent where each intent takes too long', async () => {
    here = await begin({ manifest: WINDOW('Night') })
    const { code, stdout } = await applySlowly([100, 100, 100])
    expect({ code, stdout }).toMatchObject({ code: 1 })
    expect(stdout).toContain('DM-DEADLINE')
    expect(await writesIn(here)).toEqual([])
    expect(await here.run('apply', '--auto-approve')).toMatchObject({ code: 0 })
  })

  it('does not overwrite what somebody else changes meanwhile', async () => {
    here = await begin({ manifest: WINDOW('Night') })
    await applied(here, WINDOW('Night'))
    await here.manifest(WINDOW('Day'))
    const [{ id }] = await windowsAt(here)
    const path = `/groups/${PROJECT}/maintenanceWindows/${id}`
    const { code, stdout } = await applySlowly([20], () =>
      here.outside('PATCH', path, { description: 'Theirs' }),
    )
    expect({ code, stdout }).toMatchObject({ code: 1 })
    expect(stdout).toContain('--allow-overwrite')
    const [{ description }] = await windowsAt(here)
    expect(description).toBe('Theirs')
  })
})
