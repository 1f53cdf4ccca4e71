import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { nodeFiles } from '../../reconciler/disk/files.ts'
import { CREDENTIALS, stateServer } from '../reconciler/state/stores/support/state-server.ts'
import { bareRepository, git } from '../support/git.ts'
import { PROJECT } from '../support/installation.ts'
import { windowsAt } from '../support/one-window.ts'
import { usePostgres } from '../support/postgres.ts'
import { begin, only } from '../support/scene.ts'
import { shareOf, soakKills, tell } from '../support/soak.ts'

/** `npm test` shows that one save serves many writes; `npm run soak -- saves` measures with a thousand. */
const COUNT = soakKills === undefined ? 60 : 1000

const windows = (count: number): string =>
  only(
    'maintenanceWindows',
    Array.from(
      { length: count },
      (_, index) =>
        `  w${index}: { projectId: ${PROJECT}, alertTypeNames: [HOST], startDate: 2035-01-06T02:00:00Z, endDate: ${2036 + index}-01-06T04:00:00Z }`,
    ).join('\n'),
  )

/** The address of a state, and the number of saves so far. */
interface Counted {
  readonly address: string
  readonly saves: () => Promise<number>
}

const inFiles = async (folder: string): Promise<Counted> => {
  const { create } = nodeFiles
  onTestFinished(() => void Object.assign(nodeFiles, { create }))
  let syncs = 0
  Object.assign(nodeFiles, {
    create: async (path: string) => {
      const file = await create(path)
      const sync = (): Promise<void> => {
        syncs += 1
        return file.sync()
      }
      return { ...file, sync }
    },
  })
  return { address: join(folder, 'counted.json'), saves: () => Promise.resolve(syncs) }
}

const inGit = async (): Promise<Counted> => {
  const bare = await bareRepository()
  return {
    address: `git+file://${bare}#state`,
    saves: async () => Number(await git(bare, 'rev-list', '--count', 'state')),
  }
}

const isSave = ({ method }: { readonly method: string }): boolean => method === 'POST'

const behindHttp = async (): Promise<Counted> => {
  const server = await stateServer()
  return { address: server.address, saves: () => Promise.resolve(server.log.filter(isSave).length) }
}

describe('how often a state is saved', () => {
  const postgres = usePostgres()

  const inPostgres = async (): Promise<Counted> => {
    const server = postgres()
    return {
      address: `${server.address}#counted`,
      saves: async () => {
        const found = await server.ask<{ count: string }>(
          `SELECT pg_stat_clear_snapshot(), n_tup_upd AS count FROM pg_stat_user_tables WHERE relname = 'states'`,
        )
        return Number(found[0]?.count ?? 0)
      },
    }
  }

  it.each(
    shareOf<readonly [string, (folder: string) => Promise<Counted>, number]>([
      ['file', inFiles, COUNT],
      ['git', inGit, COUNT / 4],
      ['HTTP', behindHttp, COUNT / 4],
      ['Postgres', inPostgres, COUNT * 3],
    ]),
  )('an apply with its state in %s saves it as often as is to be expected', async (name, place, most) => {
    const here = await begin({ manifest: windows(COUNT) })
    await rm(join(here.folder, 'deploymgmt.state.json'))
    const { address, saves } = await place(here.folder)
    Object.assign(here.env, CREDENTIALS, { DEPLOYMGMT_STATE: address })
    expect(await here.run('state', 'init', '--allow-http')).toMatchObject({ code: 0 })
    const before = await saves()
    const began = performance.now()
    expect(await here.run('apply', '--auto-approve', '--allow-http')).toMatchObject({ code: 0 })
    const seconds = Math.round((performance.now() - began) / 100) / 10
    const count = (await saves()) - before
    tell('State in', name, { Writes: COUNT, Saves: count, Seconds: seconds })
    expect(await windowsAt(here)).toHaveLength(COUNT)
    expect(count).toBeLessThanOrEqual(most)
  })
})
