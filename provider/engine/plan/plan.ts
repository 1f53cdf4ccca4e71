import { isDeepStrictEqual } from 'node:util'
import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { isDoubted, standingOf, type JudgeContext } from '../judge/standing.ts'
import { reason, type Reason } from '../reason.ts'
import { belongsToOne, entryOf, isReplaced } from '../values/address.ts'
import { declaredIdentity, identityKey, isComplete, keyOf, scopeKey } from '../values/identity.ts'
import { hasEnded } from '../values/lifetime.ts'
import type { Entry, Made, Need, RecordedResource, Records } from '../values/model.ts'
import { blocked, changeOf, READ } from './change.ts'
import { expand, type Instance } from './expand.ts'
import { withGuards } from './guards.ts'
import { massNeeds } from './mass.ts'
import { applyMoves, findMoves, withMove, type Move } from './moved.ts'
import { planMissing, planReadable } from './readable.ts'
import { newRecord } from './record.ts'
import { mayGoOn, mayGoOnBeside } from './renewed.ts'
import { displace, withDisplaced } from './replaced.ts'
import { withSettingsChanged } from './settings.ts'
import { recordedBy, withoutTooLate } from './too-late.ts'
import { withWhat } from './told-apart.ts'
import { withTurnedOff } from './turned-off.ts'
import { planUndeclared } from './undeclared.ts'
import { planUnreadable } from './unreadable.ts'
import { validatePlan } from './validate.ts'
import { withWaiting } from './waiting.ts'
import type { PlannedChange } from './work.ts'

export interface PlanInput extends JudgeContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /** Only these addresses are planned; none means all. */
  readonly target?: (address: string) => boolean
  /** Entries that are declared and not planned in this run; what they claim is theirs all the same. */
  readonly others?: readonly Entry[]
  /** What else a run has to say. */
  readonly notes?: readonly Reason[]
}

export interface Plan {
  readonly planned: readonly PlannedChange[]
  /** What apply refuses without a flag: of single changes, and of the plan as a whole. */
  readonly needs: readonly Need[]
  readonly warnings: readonly Reason[]
  readonly targeted: boolean
  /** What the calling key has made and nobody knows, beside which nothing is created. */
  readonly strangers: readonly Made[]
  /** What has a new name outside of the target, and its old one within. */
  readonly parted: readonly Move[]
}

/**
 * What has to be done for live to become what is declared: a pure function of its input.
 * @throws SelectorConflictError when two entries disagree about one thing.
 * @throws EntryRefusedError when an entry cannot be carried out.
 */
export const plan = (input: PlanInput): Plan => {
  const { definitions, target } = input
  const expected = expectedOf(input)
  const { instances, moves } = expected
  const records = applyMoves(input.records, moves)
  const work = displace(instances, records, (instance, record) => mayGoOnBeside(instance, record, input))
  const declared = planDeclared(input, expected, work)
  const undeclared = planAllUndeclared(input, expected, work.records)
  const within = [...declared, ...undeclared].filter(({ change }) => target?.(change.address) ?? true)
  const all = withWaiting(within, records)
  const guarded = withGuards(all, {
    definitions,
    records: work.records,
    ownKey: input.ownKey,
    isDoubted: (definition, record, field) => isDoubted(standingOf(definition, record, input), field),
  })
  const marked = withTurnedOff(validatePlan(guarded, definitions), definitions)
  const planned = withWhat(marked, definitions, input.observed)
  const needs = [
    ...planned.flatMap(({ change: { address, needs: own } }) =>
      own === undefined ? NO_NEEDS : own.map((need) => ({ ...need, address })),
    ),
    ...massNeeds(planned, work.records, definitions),
  ]
  const strangers = strangersBeside(planned, input)
  const warnings = warningsOf(input, strangers)
  const parted = moves.filter(({ from, to }) => target?.(from) === true && !target(to))
  return { planned, needs, warnings, targeted: target !== undefined, strangers, parted }
}

const NO_NEEDS: readonly Need[] = []

const planDeclared = (
  input: PlanInput,
  { instances, moves }: Expected,
  { records, displaced }: ReturnType<typeof displace>,
): PlannedChange[] => {
  const movedTo = new Map(moves.map((move) => [move.to, move]))
  // Asked of what is not recorded alone.
  const isAllRecorded = instances.every(
    (instance) => fittingRecord(instance, records[instance.address]) !== undefined,
  )
  const takenBy = isAllRecorded ? NOBODY : holdersOf(instances, records)
  const former = formerRecords(instances, records, input.definitions)
  const isAllInPlace = displaced.size === 0 && former.size === 0
  return instances.flatMap((instance) => {
    const move = movedTo.get(instance.address)
    const record = fittingRecord(instance, records[instance.address])
    const planned = withSettingsChanged(instance, record, planInstance(instance, record, input, takenBy))
    const own = isAllInPlace
      ? planned
      : planned.map((each) =>
          withAdopted(withDisplaced(each, displaced), former.get(claimOf(instance) ?? '')),
        )
    return move === undefined ? own : withMove(instance, move, own)
  })
}

