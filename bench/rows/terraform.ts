import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { selfSigned } from '../../test/provider/api/support/certificate.ts'
import { configId, fixture, ORG, projectId } from '../fixtures/alert-configurations.ts'
import { costOf, wallOf, type Cost } from '../measuring/cost.ts'
import { exponent, inTurn, median } from '../measuring/figures.ts'
import { serve } from '../measuring/site.ts'
import { bundledProvider, needTerraform, overriding, ownResource } from '../measuring/terraform.ts'
import type { Bench, Row } from '../row.ts'

/** A folder whose configuration is applied, and a plan in it. */
type Planning = () => Promise<Cost>

/** Alert configurations of one project through the provider. */
const throughProvider = async (bench: Bench, things: number, more: object = {}): Promise<Planning> => {
  const terraform = needTerraform(bench)
  const size = { things, projects: 1 }
  const site = await serve(
    bench,
    `provider-${String(things)}-${String(Object.keys(more).length)}`,
    fixture(size),
  )
  const ids = Array.from({ length: things }, (_, index) => configId(index))
  await writeFile(
    join(site.folder, 'main.tf'),
    `terraform {
  required_providers {
    deploymgmt = { source = "deploymgmt/deploymgmt" }
  }
}
provider "deploymgmt" {
  org_id = "${ORG}"
}
locals {
  ids = jsondecode(file("ids.json"))
}
resource "deploymgmt_alert_configuration" "all" {
  count           = ${String(things)}
  project_id      = "${projectId(0)}"
  alert_config_id = local.ids[count.index]
  enabled         = true
}
`,
  )
  await writeFile(join(site.folder, 'ids.json'), JSON.stringify(ids))
  const env = { ...terraform.env, ...site.env, TF_CLI_CONFIG_FILE: await overriding(bench), ...more }
  const run = (...words: string[]) => costOf({ words: [terraform.program, ...words], cwd: site.folder, env })
  await run('apply', '-auto-approve')
  return () => run('plan')
}

/** Notes of each process of the provider what it has taken, when it ends. */
const NOTING = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').appendFileSync(process.env.BENCH_NOTES, String((user + system) / 1000) + '\\n')
})
`

const GROWTH = [500, 5_000]

const providerGrowth = async (bench: Bench): Promise<readonly { size: number; cost: number }[]> => {
  const hook = join(bench.folder, 'noting.cjs')
  await writeFile(hook, NOTING)
  const ways = GROWTH.map(async (things) => {
    const notes = join(bench.folder, `notes-${String(things)}`)
    const more = { NODE_OPTIONS: `--require=${hook}`, BENCH_NOTES: notes }
    const plan = await throughProvider(bench, things, more)
    const cpuMs = async (): Promise<number> => {
      await rm(notes, { force: true })
      await plan()
      const taken = (await readFile(notes, 'utf8')).trim().split('\n').map(Number)
      return taken.reduce((sum, each) => sum + each, 0)
    }
    return [String(things), cpuMs] as const
  })
  const taken = await inTurn(bench.runs, Object.fromEntries(await Promise.all(ways)))
  return GROWTH.map((size) => ({ size, cost: median(taken[String(size)] ?? []) }))
}

/** What Terraform tells a provider that it starts. */
const HANDSHAKE = {
  TF_PLUGIN_MAGIC_COOKIE: 'd602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2',
  PLUGIN_PROTOCOL_VERSIONS: '6',
}

export const terraform: readonly Row[] = [
  {
    name: 'provider-start',
    says: "the provider's start to its handshake / `node -e 0`, wall",
    target: 3.2,
    measure: async (bench) => {
      const bundle = await bundledProvider(bench)
      const env = { ...bench.env, ...HANDSHAKE, PLUGIN_CLIENT_CERT: selfSigned().cert }
      const command = { cwd: bench.folder, env }
      const taken = await inTurn(bench.runs * 5, {
        handshake: () => wallOf({ ...command, words: [process.execPath, bundle] }, 'output'),
        node: () => wallOf({ ...command, words: [process.execPath, '-e', '0'] }),
      })
      const [handshake, node] = [median(taken.handshake), median(taken.node)]
      return { value: handshake / node, from: { 'handshake ms': handshake, 'node -e 0 ms': node } }
    },
  },
  {
    name: 'terraform-plan',
    says: 'no-op `terraform plan` of 1,000 with `count` / 1,000 `terraform_data`, wall',
    target: 2,
    measure: async (bench) => {
      const taken = await inTurn(bench.runs, {
        ours: await throughProvider(bench, 1_000),
        theirs: await ownResource(bench, 1_000),
      })
      const [ours, theirs] = [taken.ours, taken.theirs].map((costs) =>
        median(costs.map(({ wallMs }) => wallMs)),
      ) as [number, number]
      return { value: ours / theirs, from: { 'through the provider ms': ours, 'terraform_data ms': theirs } }
    },
  },
  {
    name: 'provider-growth',
    says: "the provider process's CPU exponent, 500 → 5,000",
    target: 1.1,
    measure: async (bench) => {
      const points = await providerGrowth(bench)
      const each = points.map(({ size, cost }) => [`${String(size)} CPU ms`, cost])
      return { value: exponent(points), from: Object.fromEntries(each) }
    },
  },
]
