import { readdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { pass, type Passing, type Steer } from '../../support/proxy.ts'
import { manifestWith, type Installation } from '../../support/installation.ts'
import { start } from '../../support/process.ts'
import { begin, type Scene } from '../../support/scene.ts'
import { expectConverged, resolve as resolveAddress } from './unknown.ts'

/** An installation with all five kinds declared, whose command talks to the service through the proxy. */
export const scene = (options: Parameters<typeof begin>[0] = {}): Promise<Scene> =>
  begin({ manifest: manifestWith(), ...options, proxied: true })

/**
 * A steering that forwards everything up to the first request that fits. That one resolves `caught`, and `fate` decides
 * what happens to it.
 */
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

/** Runs an apply or other command and kills it during a write, before or after the service has committed it. */
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
  await here.proxy.drained()
  here.proxy.steer(pass)
  return passing
}

/** Resolves unknown outcomes truthfully, as a person would after a look at the service. */
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

/** Expects the service to hold what the manifest of all five kinds declares, each thing once. */
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

/** Expects that the next apply leaves nothing to do, and that the service holds everything. */
export const expectRecovered = async (here: Installation): Promise<void> => {
  await expectConverged(here)
  await expectWhole(here)
}

/** The files beside the manifest: only the state once everything is recorded. */
export const filesIn = async ({ folder }: Installation): Promise<string[]> =>
  (await readdir(folder)).toSorted((a, b) => a.localeCompare(b))
