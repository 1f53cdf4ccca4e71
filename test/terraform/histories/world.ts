/** A service whose clock a history moves, and the real Terraform, which starts the provider anew for each command. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@deploymgmt/provider/api'
import { startService } from '@deploymgmt/service'
import { controlOf, type Control } from '../../support/control.ts'
import { FOLDER } from '../../support/folder.ts'
import { CI, fixtureWith, ONCALL, ORG, PROJECT } from '../../support/installation.ts'
import { LEDGER, org, PAT } from '../../support/people.ts'
import { startProxy } from '../../support/proxy.ts'
import { startProvider } from '../support/provider.ts'
import { count } from '../../world/tally.ts'
import { runTerraform, type Ran } from '../support/terraform.ts'
import { BYSTANDER, CONFIGS, TYPES } from './declared.ts'

/** A write that the service was asked for by the key of Terraform. */
export interface Write {
  readonly method: string
  readonly path: string
  readonly status: number
}

/** A command that has ended, with all that it has written. */
export interface Ended extends Ran {
  readonly command: string
  readonly wrote: readonly Write[]
}

/** What the service holds, whatever a plan says. */
export interface Truth {
  readonly configs: ReadonlyMap<string, boolean>
  /** By id, with `projectId`. */
  readonly windows: ReadonlyMap<string, any>
  readonly keys: ReadonlyMap<string, { readonly desc: string; readonly roles: readonly string[] }>
  /** By name. */
  readonly users: ReadonlyMap<string, any>
  /** `PROJECT TYPE`. */
  readonly integrations: ReadonlySet<string>
}

/** What Terraform's state has of one resource. */
export interface Stated {
  readonly values: any
  readonly isTainted: boolean
}

/** What happens while a command runs. */
export interface Around {
  /** Somebody does something right before the n-th request of the command arrives. */
  readonly meanwhile?: { readonly at: number; readonly carryOut: () => Promise<void> }
  /** Terraform and its provider are killed at the n-th write, which the service has carried out or never sees. */
  readonly killed?: { readonly at: number; readonly isDone: boolean }
}

export interface World {
  readonly folder: string
  /** The service's time, in milliseconds. */
  now(): number
  /** Time passes. */
  pass(ms: number): void
  configure(hcl: string): Promise<void>
  terraform(words: readonly string[], around?: Around): Promise<Ended>
  /** Somebody else writes, by the key `oncall`. */
  outside(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: object): Promise<any>
  readonly control: Control
  truth(): Promise<Truth>
  /** By address, without `deploymgmt_`. */
  state(): Promise<ReadonlyMap<string, Stated>>
  close(): Promise<void>
}

const fixture = (): object => {
  const base = fixtureWith({
    alertConfigs: [
      ...CONFIGS.map((id, index) => ({ id, eventTypeName: TYPES[index], enabled: true })),
      { id: BYSTANDER, eventTypeName: 'CLUSTER', enabled: true },
    ],
  }) as { projects: object[] }
  const ledger = { id: LEDGER, orgId: ORG, name: 'ledger', integrations: [] }
  const users = [
    { id: PAT, username: 'pat@example.com', roles: [org('ORG_MEMBER')] },
    { id: '5d2e1f0a9b8c7d6e5f4a3b2c', username: 'sam@example.com', roles: [org('ORG_OWNER')] },
  ]
  return { ...base, projects: [...base.projects, ledger], users }
}

const STATE = 'terraform.tfstate'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const HEAD = `terraform {
  required_providers {
    deploymgmt = { source = "deploymgmt/deploymgmt" }
  }
}
provider "deploymgmt" {
  org_id = "${ORG}"
}
`

