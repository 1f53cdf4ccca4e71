import { fillPath, isNone, type Operation } from '../../core/operation.ts'
import type { Identity } from '../../core/values.ts'
import { DeadlineError, DeploymgmtError, RequestError, type RequestFacts } from '../../errors/index.ts'
import { refuseAnother, refuseMisshapen } from '../read/answer-shape.ts'
import { withKeyNeeds } from '../read/key-needs.ts'
import type { EngineClient } from '../read/client.ts'
import { definitionOf, type KindDefinition } from '../../core/definition.ts'
import { formatInstant, parseInstant } from '../../core/instant.ts'
import type { Effect, Intent, Ledger } from '../values/ledger.ts'
import type { Need, RecordedResource, WriteSpan } from '../values/model.ts'
import type { PlannedChange } from '../plan/work.ts'
import { reason, type Reason } from '../reason.ts'
import { LEFT_MS, WRITTEN_MS } from '../values/span.ts'
import { overwriteNeeds } from './overridden.ts'
import { Overtaken } from './overtaken.ts'
import { LOOK_HOLDS_MS, type Watch } from './watch.ts'

export interface WriteContext {
  readonly client: EngineClient
  readonly ledger: Ledger
  readonly definitions: readonly KindDefinition[]
  /** The plan that is being carried out, as far as the door knows it: guards look at its result. */
  readonly planned?: readonly PlannedChange[]
  /** Flags the user has given. */
  readonly allowed: ReadonlySet<string>
  /** Reads a secret when it is sent; it is kept nowhere. */
  readonly secret: (reference: unknown, path: string) => Promise<string>
  /** Looks at events again; a door that has just looked needs none. */
  readonly watch?: Watch
  /** Lost creations to send again, because the service refuses a second one; by address. */
  readonly again?: ReadonlyMap<string, SentBefore>
}

/** Earlier requests for the same thing whose answers were lost. */
export interface SentBefore {
  /** Their numbers in the ledger. */
  readonly intents: readonly number[]
  /** When they may have taken effect. */
  readonly span: WriteSpan
}

/** How carrying out a change ended if it did not throw. */
export type WriteResult =
  | {
      readonly status: 'done' | 'blocked' | 'expired'
      /** For a person; `blocks` has the notes that say what is blocked. */
      readonly notes: readonly Reason[]
      readonly blocks: readonly BlockedFields[]
    }
  /** The rest needs flags that are missing; what was written until then is recorded. */
  | { readonly status: 'not-allowed'; readonly needs: readonly Need[] }
export interface BlockedFields {
  /** The fields it is about; empty if it is about the whole thing. */
  readonly fields: readonly string[]
  readonly note: Reason
}
export const notAllowed = (needs: readonly Need[]): WriteResult => ({ status: 'not-allowed', needs })
export const done = (notes: readonly Reason[] = []): WriteResult => ({ status: 'done', notes, blocks: [] })
export const expired = (note: Reason): WriteResult => ({ status: 'expired', notes: [note], blocks: [] })
export const blockedWrite = (
  blocks: readonly BlockedFields[],
  notes: readonly Reason[] = [],
): WriteResult => ({
  status: 'blocked',
  notes,
  blocks,
})

/** The record stays at its own address because its replacement was not made. */
export const waits = blockedWrite([{ fields: [], note: reason('waits-for-replacement') }])

export const serviceTime = ({ client }: Pick<WriteContext, 'client'>): Date => new Date(client.serviceNow())

/** Whether the service answered that it did not carry out the request. */
export const wasRefused = (error: unknown): error is RequestError =>
  error instanceof RequestError && error.outcome === 'refused'

/** Whether the service answered that the thing has ended by itself. */
export const saysOver = ({ lifetime }: KindDefinition, error: unknown): boolean =>
  !isNone(lifetime) && wasRefused(error) && lifetime.overCodes.test(error.serviceErrorCode ?? '')

