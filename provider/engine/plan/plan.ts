import { isDeepStrictEqual } from 'node:util'
import type { KindDefinition } from '../../core/definition.ts'
import { recordedBy, withoutBelated } from './too-late.ts'
import { changeOf, READ } from './change.ts'
import { organizationsOf } from '../judge/evidence.ts'
import { readFrom, type EventLog } from '../read/events.ts'
import { expand, NO_SUCH_PLACE, type Instance } from './expand.ts'
import { massRemovals, needsOf, recordsAfter, type GuardContext, type Need } from './guards.ts'
import { declaredIdentity, identityKey, isComplete, scopeKey } from '../values/identity.ts'
import type { Effect } from '../values/ledger.ts'
import {
  ACTIONS,
  type Change,
  type Declaration,
  type Entry,
  type PlanDocument,
  type RecordedResource,
  type Records,
  type Summary,
} from '../values/model.ts'
import { belongsToOne, findMoves } from './moved.ts'
import type { Observations } from '../read/observe.ts'
import type { PlanContext } from './context.ts'
import { planMissing, planReadable } from './readable.ts'
import { planUndeclared } from './undeclared.ts'
import { planUnreadable } from './unreadable.ts'
import { newRecord } from './record.ts'
import { validatePlan } from './validate.ts'
import { withWaiting } from './waiting.ts'
import type { PlannedChange } from './work.ts'

export interface PlanInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly observed: Observations
  readonly log: EventLog
  readonly ownKey: string
  /** Service time. */
  readonly now: Date
  /** Only these addresses are planned; none means all. */
  readonly target?: (address: string) => boolean
  /** Entries that are declared and not planned in this run; what they claim is theirs all the same. */
  readonly others?: readonly Entry[]
}

export interface Plan {
  readonly planned: readonly PlannedChange[]
  /** What apply refuses without a flag: of single changes, and of the plan as a whole. */
  readonly needs: readonly Need[]
  readonly warnings: readonly string[]
  readonly targeted: boolean
}

/**
 * What has to be done for live to become what is declared: a pure function of its input.
 * @throws SelectorConflictError when two entries disagree about one thing.
 * @throws EntryRefusedError when an entry cannot be carried out.
 */
export const plan = (input: PlanInput): Plan => {
  const { definitions, declaration, log, target } = input
  const context: PlanContext = {
    ...input,
    nameOf: (field, id) => (field === 'projectId' ? declaration.projectNames.get(id) : undefined),
  }
  const { instances, moves } = expectedOf(input)
  const records = applyMoves(input.records, moves)
  const work = displace(instances, records)
  const movedTo = new Map(moves.map(({ from, to }) => [to, from]))
  const former = formerRecords(instances, work.records, definitions)
  const declared = instances.flatMap((instance) => {
    const from = movedTo.get(instance.address)
    const record = fittingRecord(instance, work.records[instance.address])
    const own = planInstance(instance, record, context)
      .map((planned) => withDisplaced(planned, work.displaced))
      .map((planned) => withMemory(planned, former.get(claimOf(instance) ?? '')))
    return from === undefined ? own : withMove(instance, from, own)
  })
  const undeclared = planAllUndeclared(input, instances, work.records, context)
  const within = [...declared, ...undeclared].filter(({ change }) => target?.(change.address) ?? true)
  const all = withWaiting(within, records)
  const planned = validatePlan(withGuards(all, definitions, work.records, input.ownKey), definitions)
  const needs = [
    ...planned.flatMap(({ change: { address, needs: own = [] } }) =>
      own.map((need) => ({ ...need, address })),
    ),
    ...massRemovals(
      planned.map(({ change }) => change),
      work.records,
    ),
  ]
  const warnings = [...log.warnings, ...unknownKinds(input)]
  return { planned, needs, warnings, targeted: target !== undefined }
}

/** A later version may have recorded what this one cannot judge. */
const unknownKinds = ({ definitions, records }: PlanInput): string[] =>
  Object.entries(records)
    .filter(([, { kind }]) => !definitions.some((definition) => definition.kind === kind))
    .map(
      ([address, { kind }]) =>
        `${address} is recorded as a ${kind}, which is no kind here; it is left as it is`,
    )

/** What is to be there, and which records it takes over. */
const expectedOf = (input: PlanInput) => {
  const { definitions, declaration, records, observed, now, others = [] } = input
  const elsewhere = others.map(({ address }) => address)
  const recorded = recordedBy(declaration.entries, elsewhere, records)
  const claiming = others.filter((entry) => canClaim(entry, input))
  const all = expand(definitions, [...declaration.entries, ...claiming], { observed, now, recorded })
  const foreign = new Set(claiming)
  const instances = all.filter(({ entry }) => !foreign.has(entry))
  const moves = findMoves(instances, records, belongsToOne(elsewhere))
  return withoutBelated({ instances, moves }, records, now)
}

