import { elementKey } from '../../core/check/index.ts'
import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Thing } from '../read/listed.ts'
import { writableFields } from '../values/wire.ts'
import type { Free, Spot } from './candidates.ts'
import { inOtherPlaces, type OtherPlace } from './other-places.ts'
import { selected, type Left, type Selecting, type Selection } from './selections.ts'

/** An entry for existing things, without its final name. */
export interface Proposal {
  readonly definition: KindDefinition
  /** The place of the entry, such as its project. */
  readonly place: Identity
  readonly values: Values
  /** From the shortest to the most telling. */
  readonly names: readonly string[]
  readonly remarks: readonly string[]
  /** Keys of the things that it stands for. */
  readonly keys: readonly string[]
  readonly isOff: boolean
  /** Events about the things that it stands for, if there is something to remark. */
  readonly changes: readonly Changed[]
  /** Places without a proposal of the same values, although several other places have one. */
  readonly otherPlaces: readonly OtherPlace[]
}

/** Who acted on a thing: the one who turned it off, or else the last one. */
export interface Changed {
  readonly event: Values
  readonly turnedOff: boolean
}

/** A place with everything that its list showed, and which of that nobody declares. */
export interface ListedIn {
  readonly place: Identity
  readonly things: readonly Thing[]
  readonly isFree: (thing: Thing) => boolean
}

/**
 * Proposes entries for everything that is free: a selector if most of its matches would be declared alike, and an
 * entry by id, which beats it, for each of the others. A selector for things that are on also covers what is added
 * later. That one thing was switched off is no reason to switch off others, so a selector for things that are off
 * covers only what exists now.
 */
export const proposalsIn = (
  definition: KindDefinition,
  listed: readonly ListedIn[],
  selecting: Selecting,
): Proposal[] => {
  const spots = listed.map((each) => spotOf(definition, each))
  const { selections, left } = selected(definition, spots, selecting)
  const proposals = [
    ...selections.map((each) => proposed(definition, each)),
    ...[...left].flatMap(([spot, things]) => {
      const named = namedIn(definition, spot)
      return things.map((each) => byId(definition, spot.place, { ...each, names: named(each) }))
    }),
  ]
  return selecting.inCommon ? withOtherPlaces(definition, proposals, spots) : proposals
}

const withOtherPlaces = (
  definition: KindDefinition,
  proposals: readonly Proposal[],
  spots: readonly Spot[],
): Proposal[] =>
  [...Map.groupBy(proposals, ({ values }) => elementKey(values)).values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined || alike.length < 2) return alike
    const there = new Set(alike.map(({ place }) => place))
    const others = spots.filter(({ place }) => !there.has(place))
    const otherPlaces = inOtherPlaces(definition, first.values, others)
    return alike.map((each) => ({ ...each, otherPlaces }))
  })

const spotOf = (definition: KindDefinition, { place, things, isFree }: ListedIn): Spot => {
  const free = things.flatMap((thing): Free[] => (isFree(thing) ? [freeOf(definition, thing)] : []))
  return {
    place,
    all: things.map(({ raw, values }): Values => ({ ...raw, ...values })),
    free: new Map(free.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((each) => [each.key, each])),
  }
}

const freeOf = (definition: KindDefinition, { identity, raw, values }: Thing): Free => {
  const names = writableFields(definition).filter(
    (name) => values[name] !== undefined && values[name] !== definition.fields[name]?.default,
  )
  const declared = Object.fromEntries(names.map((name) => [name, values[name]]))
  return { key: identity[definition.identity.key] ?? '', live: { ...raw, ...values }, declared }
}

/**
 * Names that distinguish a thing from all others in its place. If no name does, and a selector matches the thing,
 * its name says that it is an exception.
 */
const namedIn = ({ adoption }: KindDefinition, { all }: Spot): ((left: Left) => readonly string[]) => {
  const counts = new Map<string, number>()
  for (const live of all)
    for (const name of new Set(adoption.names(live))) counts.set(name, (counts.get(name) ?? 0) + 1)
  return ({ thing: { live }, isMatched }) => {
    const names = adoption.names(live)
    const telling = names.filter((name) => counts.get(name) === 1)
    if (telling.length > 0) return telling
    return isMatched ? [`${names.at(-1) ?? ''} exception`] : names
  }
}

const byId = (
  definition: KindDefinition,
  place: Identity,
  { thing: { key, live, declared }, names }: Left & { readonly names: readonly string[] },
): Proposal => {
  const { about, remarks, isOff } = definition.adoption
  return {
    definition,
    place,
    values: { [definition.identity.declaredAs]: key, ...mayGo(definition, isOff(live)), ...declared },
    names,
    remarks: [about(live), ...remarks(live)].filter((text) => text !== ''),
    isOff: isOff(live),
    keys: [key],
    changes: [],
    otherPlaces: [],
  }
}

const proposed = (
  definition: KindDefinition,
  { place, selector, declared, things, isOff }: Selection,
): Proposal => {
  const { adoption, expand } = definition
  return {
    definition,
    place,
    values: { [expand.members?.by ?? '']: selector, ...mayGo(definition, isOff), ...declared },
    names: adoption.names({ ...selector, ...declared }),
    remarks: remarksOn(things.map(({ live }) => adoption.remarks(live))),
    isOff,
    keys: things.map(({ key }) => key),
    changes: [],
    otherPlaces: [],
  }
}

/** A thing that is off makes no difference once it is gone, so the entry allows it to be absent. */
const mayGo = ({ establish: { adopt } }: KindDefinition, isOff: boolean): Values =>
  isOff && !isNone(adopt) && adopt.mayBeMissing !== undefined ? { [adopt.mayBeMissing]: true } : {}

/** A remark that holds for only some of the things says for how many. */
const remarksOn = (of: readonly (readonly string[])[]): string[] =>
  [...new Set(of.flat())].map((text) => {
    const count = of.filter((each) => each.includes(text)).length
    return count === of.length ? text : `${count} of ${of.length} ${text}`
  })
