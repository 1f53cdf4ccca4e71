import type { KindDefinition } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import type { Identity, Values } from '../../core/values.ts'
import type { Thing } from '../read/listed.ts'
import { writableFields } from '../values/wire.ts'
import { selections, type Free, type Selection, type Spot } from './selections.ts'

/** An entry for what is there, without where it is and what it is called. */
export interface Proposal {
  readonly definition: KindDefinition
  /** What scopes it, such as its project. */
  readonly place: Identity
  /** What the entry declares. */
  readonly values: Values
  /** From the shortest to the most telling. */
  readonly names: readonly string[]
  readonly remarks: readonly string[]
  /** Keys of the things that it stands for. */
  readonly keys: readonly string[]
  readonly isOff: boolean
  /** Events about the things that it stands for, where there is something to remark. */
  readonly changes: readonly Changed[]
}

/** Who has done something to a thing: the one who has turned it off, or else the last one. */
export interface Changed {
  readonly event: Values
  readonly turnedOff: boolean
}

/** A place with all that its list showed, and what of it nobody declares. */
export interface ListedIn {
  readonly place: Identity
  readonly things: readonly Thing[]
  readonly isFree: (thing: Thing) => boolean
}

/**
 * Entries for all that is free in places: a selector where it stands for exactly such things that are to be declared
 * alike, and an id for each other one. A selector for what is on stands for what is added later, too. That one thing
 * was switched off is no reason to switch off others: a selector for what is off is bound to what is there.
 *
 * @param now service time
 */
export const proposalsIn = (
  definition: KindDefinition,
  listed: readonly ListedIn[],
  now: Date,
): Proposal[] => {
  const spots = listed.map((each) => spotOf(definition, each))
  // What a selector stands for is taken out of what is left.
  const selected = selections(definition, spots, now).map((each) => proposed(definition, each))
  const named = spots.flatMap(({ place, left }) =>
    [...left.values()].map((each) => byId(definition, place, each)),
  )
  return [...selected, ...named]
}

const spotOf = (definition: KindDefinition, { place, things, isFree }: ListedIn): Spot => {
  const free = things.flatMap((thing): Free[] => (isFree(thing) ? [freeOf(definition, thing)] : []))
  return {
    place,
    all: things.map(({ raw, values }): Values => ({ ...raw, ...values })),
    left: new Map(free.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map((each) => [each.key, each])),
  }
}

const freeOf = (definition: KindDefinition, { identity, raw, values }: Thing): Free => {
  const names = writableFields(definition).filter(
    (name) => values[name] !== undefined && values[name] !== definition.fields[name]?.default,
  )
  const declared = Object.fromEntries(names.map((name) => [name, values[name]]))
  return { key: identity[definition.identity.key] ?? '', live: { ...raw, ...values }, declared }
}

const byId = (definition: KindDefinition, place: Identity, { key, live, declared }: Free): Proposal => {
  const { names, about, remarks, isOff } = definition.adoption
  return {
    definition,
    place,
    values: { [definition.identity.declaredAs]: key, ...mayGo(definition, isOff(live)), ...declared },
    names: names(live),
    remarks: [about(live), ...remarks(live)].filter((text) => text !== ''),
    isOff: isOff(live),
    keys: [key],
    changes: [],
  }
}

const proposed = (definition: KindDefinition, { place, selector, things, isOff }: Selection): Proposal => {
  const { adoption, expand } = definition
  const [first] = things
  return {
    definition,
    place,
    values: { [expand.members?.by ?? '']: selector, ...mayGo(definition, isOff), ...first?.declared },
    names: adoption.names({ ...selector, ...first?.declared }),
    remarks: remarksOn(things.map(({ live }) => adoption.remarks(live))),
    isOff,
    keys: things.map(({ key }) => key),
    changes: [],
  }
}

/** That what is off is gone makes no difference: nothing has to wait for it. */
const mayGo = ({ establish: { adopt } }: KindDefinition, isOff: boolean): Values =>
  isOff && !isNone(adopt) && adopt.mayBeMissing !== undefined ? { [adopt.mayBeMissing]: true } : {}

/** What holds for some of several things says of how many. */
const remarksOn = (of: readonly (readonly string[])[]): string[] =>
  [...new Set(of.flat())].map((text) => {
    const count = of.filter((each) => each.includes(text)).length
    return count === of.length ? text : `${count} of ${of.length} ${text}`
  })
