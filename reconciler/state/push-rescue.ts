import { isDeepStrictEqual } from 'node:util'
import type { Effect, RecordedResource } from '@deploymgmt/provider/engine'
import { StateConflictError, StateMismatchError, StateMissingError } from '../errors/index.ts'
import { type System, systemWith } from './machine/system.ts'
import type { IntentRecord, JournalRecord } from './contents/journal-model.ts'
import type { StateFile } from './contents/model.ts'
import { effectsOf, numbersOf } from './contents/open-intents.ts'
import { openSession } from './open.ts'
import type { Rescue } from './contents/rescue.ts'
import type { Session } from './session.ts'
import type { Where } from './stores/address.ts'
import type { Patience } from './wait-for-lock.ts'
import { withSession } from './with-session.ts'

/** The result of merging a rescue file; counts records. */
interface BroughtHome {
  readonly place: string
  readonly merged: number
  /** Known there already, or found out since. */
  readonly known: number
}

/**
 * Merges a rescue file into the state, which may be newer by now: takes only records about intents that are still
 * open there. The lock that was kept for the file is taken over.
 *
 * @throws StateConflictError if file and state contradict each other, and nothing is changed; StateMismatchError,
 * StateMissingError, LockedError
 */
export const pushRescue = async (
  { lockTimeout, signal, ...where }: Where & Patience,
  rescue: Rescue,
  given: Partial<System> = {},
): Promise<BroughtHome> => {
  const { name, baseUrl, lineage } = rescue.header
  // The command that wrote the file had nothing under way any more.
  const opened = await openSession(
    { ...where, lockTimeout, signal, kept: rescue.lock, expect: { name, baseUrl }, command: 'state push' },
    given,
  )
  return withSession(opened, async (session) => {
    if (session.state.lineage !== lineage) throw ofAnother(rescue, session)
    const { records, known, against, lacking } = compared(rescue, session)
    if (against.length > 0) throw contradicted(against, session.place)
    const at = systemWith(given).now().toISOString()
    const withdrawn = withdrawnIn(rescue, session, at)
    const learnt = lacking.length === 0 ? [] : [{ type: 'effects', at, effects: lacking } as const]
    await session.takeOver([...records, ...withdrawn, ...learnt])
    await session.commit()
    return {
      place: session.place,
      merged: records.length + withdrawn.length + lacking.length,
      known: known - lacking.length,
    }
  })
}

/** Refuses if the state at the place that the file names was lost, or replaced by a new one. */
const ofAnother = ({ place, header }: Rescue, session: Session): StateMissingError | StateMismatchError => {
  const where = session.place
  const isThere = place === where
  const hint = isThere
    ? 'Put that state back, from a backup or from an earlier version that the store has kept, and run the command again. If there is none, `state` in the file is what was known. Nothing was changed.'
    : `The rescue file belongs to the state at ${place}: name that state with --state. Nothing was changed.`
  if (!session.exists)
    return new StateMissingError(isThere ? 'the state of the rescue file is gone' : 'there is no state', {
      where,
      hint,
    })
  const was = isThere
    ? `the state that was here: its lineage is ${header.lineage}, and the state that is here now has ${session.state.lineage}`
    : 'another state'
  return new StateMismatchError(`the rescue file belongs to ${was}`, { where, hint })
}

interface Compared {
  readonly records: JournalRecord[]
  readonly known: number
  /** The contradictions: both sides, a line each. */
  readonly against: string[]
  /** Effects that add ids to things that the state knows without an id. */
  readonly lacking: Effect[]
}