const warningsOf = (input: PlanInput, strangers: readonly Made[]): Reason[] => [
  ...input.log.warnings,
  ...(input.notes ?? []),
  ...[...Map.groupBy(strangers, ({ kind }) => kind)].map(([kind, made]) =>
    strangersThere(kind, made, input.definitions),
  ),
  ...unknownKinds(input),
]

/** Those that stop something of this plan. */
const strangersBeside = (
  planned: readonly PlannedChange[],
  { strangers = [], definitions }: PlanInput,
): Made[] => {
  const ids = new Set(
    planned.flatMap(({ change: { reason: why } }) => (why.code === 'beside-strangers' ? why.ids : [])),
  )
  return strangers.filter((made) => ids.has(keyOf(definitions, made) ?? ''))
}

const strangersThere = (
  kind: string,
  made: readonly Made[],
  definitions: readonly KindDefinition[],
): Reason => {
  const field = definitionOf(definitions, kind)?.identity.declaredAs ?? ''
  return reason('strangers-there', { field, ids: made.flatMap((each) => keyOf(definitions, each) ?? []) })
}

/** A later version may have recorded what this one cannot judge. */
const unknownKinds = ({ definitions, records }: PlanInput): Reason[] => {
  const known = new Set(definitions.map(({ kind }) => kind))
  return Object.keys(records)
    .filter((address) => !known.has(records[address]?.kind ?? ''))
    .map((address) => reason('kind-unknown', { address, kind: records[address]?.kind ?? '' }))
}

const NOBODY: ReadonlyMap<string, string> = new Map()

interface Expected {
  readonly instances: readonly Instance[]
  readonly moves: readonly Move[]
  /** What entries outside of the target stand for, by identity. */
  readonly elsewhere: ReadonlySet<string | undefined>
}

/** What is to be there, and which records it takes over. */
const expectedOf = (input: PlanInput): Expected => {
  const { definitions, declaration, records, observed, now, others = [] } = input
  const elsewhere = others.map(({ address }) => address)
  const recorded = recordedBy(declaration.entries, elsewhere, records)
  const claiming = others.filter((entry) => canClaim(entry, input))
  const all = expand(definitions, [...declaration.entries, ...claiming], { observed, now, recorded })
  const foreign = new Set(claiming)
  const instances = all.filter(({ entry }) => !foreign.has(entry))
  const claimed = new Set(all.filter(({ entry }) => foreign.has(entry)).map(claimOf))
  const isOfOther = belongsToOne(elsewhere)
  const isTaken = takenFrom(definitions, instances, claimed)
  const isElsewhere = (address: string, record: RecordedResource): boolean =>
    isOfOther(address) && !isTaken(address, record)
  const isOver = (instance: Instance, record: RecordedResource): boolean =>
    hasEnded(instance, record.applied, now) && !mayGoOn(standingOf(instance.definition, record, input))
  const stepsAside = (instance: Instance, record: RecordedResource): boolean =>
    mayGoOnBeside(instance, record, input)
  const moves = findMoves(instances, { records, isOver, stepsAside, isElsewhere })
  return { ...withoutTooLate({ instances, moves }, records, now), elsewhere: claimed }
}

/**
 * Tells which of the things of an entry outside of the target another entry stands for by now. Recorded twice, such a
 * thing would count as changed from outside once either of the two is written.
 */
const takenFrom = (
  definitions: readonly KindDefinition[],
  instances: readonly Instance[],
  elsewhere: ReadonlySet<string | undefined>,
): ((address: string, record: RecordedResource) => boolean) => {
  let known: ReadonlySet<string | undefined> | undefined
  return (address, { kind, identity }) => {
    // Asked of what belongs to entries outside of a target alone.
    const claims = (known ??= new Set(instances.map(claimOf)))
    const definition = definitionOf(definitions, kind)
    if (definition?.observe.how !== 'everything' || address === entryOf(address)) return false
    const key = identityKey(definition, identity)
    return claims.has(key) && !elsewhere.has(key)
  }
}

/** Whether an entry outside of the target claims things all the same: by an id, or by a list that was read whole. */
const canClaim = (entry: Entry, { definitions, observed }: PlanInput): boolean => {
  const definition = definitionOf(definitions, entry.kind)
  if (definition === undefined || definition.observe.how !== 'everything') return false
  return (
    definition.expand.reads(entry.values) === 'one' ||
    observed.scopes.has(scopeKey(definition, declaredIdentity(definition, entry.values)))
  )
}

