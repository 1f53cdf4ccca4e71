import type { SelectorCandidate, Free, Match, Spot } from './candidates.ts'

/** The places where a selector gets an entry, with what it matches there. */
export type Placing = ReadonlyMap<Spot, Match>

interface Difference {
  readonly length: number
  readonly ids: number
}

/** The length of an entry, measured in names of projects. */
const ENTRY = 4
const BY_ID = ENTRY + 1

/**
 * Which selectors have entries, and in which places. No two of them match the same thing, and what is left gets an
 * entry by id.
 */
export class Choice {
  readonly #count: number
  readonly #chosen = new Map<SelectorCandidate, Map<Spot, Match>>()
  readonly #matching = new Map<Spot, Map<string, SelectorCandidate>>()

  /** @param count how many places there are */
  constructor(count: number) {
    this.#count = count
  }

  get chosen(): ReadonlyMap<SelectorCandidate, Placing> {
    return this.#chosen
  }

  isIn(candidate: SelectorCandidate, spot: Spot): boolean {
    return this.#chosen.get(candidate)?.has(spot) === true
  }

  /** Whether no chosen selector matches any of these things. */
  isFree(spot: Spot, things: readonly Free[]): boolean {
    return things.every((each) => this.#matcherOf(spot, each) === undefined)
  }

  /** The things that get an entry by id. */
  leftIn(spot: Spot): Free[] {
    return [...spot.free.values()].filter((each) => this.#hasId(spot, each))
  }

  /**
   * What these additional places would change, in length and in entries by id; undefined if another selector is in
   * the way.
   */
  differenceOf(candidate: SelectorCandidate, at: Placing): Difference | undefined {
    const fewer = new Map<SelectorCandidate, number>()
    let ids = 0
    for (const [spot, match] of at) {
      const others = this.#replacedIn(spot, match)
      if (others === undefined) return undefined
      for (const each of others) fewer.set(each, (fewer.get(each) ?? 0) + 1)
      ids += match.unlike.filter((each) => !this.#hasId(spot, each)).length
      ids -= match.alike.filter((each) => this.#hasId(spot, each)).length
    }
    let length = ids * BY_ID + this.#lengthened(candidate, at.size)
    for (const [each, less] of fewer) length += this.#lengthened(each, -less)
    return { length, ids }
  }

  place(candidate: SelectorCandidate, at: Placing): void {
    for (const [spot, match] of at) {
      for (const each of this.#replacedIn(spot, match) ?? []) this.remove(each, spot)
      const own = this.#matching.get(spot) ?? new Map<string, SelectorCandidate>()
      for (const { key } of allOf(match)) own.set(key, candidate)
      this.#matching.set(spot, own)
      const there = this.#chosen.get(candidate) ?? new Map<Spot, Match>()
      this.#chosen.set(candidate, there.set(spot, match))
    }
  }

  remove(candidate: SelectorCandidate, spot: Spot): void {
    const at = this.#chosen.get(candidate)
    for (const { key } of allOf(at?.get(spot))) this.#matching.get(spot)?.delete(key)
    at?.delete(spot)
    if (at?.size === 0) this.#chosen.delete(candidate)
  }

  #matcherOf(spot: Spot, { key }: Free): SelectorCandidate | undefined {
    return this.#matching.get(spot)?.get(key)
  }

  #hasId(spot: Spot, thing: Free): boolean {
    const by = this.#matcherOf(spot, thing)
    return by === undefined || this.#chosen.get(by)?.get(spot)?.unlike.includes(thing) === true
  }

  /** The selectors that this match would replace; undefined if one of them matches more than this match covers. */
  #replacedIn(spot: Spot, match: Match): Set<SelectorCandidate> | undefined {
    const all = new Set(allOf(match))
    const others = new Set([...all].flatMap((each) => this.#matcherOf(spot, each) ?? []))
    const isWithin = (each: SelectorCandidate): boolean =>
      allOf(this.#chosen.get(each)?.get(spot)).every((thing) => all.has(thing))
    return [...others].every(isWithin) ? others : undefined
  }

  /** By how much these additional places lengthen an entry. */
  #lengthened(candidate: SelectorCandidate, more: number): number {
    const had = this.#chosen.get(candidate)?.size ?? 0
    return this.#lengthOf(had + more) - this.#lengthOf(had)
  }

  /** An entry names its places, or those that it leaves out, whichever is shorter. */
  #lengthOf(places: number): number {
    return places === 0 ? 0 : ENTRY + Math.min(places, this.#count - places)
  }
}

const allOf = (match: Match | undefined): Free[] =>
  match === undefined ? [] : [...match.alike, ...match.unlike]
