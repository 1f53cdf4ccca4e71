import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { selfSigned } from '../../test/provider/api/support/certificate.ts'
import { fixture } from '../fixtures/alert-configurations.ts'
import { type Cost, wallOf } from '../measuring/cost.ts'
import { exponent, inTurn, median } from '../measuring/figures.ts'
import { bundledProvider, ownResource, type Repeated } from '../measuring/terraform.ts'
import { type Managed, settle, workspace } from '../measuring/through-provider.ts'
import type { Bench, Row } from '../row.ts'

/** A plan through the provider in which nothing is to be changed. */
const throughProvider = async (
  bench: Bench,
  managed: Managed,
  { name = 'plan', more = {} }: { name?: string; more?: Record<string, string> } = {},
): Promise<() => Promise<Cost>> => {
  const { things, how } = managed
  const held = fixture({ things, projects: 1 })
  const here = await workspace(bench, `provider-${name}-${how}-${String(things)}`, held, more)
  await settle(here, managed)
  // The plan must change nothing; otherwise it ends with 2.
  return () => here.terraform('plan', '-detailed-exitcode')
}

/** Each process of the provider notes what it took when it ends. */
const NOTING = `process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  const { maxRSS } = process.resourceUsage()
  const taken = { cpuMs: (user + system) / 1000, peakKb: maxRSS }
  require('node:fs').appendFileSync(process.env.BENCH_NOTES, JSON.stringify(taken) + '\\n')
})
`

/** The largest takes as long as the others take in three turns. */
const LARGEST = 10_000
const GROWTH = [500, 5_000, LARGEST]
/** With blocks of a hundred, nearly all of a plan's time is proportional to its size, also Terraform's. */
const IN_EACH = 100

/** The processor time of the provider's processes for one plan, and the most resident memory of one of them. */
interface Taken {
  readonly size: number
  readonly cpuMs: number
  readonly peakKb: number
}

const providersBySize = (bench: Bench): Promise<readonly Taken[]> =>
  bench.once('providers-by-size', async () => {
    const hook = join(bench.folder, 'noting.cjs')
    await writeFile(hook, NOTING)
    const ways = GROWTH.map(async (things) => {
      const notes = join(bench.folder, `notes-${String(things)}`)
      const more = { NODE_OPTIONS: `--require=${hook}`, BENCH_NOTES: notes }
      const plan = await throughProvider(
        bench,
        { things, how: 'count', inEach: IN_EACH },
        { name: 'growth', more },
      )
      const taken = async () => {
        await rm(notes, { force: true })
        await plan()
        const lines = (await readFile(notes, 'utf8')).trim().split('\n')
        const processes = lines.map((line) => JSON.parse(line) as Omit<Taken, 'size'>)
        return {
          cpuMs: processes.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
          peakKb: Math.max(...processes.map(({ peakKb }) => peakKb)),
        }
      }
      return [String(things), taken] as const
    })
    const taken = await inTurn(bench.runs, Object.fromEntries(await Promise.all(ways)), [String(LARGEST)])
    return GROWTH.map((size) => {
      const each = taken[String(size)] ?? []
      return {
        size,
        cpuMs: median(each.map(({ cpuMs }) => cpuMs)),
        peakKb: median(each.map(({ peakKb }) => peakKb)),
      }
    })
  })

/** A plan of a thousand, compared with as many of Terraform's own resource, repeated in the same way. */
const planOfAThousand = (name: string, how: Repeated, target: number): Row => ({
  name,
  says: `no-op \`terraform plan\` of 1,000 with \`${how}\` / 1,000 \`terraform_data\`, wall`,
  target,
  measure: async (bench) => {
    const taken = await inTurn(bench.runs, {
      ours: await throughProvider(bench, { things: 1_000, how }),
      theirs: await ownResource(bench, 1_000, how),
    })
    const [ours, theirs] = [taken.ours, taken.theirs].map((costs) =>
      median(costs.map(({ wallMs }) => wallMs)),
    ) as [number, number]
    return { value: ours / theirs, from: { 'through the provider ms': ours, 'terraform_data ms': theirs } }
  },
})

/** What Terraform sets for a provider that it starts. */
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
  planOfAThousand('terraform-plan', 'count', 2),
  planOfAThousand('terraform-plan-each', 'for_each', 1.2),
  {
    name: 'provider-growth',
    says: "CPU exponent of the provider's processes, no-op `terraform plan` of 500 → 10,000 in blocks of 100",
    target: 1.1,
    measure: async (bench) => {
      const points = await providersBySize(bench)
      const each = points.map(({ size, cpuMs }) => [`${String(size)} CPU ms`, cpuMs])
      return {
        value: exponent(points.map(({ size, cpuMs }) => ({ size, cost: cpuMs }))),
        from: Object.fromEntries(each),
      }
    },
  },
  {
    name: 'provider-memory',
    says: "the provider's peak memory / 200 MB, no-op `terraform plan` of 5,000 in blocks of 100",
    target: 1,
    measure: async (bench) => {
      const points = await providersBySize(bench)
      const each = points.map(({ size, peakKb }) => [`${String(size)} MB`, peakKb / 1000])
      const { peakKb = Number.NaN } = points.find(({ size }) => size === 5_000) ?? {}
      return { value: peakKb / 1000 / 200, from: Object.fromEntries(each) }
    },
  },
]
