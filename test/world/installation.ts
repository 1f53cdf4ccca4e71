import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runHere, type Ran } from '../support/command.ts'
import { CI, fixtureWith, install, ONCALL, ORG, PROJECT, type Installation } from '../support/installation.ts'
import { emptyState } from '../support/scene.ts'

export const CONFIGS = [
  '5d1113b25a115342acc2d0f3',
  '5d1113b25a115342acc2d1aa',
  '5d1113b25a115342acc2d1ab',
] as const
/** Nobody ever declares this one. */
export const BYSTANDER = '5d1113b25a115342acc2d1ff'
export const KEY = '5c47503320eef5699e1cce8f'
const EPOCH = Date.parse('2030-01-01T00:00:00Z')

/** A service and a command that live by one clock, which only a history moves. */
export interface World {
  readonly here: Installation
  now: number
  run(...words: string[]): Promise<Ran>
  json(...words: string[]): Promise<{ code: number | null; document: any; said: string }>
  pause(ms: number): Promise<void>
  /** All that the service holds: what is true, whatever a report says. */
  truth(): Promise<Truth>
  close(): Promise<void>
}

export interface Truth {
  readonly configs: ReadonlyMap<string, boolean>
  readonly windows: ReadonlyMap<string, any>
  readonly key: { readonly desc: string; readonly roles: readonly string[] }
}

export const newWorld = async (settings: Readonly<Record<string, string>> = {}): Promise<World> => {
  const alertConfigs = [...CONFIGS, BYSTANDER].map((id) => ({
    id,
    eventTypeName: 'HOST_DOWN',
    enabled: true,
  }))
  const here = await install({ fixture: fixtureWith({ alertConfigs }), settings })
  await emptyState(here)
  const world: World = {
    here,
    now: EPOCH,
    run: (...words) => runHere(here, words, { now: () => new Date(world.now) }),
    async json(...words) {
      const { code, stdout, stderr } = await world.run(...words, '--format', 'json')
      const text = words[0] === 'apply' ? stdout.trim().split('\n').at(-1) : stdout
      return {
        code,
        said: stderr,
        document: text === undefined || text === '' ? undefined : JSON.parse(text),
      }
    },
    async pause(ms) {
      world.now += ms
      await here.control('POST', 'clock', { now: new Date(world.now).toISOString() })
    },
    async truth() {
      const dump = await here.control('GET', 'dump')
      const project = dump.projects.find(({ id }: any) => id === PROJECT)
      const key = dump.organizations[0].apiKeys.find(({ id }: any) => id === KEY)
      return {
        configs: new Map(project.alertConfigs.map(({ id, enabled }: any) => [id, enabled])),
        windows: new Map(project.maintenanceWindows.map((window: any) => [window.id, window])),
        key: { desc: key.desc, roles: key.roles.map(({ roleName }: any) => roleName).toSorted() },
      }
    },
    close: () => here.close(),
  }
  await world.pause(0)
  return world
}

export const recordsOf = async ({ here }: World): Promise<Record<string, any>> =>
  JSON.parse(await readFile(join(here.folder, 'deploymgmt.state.json'), 'utf8')).resources

export { CI, ONCALL, ORG, PROJECT }
