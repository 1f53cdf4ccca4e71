import type { Values } from '@deploymgmt/provider/core'
import { expect, onTestFinished } from 'vitest'
import type { Ran } from '../../../support/command.ts'
import { install, type Installation } from '../../../support/installation.ts'
import { begin as beginScene, only } from '../../../support/scene.ts'
import type { Dump, Specimen, Thing } from './specimen.ts'

export type Entries = Readonly<Record<string, Values>>
export interface Judged {
  readonly code: number | null
  readonly document: any
  /** The change or resource of an entry; each entry has one in these scenes. */
  of(name: string): any
}

/** A service, a manifest with one section, and the command; every request is recorded with its body. */
export interface Scene {
  readonly specimen: Specimen
  declare(entries: Entries): Promise<void>
  /** Start of a case: declares and applies the entries, then forgets the requests. */
  applied(entries: Entries, ...words: string[]): Promise<void>
  apply(...words: string[]): Promise<Ran>
  run(...words: string[]): Promise<Ran>
  plan(...words: string[]): Promise<Judged>
  drift(...words: string[]): Promise<Judged>
  /** Writes and reads that the service has answered since the last `forget`, according to its own log. */
  sent(): Promise<{ writes: string[]; reads: string[] }>
  /** Bodies of writes, in order. */
  readonly bodies: readonly unknown[]
  forget(): Promise<void>
  dump(): Promise<Dump>
  things(): Promise<readonly Thing[]>
  recorded(): Promise<Record<string, any>>
  /** Restarts the service with changed data, without an event about the change. */
  tamper(change: (dump: Dump) => void): Promise<void>
  control: Installation['control']
  outside: Installation['outside']
}

export const begin = async (
  specimen: Specimen,
  options: { fixture?: object; settings?: Readonly<Record<string, string>> } = {},
): Promise<Scene> => {
  const { section } = specimen.kind
  let bodies: unknown[] = []
  const first = await beginScene({ fixture: specimen.fixture, ...options, proxied: true })
  let here: Installation = first
  const { proxy } = first
  const run = (...words: string[]): Promise<Ran> => first.run(...words)
  proxy.steer((passing, forward) => {
    if (passing.write > 0) bodies.push(passing.body === '' ? undefined : JSON.parse(passing.body))
    return forward()
  })
  const judge = async (...words: string[]): Promise<Judged> => {
    const { code, stdout, stderr } = await run(...words, '--format', 'json')
    if (stdout === '') throw new Error(stderr)
    const document = JSON.parse(stdout)
    const all: any[] = document.changes ?? document.resources
    return { code, document, of: (name) => all.find(({ address }) => address === `${section}.${name}`) }
  }
  const scene: Scene = {
    specimen,
    declare: (entries) => first.manifest(manifestOf(section, entries)),
    async applied(entries, ...words) {
      await scene.declare(entries)
      expect(await run('apply', '--auto-approve', ...words)).toMatchObject({ code: 0 })
      await scene.forget()
    },
    apply: (...words) => run('apply', '--auto-approve', ...words),
    run,
    plan: (...words) => judge('plan', '--detailed-exitcode', '--all', ...words),
    // These cases are not about unmanaged things.
    drift: (...words) => judge('drift', '--unmanaged', 'off', ...words),
    async sent() {
      const { log } = await here.requests()
      const answered = log.filter(({ status }) => status !== 401)
      const calls = answered.map(({ method, path }) => `${method} ${path.replace(/\?.*$/, '')}`)
      return { writes: calls.filter((call) => !isRead(call)), reads: calls.filter(isRead) }
    },
    get bodies() {
      return bodies
    },
    async forget() {
      bodies = []
      await here.forgetRequests()
    },
    dump: () => here.control('GET', 'dump'),
    things: async () => specimen.things(await scene.dump()),
    recorded: async () => (await first.state()).resources,
    async tamper(change) {
      const dump = await scene.dump()
      change(dump)
      const restored = await install({ fixture: dump })
      onTestFinished(() => restored.close())
      here = restored
      proxy.leadTo(here.baseUrl)
    },
    control: (...words) => here.control(...words),
    outside: (...words) => here.outside(...words),
  }
  return scene
}

const isRead = (call: string): boolean => call.startsWith('GET ')

/** Writes values as JSON, which is also YAML. */
const manifestOf = (section: string, entries: Entries): string =>
  only(
    section,
    Object.entries(entries)
      .map(([name, values]) => `  ${name}: ${JSON.stringify(values)}`)
      .join('\n'),
  )
