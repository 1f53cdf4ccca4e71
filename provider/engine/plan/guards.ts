import { definitionOf, type Guard, type KindDefinition } from '../../core/definition.ts'
import { pick, type Identity, type Values } from '../../core/values.ts'
import { asArray } from '../values/compare.ts'
import { reason, type Reason } from '../reason.ts'
import type { DriftedField, Need, RecordedResource, Records } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/** What is known of the holders of guarded values. */
export interface GuardContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /** The same after the whole plan, so two holders that both lose a value cannot rely on each other. */
  readonly after: Records
  readonly ownKey: string
  /** Whether somebody else can have written a field since it was seen, also where a person has accepted that. */
  readonly isDoubted: (definition: KindDefinition, record: RecordedResource, field: string) => boolean
}

interface GuardedWrite {
  readonly definition: KindDefinition
  readonly address: string
  readonly identity: Identity
  /** What it may hold: as last applied, which can take effect later, and as last answered. */
  readonly before: readonly Values[]
  readonly after: Values
  readonly beside: Readonly<Record<string, readonly unknown[]>>
  /** What we had applied of fields that an answer has shown to be changed by somebody else since. */
  readonly ours: Values | undefined
}

/** Flags that this write needs, each with its reason. */
export const needsOf = (write: GuardedWrite, context: GuardContext): Need[] =>
  write.definition.guards.flatMap((guard) => {
    if (write.after[guard.field] === undefined) return []
    if (guard.guard === 'nothing-beside')
      return (write.beside[guard.field]?.length ?? 0) > 0
        ? [{ flag: guard.flag, because: reason('would-lose-others', { because: guard.because }) }]
        : []
    return keepsNeed(guard, write, context)
  })

type Keeps = Extract<Guard, { guard: 'keeps' }>

const keepsNeed = (guard: Keeps, write: GuardedWrite, context: GuardContext): Need[] => {
  const { flag, value } = guard
  const need = (because: Reason): Need[] => [{ flag, because }]
  const after = scopesHeld(guard, write.after, write.identity)
  const known = write.before.filter((values) => values[guard.field] !== undefined)
  if (known.length === 0) {
    // Its values were never seen. Where the thing can be the caller, the write might take the value from the caller.
    if (guard.caller === undefined || after.size > 0) return []
    return need(reason('could-take-away', { field: guard.field, value }))
  }
  const held = new Set(known.flatMap((values) => [...scopesHeld(guard, values, write.identity)]))
  const lost = [...held].filter((scope) => !after.has(scope))
  if (lost.length === 0) return []
  if (guard.caller !== undefined) {
    const { caller } = guard
    const shown = write.before.map((values) => values[caller]).find((each) => each !== undefined)
    if (shown === undefined) return need(reason('caller-unknown', { value }))
    if (shown === context.ownKey) return need(reason('caller-loses', { value }))
  }
  // Somebody else gave it since, and could: to take it back leaves the holders of before, seen or not.
  const ours = write.ours?.[guard.field] === undefined ? undefined : write.ours
  const wanted = ours === undefined ? undefined : scopesHeld(guard, ours, write.identity)
  return lost
    .filter((scope) => wanted?.has(scope) ?? true)
    .filter((scope) => !othersHold(guard, scope, write.address, context))
    .flatMap((scope) => need(reason('last-holder', { value, scope })))
}

/** The scopes (organizations) in which values hold the guarded value. */
const scopesHeld = (guard: Keeps, values: Values, identity: Identity): ReadonlySet<string> => {
  const elements = asArray(values[guard.field])
  if (guard.elementField === undefined)
    return new Set(elements.includes(guard.value) ? [identity[guard.scope] ?? ''] : [])
  const name = guard.elementField
  const held = (elements as Values[]).filter((element) => element[name] === guard.value)
  return new Set(held.map((element) => String(element[guard.scope])))
}

const keepsIn = (guards: readonly Guard[]): Keeps[] => guards.filter((guard) => guard.guard === 'keeps')

/** Whether what has these values has what a guard keeps. */
export const isHolder = ({ guards }: KindDefinition, identity: Identity, values: Values): boolean =>
  keepsIn(guards).some((guard) => scopesHeld(guard, values, identity).size > 0)

/** Whether, by a field that has drifted, somebody has gained or lost what a guard keeps, or only has to accept it. */
export const changesHolders = (
  { guards }: KindDefinition,
  identity: Identity,
  { path, before, after, told }: DriftedField,
): boolean =>
  keepsIn(guards).some((guard) => {
    if (guard.field !== path) return false
    const held = (value: unknown): ReadonlySet<string> => scopesHeld(guard, { [path]: value }, identity)
    // Where nothing tells what it was given, it may have been taken away.
    const [had, has] = [held(before), held(told?.value ?? after)]
    return lacksAny(had, has) || lacksAny(has, had) || lacksAny(had, held(told?.invited))
  })

