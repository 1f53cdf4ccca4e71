import { isUsualId } from '@deploymgmt/provider/core/check'
import { asSentence, definitionOf, isNone, nearest, USUAL_ID_FORM } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  applyEffects,
  effectsOfLostChange,
  spanOfUnknown,
  stepAside,
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
import { resolveRecordAddress } from '../resolve/address.ts'
import type { CommonOptions } from '../line/options.ts'
import { aboutCreation, whatIsFound, type CreationsFound } from '../run/lost-creation.ts'
import { noState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { changeState, stateToOpen, told } from './change.ts'

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
    return changeState(io, how, 'state resolve', (session) => decide(session, decided, io.now()))
  }
  if (address !== undefined && outcome !== undefined)
    return changeState(io, how, 'state resolve', (session) =>
      decide(session, listOf([{ address, ...outcome }]), io.now()),
    )
  if (outcome !== undefined) throw new UsageError('give the ADDRESS that this is about')
  // Where nothing is to be decided, nothing is saved, because a state that is lost must not begin anew.
  const read = await readSession(await stateToOpen(io, how), systemOf(io))
  if (undecided(read, address).length === 0) {
    const missing = noState(io, read)
    for (const notice of read.notices) await tell(io, notice)
    await told(io, how, [NOTHING_UNKNOWN, ...(missing === undefined ? [] : [asSentence(missing)])])
    return 0
  }
  if (io.stdin().isTTY !== true)
    throw new UsageError(
      'give an ADDRESS with --created ID or --not-created, or with --again for a change, or a list of decisions with --from',
    )
  const found = await whatIsFound(io, how)
  return changeState(io, how, 'state resolve', async (session) =>
    decide(session, listOf(await ask(io, session, undecided(session, address), found)), io.now()),
  )
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
const undecided = (session: Recorded, given: string | undefined): string[] => {
  const meant = given === undefined ? undefined : resolveOpenAddress(given, session)
  const open = [...openIn(session).keys()].filter((each) => meant === undefined || each === meant)
  if (meant !== undefined && open.length === 0) throw notOpen(meant, session)
  return open
}

const ask = (
  io: Io,
  session: Session,
  addresses: readonly string[],
  found: CreationsFound,
): Promise<Decision[]> => {
  const open = openIn(session)
  return askWhatBecame(
    io,
    addresses.map((address) => {
      const intents = open.get(address) ?? []
      const requests = intents.map(({ method, path }) => `${method} ${path}`)
      const until = lastOf(intents, io.now())
      const creations = intents.filter(isCreation)
      const about = creations.flatMap((intent) => aboutCreation(intent, found))
      return { address, requests, canBeCreated: creations.length > 0, until, about }
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
    for (const [created, given] of Map.groupBy(decisions, (each) => idIn(each)?.toLowerCase()))
      if (created !== undefined && given.length > 1)
        throw new AddressError(
          `${created} can have only one address, but is given for ${given.map(({ address }) => address).join(' and ')}`,
          { hint: HINT },
        )
  },
})

const HINT = `deploymgmt state list shows what has an unknown outcome. Give the id as the service shows it: ${USUAL_ID_FORM}.`

const NOT_AGAIN =
  'a creation may have taken effect, so it is not sent again before somebody knows: give its id, or say that it was not created'

const TOO_EARLY = 'Run deploymgmt plan or apply after that time: both look for evidence first.'

/** Until when the last of them can still take effect. */
const lastOf = (intents: readonly OpenIntent[], now: Date): string | undefined =>
  latest(intents.map((intent) => canStillHappen(intent, now)))

const openIn = (session: Recorded): Map<string, OpenIntent[]> =>
  Map.groupBy(session.unknown, ({ address }) => address)

/** An address with an open request may have no record yet. */
const resolveOpenAddress = (given: string, session: Recorded): string =>
  resolveRecordAddress(given, session.state, [...openIn(session).keys()])

type Refusal = readonly [key: Parameters<Decided['refuse']>[1], message: string]

/** The objections to one decision. A request that can still take effect must not be declared not created. */
const refusalsOf = (
  decision: Decision,
  intents: readonly OpenIntent[] | undefined,
  session: Session,
  now: Date,
): Refusal[] => {
  const { address, is } = decision
  if (intents === undefined) return [['address', notOpen(address, session).message]]
  if (is === 'created')
    return whyNotCreated(intents, decision.id, session.state.resources).map((wrong) => [is, wrong])
  if (is === 'again' && intents.some(isCreation)) return [[is, NOT_AGAIN]]
  const until = lastOf(intents, now)
  return until === undefined
    ? []
    : [['notCreated', `the request about ${address} could still take effect until ${sayInstant(until)}`]]
}

/** Records all decisions, or none. */
const decide = async (
  session: Session,
  { decisions: given, refuse, check }: Decided,
  now: Date,
): Promise<string | readonly string[]> => {
  const open = openIn(session)
  const decisions = given.map((each) => ({
    ...each,
    own: each,
    address: resolveOpenAddress(each.address, session),
  }))
  for (const [index, decision] of decisions.entries()) {
    const { address, own } = decision
    // The name and the id of a project form the same address.
    if (decisions.findIndex((each) => each.address === address) < index)
      refuse(own, 'address', `${address} is decided twice`)
    for (const [key, message] of refusalsOf(decision, open.get(address), session, now))
      refuse(own, key, message)
  }
  check()
  const after = { ...session.state.resources }
  const settled = decisions.flatMap((decision) =>
    (open.get(decision.address) ?? []).map((intent) => {
      const effects = isCreation(intent)
        ? createdAs(intent, idIn(decision)?.toLowerCase(), after)
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
    ? `${address} is recorded with the id ${decision.id.toLowerCase()}; the next apply writes all of its fields.`
    : `${address} counts as not created; the next plan decides again.`
}

const left = (session: Session): string[] => {
  const addresses = [...openIn(session).keys()]
  return addresses.length === 0 ? [] : [`Outcome still unknown: ${addresses.join(', ')}.`]
}

const notOpen = (address: string, session: Recorded): AddressError => {
  const close = nearest(address, [...openIn(session).keys()])
  return new AddressError(
    `no request about ${address} has an unknown outcome${close === undefined ? '' : `; did you mean ${close}?`}`,
    { hint: HINT },
  )
}

const isCreation = (intent: OpenIntent): boolean => {
  const definition = definitionOf(kinds, intent.kind)
  return definition !== undefined && !isNone(definition.establish.create) && intent.method === 'POST'
}

/** A wrong id, or that of another thing, would let later writes change things that are not ours. */
const whyNotCreated = (intents: readonly OpenIntent[], id: string, records: Records): string[] => {
  const creations = intents.filter(isCreation)
  if (creations.length === 0) {
    const requests = intents.map(({ method, path }) => `${method} ${path}`).join(', ')
    return [`nothing was being created there (${requests}); use --again to let the next plan decide`]
  }
  return creations.flatMap(({ kind }) => {
    const definition = definitionOf(kinds, kind)
    if (definition === undefined) return []
    if (!isUsualId(id)) return [`${JSON.stringify(id)} is not an id of the service`]
    const { key } = definition.identity
    const taken = Object.entries(records).find(
      ([, record]) => record.kind === kind && record.identity[key]?.toLowerCase() === id.toLowerCase(),
    )
    return taken === undefined ? [] : [`${id} is already recorded at ${taken[0]}`]
  })
}

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
  return [...stepAside(definition, address, records[address]), { op: 'put', address, resource }]
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
