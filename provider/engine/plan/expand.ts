import { leavingOut } from '../../core/among.ts'
import { definitionOf, isReadable, type KindDefinition } from '../../core/definition.ts'
import type { Expanded, ExpansionInput, Provenance } from '../../core/expansion.ts'
import { oncePer } from '../../core/once.ts'
import type { Identity, Values } from '../../core/values.ts'
import { EntryRefusedError } from '../../errors/entry-refused-error.ts'
import { SelectorConflictError } from '../../errors/selector-conflict-error.ts'
import { same } from '../values/compare.ts'
import { declaredIdentity, identityKey, scopeKey } from '../values/identity.ts'
import type { Instance } from '../values/instance.ts'
import { type Entry, formatPosition } from '../values/model.ts'
import type { Thing } from '../read/listed.ts'
import { whatLive } from '../judge/what.ts'
import { isAbsent, isListed, thingsIn, type Observations } from '../read/observe.ts'
import { entryOf, instanceAddress } from '../values/address.ts'

interface ExpandContext {
  readonly observed: Observations
  readonly now: Date
  /** Applied values that the expansion of an entry may use. */
  readonly recorded: (definition: KindDefinition, entry: Entry) => readonly Values[]
}

/**
 * The instances of all entries. Each thing is claimed once: an id beats a selector, and a selector an only-list.
 * @throws SelectorConflictError if two claims of the same rank disagree.
 * @throws EntryRefusedError if an entry cannot be carried out.
 */
export const expand = (
  definitions: readonly KindDefinition[],
  entries: readonly Entry[],
  context: ExpandContext,
): Instance[] => {
  const all = entries.flatMap((entry) => {
    const definition = definitionOf(definitions, entry.kind)
    return definition === undefined ? [] : expandEntry(definition, entry, context)
  })
  return withoutDoubles(all, context.observed)
}

const expandEntry = (definition: KindDefinition, entry: Entry, context: ExpandContext): Instance[] => {
  const { observed } = context
  const scope = declaredIdentity(definition, entry.values)
  const itself: Instance = {
    definition,
    entry,
    address: entry.address,
    identity: scope,
    desired: entry.values,
    provenance: 'named',
    sort: 'present',
    unmatched: undefined,
    createBefore: undefined,
  }
  if (isNowhere(definition, scope, observed)) return [{ ...itself, unmatched: 'no-place' }]
  const expanded = standsFor(definition, entry.values, scope, {
    ...context,
    recorded: () => context.recorded(definition, entry),
  })
  return expanded.map((each): Instance => {
    if (each.is === 'instance' && each.desired === entry.values && isItself(each)) return itself
    if (each.is === 'refused') throw new EntryRefusedError(entry.address, each.reason, placeOf(entry))
    if (each.is === 'unmatched') return { ...itself, unmatched: 'no-match' }
    if (each.is === 'in-force') return { ...itself, desired: each.desired, sort: 'in-force' }
    return {
      ...itself,
      address: instanceAddress(entry.address, each.key),
      identity: { ...scope, ...each.identity },
      desired: each.desired,
      provenance: each.provenance,
      sort: each.absent === true ? 'absent' : 'present',
      createBefore: each.createBefore,
    }
  })
}

/** Whether the instance is exactly what the entry declares, so that expansion adds nothing. */
const isItself = ({
  key,
  provenance,
  absent = false,
  createBefore,
  identity,
}: Extract<Expanded, { is: 'instance' }>): boolean => {
  if (key !== undefined || provenance !== 'named' || absent || createBefore !== undefined) return false
  for (const _ in identity) return false
  return true
}

/** What an entry is expanded from. */
export interface StandsForInput {
  readonly observed: Observations
  readonly now: Date
  readonly recorded?: () => readonly Values[]
}

/** What values stand for in a place now; if nothing is said to be recorded, whatever they stood for before. */
export const standsFor = (
  definition: KindDefinition,
  values: Values,
  place: Identity,
  seen: StandsForInput,
): readonly Expanded[] => definition.expand.instances(new LazyInput(definition, values, place, seen))

/** The input of one expansion; its parts are looked up only when they are used. */
class LazyInput implements ExpansionInput {
  readonly values: Values
  readonly now: Date
  readonly #definition: KindDefinition
  readonly #place: Identity
  readonly #seen: StandsForInput

  constructor(definition: KindDefinition, values: Values, place: Identity, seen: StandsForInput) {
    this.values = values
    this.now = seen.now
    this.#definition = definition
    this.#place = place
    this.#seen = seen
  }

