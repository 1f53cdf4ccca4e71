import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  reason,
  settle,
  takeSteps,
  type Pending,
  type SentBefore,
  type Settled,
  type Settlement,
  type Unsettled,
} from '@deploymgmt/provider/engine'
import type { ChangeResult } from '../apply/result.ts'
import { lostWrite, sessionLedger } from '../apply/ledger.ts'
import type { LoadedDeclaration } from '../config/index.ts'
import { print, type Io } from '../io.ts'
import { formatOf, rendererOf } from '../render/formats.ts'
import { commandWords } from '../render/words.ts'
import type { Session } from '../state/index.ts'
import { askToSettle } from './consent.ts'
import { sameFlagsOf, type CommonOptions } from './options.ts'
import { styleOf } from './report.ts'
import { targetOf } from './target.ts'
import { tell } from './tell.ts'
import { openAt, unknownOutcome } from './unknown-outcomes.ts'

interface Settling {
  readonly io: Io
  readonly options: CommonOptions & { readonly autoApprove?: boolean }
  readonly client: Client
  readonly signal: AbortSignal
  readonly session: Session
  readonly loaded: LoadedDeclaration
}

export interface SettledUnknown {
  /** Whether there was anything to settle. */
  readonly any: boolean
  /** Creations whose candidate has said that it is the one. */
  readonly asked: ReadonlySet<string>
  /** Creations that are sent again with the plan, since their answer tells what became of the first. */
  readonly again: ReadonlyMap<string, SentBefore>
}

/**
 * Settles writes of unknown outcome before an apply plans anything, asks candidates where that tells, and writes
 * down what it has found.
 * @throws UnknownOutcomeError when a person has to decide; NotConfirmedError
 */
export const settleUnknown = async (settling: Settling): Promise<SettledUnknown> => {
  const { session, options, io, loaded, signal } = settling
  if (session.unknown.length === 0) return { any: false, asked: new Set(), again: new Map() }
  let found = await findAndRecord(settling)
  const steps = stepsOf(found)
  const asked = steps.filter(isAsk)
  if (steps.length > 0 && options.autoApprove !== true)
    await askToSettle(io, steps, commandWords(loaded.declaration.projectNames), signal)
  if (steps.length > 0) {
    found = await step(settling, found)
    // Where their answers leave something open, a write that changes nothing can still tell.
    if (asked.length > 0 && stepsOf(found).length > 0 && !found.pending.some(isAsk))
      found = await step(settling, found)
  }
  const open = [...found.open, ...stepsOf(found).map(stillOpen)]
  if (open.length > 0) {
    // What was settled beside it is not announced again.
    await session.commit()
    throw unknownOutcome(open.map(openAt(settling.client.serviceNow())), sameFlagsOf(options))
  }
  return { any: true, asked: new Set(asked.map(({ address }) => address)), again: againOf(found) }
}

/** What is sent again with the plan, by address. */
const againOf = ({ pending }: Settlement): Map<string, SentBefore> =>
  new Map(
    pending.flatMap(({ address, step: each }) =>
      each?.step === 'again' ? [[address, each.before] as const] : [],
    ),
  )

/** What is to be settled by a write before the plan is made. */
const stepsOf = (found: Settlement): Pending[] => {
  const again = againOf(found)
  return found.pending.filter(({ address }) => !again.has(address))
}

const step = async (settling: Settling, { pending }: Settlement) => {
  const { session, client } = settling
  const asks = pending.flatMap(({ n, step: each }) => (each?.step === 'ask' ? [{ n, id: each.id }] : []))
  const known = new Set(session.unknown.flatMap(({ n, bound }) => (bound === undefined ? [] : [n])))
  // Before the first of them is asked: a later command asks the same of the same.
  await session.bind(asks.filter(({ n }) => !known.has(n)))
  const context = {
    client,
    ledger: sessionLedger(session),
    definitions: kinds,
    allowed: new Set<string>(),
    secret,
  }
  const { settled, denied, failed } = await takeSteps(pending, context)
  await record(settling, settled)
  const ids = new Map(asks.map(({ n, id }) => [n, id]))
  await session.bind(denied.map(({ n }) => ({ n, id: ids.get(n) ?? '', denied: true })))
  for (const { address, error } of failed)
    await tell(settling.io, `Not settled: ${address}: ${error.code}: ${error.message}`)
  return findAndRecord(settling)
}

const secret = (): Promise<string> => Promise.reject(new TypeError('nothing that is asked holds a secret'))

const findAndRecord = async (settling: Settling): Promise<Settlement> => {
  const { session, loaded, client, options } = settling
  const { declaration } = loaded
  const { target } = targetOf(options.target) ?? {}
  const facts = {
    definitions: kinds,
    declaration,
    records: session.state.resources,
    client,
    target,
    learnt: session.state.learnt,
  }
  const found = await settle(session.unknown.map(lostWrite), facts)
  await record(settling, found.settled)
  return found
}

const record = async (
  { session, io, loaded, options }: Settling,
  settled: readonly Settled[],
): Promise<void> => {
  const { says } = commandWords(loaded.declaration.projectNames)
  await session.settled(settled.map(({ n, effects, how }) => ({ n, effects, how: says(how) })))
  await tellSettled({ io, options, loaded }, settled)
}

/** What became of requests whose answers were lost, and by which evidence. */
export const tellSettled = async (
  { io, loaded, options }: Pick<Settling, 'io' | 'loaded' | 'options'>,
  settled: readonly Pick<Settled, 'address' | 'how'>[],
): Promise<void> => {
  const render = await rendererOf('apply', options.format)
  const { says } = commandWords(loaded.declaration.projectNames)
  for (const { address, how } of settled) {
    await tell(io, `Settled: ${address}: ${says(how)}`)
    const document = {
      type: 'settled',
      address,
      reason: says(how),
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

/** The answers to what was sent again say it, too. */
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

const isAsk = (pending: Pending): boolean => pending.step?.step === 'ask'

const stillOpen = ({ write, step: last }: Pending): Unsettled => ({
  is: 'open',
  write,
  because: last?.step === 'ask' ? reason('candidate-not-told', { id: last.id }) : reason('no-event-names-it'),
})