export interface Send {
  readonly address: string
  readonly operation: Operation
  readonly identity: Identity
  readonly body: Readonly<Record<string, unknown>> | undefined
  /** The body as it may be written down, without secrets. */
  readonly kept: Readonly<Record<string, unknown>> | undefined
  readonly names: readonly string[]
  /** The record that success leads to, as far as it is known before the answer. */
  readonly expected: RecordedResource
  /** Earlier intents whose outcome this answer tells as well. */
  readonly closes?: readonly number[]
}

/** Adds events to the expected record of a write that were seen before it, so none of them is later. */
export const having = (expected: RecordedResource, seen: readonly string[]): RecordedResource =>
  seen.length === 0
    ? expected
    : { ...expected, acknowledged: [...new Set([...(expected.acknowledged ?? []), ...seen])] }

export interface Sent {
  readonly body: unknown
  readonly request: RequestFacts
  readonly span: WriteSpan
  /** Set if the answer was a refusal that means that nothing is left to do. */
  readonly refusal?: RequestError
}

/**
 * Sends one write and tells the ledger: the intent before it leaves, its outcome before the next step.
 * `gone` says which refusals mean that nothing is left to do.
 * @throws RequestError, whose outcome the ledger has been told; Overtaken, and then nothing was sent
 */
export const request = async (
  send: Send,
  context: WriteContext,
  conclude: (answer: Sent) => readonly Effect[],
  gone: (error: unknown) => boolean = () => false,
): Promise<Sent> => {
  for (let tried = 1; ; tried += 1) {
    const written = await writtenDown(send, context, tried > 1)
    try {
      return await sendWritten(send, context, { written, conclude, gone })
    } catch (error) {
      // A service that limits requests in each minute may keep it waiting longer than an intent lasts.
      const hasWaited = error instanceof DeadlineError && error.hasWaited
      if (!hasWaited || tried === MOST_INTENTS) throw error
    }
  }
}

interface Written {
  readonly written: WrittenDown
  readonly conclude: (answer: Sent) => readonly Effect[]
  readonly gone: (error: unknown) => boolean
}

const sendWritten = async (
  send: Send,
  context: WriteContext,
  { written: { n, from, withinMs }, conclude, gone }: Written,
): Promise<Sent> => {
  const { names, closes = [] } = send
  const { client, ledger } = context
  // The first answer tells the service's time, and with it the time at which the request was sent.
  const sentWith = (answer: { status: number | undefined; body?: unknown; sentAt?: number }): Sent => ({
    body: answer.body,
    request: answeredWrite(send, client, answer.status),
    span: {
      from: answer.sentAt === undefined ? from : formatInstant(answer.sentAt),
      to: formatInstant(client.serviceNow()),
      by: client.publicKey,
      sent: [names],
    },
  })
  try {
    const answer = await answerTo(send, context, { n, withinMs })
    const sent = sentWith(answer)
    await ledger.answered(n, answer.status, conclude(sent), closes)
    return sent
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    if (gone(error)) {
      const sent = { ...sentWith({ status: error.status }), refusal: error }
      await ledger.answered(n, error.status ?? 404, conclude(sent), closes)
      return sent
    }
    if (error.outcome === 'not-sent') await ledger.withdrawn(n)
    else await (error.outcome === 'unknown' ? ledger.unknown(n, error) : ledger.refused(n, error))
    throw error
  }
}

/** An answer that cannot be understood does not say what a write has done. */
const answeredWrite = (send: Send, { baseUrl }: EngineClient, status: number | undefined): RequestFacts => {
  const { method, path } = lineOf(send)
  return { method, url: baseUrl + path, path, status, outcome: 'unknown' }
}

const lineOf = ({ operation, identity }: Send) => ({
  method: operation.method as 'POST' | 'PATCH' | 'DELETE',
  path: fillPath(operation.path, identity),
})

/** An intent on which a request may be sent. */
interface WrittenDown {
  readonly n: number
  /** When writing it down began. */
  readonly from: string
  /** The number of milliseconds within which the request must have left. */
  readonly withinMs: number
}

