import type { KindDefinition } from '../../core/definition.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import { DAY_MS } from '../../core/recurrence/duration.ts'
import type { Identity, Values } from '../../core/values.ts'
import { candidatesIn, type SelectorCandidate, type Free, type Spot } from './candidates.ts'
import { Choice, type Placing } from './choice.ts'

/** A selector in one place, with the things that it stands for. Its other matches get entries by id. */
export interface Selection {
  readonly place: Identity
  readonly selector: Values
  readonly declared: Values
  readonly things: readonly Free[]
  readonly isOff: boolean
}

/** The selectors, and for each place the things that are left for entries by id. */
interface Selected {
  readonly selections: readonly Selection[]
  readonly left: ReadonlyMap<Spot, readonly Left[]>
}

/** A thing that gets an entry by id. */
export interface Left {
  readonly thing: Free
  /** Whether a selector of its place also matches it. */
  readonly isMatched: boolean
}

export interface Selecting {
  readonly now: Date
  /** Whether things that several places have in common become one entry. */
  readonly inCommon: boolean
}

/**
 * Chooses selectors for free things. Selectors that hold in the most places come first, so that those places share
 * them, then those with the most things, then the broadest. After that, a selector is also placed where some
 * matches differ, because entries by id beat it, as long as that makes the manifest shorter. It is never placed
 * where nothing matches its values: once the exceptions were gone, it would wait for something to stand for. Things
 * that are off get a selector if that saves an entry.
 */
export const selected = (
  definition: KindDefinition,
  spots: readonly Spot[],
  selecting: Selecting,
): Selected => {
  const { bound } = definition.adoption
  const before = bound === undefined ? undefined : latestIn(spots, bound.made, selecting.now)
  const choice = new Choice(spots.length)
  const on = candidatesIn(definition, spots, { isOff: false, more: {} })
  choosePlain(choice, on, 1)
  const off =
    bound === undefined || before === undefined
      ? []
      : candidatesIn(definition, spots, { isOff: true, more: { [bound.by]: before } })
  choosePlain(choice, off, 2)
  shorten(choice, [...on, ...off])
  leaveIds(choice, selecting)
  const selections = [...choice.chosen].flatMap(([{ selector, declared, isOff }, at]) =>
    spots.flatMap((spot): Selection[] => {
      const match = at.get(spot)
      return match === undefined
        ? []
        : [{ place: spot.place, selector, declared, isOff, things: match.alike }]
    }),
  )
  const left = spots.map((spot) => {
    const things = choice.leftIn(spot)
    return [spot, things.map((thing) => ({ thing, isMatched: !choice.isFree(spot, [thing]) }))] as const
  })
  return { selections, left: new Map(left) }
}

/** A candidate with the places where all its matches are alike, and where no other selector matches them. */
interface Ranked {
  readonly candidate: SelectorCandidate
  readonly at: Placing
  readonly things: number
}

/** Chooses candidates whose matches are all alike. Each choice leaves less for the others, so no rank ever rises. */
const choosePlain = (choice: Choice, candidates: readonly SelectorCandidate[], leastThings: number): void => {
  const rank = (candidate: SelectorCandidate): Ranked => {
    const at = plainly(choice, candidate)
    return { candidate, at, things: [...at.values()].reduce((sum, { alike }) => sum + alike.length, 0) }
  }
  // Sorted so that `pop` returns the best one.
  const ranked = candidates.map(rank).toReversed().toSorted(byRank)
  for (let best = ranked.pop(); best !== undefined; best = ranked.pop()) {
    const now = rank(best.candidate)
    if (now.things < leastThings) continue
    if (now.things === best.things) choice.place(now.candidate, now.at)
    else ranked.splice(ranked.findLastIndex((each) => byRank(each, now) < 0) + 1, 0, now)
  }
}

const byRank = (a: Ranked, b: Ranked): number =>
  a.at.size - b.at.size || a.things - b.things || b.candidate.level - a.candidate.level

const plainly = (choice: Choice, { matches }: SelectorCandidate): Placing =>
  new Map(
    [...matches].filter(([spot, { alike, unlike }]) => unlike.length === 0 && choice.isFree(spot, alike)),
  )

/**
 * Places selectors if that makes the manifest shorter, or as long with fewer entries by id. Every step improves it,
 * so this ends.
 */
const shorten = (choice: Choice, candidates: readonly SelectorCandidate[]): void => {
  const ordered = candidates.toSorted((a, b) => b.matches.size - a.matches.size || a.level - b.level)
  let isShorterStill = true
  while (isShorterStill) {
    isShorterStill = false
    for (const candidate of ordered)
      for (const at of attemptsOf(choice, candidate)) {
        if (!isShorter(choice, candidate, at)) continue
        choice.place(candidate, at)
        isShorterStill = true
      }
  }
}

/** First all places where at least half of its matches are alike, then each place by itself. */
const attemptsOf = (choice: Choice, candidate: SelectorCandidate): Placing[] => {
  const open = [...candidate.matches].filter(([spot]) => !choice.isIn(candidate, spot))
  const mostlyAlike = open.filter(([, { alike, unlike }]) => alike.length >= unlike.length)
  return [mostlyAlike, ...open.map((each) => [each])].map((each) => new Map(each))
}

const isShorter = (choice: Choice, candidate: SelectorCandidate, at: Placing): boolean => {
  if ([...at.keys()].some((spot) => choice.isIn(candidate, spot))) return false
  const { length, ids } = choice.differenceOf(candidate, at) ?? { length: 0, ids: 0 }
  return length < 0 || (length === 0 && ids < 0)
}

/** Replaces a selector for a single thing that is off by an entry by id. */
const leaveIds = (choice: Choice, { inCommon }: Selecting): void => {
  for (const [candidate, at] of choice.chosen) {
    if (!candidate.isOff) continue
    const counts = [...at].map(([spot, { alike }]) => [spot, alike.length] as const)
    const all = counts.reduce((sum, [, count]) => sum + count, 0)
    for (const [spot, count] of counts) if ((inCommon ? all : count) < 2) choice.remove(candidate, spot)
  }
}

const SECOND = 1000

/**
 * An instant by which everything that exists was made: the end of the last thing's day, or of its second if the day
 * is not over.
 */
const latestIn = (spots: readonly Spot[], made: string, now: Date): string | undefined => {
  let latest = Number.NEGATIVE_INFINITY
  for (const { all } of spots)
    for (const live of all) latest = Math.max(latest, parseInstant(String(live[made])) || latest)
  if (!Number.isFinite(latest)) return undefined
  const endOf = (unit: number): number => (Math.floor(latest / unit) + 1) * unit
  const end = endOf(DAY_MS) <= now.getTime() ? endOf(DAY_MS) : endOf(SECOND)
  return formatInstant(end)
}
