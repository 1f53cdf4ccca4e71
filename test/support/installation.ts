import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createClient } from '@deploymgmt/provider/api'
import { startService } from '@deploymgmt/service'
import { controlOf, type Control } from './control.ts'
import { FOLDER, XDG_CACHE_HOME } from './folder.ts'
import { runHere, type Place, type Ran } from './command.ts'

export const ORG = '5980cfdf0b6d97029d82f86e'
export const PROJECT = '5c8100bcf2a30b12ff88258f'
export const PASSWORD = 'Correct-Horse-7-canary'

/** A running service with its control endpoints, a folder with a manifest, and the command to run there. */
export interface Installation extends Place {
  /** The environment of the command, which a test can change. */
  readonly env: Record<string, string>
  readonly baseUrl: string
  manifest(text: string): Promise<void>
  run(...words: string[]): Promise<Ran>
  /** Runs with `--format json` and returns the document. */
  json(...words: string[]): Promise<{ code: number | null; document: any; stderr: string }>
  /** Changes something past the manifest, with another key. */
  outside(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown, key?: Key): Promise<any>
  readonly control: Control
  /** The requests since the last call of `forgetRequests`, as `METHOD path`. */
  requests(): Promise<{
    log: { method: string; path: string; status: number; key: string | null }[]
    counts: Record<string, number>
  }>
  forgetRequests(): Promise<void>
  state(): Promise<any>
  close(): Promise<void>
}

export interface Key {
  readonly publicKey: string
  readonly privateKey: string
}
export const CI: Key = { publicKey: 'ciadmin', privateKey: '9d2c2a3e-canary-0001' }
export const ONCALL: Key = { publicKey: 'oncall', privateKey: '1f2e3d4c-canary-0002' }

const owner = [{ roleName: 'ORG_OWNER', orgId: ORG }]

/** The fixture that most tests begin with; parts of its project and organization can be replaced. */
export const fixtureWith = (project: object = {}, organization: object = {}): object => ({
  organizations: [
    {
      id: ORG,
      name: 'Acme',
      apiKeys: [
        { id: '5c47503320eef5699e1cce8d', desc: 'CI', ...CI, roles: owner },
        { id: '5c47503320eef5699e1cce8e', desc: 'On call', ...ONCALL, roles: owner },
        {
          id: '5c47503320eef5699e1cce8f',
          desc: 'old',
          publicKey: 'reporter',
          privateKey: '7a6b5c4d-canary-0003',
          roles: [{ roleName: 'ORG_READ_ONLY', orgId: ORG }],
          accessList: [
            { cidrBlock: '192.0.2.0/24' },
            { ipAddress: '198.51.100.7', cidrBlock: '198.51.100.7/32' },
          ],
        },
      ],
      ...organization,
    },
  ],
  projects: [
    {
      id: PROJECT,
      orgId: ORG,
      name: 'payments',
      alertConfigs: [
        { id: '5d1113b25a115342acc2d0f3', eventTypeName: 'HOST_DOWN', enabled: false },
        { id: '5d1113b25a115342acc2d1aa', eventTypeName: 'REPLICA_SET', enabled: true },
      ],
      integrations: [
        { type: 'PAGING', serviceKey: '0123456789abcdef-canary-0004' },
        { type: 'CHAT_A', apiToken: 'chat-canary-0005', teamName: 'payments', channelName: 'alerts' },
      ],
      ...project,
    },
  ],
})

export const install = async (
  options: { fixture?: object; settings?: Record<string, string>; stateInit?: boolean } = {},
): Promise<Installation> => {
  const service = await startService({
    fixture: options.fixture ?? fixtureWith(),
    control: true,
    settings: options.settings ?? {},
  })
  const folder = await mkdtemp(FOLDER)
  const env = {
    PATH: process.env['PATH'] ?? '',
    XDG_CACHE_HOME,
    DEPLOYMGMT_BASE_URL: service.baseUrl,
    DEPLOYMGMT_PUBLIC_KEY: CI.publicKey,
    DEPLOYMGMT_PRIVATE_KEY: CI.privateKey,
    DANA_INITIAL_PASSWORD: PASSWORD,
  }
  const control = controlOf(service)
  const run = (...words: string[]): Promise<Ran> => runHere({ folder, env }, words)
  return {
    folder,
    baseUrl: service.baseUrl,
    env,
    manifest: (text) => writeFile(join(folder, 'deploymgmt.yaml'), text),
    run,
    json: documentOf(run),
    async outside(method, path, body, key = ONCALL) {
      const client = createClient({ baseUrl: service.baseUrl, ...key })
      try {
        return (await client.send(method, path, body)).body
      } finally {
        await client.close()
      }
    },
    control,
    requests: () => control('GET', 'requests'),
    forgetRequests: () => control('DELETE', 'requests'),
    state: async () => JSON.parse(await readFile(join(folder, 'deploymgmt.state.json'), 'utf8')),
    async close() {
      await service.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const documentOf =
  (run: Installation['run']): Installation['json'] =>
  async (...words) => {
    const { code, stdout, stderr } = await run(...words, '--format', 'json')
    const lines = words[0] === 'apply' ? stdout.trim().split('\n').at(-1) : stdout
    return { code, stderr, document: lines === undefined || lines === '' ? undefined : JSON.parse(lines) }
  }

/** The same installation, with commands that run in another folder. */
export const within = (here: Installation, folder: string): Installation => {
  const run = (...words: string[]): Promise<Ran> => runHere({ folder, env: here.env }, words)
  return { ...here, folder, run, json: documentOf(run) }
}

/** Makes the service fail at its next requests of this method to matching paths. */
export const failing = async (
  here: Pick<Installation, 'control'>,
  method: string,
  path: string,
  fault: { readonly fault: string; readonly [more: string]: unknown },
): Promise<void> => here.control('POST', 'faults', { method, path, ...fault })

/** A manifest with one entry of each kind; `sections` replaces whole sections. */
export const manifestWith = (sections: Partial<Record<string, string>> = {}): string => {
  const all: Record<string, string> = {
    apiKeys: `  reporting: { apiKeyId: 5c47503320eef5699e1cce8f, desc: Reporting, roles: [ORG_MEMBER], accessList: [192.0.2.0/24, 198.51.100.7] }`,
    users: `  dana:
    username: dana@example.com
    emailAddress: dana@example.com
    firstName: Dana
    lastName: Reyes
    mobileNumber: "2125550198"
    password: { env: DANA_INITIAL_PASSWORD }
    roles: [{ roleName: ORG_MEMBER, orgId: ${ORG} }, { roleName: GROUP_READ_ONLY, projectId: ${PROJECT} }]`,
    alertConfigurations: `  host-down: { select: { eventTypeName: HOST_DOWN }, enabled: true }
  noisy: { alertConfigId: 5d1113b25a115342acc2d1aa, enabled: false, onRemove: restore }`,
    maintenanceWindows: `  migration: { alertTypeNames: [HOST, REPLICA_SET], startDate: 2035-01-06T02:00:00Z, endDate: 2035-01-06T04:00:00Z, description: Storage migration }`,
    integrations: `  paging: { type: PAGING, ensure: present }
  old-chat: { type: CHAT_A, ensure: absent }`,
    ...sections,
  }
  const head = `version: 1\nname: test\nprojects:\n  payments: { id: ${PROJECT}, orgId: ${ORG} }\ndefaults:\n  orgId: ${ORG}\n  projectId: ${PROJECT}\n`
  const body = Object.entries(all)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name}:\n${text}\n`)
  return head + body.join('')
}
