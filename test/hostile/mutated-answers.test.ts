import { Command } from 'commander'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { dataSources } from '@deploymgmt/provider/data-sources'
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { tellFailure } from '../../reconciler/commands/tell-failure.ts'
import { get } from '../../reconciler/commands/get/get.ts'
import type { Io } from '../../reconciler/io.ts'
import {
  installation,
  organizationKey,
  personalKey,
  placesOf,
  secrets,
} from '../provider/data-sources/support/installation.ts'
import type { Ran } from '../support/command.ts'
import {
  CI,
  fixtureWith,
  install,
  manifestWith,
  PASSWORD,
  type Installation,
  type Key,
} from '../support/installation.ts'
import { startProxy, type Passed, type Passing, type TestProxy } from '../support/proxy.ts'
import { emptyState } from '../support/scene.ts'
import { runs, tellTried } from '../support/soak.ts'
import { bytesOf, CHARACTERS, mutated, mutationsOf, VALUES, type Mutation } from './support/mutations.ts'
import { defectsOf } from './support/told.ts'

const WHOLE = {
  'is a page': () => '<!doctype html><title>502 Bad Gateway</title>',
  'is something else': (_: string, __: number, by: number) =>
    ['', ' ', 'null', '[]', '{}', '"text"', '7'][by % 7] ?? '',
  'is about another thing': (text: string, _: number, by: number) =>
    text.replaceAll(/"[0-9a-f]{24}"/g, [`"${'5d'.repeat(12)}"`, '""', '".."'][by % 3] ?? ''),
  'is an error document': () =>
    '{"error":404,"errorCode":"NOT_FOUND","reason":"Not Found","detail":"nothing","parameters":[]}',
  'is long': (text: string) => text.replace(/^\{/, `{"more":"${'x'.repeat(300_000)}",`),
}
const WAYS = { ...CHARACTERS, ...VALUES, ...WHOLE }
const mutations = mutationsOf(WAYS, 2, VALUES)

/** The answers of a real service, by request. */
type Recorded = Map<string, Passed>
const keyOf = ({ method, path }: Passing): string => `${method} ${path.replace(/\?.*$/, '')}`

/** A real service with its recorded answers, and a proxy that returns them mutated. */
interface Spoiling {
  readonly here: Installation
  readonly proxy: TestProxy
  readonly recorded: Recorded
  /** Replays the recorded answers, and mutates and counts those given here. */
  spoil(spoilt: ReadonlyMap<string, readonly Mutation[]>): void
  close(): Promise<void>
}
let count = 0

/** The answer to any read that was not recorded. */
const NOT_FOUND: Passed = {
  status: 404,
  headers: { 'content-type': 'application/json' },
  body: '{"error":404,"errorCode":"NOT_FOUND","reason":"Not Found"}',
}

const spoiling = async (fixture: object): Promise<Spoiling> => {
  const here = await install({ fixture })
  const proxy = await startProxy(here.baseUrl)
  here.env['DEPLOYMGMT_BASE_URL'] = proxy.baseUrl
  const recorded: Recorded = new Map()
  let challenge: Passed | undefined
  proxy.steer(async (passing, forward) => {
    const answer = await forward()
    if (answer.status === 401 && !passing.authorized) challenge ??= answer
    if (answer.status < 300 && !recorded.has(keyOf(passing)))
      recorded.set(keyOf(passing), { ...answer, headers: { 'content-type': 'application/json' } })
    return answer
  })
  return {
    here,
    proxy,
    recorded,
    spoil(spoilt) {
      const seen = new Set<string>()
      proxy.steer(async (passing, forward) => {
        // Reads may be unauthenticated; a write first needs a challenge, to know who is writing.
        if (passing.method !== 'GET' && !passing.authorized) return challenge ?? forward()
        const answer = recorded.get(keyOf(passing))
        const ways = spoilt.get(keyOf(passing))
        if (answer === undefined) return passing.method === 'GET' ? NOT_FOUND : forward()
        if (ways === undefined) return answer
        // An answer that is not JSON is requested again, so each request counts once.
        if (!seen.has(keyOf(passing))) count += 1
        seen.add(keyOf(passing))
        return { ...answer, body: bytesOf(mutated(answer.body.toString(), WAYS, ways)) }
      })
    },
    async close() {
      await proxy.close()
      await here.close()
    },
  }
}

const CANARIES = [
  ...secrets,
  CI.privateKey,
  organizationKey.privateKey,
  personalKey.privateKey,
  PASSWORD,
  'canary',
]

/** Waits between attempts are a random part of a maximum; with 0 there are none. */
beforeAll(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
})
afterAll(() => {
  vi.restoreAllMocks()
})

