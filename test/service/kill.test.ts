import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { type Call, clientFor, http } from './support/client.ts'
import { FOLDER } from '../support/folder.ts'
import { soakKills, tellTried } from '../support/soak.ts'
import { newWindow } from './support/endpoints.ts'
import { ids, keys } from './support/fixture.ts'

const kills = soakKills ?? 20
const writers = 4
const windows = `/groups/${ids.project}/maintenanceWindows/`

interface Child {
  readonly process: ChildProcess
  readonly call: Call
  /** The windows and events in the store. */
  readonly held: () => Promise<{ windows: Map<string, string>; events: Set<string> }>
}

const start = async (data: string): Promise<Child> => {
  const script = join(import.meta.dirname, 'support', 'serve-child.ts')
  const child = spawn(process.execPath, ['--no-warnings', script, data], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
  const { baseUrl, controlUrl, controlToken } = JSON.parse(line) as Record<string, string>
  const held = async (): ReturnType<Child['held']> => {
    const authorization = `Bearer ${controlToken ?? ''}`
    const { body } = await http('GET', `${controlUrl ?? ''}/dump`, { headers: { authorization } })
    const [project] = body.projects as { maintenanceWindows: Item[]; events: Item[] }[]
    return {
      windows: new Map(project?.maintenanceWindows.map(({ id, description }) => [id, description])),
      events: new Set(project?.events.map(({ maintenanceWindowId }) => maintenanceWindowId)),
    }
  }
  return { process: child, call: clientFor(baseUrl ?? '', keys.ci), held }
}

interface Item {
  readonly id: string
  readonly description: string
  readonly maintenanceWindowId: string
}

/** Creates and changes windows until the service is gone, and notes what was acknowledged. */
const write = async (call: Call, acknowledged: Map<string, string>, onAck: () => void): Promise<void> => {
  for (;;) {
    try {
      const created = await call('POST', windows, newWindow)
      acknowledged.set(created.body.id, newWindow.description)
      onAck()
      const changed = await call('PATCH', windows + created.body.id, { description: 'changed' })
      acknowledged.set(changed.body.id, 'changed')
      onAck()
    } catch {
      return
    }
  }
}

/** Kills a service again and again while it writes to one store, and expects everything acknowledged to be there. */
const killAgainAndAgain = async (data: string, times: number): Promise<number> => {
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < times; round += 1) {
    const child = await start(data)
    const { windows: kept, events } = await child.held()
    // A change in progress at the time of the kill may have been made.
    const isKept = (id: string, description: string): boolean =>
      events.has(id) && (kept.get(id) === description || kept.get(id) === 'changed')
    expect([...acknowledged].filter(([id, description]) => !isKept(id, description))).toEqual([])
    let left = 1 + ((round * 7) % 23)
    const onAck = (): void => {
      left -= 1
      if (left === 0) child.process.kill('SIGKILL')
    }
    const exit = once(child.process, 'exit')
    await Promise.all(Array.from({ length: writers }, () => write(child.call, acknowledged, onAck)))
    await exit
  }
  return acknowledged.size
}

test(
  `${kills} kills during writes lose no acknowledged write, and the store opens each time`,
  async () => {
    const folder = mkdtempSync(FOLDER)
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const stores = ['one.sqlite', 'two.sqlite'].map((name) => join(folder, name))
    const counts = await Promise.all(stores.map((data) => killAgainAndAgain(data, Math.ceil(kills / 2))))
    for (const count of counts) expect(count).toBeGreaterThan(kills / 2)
    tellTried('kills of a service that writes', kills)
  },
  Math.max(300_000, kills * 3000),
)
