import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration, type LoadedDeclaration } from '../../config/index.ts'
import { InternalError, StateMovedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { openSession, whereSilencesAre, type Session } from '../../state/index.ts'
import { waitForFormerOwner } from '../run/former-owner.ts'
import type { CommonOptions } from '../line/options.ts'
import { outsideOf, stateMeantBy, type StateMeant } from '../meant/state-meant.ts'
import { tell } from '../output/tell.ts'
import { withClient } from '../service/with-client.ts'

/** A silence needs the lock for seconds alone, and so does whoever has it now. */
const LOCK_TIMEOUT_MS = 60_000

/** What silences begin with: the manifest, of which nothing is planned, and where they are recorded. */
export interface Basis {
  readonly loaded: LoadedDeclaration
  readonly at: StateMeant
}

/** The state of the silences, open and locked, with the service that it is about. */
export interface Silencing {
  readonly io: Io
  readonly options: CommonOptions
  readonly loaded: LoadedDeclaration
  readonly client: Client
  readonly session: Session
  readonly signal: AbortSignal
}

/** Reads the manifest once: what a command does to it while it runs ends no window differently. */
export const basisOf = async (io: Io, options: CommonOptions): Promise<Basis> => {
  const { file: files, var: vars, varFile: varFiles } = options
  const { cwd, env } = io
  const loaded = await loadDeclaration({ files, vars, varFiles, cwd, env, offline: true }, kinds)
  const own = await stateMeantBy(io, options, loaded.head)
  const at = { ...whereSilencesAre(own), elsewhere: [] }
  const { declaration, otherStates, head } = loaded
  // What the state of the manifest knows is no silence.
  const named = { text: own.statePath, path: head.path ?? cwd, mayBeMissing: true }
  return {
    at,
    loaded: {
      ...loaded,
      declaration: { ...declaration, entries: [] },
      otherStates: [...otherStates, named],
    },
  }
}

/**
 * Opens the state of the silences for as long as `use` takes. That it cannot be saved or given back afterwards is
 * said: the journal has all of it.
 */
export const withSilences = <T>(
  io: Io,
  options: CommonOptions,
  { loaded, at }: Basis,
  use: (silencing: Silencing) => Promise<T>,
  signal: AbortSignal = new AbortController().signal,
): Promise<T> =>
  withClient(
    io,
    options,
    async (client, { baseUrl, fence }) => {
      const { name, ...where } = at
      const lockTimeout = options.lockTimeout ?? LOCK_TIMEOUT_MS
      const opening = { ...where, expect: { name, baseUrl }, command: 'silence', lockTimeout, signal }
      const session = await openSession(opening, outsideOf(io)).catch(refuseMoved)
      fence.confirm = () => session.confirm()
      try {
        for (const notice of session.notices) await tell(io, notice)
        await waitForFormerOwner(io, session, signal)
        return await use({ io, options, loaded, client, session, signal })
      } finally {
        if (session.dirty)
          await session.commit().catch(async (error: unknown) => tell(io, asOurs(error).describe()))
        await session.closeFailed()
      }
    },
    signal,
  )

/** Nobody names the place of silences: it follows from that of the state beside which they are. */
export const refuseMoved = (error: unknown): never => {
  if (!(error instanceof StateMovedError)) throw error
  throw new StateMovedError(error.message, {
    where: error.where,
    hint: 'It was moved together with the state of the manifest: name the new place of the state under `state` in the manifest, or with --state.',
  })
}

export const asOurs = (error: unknown): DeploymgmtError =>
  error instanceof DeploymgmtError ? error : new InternalError(error)
