/**
 * A model of two commands on two machines, a store with a single compare-and-swap, the service and a person, as far as
 * it matters for who sends what for one record. It uses no code of the product: it is written from `docs/state-repair.md`,
 * `docs/failure-model.md` and `docs/lost-creations.md`, and `replay.test.ts` checks that model and code agree.
 *
 * One unit of time is half a minute. What takes less than n units in reality takes at most n here, and a wait ends one
 * unit later.
 */

/** A request is sent within half a minute of a save or check, and within a minute and a half of its intent. */
export const CERTAIN = 1
export const LEAVES = 3
/** A sent request takes effect within a minute, or never. */
const UNDER_WAY = 2
/** By this time after its intent, a creation without an answer has taken effect or never will. */
export const REACH = LEAVES + UNDER_WAY
/** By this time after its lock was removed, an owner has no requests in flight. */
export const AT_WORK = CERTAIN + UNDER_WAY

export type Who = 'A' | 'B'

/** The content of the newest commit. */
export interface Content {
  /** The session that holds the lock; undefined if it is free. */
  readonly lock: string | undefined
  /** The last write for the record, if its outcome is unknown. */
  readonly open: { readonly by: string; readonly at: number } | undefined
  /** Whether the record exists. */
  readonly known: boolean
  /** When a lock was certainly gone whose owner may still be running; `unseen` until somebody sees that it is gone. */
  readonly unlockedAt: number | 'unseen' | undefined
}

/** A commit that is being sent; its sender may have ended. */
export interface Write {
  readonly what: 'lock' | 'intent' | 'settle' | 'save' | 'release'
  readonly id: string
  readonly from: string
  readonly content: Content
  readonly since: number
}

export interface Owner {
  /** The number of the current command of this owner. */
  readonly session: number
  /** The name of its session in commits. */
  readonly called: string
  readonly is: 'out' | 'in' | 'stopped'
  readonly seen: { readonly id: string; readonly content: Content } | undefined
  readonly doubtful: readonly string[]
  readonly write: Write | undefined
  /** The last time at which it was certain that the owner holds the lock. */
  readonly sure: number | undefined
  readonly sent: boolean
  /** A write was given up: nothing more is sent. */
  readonly failing: boolean
  /** The owner has checked that it may send, but has not sent yet. With `suspended`, it can be stopped right there. */
  readonly mayLeave: boolean
}

export interface Request {
  readonly by: string
  /** The name of its session in commits. */
  readonly as: string
  readonly leftAt: number
  readonly done: boolean
}

export interface State {
  readonly now: number
  /** Commit ids; the last one is the newest commit. */
  readonly history: readonly string[]
  readonly tip: Content
  readonly owners: Readonly<Record<Who, Owner>>
  /** Commits that were given up and may still arrive. */
  readonly late: readonly Write[]
  readonly requests: readonly Request[]
  /** Sessions whose process has ended. */
  readonly ended: readonly string[]
  readonly commits: number
  readonly givenUp: number
  readonly unlocks: number
  /** Unlocks that are being sent: the lock of each, and since when. */
  readonly unlocking: readonly (readonly [lock: string, since: number])[]
  /** Somebody was told that the record is saved. */
  readonly promised: boolean
}

/** What to search, and which rule to leave out, so that the search has something to find. */
export interface Rules {
  /** Whether the write is a creation, which is never repeated until it is certain that it had no effect. */
  readonly creation: boolean
  /** Whether a process can be suspended between its check and sending. */
  readonly suspended?: boolean
  readonly without?: Mutant
}

/** Rules of the protocol; a search can leave out one of them. */
export type Mutant =
  /** The next owner waits after an unlock. */
  | 'wait'
  /** A write succeeds only if its base is still the newest version. */
  | 'version'
  /** Commits of different owners are never identical. */
  | 'nonce'
  /** A request is sent only while it is certain that the lock is held. */
  | 'certainty'
  /** That certainty counts from the beginning of a save, not from its answer. */
  | 'beginning'
  /** A request is sent only after its intent was saved. */
  | 'intent'
  /** A creation without an answer counts as not done only once it can no longer take effect. */
  | 'reach'
  /** A request is sent only within a certain time after its intent. */
  | 'deadline'
  /** The wait counts from when the lock was gone, not from when its removal was sent. */
  | 'landed'
  /** `--owner-ended` is only used if the owner has ended. */
  | 'ended'
  /** No lock is taken over because of its age. */
  | 'age'

