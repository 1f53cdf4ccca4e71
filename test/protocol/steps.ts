import {
  AT_WORK,
  type Bounds,
  CERTAIN,
  type Content,
  isUnderWay,
  LEAVES,
  nameOf,
  nobody,
  REACH,
  type Rules,
  type State,
  tipOf,
  type Who,
  withOwner,
  type Write,
} from './state.ts'

/** Something that happens, and the state afterwards. */
export type Step = readonly [label: string, after: State]

/** Everything that can happen next. */
export const stepsFrom = (state: State, rules: Rules, bounds: Bounds): Step[] => [
  ...(['A', 'B'] as const).flatMap((who) => ownSteps(state, who, rules, bounds)),
  ...arrivals(state, rules),
  ...effects(state),
  ...unlocks(state, rules, bounds),
  ['half a minute passes', { ...state, now: state.now + 1 }],
  ['a minute and a half passes', { ...state, now: state.now + LEAVES }],
]

const ownSteps = (state: State, who: Who, rules: Rules, bounds: Bounds): Step[] => {
  const owner = state.owners[who]
  const ending = endingOf(state, who)
  if (owner.session > bounds.sessions[who]) return []
  if (owner.write !== undefined) return [...pushing(state, who, owner.write, rules, bounds), ...ending]
  if (owner.is === 'out') return taking(state, who, rules)
  if (owner.is === 'stopped') return ending
  return [...working(state, who, rules), ...ending]
}

/** A command can end at any moment, while its write is still being sent; another one can start. */
const endingOf = (state: State, who: Who): Step[] => {
  const { session, write } = state.owners[who]
  const next = withOwner(state, who, { ...nobody, session: session + 1 })
  const late = write === undefined ? state.late : [...state.late, write]
  return [[`${who} ends`, { ...next, late, ended: [...state.ended, `${who}${session}`].toSorted() }]]
}

/** Writes a commit based on what was seen: either it is accepted and answered at once, or it is still being sent. */
const writing = (label: string, rules: Rules, ...of: Parameters<typeof begun>): Step[] => {
  const [state, who] = of
  const next = begun(...of)
  const made = next.owners[who].write
  if (made === undefined || tipOf(state) !== made.from) return [[`${label} …`, next]]
  const taken = { ...next, history: [...next.history, made.id], tip: made.content }
  return [
    [label, doneAs(taken, who, made, rules)],
    [`${label} …`, next],
  ]
}

const begun = (
  state: State,
  who: Who,
  what: Write['what'],
  from: string,
  content: Content,
  { without }: Rules,
): State => {
  const commits = state.commits + 1
  // Without a nonce, two owners that commit the same change at the same time make the same commit.
  const id = without === 'nonce' ? `${what} on ${from} at ${state.now}` : `${who}:${commits}`
  return withOwner({ ...state, commits }, who, {
    write: { what, id, from, content, since: state.now },
  })
}

const taking = (state: State, who: Who, rules: Rules): Step[] => {
  // The two owners are symmetric, so A may always be the first.
  if (who === 'B' && state.commits === 0) return []
  const { tip } = state
  const isFree = tip.lock === undefined || state.ended.includes(tip.lock) || rules.without === 'age'
  if (!isFree) return []
  // Without a nonce, two sessions that take the lock at the same time have the same name.
  const called =
    rules.without === 'nonce' ? `lock on ${tipOf(state)} at ${state.now}` : nameOf(who, state.owners[who])
  const next = withOwner(state, who, { called })
  return writing(
    `${who} takes the lock`,
    rules,
    next,
    who,
    'lock',
    tipOf(state),
    // Whoever first sees that a lock was removed records the time.
    { ...tip, lock: called, unlockedAt: tip.unlockedAt === 'unseen' ? state.now : tip.unlockedAt },
    rules,
  )
}

