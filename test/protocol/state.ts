/**
 * What two commands on two machines, a store with one compare-and-swap, the service and a person can do, as far as it
 * matters for who sends what under one record. Nothing of the product is used: it is written from
 * `docs/state.md` and `docs/failure-model.md`, and `replay.test.ts` holds the two together.
 *
 * One unit of time is half a minute. What takes less than so many units in truth takes at most so many here, and what
 * has to be waited for is over one later.
 */

/** A request leaves within half a minute of a save or check, and within a minute and a half of its intent. */
export const CERTAIN = 1
export const LEAVES = 3
/** What has left takes effect within a minute. */
export const UNDER_WAY = 2
/** A creation without an answer has been done or never will be, so long after its intent. */
export const REACH = LEAVES + UNDER_WAY
/** So long after a lock was taken away, its owner has nothing under way. */
export const AT_WORK = CERTAIN + UNDER_WAY

export type Who = 'A' | 'B'

/** What the tip of the branch holds. */
export interface Content {
  /** The session that holds the lock; nothing where nobody does. */
  readonly lock: string | undefined
  /** The write of the one record whose outcome is open. */
  readonly open: { readonly by: string; readonly at: number } | undefined
  /** Whether the record is there. */
  readonly known: boolean
  /** When a lock was certainly away whose owner may be at work; nobody has seen it yet, or there is none. */
  readonly unlockedAt: number | 'unseen' | undefined
}

/** A commit that is on its way: whoever sent it can have ended. */
export interface Write {
  readonly what: 'lock' | 'intent' | 'settle' | 'save' | 'release'
  readonly id: string
  readonly from: string
  readonly content: Content
  readonly since: number
}

export interface Owner {
  /** How many commands have begun here. */
  readonly session: number
  /** What its session is called in commits. */
  readonly called: string
  readonly is: 'out' | 'in' | 'stopped'
  readonly seen: { readonly id: string; readonly content: Content } | undefined
  readonly doubtful: readonly string[]
  readonly write: Write | undefined
  /** Since when it is certain that the lock is held. */
  readonly sure: number | undefined
  readonly sent: boolean
  /** A write was given up: nothing more is sent. */
  readonly failing: boolean
  /** It has found that it may send, and has not yet: where `suspended` lets it be stopped right there. */
  readonly mayLeave: boolean
}

export interface Request {
  readonly by: string
  /** What its session is called in commits. */
  readonly as: string
  readonly leftAt: number
  readonly done: boolean
}

export interface State {
  readonly now: number
  /** Ids of commits; the last one is the tip. */
  readonly history: readonly string[]
  readonly tip: Content
  readonly owners: Readonly<Record<Who, Owner>>
  /** Commits that were given up, and can arrive all the same. */
  readonly late: readonly Write[]
  readonly requests: readonly Request[]
  /** Sessions whose process has ended. */
  readonly ended: readonly string[]
  readonly commits: number
  readonly givenUp: number
  readonly unlocks: number
  /** Unlocks that are on their way: the lock of each, and since when. */
  readonly unlocking: readonly (readonly [lock: string, since: number])[]
  /** Somebody was told that the record is kept. */
  readonly promised: boolean
}

/** What is changed of the protocol, so that the search has something to find; and what is left out of it. */
export interface Rules {
  /** Whether what is written is a creation, which is not sent again before it is known not to have been done. */
  readonly creation: boolean
  /** A process can be suspended between the check and the socket. */
  readonly suspended?: boolean
  readonly without?: Mutant
}

/** Rules of the protocol, each of which can be left out. */
export type Mutant =
  /** The next owner waits after an unlock. */
  | 'wait'
  /** A write is done only upon the version that was seen last. */
  | 'version'
  /** Nobody else can make the same commit. */
  | 'nonce'
  /** A request leaves only where it is certain that the lock is held. */
  | 'certainty'
  /** What is certain is so from the beginning of a save on, and not from its answer. */
  | 'beginning'
  /** A request leaves only once its intent is kept. */
  | 'intent'
  /** A creation without an answer counts as not done only once it cannot be done any more. */
  | 'reach'
  /** A request leaves only so long after its intent. */
  | 'deadline'
  /** That time counts from when the lock was away, and not from when it was to go. */
  | 'landed'
  /** `--owner-ended` is said of those alone that have ended. */
  | 'ended'
  /** No lock is taken over by age. */
  | 'age'

export interface Bounds {
  /** Commands that each of the two begins. */
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

/** What must never be; nothing where all is well. */
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

/** The same for states that differ in names, and in what is long over, alone. */
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