const planAllUndeclared = (
  input: PlanInput,
  { instances, elsewhere }: Expected,
  records: Records,
): PlannedChange[] => {
  const { definitions, declaration, others = [] } = input
  const left = undeclaredIn(instances, records, definitions)
  if (left.length === 0) return []
  const isElsewhere = belongsToOne([
    ...others.map(({ address }) => address),
    // A place that seems gone may be there again: what is recorded of it stays until someone takes the entry out.
    ...instances.filter(({ unmatched }) => unmatched === 'no-place').map(({ address }) => address),
  ])
  const declared = declaration.entries.map(({ address }) => address)
  const [names, isOfEntry] = [new Set(declared), belongsToOne(declared)]
  // By its record too: what is recorded twice, as by a merge of states, is that of the address at which it is declared.
  const claims = new Map<string | undefined, string>([
    ...holdersOf(instances, records),
    ...instances.map((instance) => [claimOf(instance), instance.address] as const),
  ])
  return left.flatMap(({ address, record, definition }) => {
    const key = identityKey(definition, record.identity)
    // What is recorded of it goes to the entry that stands for it now, once that is planned.
    if (isElsewhere(address) || elsewhere.has(key)) return []
    const claimedAt = claims.get(key)
    const { dropped } = definition.expand
    // An occurrence that its entry no longer has is released as `dropped` says, and not by the entry's `onRemove`.
    const isDropped = isOfEntry(address) && !names.has(address) && !isReplaced(address)
    const own = dropped !== undefined && isDropped ? { ...record, onRemove: dropped } : record
    return [planUndeclared(definition, address, own, input, { claimedAt, ofEntry: isDropped })]
  })
}

/** Records at whose addresses nothing is declared any more. */
const undeclaredIn = (
  instances: readonly Instance[],
  records: Records,
  definitions: readonly KindDefinition[],
) => {
  const addresses = new Set(instances.map(({ address }) => address))
  const left = Object.keys(records).filter((address) => !addresses.has(address))
  return left.flatMap((address) => {
    const record = records[address]
    const definition = record && definitionOf(definitions, record.kind)
    return record === undefined || definition === undefined ? [] : [{ address, record, definition }]
  })
}

/** The one thing at the service that an instance stands for, where it is known. */
const claimOf = ({ definition, identity, inForce, unmatched }: Instance): string | undefined =>
  inForce || unmatched !== undefined || !isComplete(definition, identity)
    ? undefined
    : identityKey(definition, identity)

/** Declared addresses at which things are recorded that the service names, by identity. */
const holdersOf = (instances: readonly Instance[], records: Records): Map<string, string> =>
  new Map(
    instances.flatMap(({ address, definition }) => {
      const record = records[address]
      return record === undefined || definition.identity.assigned === 'never'
        ? []
        : [[identityKey(definition, record.identity), address] as const]
    }),
  )

/** Records whose addresses nothing declares any more, by identity. */
const formerRecords = (
  instances: readonly Instance[],
  records: Records,
  definitions: readonly KindDefinition[],
): Map<string, RecordedResource> =>
  new Map(
    undeclaredIn(instances, records, definitions).map(({ record, definition }) => [
      identityKey(definition, record.identity),
      record,
    ]),
  )

/** A thing that changes its address keeps what its first adoption saw: its release may put that back. */
const withAdopted = (planned: PlannedChange, former: RecordedResource | undefined): PlannedChange => {
  const adopted = former?.adopted ?? null
  const { work, change } = planned
  if (adopted === null) return planned
  if (work.do === 'record' && change.action === 'adopt')
    return { ...planned, work: { ...work, put: { ...work.put, adopted } } }
  if (work.do !== 'write' || work.record !== undefined) return planned
  return { ...planned, work: { ...work, seen: adopted } }
}

/** The record, if it stands for the same as the instance: a thing to be there, one that must not be, or an entry in force. */
const fittingRecord = (
  { inForce, absent }: Instance,
  record: RecordedResource | undefined,
): RecordedResource | undefined =>
  record !== undefined && (record.standing ?? false) === inForce && (record.absent ?? false) === absent
    ? record
    : undefined

const planInstance = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
  takenBy: ReadonlyMap<string, string>,
): PlannedChange[] => {
  const holder = record === undefined ? takenBy.get(claimOf(instance) ?? '') : undefined
  if (holder !== undefined && holder !== instance.address)
    return [blocked(instance, reason('recorded-elsewhere', { address: holder }))]
  if (instance.unmatched !== undefined) return [planMissing(instance, record)]
  if (instance.inForce) return [planInForce(instance, record, context)]
  return instance.definition.observe.how === 'everything'
    ? [planReadable(instance, record, context)]
    : planUnreadable(instance, record, context)
}

/** The entry itself: recorded, so that what appears against it later is known to be a change. */
const planInForce = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: JudgeContext,
): PlannedChange => {
  const fresh = { ...newRecord(instance, context), standing: true }
  const isKept = record?.standing === true && isDeepStrictEqual(record.applied, fresh.applied)
  const change = changeOf(instance, { action: 'unchanged', reason: reason('in-force'), evidence: READ })
  return { change, work: { do: 'keep', ...(isKept ? {} : { put: fresh }) } }
}