const working = (state: State, who: Who, rules: Rules): Step[] => {
  const owner = state.owners[who]
  const { seen, failing, called } = owner
  if (seen === undefined) return []
  const me = nameOf(who, owner)
  const { content } = seen
  const steps: Step[] = []
  const begin = (what: Write['what'], label: string, change: Partial<Content>): void => {
    const next = { ...content, ...change }
    steps.push(...writing(`${who} ${label}`, rules, state, who, what, seen.id, next, rules))
  }
  const done = state.requests.some((request) => request.by === me && request.done)
  if (done && content.open?.by === called) begin('save', 'saves the answer', { open: undefined, known: true })
  if (!failing) {
    const { unlockedAt } = content
    const isOver = typeof unlockedAt !== 'number' || state.now - unlockedAt > AT_WORK
    if (isOver || rules.without === 'wait') {
      const settled = settledAs(state, content, called, rules)
      if (settled !== undefined) begin('settle', 'settles', settled)
      if (!content.known && content.open === undefined && !owner.sent)
        begin('intent', 'writes the intent', { open: { by: called, at: state.now } })
    }
    steps.push(...sending(state, who, rules), ...checking(state, who))
  }
  // The lock is released only when no request is in flight.
  const isBusy = state.requests.some((request) => request.by === me && isUnderWay(state, request))
  if (!isBusy && (content.known || failing || owner.sent))
    begin('release', 'releases the lock', { lock: undefined })
  return steps
}

/** What becomes of an open write of an earlier session, judging by the evidence. */
const settledAs = (
  { requests, now }: State,
  { open }: Content,
  me: string,
  { creation, without }: Rules,
): Partial<Content> | undefined => {
  if (open === undefined || open.by === me) return undefined
  // A change is simply planned again, and sent again if it is still needed.
  if (!creation) return { open: undefined }
  if (requests.some(({ done }) => done)) return { open: undefined, known: true }
  return now - open.at > REACH || without === 'reach' ? { open: undefined } : undefined
}

const sending = (state: State, who: Who, rules: Rules): Step[] => {
  const { without, suspended = false } = rules
  const owner = state.owners[who]
  const me = nameOf(who, owner)
  const { open } = owner.seen?.content ?? {}
  const isDue = without === 'intent' ? owner.seen?.content.known === false : open?.by === owner.called
  if (owner.sent || !isDue) return []
  const leaves = withOwner(state, who, { sent: true, mayLeave: false })
  const sent: Step = [
    `${who} sends`,
    {
      ...leaves,
      requests: [...state.requests, { by: me, as: owner.called, leftAt: state.now, done: false }],
    },
  ]
  if (owner.mayLeave) return [sent]
  const isCertain = without === 'certainty' || (owner.sure !== undefined && state.now - owner.sure <= CERTAIN)
  const isInTime = without === 'deadline' || state.now - (open?.at ?? state.now) <= LEAVES
  if (!isCertain || !isInTime) return []
  return suspended ? [[`${who} may send`, withOwner(state, who, { mayLeave: true })], sent] : [sent]
}

const checking = (state: State, who: Who): Step[] => {
  const { seen, sent, sure, doubtful, called } = state.owners[who]
  if (sent || sure === state.now || seen?.content.open?.by !== called) return []
  const tip = tipOf(state)
  const isHeld = tip === seen.id || doubtful.includes(tip)
  return [[`${who} checks`, withOwner(state, who, isHeld ? { sure: state.now } : { is: 'stopped' })]]
}

/** The answers that the sender of a write can get. */
const pushing = (state: State, who: Who, at: Write, rules: Rules, bounds: Bounds): Step[] => {
  const steps: Step[] = []
  const tip = tipOf(state)
  // If the answer is lost, the sender looks at the branch.
  if (state.history.includes(at.id)) steps.push([`${who} hears`, doneAs(state, who, at, rules)])
  if (tip !== at.id && tip !== at.from) steps.push([`${who} finds another`, movedAs(state, who, at, rules)])
  if (state.givenUp < bounds.givenUp) steps.push([`${who} gives up`, givenUpAs(state, who, at)])
  return steps
}

const doneAs = (state: State, who: Who, { what, id, content, since }: Write, { without }: Rules): State => {
  const free = { write: undefined, seen: { id, content }, doubtful: [] }
  if (what === 'release') return endedAs(state, who)
  if (what === 'lock') return withOwner(state, who, { ...free, is: 'in' })
  const sure = without === 'beginning' ? state.now : since
  const next = withOwner(state, who, { ...free, sure })
  return what === 'save' ? { ...next, promised: true } : next
}

