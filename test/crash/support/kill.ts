import { readdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { pass, type Passing, type Steer } from '../../support/proxy.ts'
import { manifestWith, type Installation } from '../../support/installation.ts'
import { start } from '../../support/process.ts'
import { begin, type Scene } from '../../support/scene.ts'
import { expectConverged, resolve as resolveAddress } from './unknown.ts'

/** An installation whose command is to send all five kinds, and talks to the service through the proxy. */
export const scene = (options: Parameters<typeof begin>[0] = {}): Promise<Scene> =>
  begin({ manifest: manifestWith(), ...options, proxied: true })

/** A steering that lets all pass until a request fits, tells of its arrival, and then does what `fate` says. */
export const catching = (
  fits: (passing: Passing) => boolean,
  fate: Steer,
): { readonly steer: Steer; readonly caught: Promise<Passing> } => {
  const { promise, resolve } = Promise.withResolvers<Passing>()
  let isCaught = false
  const steer: Steer = async (passing, forward) => {
    if (isCaught || !fits(passing)) return forward()
    isCaught = true
    const result = await fate(passing, forward)
    resolve(passing)
    return result
  }
  return { steer, caught: promise }
}

export const before: Steer = async () => 'silence'
export const after: Steer = async (_, forward) => {
  await forward()
  return 'silence'
}
export const lostBefore: Steer = async () => 'reset'
export const lostAfter: Steer = async (_, forward) => {
  await forward()
  return 'reset'
}

/** Runs an apply, or what is given, and kills it while a write is under way, before or after the service has committed it. */
export const killAt = async (
  here: Scene,
  fits: (passing: Passing) => boolean,
  fate: Steer,
  {
    words = ['apply', '--auto-approve', '--concurrency', '1'],
    there = here,
  }: { readonly words?: readonly string[]; readonly there?: Installation } = {},
): Promise<Passing> => {
  const { steer, caught } = catching(fits, fate)
  here.proxy.steer(steer)
  const { child, ended } = start(there, words)
  const passing = await Promise.race([caught, ended.then(({ stderr }) => Promise.reject(new Error(stderr)))])
  child.kill('SIGKILL')
  expect((await ended).signal).toBe('SIGKILL')
  here.proxy.steer(pass)
  return passing
}

/** Says what is true about writes of unknown outcome, as a person would who looked at the service. */
export const resolveAll = async (here: Installation, addresses: readonly string[]): Promise<void> => {
  const dump = await here.control('GET', 'dump')
  const ids: Record<string, string | undefined> = {
    'users.dana': dump.users[0]?.id,
    'maintenanceWindows.migration': dump.projects[0].maintenanceWindows[0]?.id,
  }
  for (const address of addresses) {
    const id = ids[address]
    await resolveAddress(here, address, ...(id === undefined ? ['--not-created'] : ['--created', id]))
  }
}

/** The service holds what the manifest of all five kinds declares, each thing once. */
export const expectWhole = async (here: Installation): Promise<void> => {
  const dump = await here.control('GET', 'dump')
  const [project] = dump.projects
  const key = dump.organizations[0].apiKeys.find(({ publicKey }: any) => publicKey === 'reporter')
  expect({
    users: dump.users.map(({ username }: any) => username),
    windows: project.maintenanceWindows.map(({ description }: any) => description),
    enabled: project.alertConfigs.map(({ enabled }: any) => enabled),
    integrations: project.integrations.map(({ type }: any) => type),
    key: [key.desc, key.roles.map(({ roleName }: any) => roleName)],
  }).toEqual({
    users: ['dana@example.com'],
    windows: ['Storage migration'],
    enabled: [true, false],
    integrations: ['PAGING'],
    key: ['Reporting', ['ORG_MEMBER']],
  })
}

/** The next apply leaves nothing to do, and the service is whole. */
export const expectRecovered = async (here: Installation): Promise<void> => {
  await expectConverged(here)
  await expectWhole(here)
}

/** What lies beside the manifest: nothing but the state once everything is recorded. */
export const filesIn = async ({ folder }: Installation): Promise<string[]> =>
  (await readdir(folder)).toSorted((a, b) => a.localeCompare(b))
