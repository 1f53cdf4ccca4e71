import { readdirSync, readFileSync } from 'node:fs'
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { expect } from 'vitest'
import { initState } from '../../reconciler/state/index.ts'
import { runHere, type Ran } from '../support/command.ts'
import { FOLDER } from '../support/folder.ts'
import type { Act } from './known/acts.ts'
import { EPOCH } from './known/declared.ts'
import { CI, fixture, KEYS, PASSWORD } from './fixture.ts'
import { bury, lives, never, newRunning, within, type Running } from './gate.ts'
import { layersOf } from './known/layers.ts'
import { placeOf, type Place, type StoreName } from './places.ts'
import { watchedService, type WatchedService } from './service.ts'
import { count } from './tally.ts'
import { outside, STATE, stateIn, type World } from './world.ts'

const MANIFEST = 'deploymgmt.yaml'
const OVER = 'over.yaml'
/** What `deploymgmt silence` records beside the state. */
const SILENCES = 'deploymgmt.silences.json'

/** What all checkouts of one service have in common. */
class Shared implements Pick<World, 'now' | 'ahead' | 'keepsKey' | 'isLayered' | 'keys'> {
  now = EPOCH
  ahead = 0
  keepsKey = false
  isLayered = false
  readonly keys = { run: CI, twin: CI }
  readonly runs: Running[] = []
  runsBegun = 0

  /** A request moves the clock, and what was to happen while it waits happens. */
  async passing(isWrite: boolean): Promise<Running | 'refused'> {
    const run = this.runs.at(-1)
    // A request that nobody waits for comes from a killed command.
    if (run === undefined || !lives(run)) return 'refused'
    run.requests += 1
    if (isWrite) run.writes += 1
    this.now += 3 + ((run.requests * 37 + run.number * 11) % 90)
    const { requests, writes } = run.interruptAt ?? {}
    if (run.requests === requests || (isWrite && run.writes === writes)) run.stop()
    await run.meanwhile.get(run.requests)?.()
    if (run.isDead) return 'refused'
    if (isWrite && run.writes === run.lastWrite) run.effectsLeft = 0
    return run
  }
}

export const newWorld = async (
  settings: Readonly<Record<string, string>> = {},
  store: StoreName = 'file',
): Promise<World> => {
  const shared = new Shared()
  const service = await watchedService({
    fixture: fixture(),
    settings,
    now: () => shared.now,
    passing: (isWrite) => shared.passing(isWrite),
  })
  const place = await placeOf(store)
  const world = new Checkout(shared, { folder: await mkdtemp(FOLDER), place, settings, service, by: 'run' })
  await initState({ ...stateIn(world), command: 'state init' }, outside)
  return world
}

interface CheckoutParts extends Pick<World, 'folder' | 'place' | 'settings' | 'service'> {
  readonly by: Running['by']
  readonly machine?: string
  /** The numbers of the runs of its runner. */
  readonly own?: Set<number>
}

/** One folder in which a runner runs the command. */
class Checkout implements World {
  readonly folder: string
  readonly place: Place | undefined
  service: WatchedService
  readonly settings: Readonly<Record<string, string>>
  readonly keys: World['keys']
  readonly #shared: Shared
  readonly #by: Running['by']
  readonly #machine: string | undefined
  readonly #own: Set<number>

  constructor(
    shared: Shared,
    { folder, place, settings, service, by, machine, own = new Set() }: CheckoutParts,
  ) {
    this.#shared = shared
    this.keys = shared.keys
    this.folder = folder
    this.place = place
    this.settings = settings
    this.service = service
    this.#by = by
    this.#machine = machine
    this.#own = own
  }

  get now(): number {
    return this.#shared.now
  }
  set now(ms: number) {
    this.#shared.now = ms
  }
  get ahead(): number {
    return this.#shared.ahead
  }
  set ahead(ms: number) {
    this.#shared.ahead = ms
  }
  get keepsKey(): boolean {
    return this.#shared.keepsKey
  }
  set keepsKey(keeps: boolean) {
    this.#shared.keepsKey = keeps
  }
  get isLayered(): boolean {
    return this.#shared.isLayered
  }
  set isLayered(isSo: boolean) {
    this.#shared.isLayered = isSo
  }

  async manifest(text: string): Promise<void> {
    const { base, over } = this.isLayered ? layersOf(text) : { base: text, over: '' }
    await writeFile(join(this.folder, MANIFEST), base)
    if (this.isLayered) await writeFile(join(this.folder, OVER), over)
  }

  async declared(): Promise<readonly unknown[]> {
    const names = this.isLayered ? [MANIFEST, OVER] : [MANIFEST]
    const texts = names.map((name) => readFile(join(this.folder, name), 'utf8'))
    return (await Promise.all(texts)).map((text) => load(text))
  }

