import { asSpelled, isId, isUsualId } from '@deploymgmt/provider/core/check'
import { asSentence, definitionOf, isNone, nearest, USUAL_ID_FORM } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  applyEffects,
  effectsOfLostChange,
  spanOfUnknown,
  putInstead,
  writableFields,
  type Effect,
  type RecordedResource,
  type Records,
} from '@deploymgmt/provider/engine'
import { sayInstant } from '@deploymgmt/provider/words'
import { AddressError, UnknownOutcomeError, UsageError } from '../../errors/index.ts'
import { canStillHappen, latest, lostWrite, serviceTimeAt } from '../../apply/intent-forms.ts'
import { idIn, loadDecisions, type Decided, type Decision, type Outcome } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { readSession, type OpenIntent, type Session } from '../../state/index.ts'
import { askWhatBecame } from './ask-what-became.ts'
import {
  projectNamesKnown,
  recordAddresses,
  resolveRecordAddress,
  type ProjectNames,
} from '../resolve/address.ts'
import type { CommonOptions } from '../line/options.ts'
import { aboutCreation, whatIsFound, type CreationsFound } from '../run/lost-creation.ts'
import { noState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { reportDone } from '../output/report-done.ts'
import { changeState, stateToOpen } from './change.ts'

interface ResolveOptions extends CommonOptions {
  readonly created?: string
  readonly notCreated?: boolean
  readonly again?: boolean
  readonly from?: string
}

/** A person decides what became of writes of unknown outcome: of one, of a list, or one after the other. */
export const stateResolve = async (io: Io, how: ResolveOptions, address?: string): Promise<number> => {
  const { from } = how
  const outcome = outcomeIn(how)
  if (from !== undefined) {
    if (address !== undefined || outcome !== undefined)
      throw new UsageError('--from already has the list of decisions: give no other')
    const decided = await loadDecisions(from, io)
    return changeState(io, how, 'state resolve', (session) => decide(io, how, session, decided))
  }
  if (address !== undefined && outcome !== undefined)
    return changeState(io, how, 'state resolve', (session) =>
      decide(io, how, session, listOf([{ address, ...outcome }])),
    )
  if (outcome !== undefined) throw new UsageError('give the ADDRESS that this is about')
  // Where nothing is to be decided, nothing is saved, because a state that is lost must not begin anew.
  const read = await readSession(await stateToOpen(io, how), systemOf(io))
  if (undecided(read, address, await projectNamesKnown(io, how, read.state)).length === 0) {
    const missing = noState(io, read)
    for (const notice of read.notices) await tell(io, notice)
    await reportDone(io, how, [NOTHING_UNKNOWN, ...(missing === undefined ? [] : [asSentence(missing)])])
    return 0
  }
  if (io.stdin().isTTY !== true)
    throw new UsageError(
      'give an ADDRESS with --created ID or --not-created, or with --again for a change, or a list of decisions with --from',
    )
  const found = await whatIsFound(io, how)
  return changeState(io, how, 'state resolve', async (session) => {
    const names = await projectNamesKnown(io, how, session.state)
    return decide(io, how, session, listOf(await ask(io, session, undecided(session, address, names), found)))
  })
}

const outcomeIn = ({ created, notCreated, again }: ResolveOptions): Outcome | undefined => {
  if (created !== undefined) return { is: 'created', id: created }
  if (again === true) return { is: 'again' }
  return notCreated === true ? { is: 'notCreated' } : undefined
}

const NOTHING_UNKNOWN = 'No request has an unknown outcome: there is nothing to decide.'

/** What is recorded, whether it is only read or open for writing. */
type Recorded = Pick<Session, 'state' | 'unknown'>

/** The addresses whose outcome is unknown: all of them, or the given one. @throws AddressError */
const undecided = (session: Recorded, given: string | undefined, names: ProjectNames): string[] => {
  const open = openIn(session)
  if (given === undefined) return [...open.keys()]
  // An address with an open request may have no record yet.
  const meant = resolveRecordAddress(given, { records: session.state.resources, others: open, names })
  if (!open.has(meant)) throw notOpen(meant, open)
  return [meant]
}

const ask = (
  io: Io,
  session: Session,
  addresses: readonly string[],
  found: CreationsFound,
): Promise<Decision[]> => {
  const open = openIn(session)
  const canBeId = idsIn(session)
  return askWhatBecame(
    io,
    addresses.map((address) => {
      const intents = open.get(address) ?? []
      const requests = intents.map(({ method, path }) => `${method} ${path}`)
      const until = lastOf(intents, io.now())
      const creations = intents.filter(isCreation)
      const about = creations.flatMap((intent) => aboutCreation(intent, found))
      return { address, requests, canBeCreated: creations.length > 0, canBeId, until, about }
    }),
  )
}

/** Decisions from the command line; errors name the address. */
const listOf = (decisions: readonly Decision[]): Decided => ({
  decisions,
  refuse: (_, key, message) => {
    if (key === 'notCreated') throw new UnknownOutcomeError(message, { hint: TOO_EARLY })
    throw new AddressError(message, { hint: HINT })
  },
  check: () => {
    for (const [created, given] of Map.groupBy(decisions, idIn))
      if (created !== undefined && given.length > 1)
        throw new AddressError(
          `${created} can have only one address, but is given for ${given.map(({ address }) => address).join(' and ')}`,
          { hint: HINT },
        )
  },
})

const HINT = `deploymgmt state list shows what has an unknown outcome. Give the id as the service shows it, usually ${USUAL_ID_FORM}.`

const NOT_AGAIN =
  'a creation may have taken effect, so it is not sent again before somebody knows: give its id, or say that it was not created'

const TOO_EARLY = 'Run deploymgmt plan or apply after that time: both look for evidence first.'

/** Until when the last of them can still take effect. */
const lastOf = (intents: readonly OpenIntent[], now: Date): string | undefined =>
  latest(intents.map((intent) => canStillHappen(intent, now)))

/** Requests of unknown outcome, by address. */
type Open = ReadonlyMap<string, readonly OpenIntent[]>

const openIn = (session: Pick<Recorded, 'unknown'>): Open =>
  Map.groupBy(session.unknown, ({ address }) => address)

type Refusal = readonly [key: Parameters<Decided['refuse']>[1], message: string]

interface Known {
  readonly open: Open
  readonly taken: Taken
  readonly canBeId: (text: string) => boolean
  readonly now: Date
}

/** The objections to one decision. A request that can still take effect must not be declared not created. */
const refusalsOf = (decision: Decision, known: Known): Refusal[] => {
  const { open, now } = known
  const { address, is } = decision
  const intents = open.get(address)
  if (intents === undefined) return [['address', notOpen(address, open).message]]
  if (is === 'created') return whyNotCreated(intents, decision.id, known).map((wrong) => [is, wrong])
  if (is === 'again' && intents.some(isCreation)) return [[is, NOT_AGAIN]]
  const until = lastOf(intents, now)
  return until === undefined
    ? []
    : [['notCreated', `the request about ${address} could still take effect until ${sayInstant(until)}`]]
}

/** Records all decisions, or none. */
const decide = async (
  io: Io,
  options: CommonOptions,
  session: Session,
  { decisions: given, refuse, check }: Decided,
): Promise<string | readonly string[]> => {
  const [now, open] = [io.now(), openIn(session)]
  const { resources } = session.state
  const names = await projectNamesKnown(io, options, session.state)
  const known = { open, taken: takenIn(resources), canBeId: idsIn(session), now }
  const addressOf = recordAddresses({ records: resources, others: open, names })
  const decided = new Map<string, string>()
  const decisions = given.map((own): Decision => {
    const address = addressOf(own.address)
    const decision = { ...own, address }
    // The name and the id of a project form the same address. That a list has one text twice was said when it was read.
    if ((decided.get(address) ?? own.address) !== own.address)
      refuse(own, 'address', `${address} is decided twice`)
    for (const [key, message] of refusalsOf(decision, known)) refuse(own, key, message)
    if (!decided.has(address)) decided.set(address, own.address)
    return decision
  })
  check()
  const after = { ...session.state.resources }
  const settled = decisions.flatMap((decision) =>
    (open.get(decision.address) ?? []).map((intent) => {
      const effects = isCreation(intent)
        ? createdAs(intent, idIn(decision), after)
        : changedPerhaps(intent, after, now)
      applyEffects(after, effects)
      return { n: intent.n, how: 'a person decided', effects }
    }),
  )
  await session.settled(settled)
  const done = [
    ...decisions.map((each) => said(each, open.get(each.address)?.some(isCreation) === true)),
    ...left(session),
  ]
  return done.length === 1 ? done.join('') : done
}

const said = (decision: Decision, wasCreation: boolean): string => {
  const { address, is } = decision
  if (!wasCreation) return `${address}: the next plan decides again, whatever happened to the change.`
  return is === 'created'
    ? `${address} is recorded with the id ${asSpelled(decision.id)}; the next apply writes all of its fields.`
    : `${address} counts as not created; the next plan decides again.`
}

const left = (session: Session): string[] => {
  const addresses = [...openIn(session).keys()]
  return addresses.length === 0 ? [] : [`Outcome still unknown: ${addresses.join(', ')}.`]
}

const notOpen = (address: string, open: Open): AddressError =>
  new AddressError(
    `no request about ${address} has an unknown outcome${didYouMean(nearest(address, [...open.keys()]))}`,
    { hint: HINT },
  )

const isCreation = (intent: OpenIntent): boolean => {
  const definition = definitionOf(kinds, intent.kind)
  return definition !== undefined && !isNone(definition.establish.create) && intent.method === 'POST'
}

/** A wrong id, or that of another thing, would let later writes change things that are not ours. */
const whyNotCreated = (
  intents: readonly OpenIntent[],
  id: string,
  { taken, canBeId }: Pick<Known, 'taken' | 'canBeId'>,
): string[] => {
  const creations = intents.filter(isCreation)
  if (creations.length === 0) {
    const requests = intents.map(({ method, path }) => `${method} ${path}`).join(', ')
    return [`nothing was being created there (${requests}); use --again to let the next plan decide`]
  }
  return creations.flatMap(({ kind }) => {
    if (!canBeId(id)) return [`${JSON.stringify(id)} is not an id of the service`]
    const address = taken.get(thingOf(kind, id))
    return address === undefined ? [] : [`${id} is already recorded at ${address}`]
  })
}

/** Whether a text can be an id of this service. One of another form than the usual is a slip if all known ids have that. */
const idsIn = ({ state, unknown }: Pick<Recorded, 'state' | 'unknown'>): ((text: string) => boolean) => {
  const things = [...Object.values(state.resources), ...unknown.map((intent) => lostWrite(intent).expected)]
  const ids = things.flatMap(({ kind, identity }) => {
    const fields = definitionOf(kinds, kind)?.fields
    return Object.entries(identity).flatMap(([name, text]) => (fields?.[name]?.type.is === 'id' ? text : []))
  })
  return ids.every((id) => isUsualId(id)) ? isUsualId : isId
}

/** Addresses by kind and recorded id. */
type Taken = ReadonlyMap<string, string>

const takenIn = (records: Records): Taken =>
  new Map(
    Object.entries(records).flatMap(([address, { kind, identity }]) => {
      const id = identity[definitionOf(kinds, kind)?.identity.key ?? '']
      return id === undefined ? [] : [[thingOf(kind, id), address]]
    }),
  )

const thingOf = (kind: string, id: string): string => `${kind} ${asSpelled(id)}`

/** What a person says is not taken as verified: the next apply writes every field. */
const createdAs = (intent: OpenIntent, id: string | undefined, records: Records): Effect[] => {
  const definition = definitionOf(kinds, intent.kind)
  if (definition === undefined || id === undefined) return []
  const write = lostWrite(intent)
  const { address, expected } = write
  const resource: RecordedResource = {
    ...expected,
    identity: { ...expected.identity, [definition.identity.key]: id },
    lastWrite: spanOfUnknown(write),
    watermark: write.at,
    unsure: writableFields(definition).filter((name) => expected.applied[name] !== undefined),
  }
  return putInstead(definition, address, resource, records)
}

/**
 * A person who says that a change was not made can be mistaken: its event stays our own, and its fields are written
 * again.
 */
const changedPerhaps = (intent: OpenIntent, records: Records, now: Date): readonly Effect[] => {
  const definition = definitionOf(kinds, intent.kind)
  if (definition === undefined || intent.method === 'DELETE') return []
  const write = lostWrite(intent)
  return effectsOfLostChange(definition, write, records, spanOfUnknown(write, serviceTimeAt(intent, now)))
}
