import { join } from 'node:path'
import type { Ran } from '../support/command.ts'
import { readSession } from '../../reconciler/state/index.ts'
import type { Act, Actor } from './known/acts.ts'
import type { Key } from '../support/installation.ts'
import { PROJECT, REPORTER } from './fixture.ts'
import type { Running, Stumble } from './gate.ts'
import type { Place } from './places.ts'
import type { WatchedService } from './service.ts'

export const STATE = 'deploymgmt.state.json'

/** How a command runs: after how many effects it is killed, and what happens while its n-th request waits. */
export interface Around {
  readonly effects?: number
  /** After how many writes it is killed. */
  readonly writes?: number
  readonly interruptAt?: Running['interruptAt']
  readonly meanwhile?: Running['meanwhile']
  readonly stumble?: Stumble
}

export interface Ended {
  /** Null if it was killed. */
  readonly code: number | null
  readonly document: any
  /** What an apply printed, one document per line. */
  readonly told: readonly any[]
  readonly said: string
  readonly number: number
}

/** A service and a command with one clock, which only the history and the requests move. */
export interface World {
  readonly folder: string
  /** Where its state is, if not in the folder. */
  readonly place: Place | undefined
  readonly service: WatchedService
  readonly settings: Readonly<Record<string, string>>
  now: number
  /** The key of the runs, and that of whoever uses the first one elsewhere; shared by all machines. */
  readonly keys: { run: Key; twin: Key }
  /** From now on, nothing else uses the key of the runs: what a twin would write is left out. */
  keepsKey: boolean
  /** The manifest is two files, of which the later one overrides the earlier. */
  isLayered: boolean
  /** How far the clock of the machine that runs the command is ahead. */
  ahead: number
  manifest(text: string): Promise<void>
  /** The parsed manifests, each by itself. */
  declared(): Promise<readonly unknown[]>
  run(words: readonly string[], around?: Around): Promise<Ran & { readonly number: number }>
  /** Runs with `--format json`; `document` is the last one. */
  json(words: readonly string[], around?: Around): Promise<Ended>
  write(
    by: Exclude<Actor, 'run'>,
    method: 'PATCH' | 'POST' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<number>
  /** What a run has written. */
  actsOf(run: number): Act[]
  /** A second checkout with a copy of the state: the same key, from a folder of its own. */
  copied(): Promise<World>
  /** Another machine that has all files of this one; what it does counts as done by the same runner. */
  moved(): Promise<World>
  /** Copies the files of such a machine to this one. */
  fetch(from: World): Promise<void>
  /** A checkout whose state was lost: it begins an empty one, and all earlier writes are somebody else's. */
  begunAnew(): Promise<World>
  /** What runs have written to a thing until now counts as written by this one, which has got its record. */
  takesOver(id: string): void
  close(): Promise<void>
}

/** All that the service holds: the truth, whatever a report says. */
export interface Truth {
  readonly configs: ReadonlyMap<string, boolean>
  readonly windows: ReadonlyMap<string, any>
  readonly key: { readonly desc: string; readonly roles: readonly string[] }
  /** By name. */
  readonly users: ReadonlyMap<string, any>
  /** How many alerts are open in the first project. */
  readonly openAlerts: number
  /** The types in each project. */
  readonly integrations: ReadonlyMap<string, readonly string[]>
}

export const truthOf = ({ service }: World): Truth => {
  const { projects, organizations, users } = service.dump()
  const payments = projects.find(({ id }: any) => id === PROJECT)
  const key = organizations[0].apiKeys.find(({ id }: any) => id === REPORTER)
  return {
    configs: new Map(payments.alertConfigs.map(({ id, enabled }: any) => [id, enabled])),
    windows: new Map(
      projects.flatMap(({ id: projectId, maintenanceWindows }: any) =>
        maintenanceWindows.map((window: any) => [window.id, { ...window, projectId }]),
      ),
    ),
    // It may have been deleted by hand.
    key: { desc: key?.desc, roles: (key?.roles ?? []).map(({ roleName }: any) => roleName).toSorted() },
    openAlerts: payments.alerts.filter(({ status }: any) => status === 'OPEN').length,
    users: new Map(users.map((user: any) => [user.username, user])),
    integrations: new Map(
      projects.map(({ id, integrations }: any) => [id, integrations.map(({ type }: any) => type)]),
    ),
  }
}

/** For reading a state without a command: faults and kills do not concern it. */
export const outside = {
  env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
}
export const stateIn = ({ folder, place, service }: World) => ({
  statePath: place?.address ?? join(folder, STATE),
  folder,
  expect: { name: 'test', baseUrl: service.baseUrl },
})

type Recorded = Pick<Awaited<ReturnType<typeof readSession>>, 'state' | 'unknown'>

/** Reading a remote place is slow, and it is read far more often than it changes. */
const readings = new WeakMap<Place, { readonly version: string; readonly recorded: Recorded }>()

const sessionOf = async (world: World): Promise<Recorded> => {
  const { place } = world
  if (place === undefined) return readSession(stateIn(world), outside)
  const version = await place.version()
  const known = readings.get(place)
  if (known?.version === version) return structuredClone(known.recorded)
  const { state, unknown } = await readSession(stateIn(world), outside)
  const recorded = { state, unknown }
  readings.set(place, { version, recorded: structuredClone(recorded) })
  return recorded
}

/** Everything that is recorded, as text to compare. */
export const stateOf = async (world: World): Promise<string> => JSON.stringify((await sessionOf(world)).state)

/**
 * What is recorded, including what the journal knows, by address. A user whose id no answer has told is recorded by
 * name alone, and gets the true id here.
 */
export const recordsOf = async (world: World): Promise<Record<string, any>> => {
  const { resources } = (await sessionOf(world)).state
  const { users } = truthOf(world)
  return Object.fromEntries(
    Object.entries<any>(resources).map(([address, record]) => {
      const { id: userId } = users.get(record.applied.username) ?? {}
      const isNamedAlone = record.kind === 'user' && record.identity.userId === undefined
      return [address, isNamedAlone ? { ...record, identity: { userId }, isNamedAlone } : record]
    }),
  )
}

/** The addresses of requests whose outcome is unknown. */
export const unknownIn = async (world: World): Promise<ReadonlySet<string>> =>
  new Set((await lostIn(world)).map(({ address }) => address))

/** The requests whose outcome is unknown. */
export const lostIn = async (world: World) => (await sessionOf(world)).unknown
