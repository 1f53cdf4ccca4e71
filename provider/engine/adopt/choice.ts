import type { Candidate, Free, Match, Spot } from './candidates.ts'

/** Which selectors have entries, and in which places: nothing is matched by two of them, and what is left has its id. */
export interface Choice {
  readonly chosen: ReadonlyMap<Candidate, ReadonlyMap<Spot, Match>>
  readonly isIn: (candidate: Candidate, spot: Spot) => boolean
  /** Whether no selector matches any of it. */
  readonly isFree: (spot: Spot, things: readonly Free[]) => boolean
  /** What more places would change, in length and in entries by id; nothing where another selector is in the way. */
  readonly differenceOf: (candidate: Candidate, at: Placing) => Difference | undefined
  readonly place: (candidate: Candidate, at: Placing) => void
  readonly remove: (candidate: Candidate, spot: Spot) => void
  /** What has its id. */
  readonly leftIn: (spot: Spot) => Free[]
}

/** Where a selector is to have an entry, with what it matches there. */
export type Placing = ReadonlyMap<Spot, Match>

export interface Difference {
  readonly length: number
  readonly ids: number
}

/** How long an entry is, in names of projects. */
const ENTRY = 4
const BY_ID = ENTRY + 1

/** @param count how many places there are */
export const choiceOf = (count: number): Choice => {
  const chosen = new Map<Candidate, Map<Spot, Match>>()
  const matching = new Map<Spot, Map<string, Candidate>>()
  const matcherOf = (spot: Spot, { key }: Free): Candidate | undefined => matching.get(spot)?.get(key)
  const hasId = (spot: Spot, thing: Free): boolean => {
    const by = matcherOf(spot, thing)
    return by === undefined || chosen.get(by)?.get(spot)?.unlike.includes(thing) === true
  }
  const lengthOf = (places: number): number => (places === 0 ? 0 : ENTRY + Math.min(places, count - places))
  const remove = (candidate: Candidate, spot: Spot): void => {
    const at = chosen.get(candidate)
    for (const { key } of allOf(at?.get(spot))) matching.get(spot)?.delete(key)
    at?.delete(spot)
    if (at?.size === 0) chosen.delete(candidate)
  }
  /** Those in whose place a selector stands; nothing where one matches more than that. */
  const replacedIn = (spot: Spot, match: Match): Set<Candidate> | undefined => {
    const all = new Set(allOf(match))
    const others = new Set([...all].flatMap((each) => matcherOf(spot, each) ?? []))
    const isWithin = (each: Candidate): boolean =>
      allOf(chosen.get(each)?.get(spot)).every((thing) => all.has(thing))
    return [...others].every(isWithin) ? others : undefined
  }
  return {
    chosen,
    remove,
    isIn: (candidate, spot) => chosen.get(candidate)?.has(spot) === true,
    isFree: (spot, things) => things.every((each) => matcherOf(spot, each) === undefined),
    leftIn: (spot) => [...spot.free.values()].filter((each) => hasId(spot, each)),
    differenceOf(candidate, at) {
      const fewer = new Map<Candidate, number>()
      let ids = 0
      for (const [spot, match] of at) {
        const others = replacedIn(spot, match)
        if (others === undefined) return undefined
        for (const each of others) fewer.set(each, (fewer.get(each) ?? 0) + 1)
        ids += match.unlike.filter((each) => !hasId(spot, each)).length
        ids -= match.alike.filter((each) => hasId(spot, each)).length
      }
      const had = chosen.get(candidate)?.size ?? 0
      let length = ids * BY_ID + lengthOf(had + at.size) - lengthOf(had)
      for (const [each, less] of fewer) {
        const size = chosen.get(each)?.size ?? 0
        length += lengthOf(size - less) - lengthOf(size)
      }
      return { length, ids }
    },
    place(candidate, at) {
      for (const [spot, match] of at) {
        for (const each of replacedIn(spot, match) ?? []) remove(each, spot)
        const own = matching.get(spot) ?? new Map<string, Candidate>()
        for (const { key } of allOf(match)) own.set(key, candidate)
        matching.set(spot, own)
        chosen.set(candidate, (chosen.get(candidate) ?? new Map<Spot, Match>()).set(spot, match))
      }
    },
  }
}

const allOf = (match: Match | undefined): Free[] =>
  match === undefined ? [] : [...match.alike, ...match.unlike]
