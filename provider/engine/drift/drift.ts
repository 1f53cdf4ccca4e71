import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import { editedOf, withEdited } from './edited.ts'
import { withPlanned } from './planned.ts'
import { weighed } from './weighed.ts'
import { isAsSent, mayBeDeleted } from '../judge/sent.ts'
import { standingOf } from '../judge/standing.ts'
import { verdictOf, type Judged } from './verdict.ts'
import { whatLive, whatSelected } from '../judge/what.ts'
import { isDifference } from '../plan/change.ts'
import { appearedAgainst } from '../plan/in-force.ts'
import { asideAddress } from '../plan/replaced.ts'
import type { PlannedChange } from '../plan/work.ts'
import { reason, type Reason } from '../reason.ts'
import type { Run } from '../run/run.ts'
import { entryOf } from '../values/address.ts'
import { declaredIdentity, identityKey } from '../values/identity.ts'
import { isInForce } from '../values/sort.ts'
import type { Change, Drift, Entry, RecordedResource, Records } from '../values/model.ts'

interface DriftInput {
  readonly run: Run
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  readonly target: ((address: string) => boolean) | undefined
  /** Why a pending change is late; undefined if it is not. */
  readonly lateness?: (address: string) => Reason | undefined
}

/**
 * Compares live with what was last applied: what changed outside, and who did it. A pure function of what a run has
 * read.
 */
export const driftsIn = (input: DriftInput): Drift[] => {
  const { run, records } = input
  const movedTo = renamed(input)
  const isForbidden = forbiddenBy(input)
  // A moved thing is judged at its recorded address. An entry in force is no thing that is judged.
  const isJudged = (from: string): boolean => !isInForce(records[from] ?? {})
  const taken = new Set([...movedTo].flatMap(([from, to]) => (isJudged(from) ? [to] : [])))
  const pending = run.plan.planned
    .filter(({ change }) => {
      const record = records[change.address]
      // A record that moves away is told of by itself, and so is that it is dropped here.
      const isOfOther = movedTo.has(change.address) && change.action !== 'release'
      // An entry in force is no thing that could drift.
      const isNoThing = record === undefined || isInForce(record) || isOfOther
      return isNoThing && isDifference(change) && !taken.has(change.address)
    })
    .map((planned) =>
      isForbidden(planned.change)
        ? unrecorded('drifted', againstList(planned.change))
        : withLateness(unrecorded('pending', planned.change), planned, input),
    )
  return [...recordedIn(input, movedTo).map((recorded) => driftOf(recorded, input)), ...pending]
}

/** What has drifted is against the list that is in force, also if an entry of its own now says that it is to go. */
const againstList = (change: Change): Change =>
  change.reason.code === 'must-be-absent' ? { ...change, reason: reason('not-listed') } : change

/** By recorded address, the address that now declares the thing, if it is another one. */
const renamed = ({ run, records }: DriftInput): ReadonlyMap<string, string> =>
  new Map(
    run.plan.planned.flatMap(({ change: { address, action, from, reason: because } }) => {
      if (action === 'moved' && from !== undefined) return [[from, address] as const]
      return because.code === 'undeclared-declared-elsewhere' && records[address] !== undefined
        ? [[address, because.address] as const]
        : []
    }),
  )

/** One recorded thing, with what is now declared and planned of it. */
interface Recorded {
  readonly address: string
  readonly definition: KindDefinition
  readonly record: RecordedResource
  readonly entry: Entry | undefined
  /** The address that declares it now, if it is another one. */
  readonly movedTo: string | undefined
  /** What a plan does at the address that declares it. */
  readonly changes: readonly PlannedChange[]
  /** How the plan gives it up, if that address now means another thing. */
  readonly givenUp: PlannedChange | undefined
}

const recordedIn = (
  { run, definitions, records, target }: DriftInput,
  movedTo: ReadonlyMap<string, string>,
): Recorded[] => {
  const entries = new Map(run.declaration.entries.map((entry) => [entryOf(entry.address), entry]))
  const planned = Map.groupBy(run.plan.planned, ({ change }) => change.address)
  const inMissingPlace = placeless(run)
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitionOf(definitions, record.kind)
    const declaredAs = movedTo.get(address) ?? address
    const isMeant = target === undefined || target(address) || target(declaredAs)
    if (definition === undefined || isInForce(record) || !isMeant) return []
    const aside = asideAddress(definition, declaredAs, record)
    return {
      address,
      definition,
      record,
      entry: entries.get(entryOf(declaredAs)),
      movedTo: movedTo.get(address),
      changes: planned.get(declaredAs) ?? inMissingPlace(declaredAs, record),
      givenUp: records[aside] === undefined ? planned.get(aside)?.[0] : undefined,
    }
  })
}

/** Where its place is not found, an entry matches nothing: it is still what declares what was recorded there. */
const placeless = ({
  plan: { planned },
}: Run): ((address: string, record: RecordedResource) => PlannedChange[]) => {
  const missing = planned.flatMap((each) => {
    const { address, reason: because } = each.change
    return because.code === 'place-missing' ? [{ each, entry: entryOf(address), place: because.place }] : []
  })
  const byEntry = Map.groupBy(missing, ({ entry }) => entry)
  return (address, { identity }) =>
    (byEntry.get(entryOf(address)) ?? [])
      .filter(({ place }) => Object.entries(place).every(([name, id]) => identity[name] === id))
      .map(({ each }) => each)
}

