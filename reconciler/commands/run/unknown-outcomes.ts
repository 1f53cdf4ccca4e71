import type { Client } from '@deploymgmt/provider/api'
import {
  applyEffects,
  settle,
  type LostWrite,
  type Made,
  type Provisional,
  type Reason,
  type Records,
  type Settled,
  type Settlement,
  type Target,
  type Unsettled,
} from '@deploymgmt/provider/engine'
import { pick, type Values } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { sayInstant } from '@deploymgmt/provider/words'
import { latest, lostWrite, stillHappens } from '../../apply/intent-forms.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { UnknownOutcomeError } from '../../errors/index.ts'
import { fold, MANY, moreLikeIt } from '../../render/terminal/folded.ts'
import { groupBy } from '../../text/group-by.ts'
import { resolveCommands, runAgain, whereToLook } from '../../render/wording/resolve-commands.ts'
import { commandWords } from '../../render/wording/words.ts'
import { number } from '../../text/number.ts'
import { type ReadSession, whereabouts } from '../../state/index.ts'

interface Looking {
  /** The limits of a run. */
  readonly target?: Target['includes'] | undefined
  /** What other states know. */
  readonly elsewhere: () => Promise<readonly Made[]>
}

/** The evidence about writes with an unknown outcome. */
export const settlementOf = async (
  { unknown, state }: Pick<ReadSession, 'unknown' | 'state'>,
  { declaration }: Pick<LoadedDeclaration, 'declaration'>,
  client: Client,
  { target, elsewhere: look }: Looking,
): Promise<Settlement> => {
  const { resources: records, learnt, unrecorded } = state
  const elsewhere = unknown.length === 0 ? [] : await look()
  const facts = { definitions: kinds, declaration, records, client, target, learnt, unrecorded, elsewhere }
  return settle(unknown.map(lostWrite), facts)
}

/**
 * Finds out about writes with an unknown outcome before anything else is planned, by reads alone; if an apply would
 * first settle a request by a write, the expected outcome counts. While another command writes, requests without an
 * answer may just be under way, so nothing is settled.
 * @throws UnknownOutcomeError if a person has to decide
 */
export const expectedOutcomes = async (
  session: Pick<ReadSession, 'unknown' | 'busy' | 'state'>,
  loaded: LoadedDeclaration,
  client: Client,
  { sameFlags, leavesOpen = false, ...looking }: Telling,
): Promise<ExpectedOutcomes> => {
  if (session.busy !== undefined)
    return { expected: [], settled: [], toSettle: [], provisional: [], stillOpen: undefined }
  const { settled, provisional, open } = await settlementOf(session, loaded, client, looking)
  const about = { now: client.serviceNow(), sameFlags, orgIds: organizationsDeclared(loaded) }
  const error = open.length === 0 ? undefined : undecided(session, open, about)
  if (error !== undefined && !leavesOpen) throw error
  const isAgain = isDoneAgain(session.unknown)
  return {
    expected: [...settled, ...provisional],
    settled: settled.filter((each) => !isAgain(each)),
    toSettle: [...settled.filter(isAgain), ...provisional],
    provisional,
    stillOpen: error && { error, writes: open.map(({ write }) => write) },
  }
}

/** The organizations that are declared. */
export const organizationsDeclared = ({
  declaration: { organizations, orgIds },
}: Pick<LoadedDeclaration, 'declaration'>): string[] => [...new Set([...organizations.values(), ...orgIds])]

interface Circumstances {
  readonly now: number
  readonly sameFlags: string
  /** The organizations whose events can show what happened. */
  readonly orgIds?: readonly string[]
}

