import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  reason,
  takeSteps,
  watchEvents,
  type Provisional,
  type SentBefore,
  type Settled,
  type Settlement,
  type Unsettled,
} from '@deploymgmt/provider/engine'
import type { ChangeResult } from '../../apply/result.ts'
import { sessionLedger } from '../../apply/ledger.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { print, type Io } from '../../io.ts'
import { formatOf, rendererOf } from '../../render/formats.ts'
import { saySettled } from '../../render/wording/words.ts'
import { wordsAbout } from './plan-words.ts'
import type { Session } from '../../state/index.ts'
import { allowedBy, sameFlagsOf, type AllowOptions, type CommonOptions } from '../line/options.ts'
import { styleOf } from '../output/report.ts'
import { resolveGlobs, targetOf } from '../resolve/target.ts'
import { tell } from '../output/tell.ts'
import { refusalOf } from './consent.ts'
import { knownElsewhere } from './known-things.ts'
import { organizationsDeclared, settlementOf, undecided } from './unknown-outcomes.ts'

/** One apply with its open state, as far as settling needs it. */
export interface Settling {
  readonly io: Io
  readonly options: CommonOptions & AllowOptions
  readonly client: Client
  readonly session: Session
  readonly loaded: LoadedDeclaration
}

/** What is known of writes with an unknown outcome; `log` holds the events that were read last, if any. */
export interface Outcomes extends Pick<Settlement, 'provisional' | 'open' | 'log'> {
  /** Whether there was anything to settle. */
  readonly any: boolean
  /** What a write has to settle before the plan is carried out. */
  readonly steps: readonly Provisional[]
  /** Creations that are sent again with the plan, because the answer shows what became of the first attempt. */
  readonly again: ReadonlyMap<string, SentBefore>
}

/** Settles writes with an unknown outcome by reads alone, and records the result. */
export const settleByReads = async (settling: Settling): Promise<Outcomes> => {
  const any = settling.session.unknown.length > 0
  return { any, ...(await findAndRecord(settling)) }
}

/**
 * Settles the others by writes: asks candidates if they can tell, or sends a fence.
 * @throws UnknownOutcomeError if a person has to decide
 */
export const settleAllByWrites = async (settling: Settling, known: Outcomes): Promise<Outcomes> => {
  const found = await settleByWrites(settling, known)
  await refuseOpen(settling, [...found.open, ...found.steps.map(stillOpen)])
  return found
}

/** The same, but leaves open what this cannot settle. */
export const settleByWrites = async (settling: Settling, known: Outcomes): Promise<Outcomes> => {
  let found = await sendSteps(settling, known)
  // If the answers of candidates leave something open, a fence can still tell.
  if (known.steps.some(isAsk) && found.steps.length > 0 && !found.steps.some(isAsk))
    found = await sendSteps(settling, found)
  return { any: true, ...found }
}

/** @throws UnknownOutcomeError if a person has to decide about any request */
export const refuseOpen = async (
  { session, client, loaded, options }: Settling,
  open: readonly Unsettled[],
): Promise<void> => {
  if (open.length === 0) return
  // Saved, so that requests that were settled as well are not announced again.
  await session.commit()
  throw undecided(session, open, {
    now: client.serviceNow(),
    sameFlags: sameFlagsOf(options),
    orgIds: organizationsDeclared(loaded),
  })
}

/** The result of one look. */
type OneLook = Omit<Outcomes, 'any'>

/** Creations that are sent again with the plan, by address. */
const againOf = ({ provisional }: Settlement): Map<string, SentBefore> =>
  new Map(
    provisional.flatMap(({ address, step: each }) =>
      each?.step === 'again' ? [[address, each.before] as const] : [],
    ),
  )