const compared = (rescue: Rescue, session: Session): Compared => {
  const lost = lostAt(rescue, session)
  if (lost.length > 0) return { records: [...lost, ...rescue.owed], known: 0, against: [], lacking: [] }
  const sent = new Map(rescue.journal.flatMap((each) => (each.type === 'intent' ? [[each.n, each]] : [])))
  const isStillOpen = openIn(session)
  const isUnchanged = session.fingerprint === rescue.header.digest
  const isToMerge = (record: JournalRecord): boolean => {
    // Only the answer to the save of this record was lost.
    if (session.journal.some((each) => isDeepStrictEqual(defined(each), defined(record)))) return false
    if (record.type === 'learnt') return true
    // Changes without a request follow again from the plan of a newer state.
    if (record.type === 'effects') return isUnchanged
    const intents = numbersOf(record).map((n) => sent.get(n))
    return intents.length > 0 && intents.every((intent) => intent !== undefined && isStillOpen(intent))
  }
  const records = rescue.owed.filter(isToMerge)
  const others = rescue.owed.filter((record) => !records.includes(record))
  const told = others.filter(({ type }) => type !== 'effects').flatMap(effectsOf)
  const against = told.flatMap((effect) => contradiction(effect, session.state))
  const lacking = told.flatMap((effect) => withId(effect, session.state))
  return { records, known: others.length, against, lacking }
}

/**
 * What the command had recorded and the place has no longer, as after a failover: what the place has is the beginning
 * of what the file has, so nobody has written since.
 */
const lostAt = ({ header, journal }: Rescue, session: Session): readonly JournalRecord[] => {
  const there = session.journal
  const isBeginning =
    session.fingerprint === header.digest &&
    there.every((each, index) => isDeepStrictEqual(defined(each), defined(journal[index])))
  return isBeginning ? journal.slice(there.length) : []
}

/** Numbers are reused once a journal has ended, so intents are the same only if all their properties are. */
const openIn = (session: Session): ((intent: IntentRecord) => boolean) => {
  const open = new Map(session.unknown.map((intent) => [intent.n, intent]))
  return (intent) => {
    const { error, errorAt, bound } = open.get(intent.n) ?? {}
    const learnt = { error, errorAt, bound }
    return isDeepStrictEqual(defined(open.get(intent.n)), defined({ ...intent, ...learnt }))
  }
}

/** Without properties that are undefined. */
const defined = (value: object | undefined): unknown => value && JSON.parse(JSON.stringify(value))

/** A created thing that the newer state does not know would never be found again. */
const contradiction = (effect: Effect, { resources }: StateFile): string[] => {
  if (effect.op !== 'put') return []
  const { kind, identity } = effect.resource
  const there = resources[effect.address]
  if (isKnown(effect.resource, resources) || (there?.kind === kind && agrees(there.identity, identity)))
    return []
  const theirs = there === undefined ? 'nothing' : JSON.stringify(there.identity)
  return [`${effect.address}: the file has ${JSON.stringify(identity)}, the state has ${theirs}`]
}

const isKnown = ({ kind, identity }: RecordedResource, resources: StateFile['resources']): boolean =>
  Object.values(resources).some((each) => each.kind === kind && isDeepStrictEqual(each.identity, identity))

type Identity = Readonly<Record<string, string>>

/** If one of the two only lacks an id, they agree. */
const agrees = (one: Identity, other: Identity): boolean =>
  Object.entries(one).every(([key, value]) => other[key] === undefined || other[key] === value)

/** A record that the state has from events can lack the id that only the answer contains. */
const withId = (effect: Effect, { resources }: StateFile): Effect[] => {
  if (effect.op !== 'put') return []
  const { kind, identity } = effect.resource
  const there = resources[effect.address]
  if (isKnown(effect.resource, resources) || there?.kind !== kind || !agrees(there.identity, identity))
    return []
  const whole = { ...there.identity, ...identity }
  if (isDeepStrictEqual(whole, there.identity)) return []
  return [{ op: 'put', address: effect.address, resource: { ...there, identity: whole } }]
}

const contradicted = (against: readonly string[], place: string): StateConflictError =>
  new StateConflictError(
    `the file and the state contradict each other; nothing was changed:\n${against.map((line) => `  ${line}`).join('\n')}`,
    {
      where: place,
      hint: 'Since then, a command that found out otherwise has written to the state. Look at these at the service; to keep one, declare it by its id.',
    },
  )

/** Intents in the file whose requests never left. */
const withdrawnIn = ({ withdrawn }: Rescue, session: Session, at: string): JournalRecord[] =>
  withdrawn.filter(openIn(session)).map(({ n }) => ({ type: 'withdrawn', n, at }))
