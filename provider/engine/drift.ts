import type { KindDefinition } from '../core/definition.ts'
import { isNone } from '../core/operation.ts'
import { isAsSent } from './judge/sent.ts'
import { standingOf } from './judge/standing.ts'
import { verdictOf, type Judged } from './judge/verdict.ts'
import { whatLive, whatSelected } from './judge/what.ts'
import { editedBeside, withEdited } from './edited.ts'
import { isDifference } from './plan/change.ts'
import { changesHolders, isHolder } from './plan/guards.ts'
import { turnsOff } from './plan/turned-off.ts'
import { addressesIn } from './plan/expand.ts'
import { asideAddress } from './plan/replaced.ts'
import type { PlannedChange } from './plan/work.ts'
import { reason, type Reason } from './reason.ts'
import type { Run } from './run.ts'
import { entryOf } from './values/address.ts'
import { narrows, same } from './values/compare.ts'
import type { Change, Drift, FieldChange, RecordedResource, Records } from './values/model.ts'

export interface DriftInput {
  readonly run: Run
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  readonly target: ((address: string) => boolean) | undefined
  /** Why something that is pending should be there by now, where it should. */
  readonly lateness?: (address: string) => Reason | undefined
}

/** Live against what was last applied: what changed outside, and who did it. Pure over what a run has read. */
export const driftsIn = (input: DriftInput): Drift[] => {
  const { run, records } = input
  const forbidden = forbiddenBy(input)
  const movedTo = renamed(input)
  // What is recorded under its old address is judged there.
  const taken = new Set(movedTo.values())
  const pending = run.plan.planned
    .filter(
      ({ change }) =>
        // What was in force is no thing that could have drifted.
        (records[change.address]?.standing ?? records[change.address] === undefined) &&
        isDifference(change) &&
        !taken.has(change.address),
    )
    .map((planned) =>
      forbidden.has(planned.change.address)
        ? unrecorded('drifted', planned.change)
        : withLateness(unrecorded('pending', planned.change), planned, input),
    )
  return [...judgeRecorded(input, movedTo), ...pending]
}

/** The addresses under which things are declared by now, by those under which they are recorded. */
const renamed = ({ run, records }: DriftInput): ReadonlyMap<string, string> =>
  new Map(
    run.plan.planned.flatMap(({ change: { address, action, from, reason: because } }) => {
      if (action === 'moved' && from !== undefined) return [[from, address] as const]
      return because.code === 'undeclared-declared-elsewhere' && records[address] !== undefined
        ? [[address, because.address] as const]
        : []
    }),
  )

const judgeRecorded = (input: DriftInput, movedTo: ReadonlyMap<string, string>): Drift[] => {
  const { run, definitions, records, target } = input
  const entries = new Map(run.declaration.entries.map((entry) => [entryOf(entry.address), entry]))
  const planned = Map.groupBy(run.plan.planned, ({ change }) => change.address)
  return Object.entries(records).flatMap(([address, record]) => {
    const definition = definitions.find(({ kind }) => kind === record.kind)
    if (definition === undefined || record.standing === true || target?.(address) === false) return []
    const to = movedTo.get(address)
    const entry = entries.get(entryOf(to ?? address))
    const ignored = entry?.ignoreChanges ?? []
    const found = verdictOf(standingOf(definition, record, run), ignored)
    const isOwn =
      found.verdict === 'drifted' &&
      found.actor === undefined &&
      isAsSent(definition, address, found.fields, run)
    const judged = isOwn ? asSent(found) : found
    const drift = {
      address,
      kind: record.kind,
      identity: record.identity,
      ...judged,
      ...(to === undefined ? {} : { movedTo: to }),
      ...weighed(definition, record, judged),
    }
    const own = planned.get(to ?? address) ?? []
    // Of several changes at one address the first says what becomes of it, and a move leaves that to the others.
    const first = own.find((each) => each.change.action !== 'moved') ?? own[0]
    const aside = asideAddress(definition, to ?? address, record)
    // An entry that means another thing by now says nothing of this one: what steps aside is given up there.
    const [released] = records[aside] === undefined ? (planned.get(aside) ?? []) : []
    const { change } = judged.verdict === 'drifted' ? (released ?? first ?? {}) : (first ?? {})
    const edits = { definition, record, changes: own, isDisplaced: released !== undefined }
    const declared = withDeclared(drift, definition, change)
    const said = withPlanned(
      entry?.protect === true ? withProtected(declared, definition, change) : declared,
      change,
    )
    const edited = withWhat(withEdited(said, edits), { definition, record, change, run })
    if (own[0] === undefined) return [edited]
    const beside = editedBeside(edited, edits)
    return [
      {
        ...withLateness(edited, own[0], input),
        ...(beside === undefined ? {} : { edited: withLateness(beside, own[0], input) }),
      },
    ]
  })
}