/** Sends what these steps need, records what the answers settle, and looks once more. */
const sendSteps = async (
  settling: Settling,
  { steps, log }: Pick<OneLook, 'steps' | 'log'>,
): Promise<OneLook> => {
  const { session, client, loaded, options } = settling
  const { declaration } = loaded
  const asks = steps.flatMap(({ n, step: each }) => (each?.step === 'ask' ? [{ n, id: each.id }] : []))
  const known = new Map(session.unknown.map(({ n, bound }) => [n, bound?.id]))
  // Bound before the first candidate is asked, so that a later command asks the same candidates.
  await session.bind(asks.filter(({ n, id }) => known.get(n) !== id))
  const context = {
    client,
    ledger: sessionLedger(session),
    definitions: kinds,
    allowed: allowedBy(options),
    watch: watchEvents(client, { log, declaration }),
    secret,
  }
  const { settled, denied, failed } = await takeSteps(steps, context)
  await record(settling, settled)
  const ids = new Map(asks.map(({ n, id }) => [n, id]))
  await session.bind(denied.map(({ n }) => ({ n, id: ids.get(n) ?? '', denied: true })))
  const words = wordsAbout(loaded)
  for (const { address, why } of failed) {
    const { code, message } = 'error' in why ? why.error : refusalOf(why.needs, words)
    await tell(settling.io, `Not settled: ${address}: ${code}: ${message}`)
  }
  return findAndRecord(settling)
}

const secret = (): Promise<string> => Promise.reject(new TypeError('nothing that is asked holds a secret'))

const findAndRecord = async (settling: Settling): Promise<OneLook> => {
  const { io, session, loaded, client, options } = settling
  const globs = resolveGlobs(options.target, loaded.declaration, session.state.resources)
  const target = targetOf(globs)?.includes
  const elsewhere = knownElsewhere(io, options, loaded, session)
  const found = await settlementOf(session, loaded, client, { target, elsewhere })
  await record(settling, found.settled)
  const again = againOf(found)
  return { ...found, again, steps: found.provisional.filter(({ address }) => !again.has(address)) }
}

const record = async (
  { session, io, loaded, options }: Settling,
  settled: readonly Settled[],
): Promise<void> => {
  const { says } = wordsAbout(loaded)
  await session.settled(settled.map(({ n, effects, how }) => ({ n, effects, how: says(how) })))
  await tellSettled({ io, options, loaded }, settled)
}

/** Reports what became of requests whose answers were lost, and by which evidence. */
export const tellSettled = async (
  { io, loaded, options }: Pick<Settling, 'io' | 'loaded' | 'options'>,
  settled: readonly Pick<Settled, 'address' | 'how'>[],
): Promise<void> => {
  const render = await rendererOf('apply', options.format)
  const words = wordsAbout(loaded)
  for (const each of settled) {
    const { address, how } = each
    await tell(io, saySettled(each, words))
    const document = {
      type: 'settled',
      address,
      reason: words.says(how),
      reasonCode: how.code,
      at: io.now().toISOString(),
    } as const
    const line =
      formatOf('apply', options.format)?.streams === true
        ? render({ document }, styleOf(io, options))
        : undefined
    if (line !== undefined) await print(io.stdout, line)
  }
}

/** Requests settled by the answers to repeated creations. */
export const settledByAnswers = (
  results: readonly ChangeResult[],
  again: ReadonlyMap<string, SentBefore>,
): Pick<Settled, 'address' | 'how'>[] =>
  results
    .filter(({ planned: { change }, status }) => status === 'done' && again.has(change.address))
    .flatMap(({ planned: { change }, notes }) => {
      const how = notes.find(({ code }) => code === 'second-refused' || code === 'not-created-before')
      return how === undefined ? [] : [{ address: change.address, how }]
    })

const isAsk = ({ step: each }: Provisional): boolean => each?.step === 'ask'

const stillOpen = ({ write, step: last }: Provisional): Unsettled => ({
  is: 'open',
  write,
  because: last?.step === 'ask' ? reason('candidate-not-told', { id: last.id }) : reason('no-event-names-it'),
})
