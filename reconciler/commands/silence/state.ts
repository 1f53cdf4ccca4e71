import type { Client } from '@deploymgmt/provider/api'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration, type LoadedDeclaration } from '../../config/index.ts'
import { asOurs, StateMovedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import {
  knownAt,
  openSession,
  waitForFormerOwner,
  whereSilencesAre,
  type KnownThere,
  type Session,
} from '../../state/index.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { resolveState, type ResolvedState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { withClient } from '../service/with-client.ts'

/** Silences hold the lock only for seconds, and so does its present owner. */
const LOCK_TIMEOUT_MS = 60_000

/** What silences start from: the manifest, without a plan, and the place of their state. */
export interface Basis {
  readonly loaded: LoadedDeclaration
  readonly at: ResolvedState
  /** The state of the manifest. */
  readonly beside: ResolvedState
}

/** The open, locked state of the silences, and the service that it is about. */
export interface Silencing {
  readonly io: Io
  readonly options: CommonOptions
  readonly loaded: LoadedDeclaration
  readonly client: Client
  readonly session: Session
  /** By organization: up to when applies of the manifest have compared what the key made. */
  readonly compared: () => Promise<KnownThere['compared']>
  readonly signal: AbortSignal
}

/** Reads the manifest once: changes that a command makes to it while it runs do not affect how windows end. */
export const basisOf = async (io: Io, options: CommonOptions): Promise<Basis> => {
  const loaded = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds)
  const own = await resolveState(io, options, loaded.head)
  const at = { ...whereSilencesAre(own), elsewhere: [] }
  const { declaration, otherStates, head } = loaded
  // What the state of the manifest records is no silence.
  const named = { text: own.statePath, path: head.path ?? io.cwd, mayBeMissing: true }
  return {
    at,
    beside: own,
    loaded: {
      ...loaded,
      declaration: { ...declaration, entries: [] },
      otherStates: [...otherStates, named],
    },
  }
}

/**
 * Opens the state of the silences while `use` runs. A failure to save or release it afterwards is only reported: the
 * journal has everything.
 */
export const withSilences = <T>(
  io: Io,
  options: CommonOptions,
  { loaded, at, beside, signal = new AbortController().signal }: Basis & { readonly signal?: AbortSignal },
  use: (silencing: Silencing) => Promise<T>,
): Promise<T> =>
  withClient(
    io,
    options,
    async (client, { baseUrl, fence }) => {
      const { name, ...where } = at
      const lockTimeout = options.lockTimeout ?? LOCK_TIMEOUT_MS
      const opening = { ...where, expect: { name, baseUrl }, command: 'silence', lockTimeout, signal }
      const session = await openSession(opening, systemOf(io)).catch(refuseMoved)
      fence.confirm = () => session.confirm()
      try {
        for (const notice of session.notices) await tell(io, notice)
        await waitForFormerOwner(session.unlocked, { signal, undone: 'nothing was sent' }, systemOf(io))
        return await use({
          io,
          options,
          loaded,
          client,
          session,
          compared: () => comparedAt(io, beside),
          signal,
        })
      } finally {
        if (session.dirty)
          await session.commit().catch(async (error: unknown) => tell(io, asOurs(error).describe()))
        await session.closeFailed()
      }
    },
    { signal },
  )

/** Without an answer, nothing counts as compared, which costs only room. */
const comparedAt = async (io: Io, beside: ResolvedState): Promise<KnownThere['compared']> => {
  try {
    return (await knownAt(beside, systemOf(io)))?.compared ?? {}
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    return {}
  }
}

/** The place of silences is not configured: it follows from the place of the state beside them. */
export const refuseMoved = (error: unknown): never => {
  if (!(error instanceof StateMovedError)) throw error
  throw new StateMovedError(error.message, {
    where: error.where,
    hint: 'It was moved together with the state of the manifest: name the new place of the state under `state` in the manifest, or with --state.',
  })
}
