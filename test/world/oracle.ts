import type { Act, Actor } from './acts.ts'
import type { Declared } from './declared.ts'
import type { World } from './world.ts'

/** Events are told in whole seconds: what happens this close to a write of ours cannot be told from before it. */
export const CLOSE_MS = 5_000

/** What steps did, kept beside the world: it shares nothing with what it judges. */
export class Oracle {
  declared: Declared
  /** When a person accepted what had happened to a thing, by its id. */
  readonly accepted = new Map<string, number>()
  /** Things that were let go of as they are. */
  readonly left = new Set<string>()
  /** An answer was lost: until an apply ends well, what the last one reached is not known here either. */
  isUncertain = false

  constructor(declared: Declared) {
    this.declared = declared
  }
}

/** What others did to a thing since a run last wrote it, or a person accepted it. */
export interface Foreign {
  /** After that. */
  readonly since: readonly Act[]
  /** Those among them whose events tell of them by now, and cannot be taken for the run's own. */
  readonly evident: readonly Act[]
  /** Right before that, so that events do not tell which came first. */
  readonly justBefore: readonly Act[]
}

export const foreignTo = ({ service, now }: World, oracle: Oracle, id: string): Foreign => {
  const about = service.acts.filter((act) => act.id === id)
  const last = about.findLastIndex(({ by }) => by === 'run')
  const acceptedAt = oracle.accepted.get(id) ?? 0
  const ownAt = about[last]?.at ?? 0
  const others = about.filter(({ by, at }) => by !== 'run' && at >= acceptedAt)
  const since = others.filter((act) => about.indexOf(act) > last)
  const isOwnLooking = ({ by, at }: Act): boolean => by === 'twin' && at <= ownAt + CLOSE_MS
  return {
    since,
    evident: since.filter((act) => act.seenFrom <= now && !isOwnLooking(act)),
    justBefore: others.filter((act) => about.indexOf(act) < last && act.at >= ownAt - CLOSE_MS),
  }
}

/** Whether what others did to a thing is too close to a write of ours for events to tell the order, or the key. */
export const isBlurred = (world: World, oracle: Oracle, id: string): boolean => {
  const { since, evident, justBefore } = foreignTo(world, oracle, id)
  return justBefore.length > 0 || since.length > evident.length
}

/** Who brought a configuration to its live value. */
export const lastToSet = (acts: readonly Act[], id: string): Act | undefined =>
  acts.findLast((act) => act.id === id && act.before?.enabled !== act.after?.enabled)

export const actorsOf = (acts: readonly Act[]): readonly Actor[] => [...new Set(acts.map(({ by }) => by))]