/** @param tells whether events tell the values of what was made */
export const newWorld = async (tells: boolean): Promise<World> => {
  let passed = 0
  const now = (): number => Date.now() + passed
  const service = await startService({
    fixture: fixture(),
    control: true,
    now,
    settings: { 'open.rawDocument': tells ? 'values' : 'empty' },
  })
  const folder = await mkdtemp(FOLDER)
  const keys = {
    DEPLOYMGMT_PUBLIC_KEY: CI.publicKey,
    DEPLOYMGMT_PRIVATE_KEY: CI.privateKey,
  }
  const control = controlOf(service)
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8')
  return {
    folder,
    now,
    pass(ms) {
      passed += ms
    },
    configure: (hcl) => writeFile(join(folder, 'main.tf'), HEAD + hcl),
    async terraform(words, { meanwhile, killed } = {}) {
      await control('DELETE', 'requests')
      const kill = new AbortController()
      // One for each command: a provider whose Terraform was killed must not reach the service later.
      const proxy = await startProxy(service.baseUrl)
      const env = { ...keys, DEPLOYMGMT_BASE_URL: proxy.baseUrl }
      let requests = 0
      proxy.steer(async ({ authorized, write }, forward) => {
        // The service never sees what a provider that was killed would have sent.
        if (kill.signal.aborted) return 'reset'
        if (authorized) requests += 1
        if (authorized && requests === meanwhile?.at) await meanwhile.carryOut()
        if (write === 0 || write !== killed?.at) return forward()
        if (killed.isDone) await forward()
        kill.abort()
        return 'reset'
      })
      const provider = await startProvider(env)
      try {
        const settings = { ...env, TF_REATTACH_PROVIDERS: provider.reattach }
        const stateBefore = await read(STATE).catch(() => '')
        const ran = await runTerraform(words, { cwd: folder, env: settings, signal: kill.signal })
        // A kill can leave half of the file; a person then takes the last whole one.
        if (ran.code === null && !isJson(await read(STATE).catch(() => '')))
          await writeFile(join(folder, STATE), stateBefore)
        count(`terraform ${words[0] ?? ''}: exit ${String(ran.code)}${codeIn(ran)}`)
        const { log } = await control('GET', 'requests')
        const wrote = log.filter(
          ({ method, status, key }: any) => method !== 'GET' && status !== 401 && key === CI.publicKey,
        )
        return { ...ran, wrote, command: words.join(' ') }
      } finally {
        provider.close()
        await proxy.close()
      }
    },
    async outside(method, path, body) {
      const client = createClient({ baseUrl: service.baseUrl, ...ONCALL })
      try {
        return (await client.send(method, path, body)).body
      } finally {
        await client.close()
      }
    },
    control,
    truth: async () => truthIn(await control('GET', 'dump')),
    async state() {
      const state = JSON.parse((await read(STATE).catch(() => '')) || '{}')
      return new Map(
        (state.resources ?? []).flatMap(({ type, name, instances }: any) =>
          instances.map(({ attributes, status }: any) => [
            `${type.replace('deploymgmt_', '')}.${name}`,
            { values: attributes, isTainted: status === 'tainted' },
          ]),
        ),
      )
    },
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const codeIn = ({ code, said }: Ran): string =>
  code === 1 ? `, ${/DM-[A-Z-]+/.exec(said)?.[0] ?? said}` : ''

const truthIn = ({ projects, organizations, users }: any): Truth => ({
  configs: new Map(
    projects.flatMap(({ alertConfigs }: any) => alertConfigs.map(({ id, enabled }: any) => [id, enabled])),
  ),
  windows: new Map(
    projects.flatMap(({ id: projectId, maintenanceWindows }: any) =>
      maintenanceWindows.map((window: any) => [window.id, { ...window, projectId }]),
    ),
  ),
  keys: new Map(
    organizations.flatMap(({ apiKeys }: any) =>
      apiKeys.map(({ id, desc, roles }: any) => [
        id,
        { desc, roles: roles.map(({ roleName }: any) => roleName).toSorted() },
      ]),
    ),
  ),
  users: new Map(users.map((user: any) => [user.username, user])),
  integrations: new Set(
    projects.flatMap(({ id, integrations }: any) => integrations.map(({ type }: any) => `${id} ${type}`)),
  ),
})

/** Each secret of the fixture, and the password that is declared, has this word in it. */
export const SECRET = 'canary'

export { ORG, PROJECT }