export interface Bounds {
  /** Number of commands of each owner. */
  readonly sessions: Readonly<Record<Who, number>>
  readonly unlocks: number
  readonly givenUp: number
}

export const nobody: Owner = {
  session: 1,
  called: '',
  is: 'out',
  seen: undefined,
  doubtful: [],
  write: undefined,
  sure: undefined,
  sent: false,
  failing: false,
  mayLeave: false,
}

export const beginning: State = {
  now: 0,
  history: ['0'],
  tip: { lock: undefined, open: undefined, known: false, unlockedAt: undefined },
  owners: { A: nobody, B: nobody },
  late: [],
  requests: [],
  ended: [],
  commits: 0,
  givenUp: 0,
  unlocks: 0,
  unlocking: [],
  promised: false,
}

export const tipOf = ({ history }: Pick<State, 'history'>): string => history.at(-1) ?? ''

export const nameOf = (who: Who, { session }: Owner): string => `${who}${session}`

export const withOwner = (state: State, who: Who, change: Partial<Owner>): State => ({
  ...state,
  owners: { ...state.owners, [who]: { ...state.owners[who], ...change } },
})

export const isUnderWay = ({ now }: State, { done, leftAt }: Request): boolean =>
  !done && now <= leftAt + UNDER_WAY

/** What is wrong with a state; undefined if nothing is. */
export const wrongIn = (state: State, { creation }: Rules): string | undefined => {
  const { requests, tip, promised } = state
  const alive = requests.filter(
    (request) => isUnderWay(state, request) && (creation || !state.ended.includes(request.by)),
  )
  if (new Set(alive.map(({ by }) => by)).size > 1) return 'two owners send under one record'
  if (creation && requests.filter(({ done }) => done).length > 1) return 'something was made twice'
  if (promised && !tip.known) return 'what was confirmed is forgotten'
  const isKept = ({ as }: Request): boolean => tip.known || tip.open?.by === as
  const counting = requests.filter((request) => request.done || isUnderWay(state, request))
  if (creation && !counting.every(isKept)) return 'a request has no intent that is kept'
  return undefined
}

/** Equal for states that differ only in names or in what no longer matters because it is long past. */
export const keyOf = (state: State): string => {
  const { now, owners, late, tip, history } = state
  const names: string[] = []
  const name = (id: string): string => {
    const index = names.indexOf(id)
    return `${index === -1 ? names.push(id) - 1 : index}${history.includes(id) ? '+' : '-'}`
  }
  const age = (at: number | undefined, most: number): string =>
    at === undefined ? '' : String(Math.min(now - at, most + 1))
  const contentKey = ({ lock, open, known, unlockedAt: at }: Content): string =>
    `${lock},${open?.by},${age(open?.at, REACH)},${known},${at === 'unseen' ? at : age(at, AT_WORK)}`
  const writeKey = ({ what, id, from, content, since }: Write): string =>
    `${what},${name(id)},${name(from)},${contentKey(content)},${age(since, CERTAIN)}`
  const ownerKey = ({ session, is, seen, doubtful, write, sure, sent, failing, mayLeave }: Owner): string =>
    `${session}${is};${seen === undefined ? '' : name(seen.id) + contentKey(seen.content)};${doubtful
      .map(name)
      .join()};${write === undefined ? '' : writeKey(write)};${age(sure, CERTAIN)};${sent}${failing}${mayLeave}`
  const requests = state.requests
    .filter((each) => each.done || isUnderWay(state, each))
    .map((each) => `${each.by}${each.done ? '' : age(each.leftAt, UNDER_WAY)}`)
  return `${name(tipOf(state))}${contentKey(tip)}|${ownerKey(owners.A)}|${ownerKey(owners.B)}|${late
    .map(writeKey)
    .join(
      ' ',
    )}|${requests.join()}|${state.ended.join()}|${state.givenUp}${state.unlocks}${state.promised}|${state.unlocking
    .map(([lock, since]) => lock + age(since, AT_WORK))
    .join()}`
}
