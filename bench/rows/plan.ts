import { sizeOf } from '../fixtures/alert-configurations.ts'
import type { Cost } from '../measuring/cost.ts'
import { exponent, inTurn, median } from '../measuring/figures.ts'
import { requestsOf, settledSite } from '../measuring/site.ts'
import { ownResource } from '../measuring/terraform.ts'
import { type Bench, NotHere, type Point, type Row } from '../row.ts'

const THINGS = 10_000
const LARGEST = 100_000
const SIZES = [1_000, 10_000, LARGEST]

/**
 * The costs of a plan, and of a Terraform plan of as many of its own resource, which asks no service. Both declare each
 * thing separately and change nothing.
 */
const besideTerraform = (bench: Bench): Promise<{ readonly ours: Cost; readonly theirs: Cost }> =>
  bench.once('plan beside terraform', async () => {
    const theirs = await ownResource(bench, THINGS, 'alone')
    const site = await settledSite(bench, sizeOf(THINGS))
    const taken = await inTurn(bench.runs, { ours: () => site.run('plan'), theirs })
    return { ours: medians(taken.ours), theirs: medians(taken.theirs) }
  })

const medians = (costs: readonly Cost[]): Cost => {
  const peaks = costs.flatMap(({ peakKb }) => peakKb ?? [])
  return {
    wallMs: median(costs.map(({ wallMs }) => wallMs)),
    cpuMs: median(costs.map(({ cpuMs }) => cpuMs)),
    peakKb: peaks.length === 0 ? undefined : median(peaks),
  }
}

const NO_PROC = 'there is no /proc to read memory from'

/** The costs of plans of all sizes, and of a plan of a single thing, which is start-up. */
export const bySize = (bench: Bench): Promise<{ readonly start: Cost; readonly points: readonly Point[] }> =>
  bench.once('plan by size', async () => {
    const sizes = [1, ...SIZES]
    const sites = await Promise.all(sizes.map((things) => settledSite(bench, sizeOf(things))))
    const taken = await inTurn(
      bench.runs,
      Object.fromEntries(sites.map((site, at) => [String(sizes[at]), () => site.run('plan')])),
    )
    const costOfSize = (size: number): Cost => medians(taken[String(size)] ?? [])
    const points = SIZES.map((size) => {
      const { cpuMs, peakKb } = costOfSize(size)
      return { size, cpuMs, peakKb }
    })
    return { start: costOfSize(1), points }
  })

/** How often something slow is measured. */
const FEW = 3

const DELAY_MS = 50
/** The default of `--concurrency`. */
const AT_ONCE = 10

export const plan: readonly Row[] = [
  {
    name: 'plan-cpu',
    says: 'no-op plan CPU / no-op `terraform plan` CPU of 10,000 `terraform_data`',
    target: 0.03,
    measure: async (bench) => {
      const { ours, theirs } = await besideTerraform(bench)
      const from = { 'plan CPU ms': ours.cpuMs, 'terraform plan CPU ms': theirs.cpuMs }
      return { value: ours.cpuMs / theirs.cpuMs, from }
    },
  },
  {
    name: 'plan-memory',
    says: "plan peak memory / Terraform's, same",
    target: 0.12,
    measure: async (bench) => {
      const { ours, theirs } = await besideTerraform(bench)
      if (ours.peakKb === undefined || theirs.peakKb === undefined) throw new NotHere(NO_PROC)
      const from = { 'plan MB': ours.peakKb / 1024, 'terraform plan MB': theirs.peakKb / 1024 }
      return { value: ours.peakKb / theirs.peakKb, from }
    },
  },
  {
    name: 'plan-growth',
    says: 'CPU exponent of plan, 1,000 → 100,000, start-up taken off',
    target: 1.05,
    measure: async (bench) => {
      const { start, points } = await bySize(bench)
      const value = exponent(points.map(({ size, cpuMs }) => ({ size, cost: cpuMs - start.cpuMs })))
      const each = points.map(({ size, cpuMs }) => [`${String(size)} CPU ms`, cpuMs])
      return { value, from: { 'start-up CPU ms': start.cpuMs, ...Object.fromEntries(each) } }
    },
  },
  {
    name: 'plan-memory-growth',
    says: 'memory per further thing, KB',
    target: 4,
    measure: async (bench) => {
      const { points } = await bySize(bench)
      const peaks = points.flatMap(({ size, peakKb }) => (peakKb === undefined ? [] : [{ size, peakKb }]))
      const [first, last] = [peaks[0], peaks.at(-1)]
      if (first === undefined || last === undefined || peaks.length < points.length)
        throw new NotHere(NO_PROC)
      const value = (last.peakKb - first.peakKb) / (last.size - first.size)
      const each = peaks.map(({ size, peakKb }) => [`${String(size)} MB`, peakKb / 1024])
      return { value, from: Object.fromEntries(each) }
    },
  },
  {
    name: 'most-memory',
    says: 'peak memory of the largest of a plan, a drift report and a first apply of 100,000 in 1,000 projects / 1 GB',
    target: 1,
    measure: async (bench) => {
      const site = await settledSite(bench, sizeOf(LARGEST))
      // Each takes a quarter of a minute, and they hardly differ.
      const taken = await inTurn(FEW, { plan: () => site.run('plan'), drift: () => site.run('drift') })
      const peaks = [medians(taken.plan), medians(taken.drift), site.firstApply].map(({ peakKb }) => peakKb)
      if (!peaks.every((peak) => peak !== undefined)) throw new NotHere(NO_PROC)
      const [planned = 0, drift = 0, firstApply = 0] = peaks.map((peak) => peak / 1024)
      const from = { 'plan MB': planned, 'drift MB': drift, 'first apply MB': firstApply }
      return { value: Math.max(planned, drift, firstApply) / 1024, from }
    },
  },
  {
    name: 'plan-waiting',
    says: 'plan wall / (⌈requests / concurrency⌉ × delay), 50 ms delay, 1,000 projects',
    target: 1.15,
    measure: async (bench) => {
      const site = await settledSite(bench, { things: 1_000, projects: 1_000 })
      const sent = await requestsOf(site, () => site.run('plan'))
      await site.control('POST', 'faults', { method: 'GET', path: '.', fault: 'latency', ms: DELAY_MS })
      const taken = await inTurn(bench.runs, { plan: () => site.run('plan') })
      await site.control('DELETE', 'faults')
      const wallMs = median(taken.plan.map((cost) => cost.wallMs))
      const requests = sent['GET'] ?? 0
      const leastMs = Math.ceil(requests / AT_ONCE) * DELAY_MS
      return { value: wallMs / leastMs, from: { requests, 'least ms': leastMs, 'plan ms': wallMs } }
    },
  },
]
