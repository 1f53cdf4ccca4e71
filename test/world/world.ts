import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect } from 'vitest'
import { runHere, type Ran } from '../support/command.ts'
import { initState, readSession } from '../../reconciler/state/index.ts'
import { FOLDER } from '../support/folder.ts'
import type { Act, Actor } from './acts.ts'
import { CI, fixture, KEYS, PASSWORD, PROJECT, REPORTER } from './fixture.ts'
import { bury, lives, never, newRunning, within, type Running, type Stumble } from './gate.ts'
import { layersOf } from './layers.ts'
import { placeOf, type Place, type StoreName } from './places.ts'
import { count } from './tally.ts'
import { watchedService, type WatchedService } from './service.ts'

const STATE = 'deploymgmt.state.json'
const MANIFEST = 'deploymgmt.yaml'
const OVER = 'over.yaml'
/** What `deploymgmt silence` records beside the state. */
const SILENCES = 'deploymgmt.silences.json'
const EPOCH = Date.parse('2030-01-01T00:00:00Z')

/** How a command runs: after how many effects it is killed, and what happens while its n-th request waits. */
export interface Around {
  readonly effects?: number
  /** After how many writes it is killed. */
  readonly writes?: number
  readonly interruptAt?: number
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
  close(): Promise<void>
}

/** All that the service holds: the truth, whatever a report says. */
export interface Truth {
  readonly configs: ReadonlyMap<string, boolean>
  readonly windows: ReadonlyMap<string, any>
  readonly key: { readonly desc: string; readonly roles: readonly string[] }
  /** By name. */
  readonly users: ReadonlyMap<string, any>
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
    key: { desc: key.desc, roles: key.roles.map(({ roleName }: any) => roleName).toSorted() },
    users: new Map(users.map((user: any) => [user.username, user])),
    integrations: new Map(
      projects.map(({ id, integrations }: any) => [id, integrations.map(({ type }: any) => type)]),
    ),
  }
}

export const newWorld = async (
  settings: Readonly<Record<string, string>> = {},
  store: StoreName = 'file',
): Promise<World> => {
  const runs: Running[] = []
  let runsBegun = 0
  const clock = { now: EPOCH, ahead: 0, keepsKey: false, isLayered: false }
  const passing = async (isWrite: boolean): Promise<Running | 'refused'> => {
    const run = runs.at(-1)
    // A request that nobody waits for comes from a killed command.
    if (run === undefined || !lives(run)) return 'refused'
    run.requests += 1
    clock.now += 3 + ((run.requests * 37 + run.number * 11) % 90)
    if (run.requests === run.interruptAt) run.stop()
    await run.meanwhile.get(run.requests)?.()
    if (run.isDead) return 'refused'
    if (isWrite && (run.writesLeft -= 1) === 0) run.effectsLeft = 0
    return run
  }
  const service = await watchedService({ fixture: fixture(), settings, now: () => clock.now, passing })
  const folder = await mkdtemp(FOLDER)
  const env = {
    DEPLOYMGMT_BASE_URL: service.baseUrl,
    DEPLOYMGMT_PUBLIC_KEY: CI.publicKey,
    DEPLOYMGMT_PRIVATE_KEY: CI.privateKey,
    DANA_INITIAL_PASSWORD: PASSWORD,
  }
  const now = (): Date => new Date(clock.now + clock.ahead)
  const worldIn = (
    at: string,
    { place, machine }: { readonly place: Place | undefined; readonly machine?: string },
    by: Running['by'],
    watched: WatchedService,
    own = new Set<number>(),
  ): World => {
    const world: World = {
      folder: at,
      place,
      service: watched,
      settings,
      get now() {
        return clock.now
      },
      set now(ms) {
        clock.now = ms
      },
      get ahead() {
        return clock.ahead
      },
      set ahead(ms: number) {
        clock.ahead = ms
      },
      get isLayered() {
        return clock.isLayered
      },
      set isLayered(isSo) {
        clock.isLayered = isSo
      },
      async manifest(text) {
        const { base, over } = clock.isLayered ? layersOf(text) : { base: text, over: '' }
        await writeFile(join(at, MANIFEST), base)
        if (clock.isLayered) await writeFile(join(at, OVER), over)
      },
      async declared() {
        const names = clock.isLayered ? [MANIFEST, OVER] : [MANIFEST]
        const texts = names.map((name) => readFile(join(at, name), 'utf8'))
        return (await Promise.all(texts)).map((text) => load(text))
      },
      async run(given, around) {
        const words = clock.isLayered ? inLayers(given) : given
        const run = newRunning({ number: (runsBegun += 1), by, machine }, around)
        runs.push(run)
        own.add(run.number)
        const onInterrupt = (stop: () => void): (() => void) => {
          run.stop = stop
          return () => {}
        }
        const pause = async (ms: number): Promise<void> => {
          if (run.isDead) await never()
          clock.now += ms
        }
        const told = { ...env, ...statedAt(place), ...place?.envOf(run.pid) }
        const ran = within(run, () => runHere({ folder: at, env: told }, words, { now, onInterrupt, pause }))
        const ended = await Promise.race([ran, run.died.promise])
        if (ended === 'killed') {
          run.stop()
          await settled()
          await bury(run)
        }
        runs.splice(runs.indexOf(run), 1)
        checkNoSecret(at, ended === 'killed' ? [] : [ended.stdout, ended.stderr])
        if (ended === 'killed') return { code: null, stdout: '', stderr: '', number: run.number }
        return { ...ended, number: run.number }
      },
      async json(words, around) {
        const { code, stdout, stderr, number } = await world.run([...words, '--format', 'json'], around)
        count(`command ${words[0] ?? ''}: ${code === null ? 'killed' : `exit ${code}`}`)
        const texts = (words[0] === 'apply' ? stdout.split('\n') : [stdout]).filter(
          (text) => text.trim() !== '',
        )
        const told = texts.map((text) => JSON.parse(text))
        return { code, said: stderr, document: told.at(-1), told, number }
      },
      get keepsKey() {
        return clock.keepsKey
      },
      set keepsKey(keeps) {
        clock.keepsKey = keeps
      },
      write: async (who, method, path, body) =>
        who === 'twin' && clock.keepsKey ? 0 : service.write(who, KEYS[who], method, path, body),
      actsOf: (run) => watched.acts.filter((act) => act.run === run),
      async copied() {
        const copy = await mkdtemp(join(at, 'copy-'))
        const files = await readdir(at)
        for (const name of files.filter((each) => each === STATE || each.startsWith(SILENCES)))
          await copyFile(join(at, name), join(copy, name))
        const ran = new Set<number>()
        return worldIn(copy, { place: await place?.copied() }, 'twin', seenBySecond(watched, ran), ran)
      },
      async moved() {
        const elsewhere = await mkdtemp(join(at, 'moved-'))
        await copyFiles(at, elsewhere)
        // A state in a file is locked on one machine only.
        const reached = place === undefined ? { place } : { place, machine: 'elsewhere' }
        return worldIn(elsewhere, reached, by, watched, own)
      },
      fetch: ({ folder: elsewhere }) => copyFiles(elsewhere, at),
      async begunAnew() {
        const anew = await mkdtemp(join(at, 'anew-'))
        const ran = new Set<number>()
        const empty = worldIn(anew, { place: await place?.anew() }, 'twin', seenAnew(watched, ran), ran)
        await initState({ ...stateIn(empty), command: 'state init' }, outside)
        return empty
      },
      async close() {
        await service.close()
        expect((await place?.all()) ?? '').not.toContain(SECRET)
        await rm(folder, { recursive: true, force: true })
      },
    }
    return world
  }
  const world = worldIn(folder, { place: await placeOf(store) }, 'run', service)
  await initState({ ...stateIn(world), command: 'state init' }, outside)
  return world
}

