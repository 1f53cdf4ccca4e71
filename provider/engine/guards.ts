import type { Guard, KindDefinition } from '../core/definition.ts'
import type { Identity, Values } from '../core/values.ts'
import { asArray } from './compare.ts'
import type { Change, RecordedResource } from './model.ts'

export interface Need {
  readonly flag: string
  readonly because: string
}

/** What is known of the holders of guarded values: recorded things, by address. */
export interface GuardContext {
  readonly definitions: readonly KindDefinition[]
  readonly records: Readonly<Record<string, RecordedResource>>
  readonly ownKey: string
}

interface GuardedWrite {
  readonly definition: KindDefinition
  readonly address: string
  readonly identity: Identity
  /** The last known values; undefined where none was ever seen. */
  readonly before: Values | undefined
  readonly after: Values
  readonly beside: Readonly<Record<string, readonly unknown[]>>
}

/** Flags that this write needs, each with its reason. */
export const needsOf = (write: GuardedWrite, context: GuardContext): Need[] =>
  write.definition.guards.flatMap((guard) => {
    if (write.after[guard.field] === undefined) return []
    if (guard.guard === 'nothing-beside')
      return (write.beside[guard.field]?.length ?? 0) > 0
        ? [{ flag: guard.flag, because: guard.because }]
        : []
    return keepsNeed(guard, write, context)
  })

type Keeps = Extract<Guard, { guard: 'keeps' }>

const keepsNeed = (guard: Keeps, write: GuardedWrite, context: GuardContext): Need[] => {
  const after = scopesHeld(guard, write.after, write.identity)
  if (write.before?.[guard.field] === undefined) {
    // A kind whose answers show who is calling was never seen: the write might lower the caller itself.
    if (guard.caller === undefined || after.size > 0) return []
    return [
      {
        flag: guard.flag,
        because: `its ${guard.field} were never seen, and the write could take ${guard.value} away`,
      },
    ]
  }
  const lost = [...scopesHeld(guard, write.before, write.identity)].filter((scope) => !after.has(scope))
  if (lost.length === 0) return []
  if (guard.caller !== undefined) {
    const shown = write.before[guard.caller]
    if (shown === undefined)
      return [
        {
          flag: guard.flag,
          because: `nothing shows which key is calling, and this one loses ${guard.value}`,
        },
      ]
    if (shown === context.ownKey)
      return [{ flag: guard.flag, because: `the calling key would lose its own ${guard.value}` }]
  }
  return lost
    .filter((scope) => !othersHold(guard, scope, write.address, context))
    .map((scope) => ({
      flag: guard.flag,
      because: `${guard.value} of ${scope} would lose the last holder that was seen`,
    }))
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

const othersHold = (
  guard: Keeps,
  scope: string,
  address: string,
  { definitions, records }: GuardContext,
): boolean =>
  Object.entries(records).some(([other, record]) => {
    if (other === address) return false
    const definition = definitions.find(({ kind }) => kind === record.kind)
    return (definition?.guards ?? []).some(
      (each) =>
        each.guard === 'keeps' &&
        each.value === guard.value &&
        scopesHeld(each, { ...record.applied, ...record.answer }, record.identity).has(scope),
    )
  })

const MASS_FLOOR = 10
const MASS_SHARE = 0.3
export const MASS_FLAG = '--allow-mass-removal'

/** The refusal of a plan that removes much of what is recorded of a kind. */
export const massRemovals = (
  changes: readonly Change[],
  records: Readonly<Record<string, RecordedResource>>,
): Need[] => {
  const all = Object.values(records)
  return [...new Set(all.map(({ kind }) => kind))].flatMap((kind) => {
    const total = all.filter((record) => record.kind === kind && record.standing !== true).length
    const gone = changes.filter(
      (change) => change.kind === kind && (change.action === 'delete' || change.action === 'release'),
    )
    const removed = gone.filter(({ address }) => records[address] !== undefined).length
    if (total < MASS_FLOOR || removed <= total * MASS_SHARE) return []
    return [
      {
        flag: MASS_FLAG,
        because: `${removed} of ${total} recorded things of the kind ${kind} would be removed, more than 30 %`,
      },
    ]
  })
}