const driftOf = (recorded: Recorded, input: DriftInput): Drift => {
  const { address, definition, record, entry, movedTo, changes, givenUp } = recorded
  const judged = withLeft(judgedOf(recorded, input.run), recorded)
  // If an address has several changes, the first one tells what happens to it, unless it is a move.
  const first = changes.find(({ change }) => change.action !== 'moved') ?? changes[0]
  // An entry that now means another thing says nothing about what has drifted.
  const { change } = (judged.verdict === 'drifted' ? givenUp : undefined) ?? first ?? {}
  const drift = {
    address,
    kind: record.kind,
    identity: record.identity,
    ...judged,
    ...(movedTo === undefined ? {} : { movedTo }),
    ...weighed(definition, record, judged),
  }
  const planned = withPlanned(drift, { definition, change, isProtected: entry?.protect === true })
  const edits = { definition, record, changes, isReplaced: givenUp !== undefined }
  const whole = withWhat(withEdited(planned, edits), recorded, change, input.run)
  const edited = editedOf(whole, edits)
  return {
    ...withLateness(whole, changes[0], input),
    ...(edited === undefined ? {} : { edited: withLateness(edited, changes[0], input) }),
  }
}

/** What may come from one of our own writes is no drift. */
const judgedOf = ({ address, definition, record, entry }: Recorded, run: Run): Judged => {
  const judged = verdictOf(standingOf(definition, record, run), entry?.ignoreChanges ?? [])
  const { verdict, reasons, actor, fields, evidence } = judged
  const isOwn = reasons.some(({ code }) => code === 'gone-at-service')
    ? mayBeDeleted(address, run)
    : actor === undefined && isAsSent(definition, { address, record }, fields, run)
  return verdict === 'drifted' && isOwn
    ? { verdict: 'in-sync', reasons: [reason('as-applied')], fields: [], evidence }
    : judged
}

/** What is left to others and was never as declared has not changed, and differs from what is declared. */
const withLeft = (judged: Judged, { definition, changes }: Recorded): Judged => {
  if (judged.verdict !== 'in-sync' || isReadable(definition)) return judged
  const fields = changes.flatMap(({ change: { reason: own } }) =>
    own.code === 'as-declared-but-ignored' ? own.fields : [],
  )
  return fields.length === 0 ? judged : { ...judged, reasons: [reason('as-applied-but-ignored', { fields })] }
}

/** Adds what the thing is, if somebody has to look at it and its entry does not say so. */
const withWhat = (
  drift: Drift,
  { definition, record: { identity } }: Recorded,
  change: Change | undefined,
  { observed }: Run,
): Drift => {
  if (drift.verdict === 'in-sync') return drift
  const what = whatLive(definition, identity, observed)
  const declared = change?.after ?? undefined
  // A former address does not show how the thing is declared now.
  const isSaid =
    drift.movedTo === undefined && declared !== undefined && what === whatSelected(definition, declared)
  return what === '' || isSaid ? drift : { ...drift, what }
}

/** Tells what is to go, wherever that is declared now, and has appeared against an entry in force. */
const forbiddenBy = ({ run, definitions, records }: DriftInput): ((change: Change) => boolean) => {
  const forbidden = new Set(
    Object.values(records).flatMap((record) => {
      const definition = definitionOf(definitions, record.kind)
      if (definition === undefined || !isInForce(record)) return []
      return appearedAgainst(definition, record, run).map((identity) => identityKey(definition, identity))
    }),
  )
  return ({ kind, before, after }) => {
    const definition = definitionOf(definitions, kind)
    if (definition === undefined || before === null || after !== null) return false
    return forbidden.has(identityKey(definition, declaredIdentity(definition, before)))
  }
}

/**
 * Something unrecorded at a planned address. If an applied only-list forbids it, it has appeared since, which is
 * drift; anything else is pending.
 */
const unrecorded = (
  verdict: Drift['verdict'],
  { address, kind, what, declaredAt, reason: because, fields, evidence }: Change,
): Drift => ({
  address,
  kind,
  ...(what === undefined ? {} : { what }),
  verdict,
  reasons: [because],
  fields,
  evidence,
  ...(declaredAt === undefined ? {} : { declaredAt }),
})

/**
 * Marks pending changes that are late. An occurrence is only planned within its horizon, so it is late at once;
 * other changes are late after an apply should have made them.
 */
const withLateness = (drift: Drift, planned: PlannedChange | undefined, { lateness }: DriftInput): Drift => {
  if (planned === undefined || drift.verdict !== 'pending') return drift
  const { work, change } = planned
  const isScheduled = work.do === 'create' && work.instance.provenance === 'scheduled'
  const because = isScheduled ? reason('occurrence-missing') : lateness?.(change.address)
  return because === undefined ? drift : { ...drift, reasons: [...drift.reasons, because], isLate: true }
}