  get live(): readonly Values[] {
    return liveIn(this.#definition, this.#place, this.#seen.observed)
  }
  get recorded(): readonly Values[] {
    return this.#seen.recorded?.() ?? []
  }
}

/**
 * Whether the service does not know the place. This holds only for readable kinds: for the others, the record still
 * counts.
 */
const isNowhere = (definition: KindDefinition, scope: Identity, observed: Observations): boolean =>
  isReadable(definition) && isAbsent(observed, definition, scope) && !isListed(observed, definition, scope)

const placeOf = ({ declaredAt }: Entry): string | undefined =>
  declaredAt === undefined ? undefined : formatPosition(declaredAt)

const liveIn = (definition: KindDefinition, place: Identity, observed: Observations): readonly Values[] =>
  asSelected(thingsIn(observed, definition, place))

/** Listed things as selectors see them, once per list because many entries may look at the same one. */
const asSelected = oncePer((things: readonly Thing[]): readonly Values[] =>
  things.map(({ raw, values }) => ({ ...raw, ...values })),
)

const RANK: Record<Provenance, number> = { named: 0, scheduled: 0, selected: 1, unlisted: 2 }

const withoutDoubles = (instances: readonly Instance[], observed: Observations): Instance[] => {
  const claims = new Map<string, Map<string, Instance>>()
  const kept = new Set<Instance>()
  const taken = new Map<Instance, string>()
  // By rank, wherever they are declared: two claims that both yield to a third have nothing to disagree about.
  for (const instance of instances.toSorted((a, b) => RANK[a.provenance] - RANK[b.provenance])) {
    const key = instance.identity[instance.definition.identity.key]
    if (instance.sort === 'in-force' || instance.unmatched !== undefined || key === undefined) {
      kept.add(instance)
      continue
    }
    const place = scopeKey(instance.definition, instance.identity)
    const there = claims.get(place) ?? new Map<string, Instance>()
    claims.set(place, there)
    const other = there.get(key)
    if (other === undefined) {
      there.set(key, instance)
      kept.add(instance)
      continue
    }
    if (RANK[other.provenance] === RANK[instance.provenance])
      refuseDisagreement(other, instance, { instances, observed })
    noteTaken(taken, other, instance)
  }
  return instances.flatMap((each) => {
    if (!kept.has(each)) return []
    const takenFrom = taken.get(each)
    return takenFrom === undefined ? each : { ...each, takenFrom }
  })
}

/** Notes that an id beat a selector. What an only-list leaves to other entries is not reported. */
const noteTaken = (taken: Map<Instance, string>, by: Instance, from: Instance): void => {
  if (by.provenance === 'named' && from.provenance === 'selected') taken.set(by, entryOf(from.entry.address))
}

interface Context {
  readonly instances: readonly Instance[]
  readonly observed: Observations
}

const refuseDisagreement = (a: Instance, b: Instance, context: Context): void => {
  const field = disagreedBy(a, b)
  if (field === undefined) return
  throw new SelectorConflictError({
    first: a.entry.address,
    second: b.entry.address,
    things: thingsOf(a, b, context).map((each) => ({
      key: each.identity[each.definition.identity.key] ?? '',
      about: whatLive(each.definition, each.identity, context.observed),
    })),
    field,
    where: [a.entry, b.entry].map(({ declaredAt }) => formatPosition(declaredAt)).join(' and '),
    leaving: [a.entry, b.entry].flatMap(({ among, address }) => {
      const left = among && leavingOut([among])
      return left === undefined ? [] : [{ entry: entryOf(address), ...left }]
    }),
  })
}

/** The field that two entries for the same thing disagree about; an empty name if they disagree but no field tells. */
const disagreedBy = (a: Instance, b: Instance): string | undefined => {
  const { fields, expand: expansion } = a.definition
  const field = Object.keys(fields).find((name) => {
    const one = fields[name]
    return one !== undefined && one.part === 'value' && !same(one, a.desired[name], b.desired[name])
  })
  if (field === undefined && a.sort === b.sort) return undefined
  return field ?? expansion.ensures?.field ?? ''
}

/** Every thing that both entries claim and disagree about, as the second entry has it. */
const thingsOf = (a: Instance, b: Instance, { instances }: Context): Instance[] => {
  const better = new Set(
    instances.flatMap((each) => (RANK[each.provenance] < RANK[a.provenance] ? [keyOf(each)] : [])),
  )
  const first = new Map(
    instances.flatMap((each) => (each.entry === a.entry ? [[keyOf(each), each] as const] : [])),
  )
  return instances.filter((each) => {
    const other = each.entry === b.entry && !better.has(keyOf(each)) ? first.get(keyOf(each)) : undefined
    return other !== undefined && disagreedBy(other, each) !== undefined
  })
}

const keyOf = ({ definition, identity }: Instance): string => identityKey(definition, identity)
