import type { KindDefinition } from '../../core/definition.ts'
import { isReplaced } from '../values/address.ts'
import { reason } from '../reason.ts'
import { changeOf, isOfIgnored, READ } from './change.ts'
import { asideAddress, hasAnotherKey } from './replaced.ts'
import type { PlannedChange } from './work.ts'
import { isComplete } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { likenessByIdentity, likenessByValues } from '../values/likeness.ts'
import type { RecordedResource, Records } from '../values/model.ts'
import { isInForce, sortOf } from '../values/sort.ts'

/** A record that moves to a new address. */
export interface Move {
  readonly from: string
  readonly to: string
  /** The address at which the record that had the new address waits for its release, because its thing may go on. */
  readonly aside?: string
}

interface Known {
  readonly records: Records
  /** Whether the recorded thing is certainly over. */
  readonly isOver: (instance: Instance, record: RecordedResource) => boolean
  /** Whether the recorded thing may go on, so that its record is replaced by what the entry means now. */
  readonly stepsAside: (instance: Instance, record: RecordedResource) => boolean
  /** Whether the record belongs to an entry outside the target, and stays with it. */
  readonly isElsewhere: (address: string, record: RecordedResource) => boolean
}

/**
 * Finds new addresses that are old things under another name: exactly one undeclared record fits the address, and
 * it fits no other. A record also counts as undeclared if its entry names another thing by now. A replaced record
 * (`[replaced …]`) waits for its release and is never taken. An address whose thing is over, or should be, also counts
 * as new.
 */
export const findMoves = (
  instances: readonly Instance[],
  { records, isOver, stepsAside, isElsewhere }: Known,
): Move[] => {
  const declared = new Set(
    instances.filter((instance) => !isLeft(instance, records, isOver)).map(({ address }) => address),
  )
  const undeclared = Object.keys(records).flatMap((address) => {
    const record = records[address]
    if (record === undefined || declared.has(address) || isReplaced(address)) return []
    return isElsewhere(address, record) ? [] : [{ address, record }]
  })
  if (undeclared.length === 0) return []
  const definitions = new Map(instances.map(({ definition }) => [definition.kind, definition]))
  const compared = comparedBy(instances)
  const byLikeness = Map.groupBy(
    undeclared.flatMap(({ address, record }) =>
      likenesses(definitions.get(record.kind), record, compared.get(record.kind) ?? []).map((likeness) => ({
        address,
        likeness,
      })),
    ),
    ({ likeness }) => likeness,
  )
  const proposals = instances
    .filter(({ unmatched }) => unmatched === undefined)
    .flatMap((instance): Move[] => {
      const { address: to, definition } = instance
      const before = records[to]
      // Its record can move as well, and one move would have to wait for the other.
      if (before !== undefined && !declared.has(to)) return []
      const goesOn = before !== undefined && stepsAside(instance, before)
      if (before !== undefined && !goesOn && !isOver(instance, before)) return []
      const fits = byLikeness.get(likenessOf(instance) ?? '') ?? []
      const [fit] = fits
      if (fit === undefined || fits.length > 1) return []
      return [{ from: fit.address, to, ...(goesOn ? { aside: asideAddress(definition, to, before) } : {}) }]
    })
  const byOrigin = Map.groupBy(proposals, ({ from }) => from)
  return proposals.filter(({ from }) => byOrigin.get(from)?.length === 1)
}

/** Whether the entry at an address names another thing by now than the one that is recorded there. */
const isLeft = (instance: Instance, records: Records, isOver: Known['isOver']): boolean => {
  const record = records[instance.address]
  if (record === undefined || isInForce(record) || instance.unmatched !== undefined) return false
  return hasAnotherKey(instance, record) && !isOver(instance, record)
}

/** Names of fields by which a thing is recognised. */
type Names = readonly string[]

/** A renamed entry need not have the values that it leaves to others. If it leaves all, it is recognised by all. */
const comparedIn = ({ definition, entry }: Pick<Instance, 'definition' | 'entry'>): Names => {
  const { recognisedBy } = definition.identity
  if (entry.ignoreChanges.length === 0) return recognisedBy
  const names = recognisedBy.filter((name) => !entry.ignoreChanges.includes(name))
  return names.length === 0 ? recognisedBy : names
}

/** By kind, what its instances are recognised by. */
const comparedBy = (instances: readonly Instance[]): ReadonlyMap<string, readonly Names[]> => {
  const found = new Map<string, Map<string, Names>>()
  for (const instance of instances) {
    const { kind } = instance.definition
    const names = comparedIn(instance)
    found.set(kind, (found.get(kind) ?? new Map<string, Names>()).set(names.join(' '), names))
  }
  return new Map([...found].map(([kind, all]) => [kind, [...all.values()]]))
}

/** The likeness that stays the same when an entry is renamed; undefined if the thing cannot be recognised. */
const likenessOf = (instance: Instance): string | undefined =>
  isComplete(instance.definition, instance.identity)
    ? likenessByIdentity(instance)
    : likenessByValues(instance, comparedIn(instance), instance.desired)

/** The likenesses of a record: by its identity, and by the values that a renamed entry would declare again. */
const likenesses = (
  definition: KindDefinition | undefined,
  record: RecordedResource,
  compared: readonly Names[],
): string[] => {
  if (definition === undefined) return []
  const { identity, applied, answer } = record
  const thing = { definition, identity, sort: sortOf(record) }
  const known = (name: string): unknown => applied[name] ?? answer?.[name]
  const values = Object.fromEntries(definition.identity.recognisedBy.map((name) => [name, known(name)]))
  return [
    likenessByIdentity(thing),
    ...compared.flatMap((names) => likenessByValues(thing, names, values) ?? []),
  ]
}

/** Puts the move first. It carries what only has to be recorded; changes that send something follow it. */
export const withMove = (
  instance: Instance,
  { from, aside }: Move,
  own: readonly PlannedChange[],
): PlannedChange[] => {
  const kept = own.find(({ work, change }) => work.do === 'record' || change.action === 'unchanged')
  const put = kept?.work.do === 'keep' || kept?.work.do === 'record' ? kept.work.put : undefined
  // The move says in its place what is left to others.
  const left =
    kept === undefined ? [] : [kept.change.reason, ...(kept.change.notes ?? [])].filter(isOfIgnored)
  return [
    {
      change: changeOf(instance, {
        action: 'moved',
        reason: reason('moved', { from }),
        from,
        fields: kept?.change.fields ?? [],
        ...(left.length === 0 ? {} : { notes: left }),
        evidence: own[0]?.change.evidence ?? READ,
      }),
      work: {
        do: 'move',
        from,
        ...(put === undefined ? {} : { put }),
        ...(aside === undefined ? {} : { aside }),
      },
    },
    ...own.filter((each) => each !== kept),
  ]
}

/** The records under their new addresses. */
export const applyMoves = (records: Records, moves: readonly Move[]): Records => {
  if (moves.length === 0) return records
  const result: Record<string, RecordedResource> = { ...records }
  for (const { from, to, aside } of moves) {
    const [record, before] = [result[from], result[to]]
    if (record === undefined) continue
    if (aside !== undefined && before !== undefined) result[aside] = before
    delete result[from]
    result[to] = record
  }
  return result
}
