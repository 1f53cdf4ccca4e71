import { sizeOf } from '../fixtures/alert-configurations.ts'
import { exponent, inTurn, median } from '../measuring/figures.ts'
import { requestsOf, settledSite, switching } from '../measuring/site.ts'
import type { Row } from '../row.ts'

const WRITES = 2_000
const DELAY_MS = 20
const AT_ONCE = 10
const SIZES = [1, 100, 10_000]

export const apply: readonly Row[] = [
  {
    name: 'apply-waiting',
    says: 'apply wall / (⌈writes / concurrency⌉ × delay), 20 ms delay, 2,000 writes',
    target: 1.15,
    measure: async (bench) => {
      const size = sizeOf(WRITES)
      const site = await settledSite(bench, size)
      const switched = switching(site, size)
      const { PATCH: writes = 0 } = await requestsOf(site, switched)
      await site.control('POST', 'faults', { method: 'PATCH', path: '.', fault: 'latency', ms: DELAY_MS })
      const taken = await inTurn(bench.runs, { apply: switched })
      await site.control('DELETE', 'faults')
      const wallMs = median(taken.apply.map((cost) => cost.wallMs))
      const leastMs = Math.ceil(writes / AT_ONCE) * DELAY_MS
      return { value: wallMs / leastMs, from: { writes, 'least ms': leastMs, 'apply ms': wallMs } }
    },
  },
  {
    name: 'apply-growth',
    says: 'CPU exponent of apply, 100 → 10,000, start-up taken off',
    target: 1.05,
    measure: async (bench) => {
      const sites = await Promise.all(SIZES.map((things) => settledSite(bench, sizeOf(things))))
      const ways = sites.map(
        (site, at) => [String(SIZES[at]), switching(site, sizeOf(SIZES[at] ?? 0))] as const,
      )
      const taken = await inTurn(bench.runs, Object.fromEntries(ways))
      const [start = 0, ...cpu] = SIZES.map((size) =>
        median((taken[String(size)] ?? []).map(({ cpuMs }) => cpuMs)),
      )
      const points = cpu.map((cpuMs, at) => ({ size: SIZES[at + 1] ?? 0, cost: cpuMs - start }))
      const each = cpu.map((cpuMs, at) => [`${String(SIZES[at + 1])} CPU ms`, cpuMs])
      return {
        value: exponent(points),
        from: { 'start-up CPU ms': start, ...Object.fromEntries(each) },
      }
    },
  },
]
