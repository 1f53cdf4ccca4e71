import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Ran } from './command.ts'
import { fixtureWith, manifestWith, ORG, PROJECT, type Installation } from './installation.ts'
import type { Steer } from './proxy.ts'
import { begin as beginScene, type Scene } from './scene.ts'

/** What tests of keys and users share: a service with people, and a manifest with nothing else. */

export const REPORTER = '5c47503320eef5699e1cce8f'
export const CI_ID = '5c47503320eef5699e1cce8d'
export const ONCALL_ID = '5c47503320eef5699e1cce8e'
export const SAM = '5d2e1f0a9b8c7d6e5f4a3b2c'
export const PAT = '5d2e1f0a9b8c7d6e5f4a3b2d'
export const LEDGER = '5c8100bcf2a30b12ff882590'

export const org = (roleName: string, orgId = ORG) => ({ roleName, orgId })
export const group = (roleName: string, groupId = PROJECT) => ({ roleName, groupId })

/** Lets each project role of an answer name the organization of its project, too, as some services do. */
export const placedFully: Steer = async (_, forward) => {
  const passed = await forward()
  const body = String(passed.body).replaceAll(/"groupId":"[0-9a-f]+"(?=\})/g, `$&,"orgId":"${ORG}"`)
  return { ...passed, body }
}

export const sam = (...roles: object[]) => ({ id: SAM, username: 'sam@example.com', roles })

interface Begin {
  readonly apiKeys?: string
  readonly users?: string
  readonly settings?: Record<string, string>
  readonly people?: readonly object[]
  readonly organization?: object
  readonly proxied?: boolean
}

const sectionsOf = ({ apiKeys = '', users = '' }: Begin) => ({
  alertConfigurations: '',
  maintenanceWindows: '',
  integrations: '',
  apiKeys,
  users,
})

export const manifestOf = (sections: Pick<Begin, 'apiKeys' | 'users'>): string =>
  manifestWith(sectionsOf(sections))

/** A service, a manifest and an empty state; nothing is applied yet. */
export const begin = async (options: Begin): Promise<Scene> => {
  const { settings = {}, people = [], organization = {}, proxied = false } = options
  const base = fixtureWith({}, organization) as { projects: object[] }
  const projects = [...base.projects, { id: LEDGER, orgId: ORG, name: 'ledger' }]
  const fixture = { ...base, projects, users: people }
  return beginScene({ fixture, settings, manifest: manifestOf(options), proxied })
}

/** The same, applied with success. */
export const beginApplied = async (options: Begin): Promise<Installation> => {
  const here = await begin(options)
  await expectApply(here, 0)
  return here
}

export const applyTo = (here: Installation, ...words: string[]): Promise<Ran> =>
  here.run('apply', '--auto-approve', ...words)

/** Applies and expects the exit code; a failure shows the whole output. */
export const expectApply = async (here: Installation, code: number, ...words: string[]): Promise<Ran> => {
  const ran = await applyTo(here, ...words)
  expect(ran).toMatchObject({ code })
  return ran
}

export const planOf = async (here: Installation, ...words: string[]) => {
  const { code, document, stderr } = await here.json('plan', '--detailed-exitcode', ...words)
  if (document === undefined) throw new Error(stderr)
  return { code, document, changes: document.changes as any[] }
}

/** The changes of the plan, as `ACTION ADDRESS`. */
export const plannedActions = async (here: Installation, ...words: string[]): Promise<string[]> =>
  (await planOf(here, ...words)).changes.map(({ action, address }) => `${action} ${address}`)

export const driftOf = async (here: Installation, address: string) => {
  const { code, document } = await here.json('drift')
  const found = document.resources.find((resource: any) => resource.address === address)
  return { ...found, code }
}

const namesOf = (roles: readonly { roleName: string }[]): string[] =>
  roles.map(({ roleName }) => roleName).toSorted((a, b) => a.localeCompare(b))

const dumpOf = (here: Installation): Promise<any> => here.control('GET', 'dump')

/** Types of the organization's events, oldest first: they show which fields were sent. */
export const eventTypes = async (here: Installation): Promise<string[]> =>
  (await dumpOf(here)).organizations[0].events.map(({ eventTypeName }: any) => eventTypeName).toReversed()

export const keyAt = async (here: Installation, id = REPORTER): Promise<any> => {
  const key = (await dumpOf(here)).organizations[0].apiKeys.find((each: any) => each.id === id)
  return { desc: key.desc, roles: namesOf(key.roles) }
}

export const userAt = async (here: Installation, username = 'sam@example.com'): Promise<any> => {
  const user = (await dumpOf(here)).users.find((each: any) => each.username === username)
  return { id: user.id, roles: namesOf(user.roles), invitations: namesOf(user.invitations) }
}

/** The text of all files in the working folder, to search in. */
export const everyFile = async (here: Installation): Promise<string> => {
  const names = await readdir(here.folder)
  const texts = names
    .filter((name) => name !== 'deploymgmt.yaml')
    .map((name) => readFile(join(here.folder, name), 'utf8'))
  return (await Promise.all(texts)).join('\n')
}
