import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { initState } from '../../reconciler/state/index.ts'
import { startProxy, type TestProxy } from './proxy.ts'
import type { Place, Ran } from './command.ts'
import { fixtureWith, install, manifestWith, ORG, type Installation } from './installation.ts'

export const OTHER_PROJECT = '5c8100bcf2a30b12ff882590'

/** A manifest with only one section; `more` is added at the top level. */
export const only = (section: string, text: string, more = ''): string =>
  manifestWith({
    apiKeys: '',
    users: '',
    alertConfigurations: '',
    maintenanceWindows: '',
    integrations: '',
    [section]: text,
  }) + more

/** Two projects of one organization. */
export const twoProjects = (project: object = {}, other: object = {}): object => {
  const fixture = fixtureWith(project) as { projects: object[] }
  return {
    ...fixture,
    projects: [...fixture.projects, { id: OTHER_PROJECT, orgId: ORG, name: 'ledger', ...other }],
  }
}

/** An installation with an empty state. */
export interface Scene extends Installation {
  /** The environment of the command, which a test can change. */
  readonly env: Record<string, string>
  /** Between the command and the service; of use only if `proxied` is set. */
  readonly proxy: TestProxy
}

interface Begin {
  readonly fixture?: object
  readonly settings?: Readonly<Record<string, string>>
  readonly manifest?: string
  /** Leads the requests of the command through the proxy. */
  readonly proxied?: boolean
}

const notProxied = (): never => {
  throw new Error('no request passes this proxy: begin with proxied: true')
}

/** To steer a proxy that no request passes would test nothing. */
const NO_PROXY: TestProxy = {
  get baseUrl() {
    return notProxied()
  },
  steer: notProxied,
  leadTo: notProxied,
  drained: notProxied,
  close: () => Promise.resolve(),
}

/** What most tests begin with; it ends with the test. */
export const begin = async ({ manifest, proxied, ...options }: Begin = {}): Promise<Scene> => {
  const here = await install(options)
  const proxy = proxied === true ? await startProxy(here.baseUrl) : NO_PROXY
  if (proxied === true) here.env['DEPLOYMGMT_BASE_URL'] = proxy.baseUrl
  if (manifest !== undefined) await here.manifest(manifest)
  await emptyState(here)
  onTestFinished(async () => {
    await proxy.close()
    await here.close()
  })
  return { ...here, proxy }
}

/** The same, with a manifest that is applied with success. */
export const beginApplied = async (manifest: string, options: Begin = {}): Promise<Scene> => {
  const here = await begin(options)
  await applied(here, manifest)
  return here
}

export const emptyState = ({ env, folder }: Place): Promise<unknown> =>
  initState({
    statePath: join(folder, 'deploymgmt.state.json'),
    expect: { name: 'test', baseUrl: env['DEPLOYMGMT_BASE_URL'] ?? '' },
    command: 'state init',
  })

/** Declares, applies, and expects success. */
export const applied = async (here: Installation, manifest: string, ...words: string[]): Promise<Ran> => {
  await here.manifest(manifest)
  const ran = await here.run('apply', '--auto-approve', ...words)
  expect(ran).toMatchObject({ code: 0 })
  return ran
}

/** Writes that the service was asked for, as `METHOD path`, in order. */
export const writesIn = async (here: Pick<Installation, 'requests'>): Promise<string[]> =>
  (await here.requests()).log
    .filter(({ method, status }) => method !== 'GET' && status !== 401)
    .map(({ method, path }) => `${method} ${path}`)

/** Reads that the service answered, as `METHOD path` without the query. */
export const readsIn = async (here: Installation): Promise<string[]> =>
  (await here.requests()).log
    .filter(({ method, status }) => method === 'GET' && status !== 401)
    .map(({ path }) => path.replace(/\?.*$/, ''))

/** The change or resource at an address. */
export const at = (document: any, address: string): any =>
  (document.changes ?? document.resources).find((each: any) => each.address === address)

/** The action at each address, in the order of the document. */
export const actionsIn = (document: any): string[][] =>
  document.changes.map(({ address, action }: any) => [address, action])

/** The addresses that are recorded. */
export const recorded = async (here: Installation): Promise<string[]> =>
  Object.keys((await here.state()).resources)