/** A command that has ended normally. */
const endedAs = (state: State, who: Who): State => {
  const { session } = state.owners[who]
  const next = withOwner(state, who, { ...nobody, session: session + 1 })
  return { ...next, ended: [...state.ended, `${who}${session}`].toSorted() }
}

const movedAs = (state: State, who: Who, at: Write, rules: Rules): State => {
  const { doubtful, seen } = state.owners[who]
  const tip = tipOf(state)
  const free = { write: undefined }
  const hasOurs = state.history.includes(at.id)
  if (at.what === 'lock') {
    const isOurs = state.tip.lock === state.owners[who].called
    if (!isOurs) return withOwner(state, who, free)
    return withOwner(state, who, { ...free, is: 'in', seen: { id: tip, content: state.tip } })
  }
  // A write that was given up has arrived. Its commit is the new base, but the next one does not keep its content.
  if (doubtful.includes(tip) && seen !== undefined)
    return begun(
      withOwner(state, who, { ...free, seen: { ...seen, id: tip } }),
      who,
      at.what,
      tip,
      at.content,
      rules,
    )
  if (at.what === 'release') return endedAs(state, who)
  if (at.what === 'save' && hasOurs) return { ...withOwner(state, who, free), promised: true }
  return withOwner(state, who, { ...free, is: 'stopped' })
}

const givenUpAs = (state: State, who: Who, at: Write): State => {
  const doubtful = [...state.owners[who].doubtful, at.id]
  const next = { ...state, givenUp: state.givenUp + 1, late: [...state.late, at] }
  if (at.what === 'lock') return endedAs(next, who)
  if (at.what === 'release') return withOwner(next, who, { write: undefined, is: 'stopped' })
  return withOwner(next, who, { write: undefined, doubtful, failing: true })
}

/** The store accepts a write if nothing was written since its base. */
const arrivals = (state: State, { without }: Rules): Step[] => {
  const writes = [state.owners.A.write, state.owners.B.write, ...state.late].filter(
    (each) => each !== undefined,
  )
  return writes
    .filter(({ id, from, what }) => {
      const isFree = tipOf(state) === from || (without === 'version' && what !== 'lock')
      return isFree && !state.history.includes(id)
    })
    .map(({ id, content, what }): Step => {
      const arrived = { ...state, history: [...state.history, id], tip: content }
      return [`the store takes ${what} ${id}`, arrived]
    })
}

const effects = (state: State): Step[] =>
  state.requests.flatMap((request, index): Step[] => {
    if (!isUnderWay(state, request)) return []
    const requests = state.requests.with(index, { ...request, done: true })
    return [[`the service does what ${request.by} sent`, { ...state, requests }]]
  })

const unlocks = (state: State, { without }: Rules, bounds: Bounds): Step[] => {
  const { lock } = state.tip
  const landed = landings(state, without)
  if (lock === undefined || state.unlocks === bounds.unlocks) return landed
  const next = { ...state, unlocks: state.unlocks + 1 }
  const unlock = (change: Partial<Content>): State => unlocked(next, change)
  const hasEnded = state.ended.includes(lock) || without === 'ended'
  return [
    ...landed,
    ['a person unlocks', unlock({ unlockedAt: state.now })],
    ['a person unlocks …', { ...next, unlocking: [...state.unlocking, [lock, state.now]] }],
    ...(hasEnded ? [['a person unlocks, the owner has ended', unlock({})] as const] : []),
  ]
}

const unlocked = (state: State, change: Partial<Content>): State => ({
  ...state,
  history: [...state.history, `U${state.history.length}`],
  tip: { ...state.tip, lock: undefined, ...change },
})

/** An unlock can arrive at any time, if the lock it names is still there; its sender may never get an answer. */
const landings = (state: State, without: Rules['without']): Step[] =>
  state.unlocking
    .filter(([lock]) => lock === state.tip.lock)
    .map(([lock, since]): Step => {
      const unlocking = state.unlocking.filter(([each]) => each !== lock)
      const unlockedAt = without === 'landed' ? since : 'unseen'
      return [`the store takes the unlock of ${lock}`, unlocked({ ...state, unlocking }, { unlockedAt })]
    })