/** With what weighs more than other drift, of each field and of the whole. */
const weighed = (
  definition: KindDefinition,
  { identity, answer, applied }: RecordedResource,
  { verdict, fields }: Judged,
): Pick<Drift, 'fields' | 'owns' | 'turnsOff'> => {
  // What is gone as a whole has no field that tells what it held.
  if (fields.length === 0)
    return verdict === 'drifted' && isHolder(definition, identity, answer ?? applied)
      ? { fields, owns: true }
      : { fields }
  const told = fields.map((field) => ({
    ...field,
    ...(changesHolders(definition, identity, field) ? { owns: true as const } : {}),
    ...(turnsOff(definition, [field]) ? { turnsOff: true as const } : {}),
  }))
  return {
    fields: told,
    ...(told.some(({ owns }) => owns) ? { owns: true } : {}),
    ...(told.some((field) => field.turnsOff) ? { turnsOff: true } : {}),
  }
}

const asSent = ({ evidence }: Judged): Judged => ({
  verdict: 'in-sync',
  reasons: [reason('as-applied')],
  fields: [],
  evidence,
})

interface Around {
  readonly definition: KindDefinition
  readonly record: RecordedResource
  readonly change: Change | undefined
  readonly run: Run
}

/** With what it is, where somebody has to look at it, and its entry does not say it. */
const withWhat = (drift: Drift, { definition, record, change, run: { observed } }: Around): Drift => {
  if (drift.verdict === 'in-sync') return drift
  const what = whatLive(definition, record.identity, observed)
  const declared = change?.after ?? undefined
  // Under an address of before, what it is declared as by now is not to be seen.
  const isSaid =
    drift.movedTo === undefined && declared !== undefined && what === whatSelected(definition, declared)
  return what === '' || isSaid ? drift : { ...drift, what }
}

/** Addresses at which an entry in force wants nothing to be. */
const forbiddenBy = ({ run, definitions, records }: DriftInput): ReadonlySet<string> =>
  new Set(
    Object.entries(records).flatMap(([address, record]) => {
      const definition = definitions.find(({ kind }) => kind === record.kind)
      if (definition === undefined || record.standing !== true) return []
      return addressesIn(definition, address, record, run.observed, run.now)
    }),
  )

/** What an applied only-list forbids has appeared since, which is drift; anything else is yet to be applied. */
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

/** An occurrence is planned within its horizon alone; all else is late once an apply should have been there. */
const withLateness = (drift: Drift, { work, change }: PlannedChange, { lateness }: DriftInput): Drift => {
  if (drift.verdict !== 'pending') return drift
  const isScheduled = work.do === 'create' && work.instance.provenance === 'scheduled'
  const because = isScheduled ? reason('occurrence-missing') : lateness?.(change.address)
  return because === undefined ? drift : { ...drift, reasons: [...drift.reasons, because], isLate: true }
}

/** With what a plan says of it too. */
const withPlanned = (drift: Drift, { action, reason: because, notes = [] }: PlannedWords = {}): Drift => {
  // A thing as a whole is put back as a plan says; of one that has drifted in part, each part has its own way.
  if (drift.verdict === 'drifted' && drift.fields.length === 0 && action === 'blocked')
    return because === undefined ? drift : { ...drift, ...blockedAs(because, notes) }
  return drift.verdict === 'unverifiable' && action === 'unchanged' && notes.length > 0
    ? { ...drift, notes }
    : drift
}

/** With what a write of what is declared would narrow: the entry forbids that. What only an event tells counts, too. */
const withProtected = (
  drift: Drift,
  { write, fields }: KindDefinition,
  change: Change | undefined,
): Drift => {
  if (drift.verdict !== 'drifted' || isNone(write)) return drift
  const planned = change?.reason.code === 'protected-from-narrowing' ? change.reason.fields : []
  const own = drift.fields.filter(({ path, before, after, told, declared = before }) => {
    const [field, live] = [fields[path], told?.value ?? after ?? undefined]
    return (
      field !== undefined &&
      live !== undefined &&
      write.fields.includes(path) &&
      narrows(field, live, declared)
    )
  })
  const names = new Set([...planned, ...own.map(({ path }) => path)])
  // What is declared as it is live is written by nothing.
  return names.size === 0 || drift.declared !== undefined ? drift : { ...drift, protectedFields: [...names] }
}

/** That it need not be there puts nothing back: it is a way to keep what is gone so. */
const blockedAs = (because: Reason, notes: readonly Reason[]): Pick<Drift, 'blocked' | 'allowedBy'> => {
  if (because.code !== 'missing') return { blocked: { because, notes } }
  const { allowedBy, among: _, ...others } = because
  return { blocked: { because: others, notes }, ...(allowedBy === undefined ? {} : { allowedBy }) }
}
type PlannedWords = Partial<Pick<Change, 'action' | 'reason' | 'notes'>>

const AS_LIVE: ReadonlySet<Change['action']> = new Set(['unchanged', 'moved'])

/** With where it is declared, and what is declared by now. */
const withDeclared = (drift: Drift, { fields }: KindDefinition, change: Change | undefined): Drift => {
  if (change?.declaredAt === undefined) return drift
  const isAsLive =
    drift.verdict === 'drifted' && AS_LIVE.has(change.action) && change.evidence.level === 'read'
  const after = change.after ?? {}
  const isOther = ({ path, before }: FieldChange): boolean => {
    const field = fields[path]
    return field !== undefined && after[path] !== undefined && !same(field, before, after[path])
  }
  return {
    ...drift,
    fields: drift.fields.map((each) => (isOther(each) ? { ...each, declared: after[each.path] } : each)),
    declaredAt: change.declaredAt,
    ...(isAsLive ? { declared: 'as live' } : {}),
  }
}