let reading: Spoiling
let writing: Spoiling
beforeAll(async () => {
  const [organization] = installation.organizations
  const organizations = [{ ...organization, events: organization?.events.slice(-3) }]
  reading = await spoiling({ ...installation, organizations })
  writing = await spoiling(fixtureWith())
})
afterAll(async () => {
  await reading.close()
  await writing.close()
})

const readSource = async (name: string, key: Key): Promise<Ran> => {
  const definition = dataSources.find((each) => each.name === name)
  if (definition === undefined) throw new Error(name)
  const said = { stdout: '', stderr: '' }
  const into = (stream: keyof typeof said) =>
    new Writable({
      write(chunk: Buffer, _, done) {
        said[stream] += chunk.toString()
        done()
      },
    })
  const io: Io = {
    env: {
      ...reading.here.env,
      DEPLOYMGMT_PUBLIC_KEY: key.publicKey,
      DEPLOYMGMT_PRIVATE_KEY: key.privateKey,
    },
    cwd: reading.here.folder,
    stdin: () => Readable.from([]),
    stdout: into('stdout'),
    stderr: into('stderr'),
    now: () => new Date(),
    onInterrupt: () => () => {},
    unwritten: new Map(),
    secrets: new Set(),
    credentials: [],
  }
  const options = {
    file: [],
    var: [],
    varFile: [],
    state: 'x',
    format: 'text',
    target: [],
    concurrency: 10,
    color: false,
  }
  const argv = ['get']
  const asked = { given: placesOf(definition), argv }
  const code = await get(io, options, definition, asked).catch((error: unknown) =>
    tellFailure(io, error, { argv, program: new Command() }),
  )
  return { code, ...said }
}

test('no mutation of an answer breaks get', async () => {
  for (const { name } of dataSources)
    expect(
      await readSource(name, name === 'user_access_list_entry' ? personalKey : organizationKey),
    ).toMatchObject({ code: 0 })
  expect(reading.recorded.size).toBe(dataSources.length)
  const before = count
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...dataSources), mutations, async ({ name }, ways) => {
      reading.spoil(new Map([...reading.recorded.keys()].map((key) => [key, ways])))
      expect(defectsOf(await readSource(name, organizationKey), { secrets: CANARIES })).toEqual([])
    }),
    { numRuns: runs(3200) },
  )
  expect(count - before).toBeGreaterThanOrEqual(runs(3200))
  tellTried('mutated answers', count - before)
}, 3_600_000)

/** A command, the state before it, and the requests that it sends. */
interface Scene {
  readonly words: readonly string[]
  readonly state: string
  readonly requests: readonly string[]
}
const STATE = 'deploymgmt.state.json'

const scenesOf = async ({ here, recorded }: Spoiling): Promise<Scene[]> => {
  const state = () => readFile(join(here.folder, STATE), 'utf8')
  const scenes: Scene[] = []
  const scene = async (...words: string[]): Promise<void> => {
    const began = await state()
    await here.forgetRequests()
    const ran = await here.run(...words)
    expect(ran).toMatchObject({ code: 0 })
    const { log } = await here.requests()
    const requests = new Set(
      log
        .filter(({ status }) => status !== 401)
        .map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`),
    )
    scenes.push({ words, state: began, requests: [...requests].filter((key) => recorded.has(key)) })
  }
  await emptyState(here)
  await here.manifest(manifestWith())
  await scene('plan')
  await scene('apply', '--auto-approve')
  await scene('plan', '--all')
  await scene('drift')
  return scenes
}

test('no mutation of answers breaks plan, drift or apply, nor what comes after them', async () => {
  const { here } = writing
  const scenes = await scenesOf(writing)
  const spoilt = fc.constantFrom(...scenes).chain((scene) =>
    fc.record({
      scene: fc.constant(scene),
      answers: fc.uniqueArray(fc.tuple(fc.constantFrom(...scene.requests), mutations), {
        minLength: 1,
        maxLength: 6,
        selector: ([key]) => key,
      }),
    }),
  )
  const before = count
  await fc.assert(
    fc.asyncProperty(spoilt, async ({ scene, answers }) => {
      await writeFile(join(here.folder, STATE), scene.state, { mode: 0o600 })
      await rm(join(here.folder, 'deploymgmt.state.journal'), { force: true })
      writing.spoil(new Map(answers))
      expect(defectsOf(await here.run(...scene.words), { secrets: CANARIES })).toEqual([])
      if (scene.words[0] !== 'apply') return
      // The next command understands what was recorded from a mutated answer.
      writing.spoil(new Map())
      const after = await here.run('drift')
      expect(defectsOf(after)).toEqual([])
      expect(after.stderr).not.toMatch(/DM-(?:STATE|JOURNAL)/)
    }),
    { numRuns: runs(850) },
  )
  expect(count - before).toBeGreaterThanOrEqual(runs(1800))
  tellTried('mutated answers', count - before)
}, 3_600_000)
