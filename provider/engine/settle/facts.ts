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
import { GIVEN_UP_MS, spanAfter, spanOfUnknown } from '../values/span.ts'
import type { SentBefore } from '../write/send.ts'

/** A write whose answer was lost, as its ledger kept the intent. */
export interface LostWrite extends Pick<
  Intent,
  'address' | 'kind' | 'method' | 'path' | 'fields' | 'at' | 'by' | 'expected'
> {
  /** The ledger's number of the intent. */
  readonly n: number
  /** What it sent. */
  readonly body?: unknown
  /** For how long it was under way before it was given up, in milliseconds; not known after a crash. */
  readonly tookMs?: number
  /** The candidate that an earlier settling has given to it, for good. */
  readonly bound?: Bound
}

/** Which thing a lost creation is taken to have made, until its answer says so. */
export interface Bound {
  readonly id: string
  /** It has answered, or was refused, as no thing of ours would. */
  readonly denied?: boolean | undefined
}

/** A lost write that evidence settles. */
export interface Settled {
  readonly is: 'settled' | 'pending'
  readonly n: number
  readonly address: string
  readonly effects: readonly Effect[]
  readonly how: Reason
}

/** What a person has to decide, with the evidence there is. */
export interface Unsettled {
  readonly is: 'open'
  readonly write: LostWrite
  readonly because: Reason | undefined
}

/** A lost creation that a write can settle: what reads alone expect to come of it, and what is to be sent. */
export interface Pending extends Settled {
  readonly is: 'pending'
  readonly write: LostWrite
  /** None where the step of another one is enough. */
  readonly step?: Ask | Fence | Again
}

export type SettleFinding = (Settled & { readonly is: 'settled' }) | Pending | Unsettled

/** A candidate is asked, by a change of one field that the creation had set as well: its answer shows the others. */
export interface Ask {
  readonly step: 'ask'
  readonly definition: KindDefinition
  readonly id: string
  readonly field: string
  /** The record that a fitting answer leads to, as far as it is known before it. */
  readonly expected: RecordedResource
  /** The lost creations that the answer can fit. */
  readonly among: readonly LostWrite[]
}

/** A recorded thing gets a value that it has: the event of that shows that earlier ones are not late. */
export interface Fence {
  readonly step: 'fence'
  readonly definition: KindDefinition
  readonly address: string
  readonly record: RecordedResource
  readonly field: string
  /** Those that the declaration leaves to others. */
  readonly ignored: readonly string[]
}

/** The creation is sent again as the plan has it: the service refuses a second one, so its answer tells. */
export interface Again {
  readonly step: 'again'
  readonly before: SentBefore
}

export interface SettleFacts {
  readonly definitions: readonly KindDefinition[]
  readonly declaration: Declaration
  readonly records: Records
  readonly client: EngineClient
  /** What a run is confined to; everything where it is left out. */
  readonly target?: ((address: string) => boolean) | undefined
  /** What answers have shown of the service, by kind. */
  readonly learnt?: Readonly<Record<string, Learnt>> | undefined
  /** Our own recent writes to things that are not recorded. */
  readonly unrecorded?: readonly EarlierWrite[] | undefined
  /** What other states know of: no lost creation of this one has made it. */
  readonly elsewhere?: readonly Made[] | undefined
}

/** What one settling knows. */
export interface SettleEvidence extends SettleFacts {
  readonly lost: readonly LostWrite[]
  readonly log: EventLog
  /** Organizations whose events of the time in question were all read. */
  readonly complete: ReadonlySet<string>
  /** From when on each organization's events were read, service time in milliseconds. */
  readonly since: ReadonlyMap<string, number>
  /** Under which person's name events show what each key did, where it is a person's own and that is proven. */
  readonly persons: ReadonlyMap<string, string>
}

/** Clocks and the ends of a request are seconds apart at most; an event of ours lies this close. */
export const SKEW_MS = 5_000
/** After a request was given up, it can still be worked on for as long as this: the time of a call. */
const AFTERMATH_MS = 30_000

/** The same of several requests about one thing, the oldest first. */
export const spanOfAll = (writes: readonly LostWrite[], now: number): WriteSpan | undefined =>
  writes
    .map((write) => spanOfUnknown(write, now))
    .reduce<WriteSpan | undefined>(
      (earlier, span) => spanAfter(earlier ?? null, span, Number.POSITIVE_INFINITY),
      undefined,
    )

/**
 * From when and until when a lost request can have had its effect, service time in milliseconds: nothing is concluded
 * from its absence before. Its span (`spanOfUnknown`) ends where it was given up: events of that time count as our
 * own, and the longer it is, the more of others' do.
 */
export const reachOf = ({ at, tookMs = GIVEN_UP_MS }: LostWrite): { from: number; until: number } => {
  const from = parseInstant(at)
  return { from, until: from + Math.min(tookMs, GIVEN_UP_MS) + AFTERMATH_MS }
}

export const settledAs = ({ n, address }: LostWrite, effects: Settled['effects'], how: Reason) =>
  ({ is: 'settled', n, address, effects, how }) as const

/** What a step is expected to end in; the step of another one may be enough. */
export const pendingAs = (
  write: LostWrite,
  effects: Settled['effects'],
  how: Reason,
  step: Pending['step'],
): Pending => ({
  ...settledAs(write, effects, how),
  is: 'pending',
  write,
  ...(step === undefined ? {} : { step }),
})

export const openAs = (write: LostWrite, because?: Reason): Unsettled => ({ is: 'open', write, because })

/** Why events could not be looked at, for what was to be made in this place. */
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

/** A request that settles something was sent in vain, or not at all. */
export interface Failed {
  readonly address: string
  readonly why: Why
}

/** The answer, or the flags that are missing since somebody else has acted. */
export type Why = { readonly error: RequestError } | { readonly needs: readonly Need[] }