const statedAt = (place: Place | undefined): Record<string, string> =>
  place === undefined ? {} : { DEPLOYMGMT_STATE: place.address }

const copyFiles = async (from: string, to: string): Promise<void> => {
  const files = await readdir(from, { withFileTypes: true })
  for (const { name } of files.filter((each) => each.isFile()))
    await copyFile(join(from, name), join(to, name))
}

/** Every secret of the fixture, and the declared password, contains this word. */
const SECRET = 'canary'

/** No secret is in the output of a command, or in a file that it leaves. */
const checkNoSecret = (folder: string, said: readonly string[]): void => {
  const files = readdirSync(folder, { withFileTypes: true }).filter((each) => each.isFile())
  const texts = files.map(({ name }) => readFileSync(join(folder, name), 'utf8'))
  expect([...texts, ...said].filter((text) => text.includes(SECRET))).toEqual([])
}

/** A saved plan knows its files itself, and what follows `--` is not our command line. */
const inLayers = (words: readonly string[]): readonly string[] => {
  if (words.some((each) => each.endsWith('.plan')) && !words.includes('--out')) return words
  const end = words.includes('--') ? words.indexOf('--') : words.length
  return [...words.slice(0, end), '--file', MANIFEST, '--file', OVER, ...words.slice(end)]
}

/** The same service as another runner sees it: `byFor` says whose each write of a run is. */
const seenWith = (service: WatchedService, byFor: (act: Act, index: number) => Act['by']): WatchedService => {
  const turned = new WeakMap<Act, Act>()
  const turn = (act: Act, index: number): Act => {
    const known = turned.get(act) ?? { ...act, by: byFor(act, index) }
    turned.set(act, known)
    return known
  }
  return {
    ...service,
    get acts() {
      return service.acts.map((act, index) => (act.run === undefined ? act : turn(act, index)))
    },
  }
}

/** A runner's own writes are its own; what any other runner has written with its key is a twin's. */
const ownIn =
  (own: ReadonlySet<number>) =>
  ({ by, run = 0 }: Act): Act['by'] => {
    if (by !== 'run' && by !== 'twin') return by
    return own.has(run) ? 'run' : 'twin'
  }

/** What was written before the copy keeps its author. */
const seenBySecond = (service: WatchedService, own: ReadonlySet<number>): WatchedService => {
  const [from, later] = [service.acts.length, ownIn(own)]
  return seenWith(service, (act, index) => (index < from ? act.by : later(act)))
}

/** What any runner has written until now is a twin's. */
const seenAnew = (service: WatchedService, own: ReadonlySet<number>): WatchedService =>
  seenWith(service, ownIn(own))

/** Waits until what a killed command had started has taken effect, or never will. */
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => void setImmediate(resolve))
}

/** For reading a state without a command: faults and kills do not concern it. */
const outside = {
  env: { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
}
const stateIn = ({ folder, place, service }: World) => ({
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