/** What is read can be claimed by several entries: by its id, or where the whole place was read. */
const canClaim = (entry: Entry, { definitions, observed }: PlanInput): boolean => {
  const definition = definitions.find(({ kind }) => kind === entry.kind)
  if (definition === undefined || definition.observe.how !== 'everything') return false
  return (
    definition.expand.reads(entry.values) === 'one' ||
    observed.scopes.has(scopeKey(definition, declaredIdentity(definition, entry.values)))
  )
}

const planAllUndeclared = (
  { definitions, declaration, others = [] }: PlanInput,
  instances: readonly Instance[],
  records: Records,
  context: PlanContext,
): PlannedChange[] => {
  const addresses = new Set(instances.map(({ address }) => address))
  const isElsewhere = belongsToOne([
    ...others.map(({ address }) => address),
    // A place that seems gone may be there again: what is recorded of it stays until someone takes the entry out.
    ...instances.filter(({ unmatched }) => unmatched === NO_SUCH_PLACE).map(({ address }) => address),
  ])
  const declared = declaration.entries.map(({ address }) => address)
  const [names, isOfEntry] = [new Set(declared), belongsToOne(declared)]
  const claims = new Map(instances.map((instance) => [claimOf(instance), instance.address]))
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitions.find(({ kind }) => kind === record.kind)
    if (definition === undefined || addresses.has(address)) return []
    if (isElsewhere(address)) return []
    const claimedAt = claims.get(identityKey(definition, record.identity))
    const { dropped } = definition.expand
    // An occurrence that its entry no longer has goes its own way, whatever a removal of the entry would do.
    const isDropped = isOfEntry(address) && !names.has(address) && !address.includes('[replaced ')
    const left = dropped !== undefined && isDropped ? { ...record, onRemove: dropped } : record
    return [planUndeclared(definition, address, left, context, claimedAt)]
  })
}

/** The one thing at the service that an instance stands for, where it is known. */
const claimOf = ({ definition, identity, standing, unmatched }: Instance): string | undefined =>
  standing || unmatched !== undefined || !isComplete(definition, identity)
    ? undefined
    : identityKey(definition, identity)

/** What is recorded of things at addresses that no longer mean them. */
const formerRecords = (
  instances: readonly Instance[],
  records: Records,
  definitions: readonly KindDefinition[],
): Map<string, RecordedResource> => {
  const addresses = new Set(instances.map(({ address }) => address))
  const undeclared = Object.entries(records).filter(([address]) => !addresses.has(address))
  return new Map(
    undeclared.flatMap(([, record]) => {
      const definition = definitions.find(({ kind }) => kind === record.kind)
      return definition === undefined ? [] : [[identityKey(definition, record.identity), record] as const]
    }),
  )
}

/** A thing that changes its address keeps what its first adoption saw: its release may put that back. */
const withMemory = (planned: PlannedChange, former: RecordedResource | undefined): PlannedChange => {
  const adopted = former?.adopted ?? null
  const { work } = planned
  if (adopted === null) return planned
  if (work.do === 'adopt') return { ...planned, work: { ...work, put: { ...work.put, adopted } } }
  if (work.do !== 'write' || work.record !== undefined) return planned
  return { ...planned, work: { ...work, seen: adopted } }
}

/** A record that says the opposite, or stands for a whole entry, is no record of this instance. */
const fittingRecord = (
  { standing, absent }: Instance,
  record: RecordedResource | undefined,
): RecordedResource | undefined =>
  record !== undefined && (record.standing ?? false) === standing && (record.absent ?? false) === absent
    ? record
    : undefined

const planInstance = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: PlanContext,
): PlannedChange[] => {
  if (instance.unmatched !== undefined) return [planMissing(instance, record, context)]
  if (instance.standing) return [planStanding(instance, record, context)]
  return instance.definition.observe.how === 'everything'
    ? [planReadable(instance, record, context)]
    : planUnreadable(instance, record, context)
}

/** The entry itself: recorded, so that what appears against it later is known to be a change. */
const planStanding = (
  instance: Instance,
  record: RecordedResource | undefined,
  context: PlanContext,
): PlannedChange => {
  const fresh = { ...newRecord(instance, context), standing: true }
  const isKept = record?.standing === true && isDeepStrictEqual(record.applied, fresh.applied)
  const change = changeOf(instance, { action: 'unchanged', reason: 'in force', evidence: READ })
  return { change, work: { do: 'keep', ...(isKept ? {} : { put: fresh }) } }
}

/** The move takes with it what is only to be recorded, and what is known of the thing. */
const withMove = (instance: Instance, from: string, own: readonly PlannedChange[]): PlannedChange[] => {
  const kept = own.find(({ change }) => change.action === 'unchanged')
  const put = kept?.work.do === 'keep' ? kept.work.put : undefined
  return [
    {
      change: changeOf(instance, {
        action: 'moved',
        reason: `was ${from}`,
        from,
        evidence: own[0]?.change.evidence ?? READ,
      }),
      work: { do: 'move', from, ...(put === undefined ? {} : { put }) },
    },
    ...own.filter((each) => each !== kept),
  ]
}

const applyMoves = (
  records: Records,
  moves: readonly { from: string; to: string }[],
): Record<string, RecordedResource> => {
  const result: Record<string, RecordedResource> = { ...records }
  for (const { from, to } of moves) {
    const record = result[from]
    if (record === undefined) continue
    delete result[from]
    result[to] = record
  }
  return result
}