  async run(...[given, around]: Parameters<World['run']>): ReturnType<World['run']> {
    const { runs } = this.#shared
    const number = (this.#shared.runsBegun += 1)
    const run = newRunning({ number, by: this.#by, machine: this.#machine }, around)
    runs.push(run)
    this.#own.add(number)
    const ran = within(run, () => this.#runHere(run, given))
    const ended = await Promise.race([ran, run.died.promise])
    if (ended === 'killed') {
      run.stop()
      await settled()
      await bury(run)
    }
    runs.splice(runs.indexOf(run), 1)
    checkNoSecret(this.folder, ended === 'killed' ? [] : [ended.stdout, ended.stderr])
    return ended === 'killed' ? { code: null, stdout: '', stderr: '', number } : { ...ended, number }
  }

  #runHere(run: Running, given: readonly string[]): Promise<Ran> {
    const { folder, place, service } = this
    const shared = this.#shared
    const { publicKey, privateKey } = shared.keys.run
    const env = {
      DEPLOYMGMT_BASE_URL: service.baseUrl,
      DEPLOYMGMT_PUBLIC_KEY: publicKey,
      DEPLOYMGMT_PRIVATE_KEY: privateKey,
      DANA_INITIAL_PASSWORD: PASSWORD,
      ...statedAt(place),
      ...place?.envOf(run.pid),
    }
    return runHere({ folder, env }, shared.isLayered ? inLayers(given) : given, {
      now: () => new Date(shared.now + shared.ahead),
      onInterrupt: (stop) => {
        run.stop = stop
        return () => {}
      },
      pause: async (ms) => {
        if (run.isDead) await never()
        shared.now += ms
      },
      // Always the same, so that a history can be repeated.
      random: () => 0.5,
    })
  }

  async json(...[words, around]: Parameters<World['json']>): ReturnType<World['json']> {
    const { code, stdout, stderr, number } = await this.run([...words, '--format', 'json'], around)
    count(`command ${words[0] ?? ''}: ${code === null ? 'killed' : `exit ${code}`}`)
    const texts = (words[0] === 'apply' ? stdout.split('\n') : [stdout]).filter((text) => text.trim() !== '')
    const told = texts.map((text) => JSON.parse(text))
    return { code, said: stderr, document: told.at(-1), told, number }
  }

  async write(...[who, method, path, body]: Parameters<World['write']>): Promise<number> {
    if (who === 'twin' && this.keepsKey) return 0
    const key = who === 'twin' ? this.keys.twin : KEYS[who]
    return this.service.write(who, key, method, path, body)
  }

  actsOf(run: number): Act[] {
    return this.service.acts.filter((act) => act.run === run)
  }

  async copied(): Promise<World> {
    const copy = await mkdtemp(join(this.folder, 'copy-'))
    const files = await readdir(this.folder)
    for (const name of files.filter((each) => each === STATE || each.startsWith(SILENCES)))
      await copyFile(join(this.folder, name), join(copy, name))
    return this.#twin(copy, await this.place?.copied(), seenBySecond)
  }

  async moved(): Promise<World> {
    const elsewhere = await mkdtemp(join(this.folder, 'moved-'))
    await copyFiles(this.folder, elsewhere)
    const { place, settings, service } = this
    // A state in a file is locked on one machine only.
    const reached = place === undefined ? {} : { machine: 'elsewhere' }
    const parts = { folder: elsewhere, place, settings, service, by: this.#by, own: this.#own }
    return new Checkout(this.#shared, { ...parts, ...reached })
  }

  fetch({ folder }: World): Promise<void> {
    return copyFiles(folder, this.folder)
  }

  async begunAnew(): Promise<World> {
    const anew = await mkdtemp(join(this.folder, 'anew-'))
    const empty = this.#twin(anew, await this.place?.anew(), seenAnew)
    await initState({ ...stateIn(empty), command: 'state init' }, outside)
    return empty
  }

  takesOver(id: string): void {
    const until = this.service.acts.length
    this.service = seenWith(this.service, (act, index) => (act.id === id && index < until ? 'run' : act.by))
  }

  /** A runner of its own with the same key, who sees the writes of all others as a twin's. */
  #twin(folder: string, place: Place | undefined, seen: typeof seenAnew): World {
    const own = new Set<number>()
    const { settings, service } = this
    return new Checkout(this.#shared, {
      folder,
      place,
      settings,
      service: seen(service, own),
      by: 'twin',
      own,
    })
  }

  async close(): Promise<void> {
    await this.service.close()
    checkWithoutSecret([(await this.place?.all()) ?? ''])
    await rm(this.folder, { recursive: true, force: true })
  }
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
  checkWithoutSecret([...texts, ...said])
}

const checkWithoutSecret = (texts: readonly string[]): void =>
  expect(texts.filter((text) => text.includes(SECRET))).toEqual([])

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