/** The error for requests that a person has to decide about; other unknown outcomes are named as well. */
export const undecided = (
  { unknown }: Pick<ReadSession, 'unknown'>,
  open: readonly Unsettled[],
  { now, sameFlags, orgIds = [] }: Circumstances,
): UnknownOutcomeError => {
  const isOpen = new Set(open.map(({ write }) => write.n))
  const others = unknown.filter(({ n }) => !isOpen.has(n)).map(lostWrite)
  const besides = others.map((write): Unsettled => ({ is: 'open', write, because: undefined }))
  return unknownOutcome(open.map(openAt(now)), sameFlags, { besides: besides.map(openAt(now)), orgIds })
}

/**
 * Whether an apply has to repeat the request: all updates and deletions, and creations of which only the id is
 * known.
 */
const isDoneAgain = (unknown: ReadSession['unknown']) => {
  const creations = new Set(unknown.flatMap(({ n, method }) => (method === 'POST' ? [n] : [])))
  return ({ n, effects }: Settled): boolean =>
    !creations.has(n) || effects.some((each) => each.op === 'put' && each.resource.unsure !== undefined)
}

/** What reads show about writes with an unknown outcome. */
interface ExpectedOutcomes {
  /** The expected outcomes of all of them. */
  readonly expected: readonly (Settled | Provisional)[]
  /** Those that are completely known. */
  readonly settled: readonly Settled[]
  /** Those that are unknown until an apply has repeated or verified them. */
  readonly toSettle: readonly (Settled | Provisional)[]
  /** Those of them for which something is sent ahead of the plan. */
  readonly provisional: Settlement['provisional']
  /** Those that a person has to decide about, if the command goes on without them. */
  readonly stillOpen: StillOpen | undefined
}

/** Requests that a person has to decide about, with the error that names the commands. */
export interface StillOpen {
  readonly error: UnknownOutcomeError
  readonly writes: readonly LostWrite[]
}

interface Telling extends Looking {
  readonly sameFlags: string
  /** Go on if a person has to decide about some of them. */
  readonly leavesOpen?: boolean | undefined
}

/**
 * What a change with an unknown outcome was to make of the thing at an address, and what adoption saw there before.
 */
export const sentBy =
  ({ unknown, state }: Pick<ReadSession, 'unknown' | 'state'>) =>
  (address: string): (Values | 'deletion')[] =>
    unknown
      .filter((each) => each.address === address && each.method !== 'POST')
      .flatMap((each): (Values | 'deletion')[] => {
        if (each.method === 'DELETE') return ['deletion']
        const { expected, fields } = lostWrite(each)
        const { applied, adopted } = expected
        return [
          pick(applied, fields),
          // What adoption saw counts until the thing is recorded; later it is outdated.
          ...(adopted === null || state.resources[address] !== undefined ? [] : [pick(adopted, fields)]),
        ]
      })

/** Names the requests that a person has to decide about, for the warnings of a report that goes on without them. */
export const openWarnings = (open: StillOpen | undefined): string[] =>
  (open?.writes ?? []).map(
    ({ address, method }) =>
      `the outcome of an earlier request is unknown (${method} for ${address}): nothing is said here of ${address}, and nothing is changed anywhere until it is resolved`,
  )

/** Says that another command is writing, for the warnings of a report. */
export const busyWarnings = ({ unknown, busy }: Pick<ReadSession, 'unknown' | 'busy'>): string[] => {
  if (busy === undefined) return []
  const open = [...new Set(unknown.map(({ address }) => address))]
  const flight = open.length === 0 ? '' : `; it may be sending ${open.join(', ')}`
  return [
    `another command is writing to the state (deploymgmt ${busy.command}, ${whereabouts(busy)})${flight}: all of this may change before it ends`,
  ]
}

/** The records as they will be once settled requests are recorded; for commands that write nothing. */
export const withSettled = (records: Records, settled: readonly Pick<Settled, 'effects'>[]): Records => {
  const result = { ...records }
  for (const { effects } of settled) applyEffects(result, effects)
  return result
}

/** A request with an unknown outcome, for the error that names it. */
interface Open {
  readonly write: Pick<LostWrite, 'address' | 'method' | 'path'>
  readonly because: Reason | undefined
  /** Until when it can still take effect. */
  readonly until: string | undefined
}

