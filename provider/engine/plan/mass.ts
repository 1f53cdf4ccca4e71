import type { KindDefinition } from '../../core/definition.ts'
import { pickBy, type Identity } from '../../core/values.ts'
import { reason } from '../reason.ts'
import { same } from '../values/compare.ts'
import { isInForce } from '../values/sort.ts'
import type { FieldChange, Need, Records } from '../values/model.ts'
import type { PlannedChange, Work } from './work.ts'

/** Mass checks apply only to kinds with at least this many things. */
const FLOOR = 10
const SHARE = 0.3
const REMOVAL_FLAG = '--allow-mass-removal'
const CHANGE_FLAG = '--allow-mass-change'

/** Flags that the plan needs as a whole, because it removes or changes a large share of what is recorded of a kind. */
export const massNeeds = (
  planned: readonly PlannedChange[],
  records: Records,
  definitions: readonly KindDefinition[],
): Need[] =>
  definitions.flatMap((definition) => {
    const ours = planned.filter(({ change }) => change.kind === definition.kind)
    if (!ours.some(isCounted)) return []
    const recorded = new Set(
      Object.entries(records)
        .filter(([, record]) => record.kind === definition.kind && !isInForce(record))
        .map(([address]) => address),
    )
    return [
      ...massRemoval(definition, ours, recorded),
      ...massChanges(definition, ours, { records, recorded }),
    ]
  })

/** Whether a change counts towards a mass. If no change does, the records need not be searched. */
const isCounted = ({ change: { action }, work }: PlannedChange): boolean =>
  action === 'delete' || action === 'release' || work.do === 'write'

const isMass = (count: number, total: number): boolean => total >= FLOOR && count > total * SHARE

const massRemoval = (
  { kind }: KindDefinition,
  ours: readonly PlannedChange[],
  recorded: ReadonlySet<string>,
): Need[] => {
  const removed = ours.filter(
    ({ change: { action, address } }) =>
      (action === 'delete' || action === 'release') && recorded.has(address),
  ).length
  const total = recorded.size
  return isMass(removed, total)
    ? [{ flag: REMOVAL_FLAG, because: reason('removes-many', { removed, total, kind }) }]
    : []
}

/**
 * Guards against one wrong variable that changes the same field of many things. A value that was never seen, or
 * that others may have changed since, counts as changed, because the write may well change it.
 */
const massChanges = (
  definition: KindDefinition,
  ours: readonly PlannedChange[],
  { records, recorded }: { readonly records: Records; readonly recorded: ReadonlySet<string> },
): Need[] => {
  const { kind, identity } = definition
  const present = [...recorded].filter((address) => records[address]?.absent !== true)
  const adopted = ours.filter(({ change }) => change.action === 'adopt').map(({ change }) => change.address)
  const total = new Set([...present, ...adopted]).size
  const written = ours.flatMap(({ change, work }) =>
    work.do === 'write'
      ? change.fields
          .filter((field) => work.fields.includes(field.path) && mayChange(definition, work, field))
          .map(({ path, note }) => ({
            path,
            isUnseen: note !== undefined || (work.record === undefined && work.seen?.[path] === undefined),
            place: pickBy(work.instance.identity, (_, name) => identity.scope.includes(name)),
          }))
      : [],
  )
  return [...Map.groupBy(written, ({ path }) => path)].flatMap(([field, changed]) => {
    if (!isMass(changed.length, total)) return []
    const unseen = changed.filter(({ isUnseen }) => isUnseen).length
    const facts = {
      field,
      changed: changed.length,
      unseen,
      total,
      kind,
      places: countedByPlace(changed),
    }
    return [{ flag: CHANGE_FLAG, because: reason('changes-many', facts) }]
  })
}

/** A value that is sent again because its outcome is unknown was agreed to before, and is no change. */
const mayChange = (
  { fields }: KindDefinition,
  { record, instance }: Extract<Work, { do: 'write' }>,
  { path, note }: FieldChange,
): boolean => {
  const field = fields[path]
  if (note?.code !== 'outcome-unknown' || field === undefined) return true
  return !same(field, record?.applied[path], instance.desired[path])
}

/** Places with their counts, largest count first. */
const countedByPlace = (changed: readonly { readonly place: Identity }[]) =>
  [...Map.groupBy(changed, ({ place }) => JSON.stringify(place)).values()]
    .map((there) => ({ place: there[0]?.place ?? {}, count: there.length }))
    .toSorted((a, b) => b.count - a.count)
