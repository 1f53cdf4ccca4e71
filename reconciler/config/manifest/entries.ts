import { elementKey } from '@deploymgmt/provider/core/check'
import {
  declarable,
  defaultRelease,
  isObject,
  mapValues,
  type Field,
  type FieldType,
  type KindDefinition,
  type Values,
} from '@deploymgmt/provider/core'
import type { Entry, Position } from '@deploymgmt/provider/engine'
import { waitingIn } from './waiting-fields.ts'
import { locate, pairOf, type MapNode, type Pair } from '../tree/node.ts'
import { organizationSaid } from './organization.ts'
import type { Path } from '../tree/path.ts'
import { scopesOf, type Scope } from './scopes.ts'
import type { Checked } from './checked.ts'

/** An entry with its place; one written entry with `projectIds` makes several. */
export interface PlacedEntry {
  readonly entry: Entry
  readonly kind: KindDefinition
  readonly pair: Pair
  readonly path: Path
  /** As written, including duplicates in sets. */
  readonly values: Values
}

/** Whether a value at a path within an entry is unknown or could not be resolved, so that rules cannot judge it. */
export const isUnknownAt = (
  { pair }: PlacedEntry,
  at: Path,
  { evaluator }: Pick<Checked, 'evaluator'>,
): boolean => {
  if (!evaluator.hasUnknown) return false
  const { node, depth } = locate(pair.value, at)
  return depth === at.length && evaluator.holdsUnknown(node)
}

/** Makes the entries of a checked manifest: inherits defaults, and fills in fields' own defaults. */
export const entriesOf = (checked: Checked): PlacedEntry[] => {
  const inherited = { orgId: organizationSaid(checked), ...valueAt(checked, ['defaults']) }
  return checked.kinds.flatMap((kind) => {
    const section = pairOf(checked.root, kind.section)?.value
    if (section?.is !== 'map') return []
    const sort = { ...sortOf(kind), inherited }
    const entries: PlacedEntry[] = []
    for (const [name, pair] of section.pairs)
      if (isMapPair(pair)) for (const each of entriesFrom(checked, sort, name, pair)) entries.push(each)
    return entries
  })
}

/** The properties of a kind that each of its entries needs. */
interface Sort {
  readonly kind: KindDefinition
  readonly declarable: readonly (readonly [string, Field])[]
  readonly secrets: readonly string[]
  readonly instants: readonly string[]
  /** The default way of release. */
  readonly onRemove: string
  /** Values that entries inherit if they declare none. */
  readonly inherited: Values
}

const sortOf = (kind: KindDefinition): Omit<Sort, 'inherited'> => {
  const fieldsOf = (is: FieldType['is']): string[] =>
    Object.keys(kind.fields).filter((name) => kind.fields[name]?.type.is === is)
  return {
    kind,
    declarable: Object.entries(declarable(kind)),
    secrets: fieldsOf('secret'),
    instants: fieldsOf('instant'),
    onRemove: defaultRelease(kind),
  }
}

/** Mutable, because optional parts are added only to the few entries that have them, without copying the others. */
type Made = { -readonly [Key in keyof Entry]: Entry[Key] }

type EntryPair = Pair & { readonly value: MapNode }
const isMapPair = (pair: Pair): pair is EntryPair => pair.value.is === 'map'

const entriesFrom = (checked: Checked, sort: Sort, name: string, pair: EntryPair): PlacedEntry[] => {
  const { kind, inherited } = sort
  const path = [kind.section, name]
  const declared = valueAt(checked, path)
  const waiting = waitingIn(checked, kind, pair.value, path)
  const scopes = scopesOf(checked, { kind, pair, path, declared, inherited })
  const make = (values: Values, { key, among }: Scope): PlacedEntry => {
    const entry: Made = {
      kind: kind.kind,
      address: `${kind.section}.${name}${key}`,
      values: eachOnceIn(kind, values),
      onRemove: optionOf('onRemove', declared, inherited, sort.onRemove),
      protect: optionOf('protect', declared, inherited, false),
      ignoreChanges: optionOf('ignoreChanges', declared, NONE, NO_NAMES),
      declaredAt: positionOf(pair),
    }
    if (among !== undefined) entry.among = among
    if (waiting.length > 0) entry.waiting = waiting
    const secretsAt = secretsIn(sort, pair.value)
    if (secretsAt !== undefined) entry.secretsAt = secretsAt
    const secretPaths = secretsAt && secretPathsIn(checked, sort, pair.value)
    if (secretPaths !== undefined) entry.secretPaths = secretPaths
    const overriddenAt = overriddenIn(sort, pair)
    if (overriddenAt !== undefined) entry.overriddenAt = overriddenAt
    const zones = zonesIn(checked, sort, { pair, values })
    if (zones !== undefined) entry.zones = zones
    return { entry, kind, pair, path, values }
  }
  return scopes.map((each) => make(valuesOf(sort, each.scope, declared), each))
}