/**
 * Describes a request that no evidence settles, and whether it can still take effect by the service's clock
 * (milliseconds).
 */
const openAt =
  (serviceNow: number) =>
  ({ write, because }: Unsettled): Open => ({ write, because, until: stillHappens(write, serviceNow) })

/** Whether the reason only says that it is too early, which the error says in any case. */
const isSaid = ({ code }: Reason, until: string | undefined): boolean =>
  code === 'can-still-happen' && until !== undefined

/** If evidence was not looked for yet, an apply does so; otherwise a person must decide. */
const whatToDo = (open: readonly Open[], sameFlags: string, orgIds: readonly string[]): string[] => {
  const instants = open.flatMap((each) => each.until ?? [])
  const until = latest(instants)
  const hasCreation = open.some(({ write: { method } }) => method === 'POST')
  const decide = hasCreation ? 'say what happened:' : 'let the next plan decide again:'
  if (open.every(({ because }) => because === undefined)) {
    const when = until === undefined ? 'first' : `after ${sayInstant(until)}`
    return [`Run deploymgmt apply ${when}: it settles what it can by itself. Where it cannot, ${decide}`]
  }
  if (!hasCreation) return [`Look at what somebody else has changed, and ${decide}`]
  const look = `at ${whereToLook(orgIds)}, and ${decide}`
  return until === undefined
    ? [`Look ${look}`]
    : [runAgain(until, sameFlags, { late: instants.length, of: open.length }), `Or look ${look}`]
}

/** Each request with its commands; of many similar ones, the first few and a command for all. */
const linesOf = (open: readonly Open[], sameFlags: string, decidesAll: readonly string[] = []): string[] => {
  const { says } = commandWords()
  const whyOf = ({ because, until }: Open): string =>
    because === undefined || isSaid(because, until) ? '' : ` (${says(because)})`
  const requestOf = ({ write: { method, path } }: Open): string => `${method} ${path}`
  const named = (each: Open): string[] => {
    const { write, because, until } = each
    const lost = {
      wasCreation: write.method === 'POST',
      until,
      isUnseen: because?.code === 'nowhere-to-look',
    }
    return [
      `${write.address}: ${requestOf(each)}${whyOf(each)}`,
      ...resolveCommands(write.address, lost, sameFlags).map((command) => `    ${command}`),
    ]
  }
  return groupBy(open, (each) => JSON.stringify([each.write.method, whyOf(each)])).flatMap((group) => {
    const { shown, hidden } = fold(group, { room: MANY })
    const more = moreLikeIt(hidden.length, `deploymgmt state list${sameFlags}`)
    return [...shown.flatMap(named), ...(hidden.length === 0 ? [] : [more, ...decidesAll])]
  })
}

/**
 * The error that says when to look again, or names each address and the commands that resolve it.
 *
 * `besides` are requests that nobody has to decide about; events of `orgIds` can show the others.
 */
export const unknownOutcome = (
  open: readonly Open[],
  sameFlags: string,
  {
    besides = [],
    orgIds = [],
  }: { readonly besides?: readonly Open[]; readonly orgIds?: readonly string[] } = {},
): UnknownOutcomeError => {
  // Requests that an apply settles by itself need no list of decisions.
  const decidesAll = `    deploymgmt state resolve --from FILE${sameFlags} takes a list that says what happened to each of them`
  const rest =
    besides.length === 0
      ? []
      : ['The next apply finds out about these by itself:', ...linesOf(besides, sameFlags)]
  const what = open.length === 1 ? 'an earlier request' : `${number(open.length)} earlier requests`
  return new UnknownOutcomeError(
    `the outcome of ${what} is unknown; nothing is changed until it is resolved`,
    {
      hint: [...whatToDo(open, sameFlags, orgIds), ...linesOf(open, sameFlags, [decidesAll]), ...rest].join(
        '\n  ',
      ),
    },
  )
}
