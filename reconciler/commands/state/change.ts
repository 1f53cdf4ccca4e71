import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadHead, type Head, type LoadedDeclaration } from '../../config/index.ts'
import { ManifestNotFoundError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { openSession, withSession, type Session, type Stated } from '../../state/index.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { loadWithState, withClientToLoad } from '../resolve/load.ts'
import { resolveState } from '../resolve/state.ts'
import { interruptOf } from '../service/interrupt.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { baseUrlFrom } from '../service/base-url.ts'
import { reportDone } from '../output/report-done.ts'

/** The state, with the manifest's name and the service's address as its owner. */
export const stateToOpen = async (io: Io, options: CommonOptions) => {
  const head = await loadHead(manifestsOf(io, options), kinds)
  const { name, ...at } = await resolveState(io, options, head)
  return { ...at, expect: { name, baseUrl: await baseUrlFrom(io, options) } }
}

/** The head of the manifests; undefined if there are none. */
export const headIfAny = async (io: Io, options: CommonOptions): Promise<Head | undefined> => {
  try {
    return await loadHead(manifestsOf(io, options), kinds)
  } catch (error) {
    if (error instanceof ManifestNotFoundError) return undefined
    throw error
  }
}

/**
 * Completes what has begun when it is interrupted, because a lock that is left behind stops everybody else. Only the
 * wait for a lock ends.
 */
export const completing = <T>(io: Io, act: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const { signal, stopListening } = interruptOf(io, 'what has begun is completed, and the lock given back')
  return act(signal).finally(stopListening)
}

/** Opens the state, changes it, and saves it. */
export const changeState = async (
  io: Io,
  options: CommonOptions,
  command: string,
  act: (session: Session) => Promise<string | readonly string[]>,
): Promise<number> => {
  const meant = await stateToOpen(io, options)
  const { lockTimeout } = options
  return completing(io, async (signal) => {
    const opened = await openSession({ ...meant, command, lockTimeout, signal }, systemOf(io))
    return changeOpened(io, options, opened, act)
  })
}

/**
 * The same for a command that also needs the declaration, whose references are resolved, and the service.
 *
 * @throws what `loadWithState` throws
 */
export const changeDeclared = (
  io: Io,
  options: CommonOptions,
  command: string,
  act: (session: Session, about: Declared) => Promise<string | readonly string[]>,
): Promise<number> =>
  withClientToLoad(io, options, async (client, { baseUrl }) => {
    const { lockTimeout } = options
    const open = (stated: Stated) => openSession({ ...stated, command, lockTimeout }, systemOf(io))
    const service = { client, baseUrl }
    const { loaded, session: opened } = await loadWithState(io, options, service, {
      open,
      sendsPlaces: false,
    })
    return changeOpened(io, options, opened, (session) => act(session, { client, loaded }))
  })

interface Declared {
  readonly client: Client
  readonly loaded: LoadedDeclaration
}

/** Changes an open state, and saves it. */
const changeOpened = (
  io: Io,
  options: CommonOptions,
  opened: Session,
  act: (session: Session) => Promise<string | readonly string[]>,
): Promise<number> =>
  withSession(opened, async (session) => {
    for (const notice of session.notices) await tell(io, notice)
    const said = await act(session)
    await session.commit()
    await reportDone(io, options, said)
    return 0
  })