/** What is written down of a request before it leaves. */
export const intentOf = (send: Send, client: EngineClient): Intent => ({
  ...lineOf(send),
  address: send.address,
  kind: send.expected.kind,
  body: send.kept,
  fields: send.names,
  at: formatInstant(client.serviceNotBefore()),
  by: client.publicKey,
  expected: send.expected,
})

/** How many times a request is written down at most. */
const MOST_INTENTS = 3

/**
 * Writes the intent down, and once more if that took so long that the request could take effect when nobody expects
 * it any more: a ledger can be far away.
 *
 * @param hasWaited whether the caller's look at events is too old, because the request has waited for its turn
 * @throws DeadlineError, Overtaken; the ledger has been told that nothing was sent
 */
const writtenDown = async (send: Send, context: WriteContext, hasWaited: boolean): Promise<WrittenDown> => {
  const { client, ledger } = context
  for (let tried = 1; ; tried += 1) {
    // Taken before the intent, so that no event of the write seems to be earlier than the write.
    const from = formatInstant(client.serviceNow())
    const intended = await ledger.intent(intentOf(send, client))
    const [n, at] = [intended.n, parseInstant(intended.at)]
    const why = await whyNotSent(send, context, { at, hasWaited })
    if (why === undefined) return { n, from, withinMs: at + LEFT_MS - client.serviceNow() }
    await ledger.withdrawn(n)
    if (!(why instanceof DeadlineError) || tried === MOST_INTENTS) throw why
  }
}

/** Why an intent that was begun at an instant must not be acted upon; undefined if it may. */
const whyNotSent = async (
  send: Send,
  context: WriteContext,
  { at, hasWaited }: { readonly at: number; readonly hasWaited: boolean },
): Promise<DeploymgmtError | undefined> => {
  const { client } = context
  try {
    const isOld = hasWaited || Math.abs(client.serviceNow() - at) > LOOK_HOLDS_MS
    if (isOld) await refuseOvertaken(send, context)
  } catch (error) {
    if (error instanceof DeploymgmtError) return error
    throw error
  }
  if (client.serviceNow() - at <= WRITTEN_MS) return undefined
  const { method, path } = lineOf(send)
  return DeadlineError.writtenTooLate({ method, url: path, path })
}

/** Looks at events again, because the caller's look is too old by now. @throws Overtaken */
const refuseOvertaken = async (
  { address, operation, names, expected }: Send,
  context: WriteContext,
): Promise<void> => {
  const definition = definitionOf(context.definitions, expected.kind)
  if (definition === undefined || operation.method !== 'PATCH' || expected.lastWrite === null) return
  const needs = await overwriteNeeds(definition, { address, record: expected, fields: names }, context)
  if (needs.length > 0) throw new Overtaken(needs)
}

/** The answer, if it is about the thing. @throws RequestError; with an unknown outcome if it is about another one */
const answerTo = async (
  send: Send,
  { client, ledger, definitions }: WriteContext,
  { n, withinMs }: Pick<WrittenDown, 'n' | 'withinMs'>,
): Promise<Awaited<ReturnType<EngineClient['send']>>> => {
  const { method, path } = lineOf(send)
  const answer = await client
    .send(method, path, send.body, { withinMs, about: send.address })
    .catch(async (error: unknown) => {
      // A condition that has to hold before each attempt did not, so no attempt has had an effect. If that cannot be
      // written down either, the reason stays the same.
      if (error instanceof DeploymgmtError && !(error instanceof RequestError))
        await ledger.withdrawn(n).catch(() => undefined)
      throw send.operation.keyNeeds === undefined ? error : withKeyNeeds(error, send.operation, client)
    })
  const definition = definitionOf(definitions, send.expected.kind)
  const asked = answeredWrite(send, client, answer.status)
  if (definition !== undefined && answer.body !== undefined && method !== 'DELETE') {
    refuseMisshapen(definition, answer.body, send.identity, asked)
    refuseAnother(definition, answer.body, send.identity, asked)
  }
  return answer
}
