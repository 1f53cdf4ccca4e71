import type { FaultSpec } from './fault-schema.ts'

/** An active fault. */
interface ActiveFault {
  readonly id: number
  readonly spec: FaultSpec
  readonly path: RegExp
  readonly random: () => number
  left: number
}

export type Faults = ReturnType<typeof createFaults>

export const createFaults = () => {
  let active: ActiveFault[] = []
  let lastId = 0
  return {
    add(spec: FaultSpec): number {
      lastId += 1
      const left = spec.count ?? Number.POSITIVE_INFINITY
      active.push({
        id: lastId,
        spec,
        path: new RegExp(spec.path ?? ''),
        random: seeded(spec.seed ?? 1),
        left,
      })
      return lastId
    },
    list: () => active.map(({ id, left, spec }) => ({ id, left: Number.isFinite(left) ? left : null, spec })),
    clear(): void {
      active = []
    },
    /**
     * Takes the faults that affect a request, whose path may have a query; each is used up only if it can have an
     * effect.
     */
    take(method: string, path: string, canMeet: (spec: FaultSpec) => boolean): FaultSpec[] {
      const met = active.filter(({ spec, path: pattern, random, left }) => {
        if (left === 0 || !canMeet(spec)) return false
        if (spec.method !== undefined && spec.method !== method) return false
        // `^/users$` matches regardless of the query, `status=OPEN` matches the query.
        if (!pattern.test(path) && !pattern.test(path.split('?')[0] ?? '')) return false
        return spec.probability === undefined || random() < spec.probability
      })
      for (const fault of met) fault.left -= 1
      active = active.filter(({ left }) => left > 0)
      return met.map(({ spec }) => spec)
    },
  }
}

/** A small pseudo-random generator in [0, 1), deterministic by seed (mulberry32). */
const seeded = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000
  }
}
