import { definitionOf, type Guard, type KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { pick, type Identity, type Values } from '../../core/values.ts'
import { asArray } from '../values/compare.ts'
import { reason, type Reason } from '../reason.ts'
import type { DriftedField, Need, RecordedResource, Records } from '../values/model.ts'
import type { PlannedChange } from './work.ts'

/** What is known of the holders of guarded values. */
interface GuardContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Records
  /**
   * The records as they will be after the whole plan, so that two holders that both lose a value cannot rely on
   * each other.
   */
  readonly after: Records
  readonly ownKey: string
  /** Whether somebody else may have written a field since it was seen, even if a person has accepted that. */
  readonly isDoubted: (definition: KindDefinition, record: RecordedResource, field: string) => boolean
}

interface GuardedWrite {
  readonly definition: KindDefinition
  readonly address: string
  readonly identity: Identity
  /** The values that it may have: as last applied, which can take effect later, and as last answered. */
  readonly before: readonly Values[]
  readonly after: Values
  readonly beside: Readonly<Record<string, readonly unknown[]>>
  /** Our applied values of the fields that, according to an answer, somebody else has changed since. */
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
    // The values were never seen. If the thing can be the caller, the write might take the value from the caller.
    if (guard.caller === undefined || after.size > 0) return []
    return [couldTakeAway(guard, context.ownKey, undeclaredOf(write))]
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
  // If somebody else granted the value since our last write, there was another holder who could do so. Taking it
  // back leaves the earlier holders as they were, seen or not.
  const ours = write.ours?.[guard.field] === undefined ? undefined : write.ours
  const wanted = ours === undefined ? undefined : scopesHeld(guard, ours, write.identity)
  return lost
    .filter((scope) => wanted?.has(scope) ?? true)
    .filter((scope) => !othersHold(guard, scope, write.address, context))
    .flatMap((scope) => need(reason('last-holder', { value, scope })))
}

const couldTakeAway = (
  { flag, field, value }: Keeps,
  key: string,
  learnBy: readonly string[] = [],
): Need => ({
  flag,
  because: reason('could-take-away', { field, value, key, learnBy }),
})

/** The fields that would be sent first, so that their answer shows the value to guard, if they were declared. */
const undeclaredOf = ({ definition: { establish }, after }: GuardedWrite): readonly string[] =>
  isNone(establish.adopt) ? [] : establish.adopt.learnBy.filter((name) => after[name] === undefined)

/** The scopes (organizations) in which the guarded value is held. */
const scopesHeld = (guard: Keeps, values: Values, identity: Identity): ReadonlySet<string> => {
  const elements = asArray(values[guard.field])
  if (guard.elementField === undefined)
    return new Set(elements.includes(guard.value) ? [identity[guard.scope] ?? ''] : [])
  const name = guard.elementField
  const held = (elements as Values[]).filter((element) => element[name] === guard.value)
  return new Set(held.map((element) => String(element[guard.scope])))
}

const keepsIn = (guards: readonly Guard[]): Keeps[] => guards.filter((guard) => guard.guard === 'keeps')

/** Whether a thing with these values holds a guarded value. */
export const isHolder = ({ guards }: KindDefinition, identity: Identity, values: Values): boolean =>
  keepsIn(guards).some((guard) => scopesHeld(guard, values, identity).size > 0)

/**
 * Whether a drifted field means that somebody has gained or lost a guarded value, or only has to accept an
 * invitation to it.
 */
export const changesHolders = (
  { guards }: KindDefinition,
  identity: Identity,
  { path, before, after, told }: DriftedField,
): boolean =>
  keepsIn(guards).some((guard) => {
    if (guard.field !== path) return false
    const held = (value: unknown): ReadonlySet<string> => scopesHeld(guard, { [path]: value }, identity)
    // If no event tells the new value, the guarded one may have been taken away.
    const [had, has] = [held(before), held(told?.value ?? after)]
    return lacksAny(had, has) || lacksAny(has, had) || lacksAny(had, held(told?.invited))
  })

const lacksAny = (scopes: ReadonlySet<string>, of: ReadonlySet<string>): boolean =>
  [...of].some((scope) => !scopes.has(scope))

/**
 * Whether another thing was seen to hold the value and keeps it. A value that is only declared or invited may never
 * take effect.
 */
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

/** The records as they will be after every planned write. */
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

/** Adds to each change the flags that it needs, except those that its entry allows itself. */
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

/** Reasons for which a change may take away the access of the calling key. */
const OF_CALLER: ReadonlySet<Reason['code']> = new Set(['caller-loses', 'caller-unknown', 'could-take-away'])

/**
 * What such a change needs, even if the entry already gives it. For an adoption, the first answer may be
 * what shows whom the change affects.
 */
const mayTakeFromCaller = (
  { change, work }: PlannedChange,
  needs: readonly Need[],
  { definitions, ownKey }: GuardContext,
): Need | undefined => {
  const need = needs.find(({ because }) => OF_CALLER.has(because.code))
  if (need !== undefined || work.do !== 'write' || work.learnBy.length === 0) return need
  const { identity, desired } = work.instance
  const guards = definitionOf(definitions, change.kind)?.guards ?? []
  const guard = keepsIn(guards).find(
    (each) =>
      each.caller !== undefined &&
      desired[each.field] !== undefined &&
      scopesHeld(each, desired, identity).size === 0,
  )
  return guard === undefined ? undefined : couldTakeAway(guard, ownKey)
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
  // If the write has to learn from its first answer, the guards are checked against that answer.
  if (work.do !== 'write' || work.learnBy.length > 0) return []
  const { identity, desired } = work.instance
  const after = pick(desired, work.fields)
  return needsOf(
    { definition, address, identity, before, after, beside: record?.beside ?? {}, ours },
    context,
  )
}
