import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configId, ORG, projectId } from '../fixtures/alert-configurations.ts'
import type { Bench } from '../row.ts'
import { costOf, type Cost } from './cost.ts'
import { serve, type Site } from './site.ts'
import {
  type Block,
  blocksOf,
  type Instance,
  multiply,
  needTerraform,
  overriding,
  type Repeated,
} from './terraform.ts'

/** A folder with a Terraform configuration, and a service. */
export interface Workspace {
  readonly site: Site
  readonly terraform: (...words: string[]) => Promise<Cost>
  readonly configure: (resources: string) => Promise<void>
}

const SETTINGS = `terraform {
  required_providers {
    deploymgmt = { source = "deploymgmt/deploymgmt" }
  }
}
provider "deploymgmt" {
  org_id = "${ORG}"
}
`

/** @throws NotHere if there is no Terraform */
export const workspace = async (
  bench: Bench,
  name: string,
  held: object,
  more: Readonly<Record<string, string>> = {},
): Promise<Workspace> => {
  const { program, env } = needTerraform(bench)
  const site = await serve(bench, name, held)
  const own = { ...env, ...site.env, TF_CLI_CONFIG_FILE: await overriding(bench), ...more }
  return {
    site,
    terraform: (...words) => costOf({ words: [program, ...words], cwd: site.folder, env: own }),
    configure: (resources) => writeFile(join(site.folder, 'main.tf'), SETTINGS + resources),
  }
}

const idOf = (index: string): string => `format("${configId(0).slice(0, -HEX)}%0${HEX}x", ${index})`
const HEX = 8

/** Alert configurations of the first project, each by its id. */
export interface Managed {
  readonly things: number
  readonly how: Repeated
  /** How many in a block; by default all of them. */
  readonly inEach?: number
}

export const configurations = ({ things, how, inEach }: Managed, enabled: boolean): string =>
  blocksOf(things, inEach)
    .map((block) => (how === 'count' ? counted(block, enabled) : named(block, enabled)))
    .join('')

const counted = ({ name, first, size }: Block, enabled: boolean): string =>
  resource(name, { count: size, alert_config_id: idOf(`${first} + count.index`), enabled })

/** With the whole list inside the resource, Terraform's cost would grow with its square. */
const named = ({ name, first, size }: Block, enabled: boolean): string => `locals {
  ${name} = toset([for index in range(${size}) : ${idOf(`${first} + index`)}])
}
${resource(name, { for_each: `local.${name}`, alert_config_id: 'each.value', enabled })}`

const resource = (name: string, attributes: Readonly<Record<string, unknown>>): string => `
resource "deploymgmt_alert_configuration" "${name}" {
  project_id = "${projectId(0)}"
${Object.entries(attributes)
  .map(([key, value]) => `  ${key} = ${String(value)}\n`)
  .join('')}}
`

/** Configures so many, all of them in the state: one is applied and copied. */
export const settle = async ({ site, terraform, configure }: Workspace, managed: Managed): Promise<void> => {
  const { things, how, inEach } = managed
  await configure(configurations({ things: 1, how }, true))
  await terraform('apply', '-auto-approve')
  const blocks = blocksOf(things, inEach)
  await multiply(join(site.folder, 'terraform.tfstate'), blocks, (one, thing, index) => {
    const moved = (text: string): string => text.replaceAll(configId(0), configId(thing))
    const kept = moved(Buffer.from(one.private ?? '', 'base64').toString())
    return {
      ...(JSON.parse(moved(JSON.stringify(one))) as Instance),
      index_key: how === 'count' ? index : configId(thing),
      private: Buffer.from(kept).toString('base64'),
    }
  })
  await configure(configurations(managed, true))
}
