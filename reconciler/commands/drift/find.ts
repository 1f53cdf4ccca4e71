import { isNone, parseInstant } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { driftsIn, reason, type Reason } from '@deploymgmt/provider/engine'
import { StateMissingError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { DriftDocument } from '../../render/document/drift-model.ts'
import { driftDocument } from '../../render/document/drift-document.ts'
import { wordsAbout } from '../run/plan-words.ts'
import type { StateFile } from '../../state/index.ts'
import { DAY_MS } from '../../text/instants.ts'
import { withRun, type ReadRun, type Reading } from '../run/read-run.ts'
import { acceptedAt, type AcceptedPlace } from '../run/accepted-place.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { noState } from '../resolve/state.ts'
import { busyWarnings, openWarnings } from '../run/unknown-outcomes.ts'
import { unreadWarnings } from '../resolve/unread-warnings.ts'
import {
  looksForUnmanaged,
  lookForUnmanaged,
  type UnmanagedFound,
  type UnmanagedOptions,
} from './unmanaged.ts'

export interface AcceptedOptions {
  /** Milliseconds. */
  readonly pendingFor?: number
  /** The file of accepted drift; by default beside the first manifest. */
  readonly accepted?: string
}

/** The drift before acceptances are considered. */
export interface FoundDrift {
  readonly read: ReadRun
  readonly document: Omit<DriftDocument, 'exitCode'>
  readonly accepted: AcceptedPlace
}

type DriftOptions = CommonOptions & AcceptedOptions & UnmanagedOptions

/**
 * Compares live with what was last applied. Only reads, and writes nothing.
 * @throws StateMissingError, AcceptedError, UsageError before the service is asked
 */
export const findDrift = <T>(
  io: Io,
  options: DriftOptions,
  use: (found: FoundDrift) => Promise<T>,
  { leavesOpen }: Pick<Reading, 'leavesOpen'> = {},
): Promise<T> => {
  let accepted: AcceptedPlace | undefined
  const started = io.now()
  return withRun(
    io,
    options,
    {
      look: 'at-everything',
      withUnmanaged: looksForUnmanaged(options),
      withRaw: true,
      leavesOpen,
      ready: async (loaded, session) => {
        refuseWithoutState(noState(io, session), sameFlagsOf(options))
        accepted = await acceptedAt(io, options.accepted, loaded)
      },
    },
    async (read) => {
      const found = await lookForUnmanaged(io, options, read, started)
      const unread = await unreadWarnings(io, options, read.loaded, read)
      return use({
        read,
        document: documentOf(read, { ...found, unread }, options),
        accepted: accepted ?? (await acceptedAt(io, options.accepted, read.loaded)),
      })
    },
  )
}

const documentOf = (
  read: ReadRun,
  { unmanaged, warnings, since, unread }: UnmanagedFound & { readonly unread: readonly string[] },
  options: DriftOptions,
): FoundDrift['document'] => {
  const { pendingFor, target: asked, unmanaged: judged } = options
  const { about, client, loaded, session, records, target, run, toSettle, stillOpen } = read
  // The request may have done what would look like the act of somebody.
  const open = new Set(stillOpen?.writes.map(({ address }) => address))
  const drifts = driftsIn({
    run,
    definitions: kinds,
    records,
    target: target?.includes,
    lateness: latenessIn(session.state, run.now, pendingFor),
  })
  return driftDocument(
    {
      about,
      drifts: drifts.filter(({ address, movedTo = address }) => !open.has(address) && !open.has(movedTo)),
      isOpen: open.size > 0,
      checkedAt: run.now,
      target: asked,
      toSettle,
      warnings: [...run.plan.warnings, ...warnings],
      told: [...openWarnings(stillOpen), ...unread, ...busyWarnings(session)],
      silencing: SILENCING,
      organizations: loaded.declaration.organizations,
      requestsSent: client.requestsSent,
      ...(unmanaged === undefined ? {} : { unmanaged }),
      ...(since === undefined ? {} : { eventsSince: since }),
      unmanagedCounts: judged === 'fail',
    },
    wordsAbout(loaded, { sameFlags: sameFlagsOf(options) }),
  )
}

const SILENCING: ReadonlySet<string> = new Set(
  kinds.filter(({ silences }) => !isNone(silences)).map(({ kind }) => kind),
)

/**
 * Why pending changes should have been applied by now: something that no apply has seen may be as old as the last
 * one.
 */
const latenessIn = (
  { pending, resources }: Pick<StateFile, 'pending' | 'resources'>,
  now: Date,
  pendingFor = DAY_MS,
): ((address: string) => Reason | undefined) => {
  // A state that an apply has begun knows at first only when things were written.
  const writes = Object.values(resources).flatMap(({ lastWrite }) => lastWrite?.to ?? [])
  const reached = pending?.since ?? writes.toSorted((a, b) => parseInstant(a) - parseInstant(b)).at(-1)
  const isLate = (since: string): boolean => now.getTime() - parseInstant(since) > pendingFor
  return (address) => {
    const left = pending?.left?.[address]
    if (left !== undefined) return isLate(left) ? reason('left-undone-since', { since: left }) : undefined
    return reached !== undefined && isLate(reached)
      ? reason('nothing-applied-since', { since: reached })
      : undefined
  }
}

/**
 * Refuses to work without a state: nothing recorded could have drifted, so a lost state would pass as "no drift"
 * every night.
 */
const refuseWithoutState = (missing: string | undefined, flags: string): void => {
  if (missing === undefined) return
  throw new StateMissingError(`${missing}: nothing is recorded, so nothing can have drifted`, {
    hint: `Name the place where the state is, or restore it. If there has never been one: deploymgmt state init${flags}, then: deploymgmt apply${flags}`,
  })
}
