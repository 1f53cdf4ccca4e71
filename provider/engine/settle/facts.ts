import type { KindDefinition } from '../../core/definition.ts'
import { parseInstant } from '../../core/instant.ts'
import type { RequestError } from '../../errors/index.ts'
import type { EngineClient } from '../read/client.ts'
import type { EventLog } from '../read/events.ts'
import { organizationsOf } from '../read/organizations.ts'
import { reason, type Reason } from '../reason.ts'
import type { Effect, Intent } from '../values/ledger.ts'
import type {
  Declaration,
  EarlierWrite,
  Learnt,
  Made,
  Need,
  RecordedResource,
  Records,
  WriteSpan,
} from '../values/model.ts'
import { GIVEN_UP_MS, spanOfBoth, spanOfUnknown } from '../values/span.ts'
import type { SentBefore } from '../write/send.ts'

/** A write whose answer was lost, with its intent from the ledger. */
export interface LostWrite extends Pick<
  Intent,
  'address' | 'kind' | 'method' | 'path' | 'fields' | 'at' | 'by' | 'expected'
> {
  /** The ledger's number of the intent. */
  readonly n: number
  /** The body that was sent. */
  readonly body?: unknown
  /** How long it was under way before it was given up, in milliseconds; unknown after a crash. */
  readonly tookMs?: number
  /** The candidate that an earlier run assigned to it, permanently. */
  readonly bound?: Bound
}

/** The thing that a lost creation is assumed to have made, until that thing's answer confirms it. */
export interface Bound {
  readonly id: string
  /** Its answer or its refusal has shown that we did not make it. */
  readonly denied?: boolean | undefined
}

/** What became of a lost write. */
interface Became {
  readonly n: number
  readonly address: string
  readonly effects: readonly Effect[]
  readonly how: Reason
}

/** A lost write that evidence has settled. */
export interface Settled extends Became {
  readonly is: 'settled'
}

/** A lost write that a person has to decide about, with the evidence there is. */
export interface Unsettled {
  readonly is: 'open'
  readonly write: LostWrite
  readonly because: Reason | undefined
}

/** A lost creation that another write can settle: the step to take, and the result that is expected of it. */
export interface Provisional extends Became {
  readonly is: 'provisional'
  readonly write: LostWrite
  /** Undefined if the step of another creation is enough. */
  readonly step?: Ask | Fence | Again
}

export type SettleFinding = Settled | Provisional | Unsettled

/** Asks a candidate by writing one field that the creation had set: the answer shows the other fields. */
export interface Ask {
  readonly step: 'ask'
  readonly definition: KindDefinition
  readonly id: string
  readonly field: string
  /** The record that a matching answer leads to, as far as it is known beforehand. */
  readonly expected: RecordedResource
  /** Lost creations that the answer may match. */
  readonly among: readonly LostWrite[]
  /** Those of them for which no candidate is there. */
  readonly unpaired: readonly LostWrite[]
  /** Whether a request of an earlier run may still write the same to it. */
  readonly isUnderWay: boolean
}

/**
 * Writes a value that a recorded thing already has: the event shows that the events of earlier writes are not late.
 */
export interface Fence {
  readonly step: 'fence'
  readonly definition: KindDefinition
  readonly address: string
  readonly record: RecordedResource
  readonly field: string
  /** Fields that the declaration leaves to others. */
  readonly ignored: readonly string[]
}

/** Sends the creation again as planned: the service refuses a second one, so its answer tells. */
interface Again {
  readonly step: 'again'
  readonly before: SentBefore
}

export interface SettleFacts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly client: EngineClient
  /** Limits the run to some addresses; all if omitted. */
  readonly target?: ((address: string) => boolean) | undefined
  /** What answers have shown of the service, by kind. */
  readonly learnt?: Readonly<Record<string, Learnt>> | undefined
  /** Our own recent writes to things that are not recorded. */
  readonly unrecorded?: readonly EarlierWrite[] | undefined
  /** Things that other states know: no lost creation of this state made them. */
  readonly elsewhere?: readonly Made[] | undefined
}

/** Everything that one run of settling knows. */
export interface SettleEvidence extends SettleFacts {
  readonly lost: readonly LostWrite[]
  readonly log: EventLog
  /** Organizations whose events of the relevant time were all read. */
  readonly complete: ReadonlySet<string>
  /** Since when each organization's events were read, in milliseconds of service time. */
  readonly since: ReadonlyMap<string, number>
  /** The person under whose name events show the acts of each key; only keys that are proven to be a person's own. */
  readonly persons: ReadonlyMap<string, string>
}

/** Clocks and the ends of a request differ by seconds at most; an event of ours lies this close. */
export const SKEW_MS = 5_000
/** The service may work on a request for this long after it was given up: the time of a call. */
const AFTERMATH_MS = 30_000

/** The combined span of several requests about one thing, oldest first. */
export const spanOfAll = (writes: readonly LostWrite[], now: number): WriteSpan | undefined =>
  writes
    .map((write) => spanOfUnknown(write, now))
    .reduce<WriteSpan | undefined>((earlier, span) => spanOfBoth(earlier ?? null, span), undefined)

/**
 * When a lost request can have taken effect, in milliseconds of service time: until that time is over, a missing
 * effect proves nothing. Its span (`spanOfUnknown`) ends when it was given up: events within a span count as our own,
 * and the longer it is, the more foreign events it includes.
 */
export const reachOf = ({ at, tookMs = GIVEN_UP_MS }: LostWrite): { from: number; until: number } => {
  const from = parseInstant(at)
  return { from, until: from + Math.min(tookMs, GIVEN_UP_MS) + AFTERMATH_MS }
}

export const settledAs = ({ n, address }: LostWrite, effects: Settled['effects'], how: Reason) =>
  ({ is: 'settled', n, address, effects, how }) as const

/** The expected result of a step; the step of another creation may be enough. */
export const provisionalAs = (
  write: LostWrite,
  effects: Settled['effects'],
  how: Reason,
  step: Provisional['step'],
): Provisional => ({
  ...settledAs(write, effects, how),
  is: 'provisional',
  write,
  ...(step === undefined ? {} : { step }),
})

export const openAs = (write: LostWrite, because?: Reason): Unsettled => ({ is: 'open', write, because })

/** Why events about this place could not be checked, or undefined if all were read. */
export const whyUnseen = (
  definition: KindDefinition,
  [write]: readonly LostWrite[],
  { declaration, complete }: SettleEvidence,
): Reason | undefined => {
  if (write === undefined) return undefined
  const places = organizationsOf(definition, write.expected, declaration)
  if (places.length === 0) return reason('nowhere-to-look')
  return places.every((place) => complete.has(place)) ? undefined : reason('events-incomplete')
}

/** A settling request that had no success, or was not sent. */
export interface Failed {
  readonly address: string
  readonly why: Why
}

/** The service's answer, or the flags that are missing because somebody else has acted. */
export type Why = { readonly error: RequestError } | { readonly needs: readonly Need[] }
