import type { KindDefinition, Witness } from '../../core/definition.ts'
import { isNone } from '../../core/operation.ts'
import { pickBy, type Identity, type Values } from '../../core/values.ts'
import { ForbiddenError } from '../../errors/index.ts'
import { countsFor } from '../judge/events.ts'
import { expand } from '../plan/expand.ts'
import type { EngineClient } from '../read/client.ts'
import { readEvents, type EventLog } from '../read/events.ts'
import type { Thing } from '../read/listed.ts'
import { observe, type Observations } from '../read/observe.ts'
import { readParts } from '../read/parts.ts'
import { organizationsIn } from '../read/organizations.ts'
import { isComplete, identityKey, placeKey, scopeKey } from '../values/identity.ts'
import type { Declaration, Records } from '../values/model.ts'
import { newestFirst } from '../values/newest-first.ts'
import {
  isNamedIn,
  knownElsewhere,
  namedBy,
  recordedKeys,
  type Elsewhere,
  type KnownElsewhere,
  type Met,
} from './elsewhere.ts'
import { proposalsIn, type Changed, type ListedIn, type Proposal } from './proposals.ts'
import { isDeclarable } from './declarable.ts'
import { toldIn, type Told } from './told.ts'
import { isIn, undeclaredIn } from './undeclared.ts'

export type { Told } from './told.ts'

export interface FindInput {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  /** Identities of what scopes things, such as `{ projectId }`. */
  readonly places: readonly Identity[]
  /** What a person has written, comments too: what is named there is known. */
  readonly isMentioned: (value: string) => boolean
  /** What other states record, and what they know besides; asked for once all is read. */
  readonly elsewhere: () => Promise<Elsewhere>
  /** What is known and well undeclared, by what it can be named by. */
  readonly isIgnored: (definition: KindDefinition, names: Values, now: Date) => boolean
  /** Whether what several places have in common is to be one entry. */
  readonly inCommon: boolean
  /** Whether what is recorded is found, too, where no entry declares it any more. */
  readonly again: boolean
}

/** What is there and nobody declares. */
export interface Found {
  readonly proposals: readonly Proposal[]
  /** What no manifest can name, such as a type that is not known here. */
  readonly undeclarable: readonly Proposal[]
  /** Of what no list shows. */
  readonly told: readonly Told[]
  /** Places that the service does not know. */
  readonly absent: readonly Identity[]
  /** Places of which a list may not be read, with what the service said: what is found of them is not all. */
  readonly refused: readonly { readonly place: Identity; readonly error: ForbiddenError }[]
  readonly log: EventLog
  /** How many things were left alone since they are known. */
  readonly ignored: number
  /** Who has what was left alone since another state has it, or may have. */
  readonly elsewhere: readonly Met[]
  /** Addresses of what is recorded, and that no entry declares any more. */
  readonly undeclared: readonly string[]
}

/** Reads every list of the places once, and all events of their organizations; sends nothing else. */
export const found = async (client: EngineClient, given: FindInput): Promise<Found> => {
  const { definitions, declaration, places } = given
  const since = new Map(organizationsIn(declaration).map((org) => [org, EVER]))
  const [observed, log] = await Promise.all([
    observe(client, { definitions, entries: [], records: [], places, widely: true, sparesRefused: true }),
    readEvents(client, since, { whole: true, far: true }),
  ])
  const now = new Date(client.serviceNow())
  const declared = declaredIn(given, observed, now)
  const undeclared = undeclaredIn(given, { declared, shown: shownIn(given, observed) })
  const lost = new Set(given.again ? undeclared : [])
  const input = { ...given, records: pickBy(given.records, (_, address) => !lost.has(address)) }
  // Only now: what another command has just made is then in its state.
  const others = await given.elsewhere()
  const { isRecorded, isKnown, met } = knownElsewhere(definitions, others, { ...input, client, log })
  const { isFree, ignored } = sparing({ ...input, isRecorded }, freeIn(input, declared), now)
  const listed = definitions.filter(({ observe: { how } }) => how === 'everything')
  const proposals = listed.flatMap((definition) => {
    const listings = places.map((place): ListedIn => ({
      place,
      things: observed.scopes.get(scopeKey(definition, place))?.things ?? [],
      isFree: (thing) => isFree(definition, thing),
    }))
    return proposalsIn(definition, listings, { now, inCommon: given.inCommon })
  })
  const told = definitions
    .flatMap((definition) => toldIn(definition, { events: log.events, now, ownKey: client.publicKey }))
    .filter((each) => isIn(places, each.place))
    .filter((each) => isNew(each, input) && !isKnown(each) && !isIgnoredTold(each, input, now))
  return {
    proposals: proposals.filter(isTaken).map((each) => withChanges(each, log)),
    undeclarable: proposals.filter((each) => !isTaken(each)),
    told: await Promise.all(told.map((each) => withParts(client, each))),
    ...unreadIn(listed, places, observed),
    log,
    ignored: ignored.size,
    elsewhere: [...met.values()],
    undeclared,
  }
}

/** Places of which not all was read. */
const unreadIn = (
  listed: readonly KindDefinition[],
  places: readonly Identity[],
  observed: Observations,
): Pick<Found, 'refused' | 'absent'> => {
  const refused = places.flatMap((place) => {
    const [error] = listed.flatMap((definition) => observed.refused.get(placeKey(definition, place)) ?? [])
    return error === undefined ? [] : [{ place, error }]
  })
  const known = new Set(refused.map(({ place }) => place))
  const absent = places.filter(
    (place) =>
      !known.has(place) && listed.some((definition) => !observed.scopes.has(scopeKey(definition, place))),
  )
  return { refused, absent }
}