/**
 * An address whose identity was edited now means another thing. The old record steps aside under
 * `ADDRESS[replaced KEY]`, is undeclared there, and is released once the new thing stands.
 */
const displace = (instances: readonly Instance[], records: Record<string, RecordedResource>) => {
  const result = { ...records }
  const displaced = new Map<string, string>()
  for (const { address, definition, identity } of instances) {
    const record = result[address]
    if (record === undefined || record.standing === true) continue
    const edited = Object.entries(identity).some(([name, value]) => record.identity[name] !== value)
    if (!edited) continue
    const aside = asideAddress(definition, address, record)
    delete result[address]
    result[aside] = record
    displaced.set(address, aside)
  }
  return { records: result, displaced }
}

/** Makes room at an address for the record of another thing; what is recorded there is released later. */
export const stepAside = (
  definition: KindDefinition,
  address: string,
  record: RecordedResource | undefined,
): Effect[] =>
  record === undefined ? [] : [{ op: 'move', from: address, to: asideAddress(definition, address, record) }]

/** Where a record waits for its release. */
export const asideAddress = (
  definition: KindDefinition,
  address: string,
  { identity }: RecordedResource,
): string => `${address}[replaced ${identity[definition.identity.key] ?? identityKey(definition, identity)}]`

const withDisplaced = (planned: PlannedChange, displaced: ReadonlyMap<string, string>): PlannedChange => {
  const aside = displaced.get(planned.change.address)
  const { work, change } = planned
  // What is blocked replaces nothing yet.
  if (aside === undefined || change.action === 'blocked') return planned
  if (work.do === 'move' || work.do === 'drop' || work.do === 'release') return planned
  return { ...planned, work: { ...work, displaced: aside } }
}

const withGuards = (
  planned: readonly PlannedChange[],
  definitions: readonly KindDefinition[],
  records: Records,
  ownKey: string,
): PlannedChange[] => {
  const context = { definitions, records, after: recordsAfter(records, planned), ownKey }
  return planned.map((each) => {
    const { needs: before = [], ...change } = each.change
    const allowed = 'instance' in each.work ? (each.work.instance.entry.allow ?? []) : []
    const needs = [...before, ...needsOfWork(each, context)].filter(({ flag }) => !allowed.includes(flag))
    return needs.length === 0 ? { ...each, change } : { ...each, change: { ...change, needs } }
  })
}

const needsOfWork = ({ change, work }: PlannedChange, context: GuardContext): Need[] => {
  const { address, kind } = change
  const record = context.records[address]
  const definition = context.definitions.find((each) => each.kind === kind)
  if (definition === undefined) return []
  const before = record === undefined ? [] : [record.applied, record.answer ?? {}]
  if (work.do === 'release' && record !== undefined) {
    const after = work.way.body(record, new Date(0)) ?? {}
    return needsOf({ definition, address, identity: record.identity, before, after, beside: {} }, context)
  }
  // What a first answer will show is guarded when it has been shown.
  if (work.do !== 'write' || work.learnBy.length > 0) return []
  const { identity, desired } = work.instance
  const after = Object.fromEntries(work.fields.map((name) => [name, desired[name]]))
  return needsOf({ definition, address, identity, before, after, beside: record?.beside ?? {} }, context)
}

/** The plan as users see it; what is in sync is left out unless `all`, what cannot be verified never is. */
export const planDocument = (
  { planned, warnings, targeted }: Plan,
  requestsSent: number,
  options: { readonly all: boolean },
): PlanDocument => {
  const changes = planned.map(({ change }) => change)
  return {
    formatVersion: 1,
    inSync: !targeted && changes.every((change) => !isDifference(change)),
    summary: summarize(changes),
    changes: changes.filter(
      (change) => options.all || change.action !== 'unchanged' || isUnverifiable(change),
    ),
    warnings,
    requestsSent,
  }
}

export const isUnverifiable = ({ action, evidence }: Change): boolean =>
  action === 'unchanged' && evidence.level !== 'read'
/** Whether something is left to do, here or by hand. */
export const isDifference = ({ action }: Change): boolean => action !== 'unchanged' && action !== 'expired'

const summarize = (changes: readonly Change[]): Summary => {
  const count = (test: (change: Change) => boolean) => changes.filter(test).length
  const byAction = ACTIONS.map(
    (action) => [action, count((change) => change.action === action && !isUnverifiable(change))] as const,
  )
  return { ...(Object.fromEntries(byAction) as Summary), unverifiable: count(isUnverifiable) }
}

/** From when on each organization's events matter to what is recorded. */
export const eventsWanted = (
  records: readonly RecordedResource[],
  declaration: Declaration,
): Map<string, number> => {
  const since = new Map<string, number>()
  for (const record of records)
    for (const orgId of organizationsOf(record, declaration))
      since.set(orgId, Math.min(since.get(orgId) ?? Number.POSITIVE_INFINITY, readFrom(record)))
  return since
}
