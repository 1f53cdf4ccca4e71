import { elementKey } from '@deploymgmt/provider/core/check'
import { declarable, mapValues, type KindDefinition, type Values } from '@deploymgmt/provider/core'
import type { Entry, Position } from '@deploymgmt/provider/engine'
import { waitingIn } from './waiting-fields.ts'
import { childrenOf, locate, pairOf, type MapNode, type Node, type Pair } from './node.ts'
import { organizationSaid } from './organization.ts'
import type { Path } from './path.ts'
import { scopesOf } from './scopes.ts'
import type { Checked } from './checked.ts'

/** An entry with the place it was made from; one written entry with `projectIds` makes several. */
export interface PlacedEntry {
  readonly entry: Entry
  readonly kind: KindDefinition
  readonly pair: Pair
  readonly path: Path
  /** As they are written, with what sets list twice. */
  readonly values: Values
  /** Whether something at a path within it is still to come, or could not be resolved: rules cannot judge it. */
  readonly isUnknown: (at: Path) => boolean
}

/** Makes entries of a checked manifest: defaults inherited, fields' own defaults filled in. */
export const entriesOf = (checked: Checked): PlacedEntry[] => {
  const inherited = { orgId: organizationSaid(checked), ...valueAt(checked, ['defaults']) }
  return checked.kinds.flatMap((kind) => {
    const section = pairOf(checked.root, kind.section)?.value
    if (section?.is !== 'map') return []
    return [...section.pairs].flatMap(([name, pair]) =>
      pair.value.is === 'map'
        ? entriesFrom(checked, { kind, name, pair: { ...pair, value: pair.value }, inherited })
        : [],
    )
  })
}

type EntryPair = Pair & { readonly value: MapNode }

interface Declared {
  readonly kind: KindDefinition
  readonly name: string
  readonly pair: EntryPair
  /** What it takes where it says nothing itself. */
  readonly inherited: Values
}

const entriesFrom = (checked: Checked, { kind, name, pair, inherited }: Declared): PlacedEntry[] => {
  const path = [kind.section, name]
  const declared = valueAt(checked, path)
  const waiting = waitingIn(checked, kind, pair.value, path)
  const isUnknown = (at: Path): boolean => {
    const { node, depth } = locate(pair.value, at)
    return depth === at.length && holdsUnknown(checked, node)
  }
  const scopes = scopesOf(checked, { kind, pair, path, declared, inherited })
  const make = (values: Values, key: string): PlacedEntry => ({
    entry: {
      kind: kind.kind,
      address: `${kind.section}.${name}${key}`,
      values: eachOnceIn(kind, values),
      onRemove: optionOf('onRemove', declared, inherited, Object.keys(kind.release)[0] ?? 'forget'),
      protect: optionOf('protect', declared, inherited, false),
      ignoreChanges: optionOf<readonly string[]>('ignoreChanges', declared, {}, []),
      ...(waiting.length === 0 ? {} : { waiting }),
      declaredAt: positionOf(pair),
      ...secretsIn(kind, pair.value),
      ...zonesIn(checked, kind, { pair, values }),
    },
    kind,
    pair,
    path,
    values,
    isUnknown,
  })
  return scopes.map(({ scope, key }) => make(valuesOf(kind, scope, declared), key))
}

const positionOf = ({ key }: Pair): Position => key.source.position(key.start)

const secretsIn = ({ fields }: KindDefinition, node: MapNode): Pick<Entry, 'secretsAt'> => {
  const places = Object.entries(fields).flatMap(([name, { type }]) => {
    const pair = type.is === 'secret' ? pairOf(node, name) : undefined
    return pair === undefined ? [] : [[name, positionOf(pair)] as const]
  })
  return places.length === 0 ? {} : { secretsAt: Object.fromEntries(places) }
}

/** Of a rule in place of instants, its zone is that of what it makes. */
const zonesIn = (
  { evaluator }: Checked,
  { fields, expand }: KindDefinition,
  { pair, values }: { readonly pair: EntryPair; readonly values: Values },
): Pick<Entry, 'zones'> => {
  const own = Object.entries(fields).flatMap(([name, { type }]) => {
    const node = type.is === 'instant' ? pairOf(pair.value, name)?.value : undefined
    const zone = node && evaluator.zoneOf(node)
    return zone === undefined ? [] : [[name, zone] as const]
  })
  const { field = '', of = [] } = expand.instead ?? {}
  const { timezone } = (values[field] ?? {}) as { readonly timezone?: unknown }
  const made = typeof timezone === 'string' ? of.map((name) => [name, timezone] as const) : []
  const zones = [...own, ...made]
  return zones.length === 0 ? {} : { zones: Object.fromEntries(zones) }
}

const holdsUnknown = (checked: Checked, node: Node): boolean =>
  checked.evaluator.isUnknown(node) || childrenOf(node).some((child) => holdsUnknown(checked, child))

const valueAt = ({ value }: Checked, path: Path): Values => {
  let at: unknown = value
  for (const step of path)
    at = at === undefined || at === null ? undefined : (at as Record<string, unknown>)[step]
  return typeof at === 'object' && at !== null && !Array.isArray(at) ? (at as Values) : {}
}

/** In the order of the definition; options stay out, since the engine sees values alone. */
const valuesOf = (kind: KindDefinition, scope: Values, declared: Values): Values =>
  Object.fromEntries(
    Object.entries(declarable(kind)).flatMap(([name, field]): [string, unknown][] => {
      const value = declared[name] ?? scope[name] ?? field.default
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** What a set lists twice is there once; a warning has said so. */
const eachOnceIn = ({ fields }: KindDefinition, values: Values): Values =>
  mapValues(values, (value, name) => (fields[name]?.type.is === 'set' ? eachOnce(value) : value))

const eachOnce = (value: unknown): unknown =>
  Array.isArray(value) ? [...new Map(value.map((item: unknown) => [elementKey(item), item])).values()] : value

const optionOf = <T>(name: string, declared: Values, inherited: Values, otherwise: T): T =>
  (declared[name] ?? inherited[name] ?? otherwise) as T
