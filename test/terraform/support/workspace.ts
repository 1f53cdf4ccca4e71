/** A service, a folder with a configuration, and a provider within this process that Terraform finds by its socket. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { install, ORG, PROJECT, type Installation } from '../../support/installation.ts'
import { writesIn } from '../../support/scene.ts'
import { serveProvider } from './provider.ts'
import { EXECUTABLE_SETTINGS, runTerraform, type Ran } from './terraform.ts'

/** An installation without the parts for the command. */
type Located = Omit<Installation, 'manifest' | 'run' | 'json' | 'state'>

export interface Workspace extends Located {
  /** Writes `main.tf`: the provider's configuration and this HCL. */
  configure(hcl: string, provider?: string): Promise<void>
  terraform(...words: string[]): Promise<Ran>
  /** Runs Terraform; if the exit code is another, the test fails with the whole output. */
  expect(code: number, ...words: string[]): Promise<Ran>
  apply(...words: string[]): Promise<Ran>
  /** Configures, and applies. */
  change(hcl: string, provider?: string): Promise<Ran>
  /** Expects that a plan has nothing to do. */
  expectNoChanges(...words: string[]): Promise<Ran>
  /** What a plan does at each address, with the attributes before and after. */
  plan(...words: string[]): Promise<Planned>
  /** The attributes of a resource in the state, read from its file: to ask Terraform would start another one. */
  state(address: string): Promise<any>
  read(name: string): Promise<string>
  /** Writes that the service was asked for since the requests were last forgotten, as `METHOD path`. */
  writes(): Promise<string[]>
  /** Writes since the last call. */
  newWrites(): Promise<string[]>
}

export interface Planned extends Ran {
  readonly changes: readonly {
    readonly address: string
    readonly actions: readonly string[]
    before: any
    after: any
    unknown: any
  }[]
}

export interface Options {
  readonly fixture?: object
  readonly settings?: Record<string, string>
  readonly env?: Record<string, string>
}

const REQUIRED = `terraform {
  required_providers {
    deploymgmt = { source = "deploymgmt/deploymgmt" }
  }
}
`
export const PROVIDER = `provider "deploymgmt" {
  org_id = "${ORG}"
}
`

/** Begins a workspace, which ends with the test. */
export const begin = async (options: Options = {}): Promise<Workspace> => {
  const here = await install(options)
  const env = { ...here.env, ...options.env }
  onTestFinished(() => here.close())
  return workspaceIn(here, { ...env, ...(await providerFor(env)) })
}

/** Tells Terraform where the provider is. */
const providerFor = async (env: Readonly<Record<string, string>>): Promise<Record<string, string>> =>
  EXECUTABLE_SETTINGS === undefined
    ? { TF_REATTACH_PROVIDERS: await serveProvider(env) }
    : { TF_CLI_CONFIG_FILE: EXECUTABLE_SETTINGS }

/** Begins a workspace with a configuration. */
export const configured = async (hcl: string, options: Options = {}): Promise<Workspace> => {
  const here = await begin(options)
  await here.configure(hcl)
  return here
}

/** Begins a workspace with an applied configuration; its writes are forgotten. */
export const applied = async (hcl: string, options: Options = {}): Promise<Workspace> => {
  const here = await begin(options)
  await here.change(hcl)
  await here.newWrites()
  return here
}

export const workspaceIn = (here: Located, env: Readonly<Record<string, string>>): Workspace => {
  const terraform = (...words: string[]) => runTerraform([...words], { cwd: here.folder, env })
  const expecting = async (code: number, ...words: string[]): Promise<Ran> => {
    const ran = await terraform(...words)
    if (ran.code !== code)
      throw new Error(
        `terraform ${words.join(' ')} ended with ${String(ran.code)}:\n${ran.stdout}${ran.stderr}`,
      )
    return ran
  }
  const configure = (hcl: string, provider = PROVIDER): Promise<void> =>
    writeFile(join(here.folder, 'main.tf'), REQUIRED + provider + withIds(hcl))
  const apply = (...words: string[]) => expecting(0, 'apply', '-auto-approve', ...words)
  const writes = (): Promise<string[]> => writesIn(here)
  const read = (name: string): Promise<string> => readFile(join(here.folder, name), 'utf8')
  return {
    ...here,
    terraform,
    expect: expecting,
    configure,
    apply,
    async change(...configuration) {
      await configure(...configuration)
      return apply()
    },
    expectNoChanges: (...words) => expecting(0, 'plan', '-detailed-exitcode', ...words),
    async plan(...words) {
      const ran = await expecting(0, 'plan', '-out=saved.plan', ...words)
      const { stdout } = await expecting(0, 'show', '-json', 'saved.plan')
      const { resource_changes: all = [] } = JSON.parse(stdout)
      const changes = all.map(({ address, change }: any) => ({
        address: address.replace(/^deploymgmt_/, ''),
        actions: change.actions,
        before: change.before,
        after: change.after,
        unknown: change.after_unknown,
      }))
      return { ...ran, changes }
    },
    async state(address) {
      const text = await read('terraform.tfstate').catch(() => '{"resources":[]}')
      const { resources } = JSON.parse(text) as { readonly resources: readonly any[] }
      const found = resources.find(
        ({ mode, module: within, type, name }) =>
          mode === 'managed' && within === undefined && `${type}.${name}` === `deploymgmt_${address}`,
      )
      return found?.instances[0].attributes
    },
    read,
    writes,
    async newWrites() {
      const sent = await writes()
      await here.forgetRequests()
      return sent
    },
  }
}

/** The maintenance windows of all projects at the service. */
export const windowsIn = async (here: Pick<Workspace, 'control'>): Promise<any[]> =>
  (await here.control('GET', 'dump')).projects.flatMap(({ maintenanceWindows }: any) => maintenanceWindows)

/** Fills in the ids of the fixture, so that configurations are short. */
const withIds = (hcl: string): string => hcl.replaceAll('ORG_ID', ORG).replaceAll('PROJECT_ID', PROJECT)