/** Keys of all that lists show. */
const shownIn = (
  { definitions, places }: Pick<FindInput, 'definitions' | 'places'>,
  { scopes }: Observations,
): ReadonlySet<string> =>
  new Set(
    definitions
      .filter(({ observe: { how } }) => how === 'everything')
      .flatMap((definition) =>
        places.flatMap((place) =>
          (scopes.get(scopeKey(definition, place))?.things ?? []).map(({ identity }) =>
            identityKey(definition, identity),
          ),
        ),
      ),
  )

/** What is free, but for what is known; and that, by what names it. */
const sparing = (
  { isIgnored, isRecorded }: Pick<FindInput, 'isIgnored'> & Pick<KnownElsewhere, 'isRecorded'>,
  isFree: (definition: KindDefinition, identity: Identity) => boolean,
  now: Date,
): { isFree: (definition: KindDefinition, thing: Thing) => boolean; ignored: ReadonlySet<string> } => {
  const ignored = new Set<string>()
  return {
    ignored,
    isFree: (definition, { identity, raw }) => {
      if (!isFree(definition, identity) || isRecorded(definition, identity)) return false
      const { unmanaged } = definition
      const more = unmanaged.foundBy === 'list' ? unmanaged.alsoNamedBy : []
      const names = { ...identity, ...Object.fromEntries(more.map((name) => [name, raw[name]])) }
      if (!isIgnored(definition, names, now)) return true
      ignored.add(identityKey(definition, identity))
      return false
    },
  }
}

const isIgnoredTold = ({ definition, place, value }: Told, { isIgnored }: FindInput, now: Date): boolean =>
  !isNone(definition.witness) &&
  isIgnored(definition, { ...place, [definition.witness.instance]: value }, now)

/** Who has turned off what is off, or has last done something to the one thing that is unusual. */
const withChanges = (proposal: Proposal, { events }: EventLog): Proposal => {
  const { definition, keys, remarks, isOff } = proposal
  const { witness } = definition
  if (isNone(witness) || remarks.length === 0 || (keys.length > 1 && !isOff)) return proposal
  const changes = keys.flatMap((key): Changed[] => {
    const about = events.filter((event) => event[witness.event] === key && countsFor(witness, event))
    const newest = newestFirst(about)
    const switched = newest.find((event) => setBy(witness, event) !== undefined)
    const off =
      isOff && switched !== undefined && definition.adoption.isOff(setBy(witness, switched) ?? {})
        ? switched
        : undefined
    const event = off ?? (keys.length > 1 ? undefined : newest[0])
    return event === undefined ? [] : [{ event, turnedOff: off !== undefined }]
  })
  return { ...proposal, changes }
}

/** What an event of this type has made of values. */
const setBy = ({ sets }: Witness, event: Values): Values | undefined => sets[String(event['eventTypeName'])]

/** Whether a manifest takes it. */
const isTaken = ({ definition, values }: Proposal): boolean => isDeclarable(definition, values)

const EVER = Number.NEGATIVE_INFINITY

/** Keys of all that is declared, of what lists show. */
const declaredIn = (
  { definitions, declaration }: FindInput,
  observed: Observations,
  now: Date,
): ReadonlySet<string> => {
  const listed = new Set(
    definitions.filter(({ observe: { how } }) => how === 'everything').map(({ kind }) => kind),
  )
  const entries = declaration.entries.filter(({ kind }) => listed.has(kind))
  const instances = expand(definitions, entries, { observed, now, recorded: () => [] })
  return new Set(
    instances.flatMap(({ definition, identity, inForce, unmatched }) =>
      inForce || unmatched !== undefined || !isComplete(definition, identity)
        ? []
        : [identityKey(definition, identity)],
    ),
  )
}

/** What is neither declared nor recorded: what a person has just taken out of a manifest is not put back. */
const freeIn = (
  { definitions, records }: FindInput,
  declared: ReadonlySet<string>,
): ((definition: KindDefinition, identity: Identity) => boolean) => {
  const known = new Set([...declared, ...recordedKeys(definitions, Object.values(records))])
  return (definition, identity) => !known.has(identityKey(definition, identity))
}

const isNew = (
  { definition, key, value }: Told,
  { declaration, records, isMentioned }: FindInput,
): boolean => {
  const names = [value, ...(key === undefined ? [] : [key])]
  const isNamed = namedBy(names)
  return !(
    declaration.entries.some(({ kind, values }) => kind === definition.kind && isNamed(values)) ||
    Object.values(records).some((each) => each.kind === definition.kind && isNamedIn(each, isNamed)) ||
    names.some(isMentioned)
  )
}

/**
 * What lists of its own show of it, once its id is known; nothing where the key may not see them. Where it can be in
 * several places, such a list tells in which it is, or it is in none.
 */
const withParts = async (client: EngineClient, told: Told): Promise<Told> => {
  const { definition, place, others, key, values } = told
  const { observe: how, identity } = definition
  if (how.how !== 'parts' || key === undefined || isNone(definition.witness)) return told
  for (const each of [place, ...others]) {
    const at = { ...each, [identity.key]: key }
    const parts = await readParts(client, definition, at, Object.entries(how.parts)).catch(
      (error: unknown) => {
        if (error instanceof ForbiddenError) return 'missing' as const
        throw error
      },
    )
    if (typeof parts !== 'string') return { ...told, place: each, values: { ...values, ...parts } }
  }
  return others.length === 0 ? told : { ...told, place: {} }
}
