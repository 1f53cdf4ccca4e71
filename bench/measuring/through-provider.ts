import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { configId, ORG, projectId } from '../fixtures/alert-configurations.ts'
import type { Bench } from '../row.ts'
import { costOf, type Cost } from './cost.ts'
import { serve, type Site } from './site.ts'
import { type Instance, multiply, needTerraform, overriding, type Repeated } from './terraform.ts'

/** A folder of Terraform with a service of its own. */
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

/** @throws NotHere */
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

/** Alert configurations of the first project, each by its id. A list of all of them would cost Terraform its square. */
export const configurations = (things: number, how: Repeated, enabled: boolean): string => `locals {
  set = toset([${how === 'count' ? '' : `for index in range(${things}) : ${idOf('index')}`}])
}
resource "deploymgmt_alert_configuration" "all" {
  ${how === 'count' ? `count = ${String(things)}` : 'for_each = local.set'}
  project_id      = "${projectId(0)}"
  alert_config_id = ${how === 'count' ? idOf('count.index') : 'each.value'}
  enabled         = ${String(enabled)}
}
`

/** Configures so many, and has them in the state: one is applied, and stands for the others. */
export const settle = async (
  { site, terraform, configure }: Workspace,
  things: number,
  how: Repeated,
): Promise<void> => {
  await configure(configurations(1, how, true))
  await terraform('apply', '-auto-approve')
  await multiply(join(site.folder, 'terraform.tfstate'), things, (one, index) => {
    const moved = (text: string): string => text.replaceAll(configId(0), configId(index))
    const kept = moved(Buffer.from(one.private ?? '', 'base64').toString())
    return {
      ...(JSON.parse(moved(JSON.stringify(one))) as Instance),
      index_key: how === 'count' ? index : configId(index),
      private: Buffer.from(kept).toString('base64'),
    }
  })
  await configure(configurations(things, how, true))
}
