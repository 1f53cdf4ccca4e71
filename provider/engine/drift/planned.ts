import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Reason } from '../reason.ts'
import { narrows, same } from '../values/compare.ts'
import type { Change, Drift, FieldChange } from '../values/model.ts'

interface PlannedOf {
  readonly definition: KindDefinition
  /** What a plan does with the thing. */
  readonly change: Change | undefined
  /** Whether its entry forbids removing or narrowing it. */
  readonly isProtected: boolean
}

/** Adds what is now declared of the thing, and what a plan makes of that. */
export const withPlanned = (drift: Drift, planned: PlannedOf): Drift =>
  withBlocked(withProtected(withDeclared(drift, planned), planned), planned)

const AS_LIVE: ReadonlySet<Change['action']> = new Set(['unchanged', 'moved'])

/** Adds where the thing is declared, and the values that are declared now. */
const withDeclared = (drift: Drift, { definition: { fields }, change }: PlannedOf): Drift => {
  if (change?.declaredAt === undefined) return drift
  const isAsLive =
    drift.verdict === 'drifted' && AS_LIVE.has(change.action) && change.evidence.level === 'read'
  const after = change.after ?? {}
  const isOther = ({ path, before }: FieldChange): boolean =>
    after[path] !== undefined && !same(fields[path], before, after[path])
  return {
    ...drift,
    fields: drift.fields.map((each) => (isOther(each) ? { ...each, declared: after[each.path] } : each)),
    declaredAt: change.declaredAt,
    ...(isAsLive ? { declared: 'as live' } : {}),
  }
}

/**
 * Adds the fields that a write of the declared values would narrow, which the entry forbids. A value that only an
 * event tells counts if an apply looks at an answer first. Otherwise the apply just writes what is declared.
 */
const withProtected = (
  drift: Drift,
  { definition: { write, fields }, change, isProtected }: PlannedOf,
): Drift => {
  if (!isProtected || drift.verdict !== 'drifted' || isNone(write)) return drift
  const planned = change?.reason.code === 'protected-from-narrowing' ? change.reason.fields : []
  const isLearnt = change?.notes?.some(({ code }) => code === 'sent-first') === true
  const own = drift.fields.filter(({ path, before, after, told, declared = before }) => {
    const [field, live] = [fields[path], (isLearnt ? told?.value : undefined) ?? after ?? undefined]
    return (
      field !== undefined &&
      live !== undefined &&
      write.fields.includes(path) &&
      narrows(field, live, declared)
    )
  })
  const names = new Set([...planned, ...own.map(({ path }) => path)])
  // If live is already declared, nothing is written.
  return names.size === 0 || drift.declared !== undefined ? drift : { ...drift, protectedFields: [...names] }
}

/** Adds why a plan leaves the thing as it is, and what the plan notes. */
const withBlocked = (drift: Drift, { change }: PlannedOf): Drift => {
  if (change === undefined) return drift
  const { action, reason: because, fields, notes = [] } = change
  // A block of the plan is about the whole thing if all of it drifted, or if the plan blocks all of it. Otherwise
  // each drifted field is undone in its own way.
  const isWhole = drift.fields.length === 0 || fields.length === 0
  if (drift.verdict === 'drifted' && action === 'blocked' && isWhole)
    return { ...drift, ...blockedAs(because, notes) }
  return drift.verdict === 'unverifiable' && action === 'unchanged' && notes.length > 0
    ? { ...drift, notes }
    : drift
}

/** Allowing the thing to be absent restores nothing: it is a way to accept that the thing is gone. */
const blockedAs = (because: Reason, notes: readonly Reason[]): Pick<Drift, 'blocked' | 'allowedBy'> => {
  if (because.code !== 'missing') return { blocked: { because, notes } }
  const { allowedBy, among: _, ...others } = because
  return { blocked: { because: others, notes }, ...(allowedBy === undefined ? {} : { allowedBy }) }
}