const lacksAny = (scopes: ReadonlySet<string>, of: ReadonlySet<string>): boolean =>
  [...of].some((scope) => !scopes.has(scope))

/** Whether another thing was seen to hold the value, and keeps it: what is only declared or invited may never come. */
const othersHold = (
  guard: Keeps,
  scope: string,
  address: string,
  { definitions, records, after, isDoubted }: GuardContext,
): boolean =>
  Object.entries(records).some(([other, record]) => {
    if (other === address) return false
    const definition = definitionOf(definitions, record.kind)
    if (definition === undefined) return false
    return definition.guards.some(
      (each) =>
        each.guard === 'keeps' &&
        each.value === guard.value &&
        [record.answer, after[other]?.answer].every(
          (values) => values && scopesHeld(each, values, record.identity).has(scope),
        ) &&
        !isDoubted(definition, record, each.field),
    )
  })

/** What is recorded, as it will be once everything that is planned has been written. */
export const recordsAfter = (records: Records, planned: readonly PlannedChange[]): Records => {
  let after: Record<string, RecordedResource> | undefined
  for (const { change, work } of planned) {
    const record = (after ?? records)[change.address]
    const values = record === undefined ? undefined : valuesAfter(work, record)
    if (record === undefined || values === undefined) continue
    after ??= { ...records }
    after[change.address] = { ...record, answer: { ...record.answer, ...values } }
  }
  return after ?? records
}

const valuesAfter = (work: PlannedChange['work'], record: RecordedResource): Values | undefined => {
  if (work.do === 'write') return pick(work.instance.desired, work.fields)
  if (work.do === 'release') return work.way.body(record, new Date(0))
  return undefined
}

/** Each change with the flags that it needs, save those that its entry allows for itself. */
export const withGuards = (
  planned: readonly PlannedChange[],
  known: Omit<GuardContext, 'after'>,
): PlannedChange[] => {
  const context = { ...known, after: recordsAfter(known.records, planned) }
  return planned.map((each) => {
    const own = needsOfWork(each, context)
    const takesFromCaller = mayTakeFromCaller(each, own, context)
    const marked = takesFromCaller === undefined ? each : { ...each, takesFromCaller }
    if (own.length === 0 && each.change.needs === undefined) return marked
    const { needs: before = [], ...change } = each.change
    const allowed = 'instance' in each.work ? (each.work.instance.entry.allow ?? []) : []
    const needs = [...before, ...own].filter(({ flag }) => !allowed.includes(flag))
    return needs.length === 0 ? { ...marked, change } : { ...marked, change: { ...change, needs } }
  })
}

/** Reasons of needs by which a change may take from the calling key what it calls with. */
const OF_CALLER: ReadonlySet<Reason['code']> = new Set(['caller-loses', 'caller-unknown', 'could-take-away'])

/** The flag that allows it, which an entry can give itself. For an adoption, only the first answer may show whom it affects. */
const mayTakeFromCaller = (
  { change, work }: PlannedChange,
  needs: readonly Need[],
  { definitions }: GuardContext,
): string | undefined => {
  const need = needs.find(({ because }) => OF_CALLER.has(because.code))
  if (need !== undefined || work.do !== 'write' || work.learnBy.length === 0) return need?.flag
  const { identity, desired } = work.instance
  const guards = definitionOf(definitions, change.kind)?.guards ?? []
  return guards.find(
    (guard) =>
      guard.guard === 'keeps' &&
      guard.caller !== undefined &&
      desired[guard.field] !== undefined &&
      scopesHeld(guard, desired, identity).size === 0,
  )?.flag
}

const NONE: readonly Need[] = []

const needsOfWork = ({ change, work }: PlannedChange, context: GuardContext): readonly Need[] => {
  if (work.do !== 'release' && work.do !== 'write') return NONE
  const { address, kind } = change
  const record = context.records[address]
  const definition = definitionOf(context.definitions, kind)
  if (definition === undefined) return []
  const before = record === undefined ? [] : [record.applied, record.answer ?? {}]
  const ours = record?.overridden
  if (work.do === 'release' && record !== undefined) {
    const after = work.way.body(record, new Date(0)) ?? {}
    return needsOf(
      { definition, address, identity: record.identity, before, after, beside: {}, ours },
      context,
    )
  }
  // Where the first answer has to be learned from, the guards look at that answer.
  if (work.do !== 'write' || work.learnBy.length > 0) return []
  const { identity, desired } = work.instance
  const after = pick(desired, work.fields)
  return needsOf(
    { definition, address, identity, before, after, beside: record?.beside ?? {}, ours },
    context,
  )
}