const positionOf = ({ key }: Pair): Position => key.source.position(key.start)

const NONE = {}
const NO_NAMES: readonly string[] = []

const secretsIn = ({ secrets }: Sort, node: MapNode): Entry['secretsAt'] => {
  if (secrets.length === 0) return undefined
  const places = secrets.flatMap((name) => {
    const pair = pairOf(node, name)
    return pair === undefined ? [] : [[name, positionOf(pair)] as const]
  })
  return places.length === 0 ? undefined : Object.fromEntries(places)
}

/** Values have the paths of files in full. */
const secretPathsIn = ({ evaluator }: Checked, { secrets }: Sort, node: MapNode): Entry['secretPaths'] => {
  const paths = secrets.flatMap((name) => {
    const path = pairOf(pairOf(node, name)?.value, 'file')?.value
    const text = path && evaluator.valueOf(path, { is: 'string' }, [])
    return typeof text === 'string' ? [[name, text] as const] : []
  })
  return paths.length === 0 ? undefined : Object.fromEntries(paths)
}

/** The fields that a later file says; what a rule makes is said where the rule is. */
const overriddenIn = ({ kind }: Sort, { value }: EntryPair): Entry['overriddenAt'] => {
  let places: Record<string, Position> | undefined
  const { field, of = [] } = kind.expand.instead ?? {}
  for (const [name, pair] of value.pairs) {
    if (pair.value.source === value.source) continue
    places ??= {}
    for (const each of name === field ? of : [name]) places[each] = positionOf(pair)
  }
  return places
}

/** The zone of a rule that replaces instants applies to what the rule makes. */
const zonesIn = (
  { evaluator }: Checked,
  { kind, instants }: Sort,
  { pair, values }: { readonly pair: EntryPair; readonly values: Values },
): Entry['zones'] => {
  if (instants.length === 0 && kind.expand.instead === undefined) return undefined
  const own = instants.flatMap((name) => {
    const node = pairOf(pair.value, name)?.value
    const zone = node && evaluator.zoneOf(node)
    return zone === undefined ? [] : [[name, zone] as const]
  })
  const { field = '', of = [] } = kind.expand.instead ?? {}
  const { timezone } = (values[field] ?? {}) as { readonly timezone?: unknown }
  const made = typeof timezone === 'string' ? of.map((name) => [name, timezone] as const) : []
  const zones = [...own, ...made]
  return zones.length === 0 ? undefined : Object.fromEntries(zones)
}

const valueAt = ({ value }: Checked, path: Path): Values => {
  let at: unknown = value
  for (const step of path)
    at = at === undefined || at === null ? undefined : (at as Record<string, unknown>)[step]
  return isObject(at) ? at : {}
}

/** In the order of the definition; without options, because the engine only sees values. */
const valuesOf = ({ declarable: fields }: Sort, scope: Values, declared: Values): Values => {
  const values: Record<string, unknown> = {}
  for (const [name, field] of fields) {
    const value = declared[name] ?? scope[name] ?? field.default
    if (value !== undefined) values[name] = value
  }
  return values
}

/** Removes duplicates from sets; a warning was reported already. */
const eachOnceIn = ({ fields }: KindDefinition, values: Values): Values => {
  const isSet = (name: string): boolean => fields[name]?.type.is === 'set'
  let hasSet = false
  for (const name in values) hasSet ||= isSet(name)
  if (!hasSet) return values
  return mapValues(values, (value, name) => (isSet(name) ? eachOnce(value) : value))
}

const eachOnce = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Map(value.map((item: unknown) => [elementKey(item), item])).values()] : value

const optionOf = <T>(name: string, declared: Values, inherited: Values, otherwise: T): T =>
  (declared[name] ?? inherited[name] ?? otherwise) as T
