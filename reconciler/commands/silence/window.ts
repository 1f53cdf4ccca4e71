import { DAY_MS, formatInstant, wholeSecond } from '@deploymgmt/provider/core'
import type { Client } from '@deploymgmt/provider/api'
import { ForbiddenError, InvalidRequestError, type DeploymgmtError } from '@deploymgmt/provider/errors'
import {
  readAndPlan,
  stillToKnow,
  targetOfThese,
  watchEvents,
  type Entry,
  type Made,
  type RecordedResource,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { applyPlan } from '../../apply/waves.ts'
import { sessionLedger } from '../../apply/ledger.ts'
import type { ChangeResult } from '../../apply/result.ts'
import { NotConfirmedError } from '../../errors/index.ts'
import { commandWords } from '../../render/wording/words.ts'
import { ALLOW_FLAGS } from '../line/options.ts'
import { refusalOf } from '../run/consent.ts'
import { settleByReads, settleByWrites } from '../run/settle-unknown.ts'
import { addressOf, clockPath, silenceEntry, idOf, quietOf, type Quiet } from './kind.ts'
import type { Silencing } from './state.ts'

/** The silence to create. */
export interface Wanted extends Pick<Quiet, 'projectId' | 'types' | 'reason'> {
  /** Milliseconds. */
  readonly max: number
}

/** A created silence. Instants are service time, ISO 8601. */
export interface Silence {
  /** Undefined if it is unknown whether the window exists. */
  readonly id: string | undefined
  readonly address: string
  readonly startDate: string
  readonly endDate: string
  /** Milliseconds until it begins; most have begun. */
  readonly beginsIn: number
}

/** The delay of the start, if a service requires one in the future. */
const AHEAD_MS = 5_000
/** How long a window that is over stays known to everybody, because its events can be read for a while. */
const KNOWN_MS = 90 * DAY_MS

/**
 * Opens a window from now on, by the service's clock.
 *
 * @param name of its address, unique
 * @throws the error that prevented it
 */
export const openWindow = async (silencing: Silencing, wanted: Wanted, name: string): Promise<Silence> => {
  const { client, session } = silencing
  await settleEarlier(silencing)
  await introduce(client, clockPath(wanted.projectId))
  await forgetOver(silencing)
  const address = addressOf(name)
  const now = wholeSecond(client.serviceNow())
  const endDate = formatInstant(now + wanted.max)
  const from = async (start: number): Promise<[ChangeResult, string]> => {
    const startDate = formatInstant(start)
    const entry = silenceEntry(address, { ...wanted, from: startDate, to: endDate })
    return [await carryOut(silencing, address, [entry]), startDate]
  }
  let [result, startDate] = await from(now)
  // The API leaves open whether the start may be in the past.
  if (result.error instanceof InvalidRequestError && wanted.max > 2 * AHEAD_MS)
    [result, startDate] = await from(wholeSecond(client.serviceNow()) + AHEAD_MS)
  if (result.status === 'unknown') await settleEarlier(silencing)
  const record = session.state.resources[address]
  const id = record && idOf(record)
  if (id === undefined && result.status !== 'unknown') throw failureOf(silencing, result)
  return { id, address, startDate, endDate, beginsIn: Date.parse(startDate) - client.serviceNow() }
}

/**
 * One small read determines the service's time and proves that the key is valid: a refused creation then says which
 * role is lacking, whereas as the first request it would look like a wrong key. If the read itself is refused,
 * nothing is lost.
 */
const introduce = async (client: Client, path: string): Promise<void> => {
  try {
    await client.list(path, { itemsPerPage: 1 }, { maxPages: 1, tentative: true })
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error
  }
}

/** The result of ending a window. */
export type Ended = 'ended' | 'over' | 'not-there'

/** Ends a recorded window. @throws the error that prevented it */
export const endWindow = async (silencing: Silencing, address: string): Promise<Ended> => {
  const { session } = silencing
  await settleEarlier(silencing)
  if (session.state.resources[address] === undefined) return 'not-there'
  const result = await carryOut(silencing, address, [])
  const { status, planned } = result
  if (status !== 'done' && status !== 'expired') throw failureOf(silencing, result)
  return status === 'expired' || planned.change.action === 'expired' ? 'over' : 'ended'
}

/** Settles requests of earlier commands by evidence; without evidence, they stay open. */
export const settleEarlier = async ({ io, options, ...silencing }: Silencing): Promise<void> => {
  if (silencing.session.unknown.length === 0) return
  const settling = { io, options: { ...options, format: 'text', target: [] }, ...silencing }
  const known = await settleByReads(settling)
  if (known.steps.length > 0) await settleByWrites(settling, known)
}

/**
 * Windows that are over need no record; they stay known as long as events may name them. Not judged by the clock of
 * this machine, which can be wrong.
 */
export const forgetOver = async (silencing: Silencing): Promise<void> => {
  const { client, session } = silencing
  const { resources, known = [], compared = {} } = session.state
  const isOpen = new Set(session.unknown.map(({ address }) => address))
  const overNow = (): [string, RecordedResource][] =>
    Object.entries(resources).filter(
      ([address, record]) => !isOpen.has(address) && Date.parse(quietOf(record).to) <= client.serviceNow(),
    )
  const [seeming] = overNow()
  if (seeming !== undefined) await client.learnTime(clockPath(quietOf(seeming[1]).projectId))
  await session.effects(overNow().map(([address]) => ({ op: 'drop', address }) as const))
  const isYoung = ({ at }: Made): boolean => Date.parse(at) > client.serviceNow() - KNOWN_MS
  const [young, old] = [known.filter(isYoung), known.filter((made) => !isYoung(made))]
  const kept = old.length === 0 ? old : await uncompared(silencing, old)
  if (kept.length < old.length) session.compared(compared, [...kept, ...young])
}

/**
 * An event need not show that a window is over: without a note, one of long ago would be a stranger to the first
 * apply that reads events from back then.
 */
const uncompared = async (
  { client, compared, loaded }: Silencing,
  old: readonly Made[],
): Promise<readonly Made[]> => {
  const { declaration } = loaded
  return stillToKnow(old, await compared(), { definitions: kinds, declaration, now: client.serviceNow() })
}

/** Does for one address what an apply would do: creates it if it is declared, and ends it if not. */
const carryOut = async (
  silencing: Silencing,
  address: string,
  entries: readonly Entry[],
): Promise<ChangeResult> => {
  const { client, session, loaded } = silencing
  const records = session.state.resources
  // All others are declared: otherwise a window that starts in the same second would count as the same one under a
  // new name.
  const others = Object.entries(records).flatMap(([each, record]) =>
    each === address ? [] : [silenceEntry(each, quietOf(record))],
  )
  const run = await readAndPlan(client, {
    definitions: kinds,
    declaration: { ...loaded.declaration, entries: [...others, ...entries] },
    records,
    look: 'for-plan',
    target: targetOfThese(new Set([address])),
  })
  const { results, failure } = await applyRun(silencing, run)
  if (failure !== undefined) throw failure
  const found = results.find(({ planned: { change } }) => change.address === address)
  if (found === undefined) throw new TypeError(`nothing was planned for ${address}`)
  return found
}

const applyRun = (
  { client, session, loaded, signal }: Silencing,
  run: Awaited<ReturnType<typeof readAndPlan>>,
): ReturnType<typeof applyPlan> => {
  const { planned } = run.plan
  const words = commandWords(loaded.declaration.projectNames)
  return applyPlan({
    context: {
      client,
      ledger: sessionLedger(session),
      definitions: kinds,
      planned,
      // A silence is ended, whoever has changed it meanwhile.
      allowed: new Set([ALLOW_FLAGS.allowOverwrite[0]]),
      secret: () => Promise.reject(new TypeError('a window has no secret')),
      watch: watchEvents(client, run),
    },
    planned,
    planAgain: () => Promise.resolve([]),
    concurrency: 1,
    signal,
    refuse: (needs) => refusalOf(needs, words),
    onStart: () => undefined,
    onFinish: () => undefined,
  })
}

const failureOf = (
  { loaded }: Silencing,
  { error, planned, status, notes }: ChangeResult,
): DeploymgmtError => {
  if (error !== undefined) return error
  const { says, step } = commandWords(loaded.declaration.projectNames)
  const reasons = status === 'skipped' ? notes : [planned.change.reason, ...notes]
  const steps = reasons.flatMap((each) => step(each) ?? [])
  return new NotConfirmedError(reasons.map((each) => says(each)).join('; '), {
    interrupted: status === 'skipped',
    hint: steps[0] ?? 'Run the command again.',
  })
}
