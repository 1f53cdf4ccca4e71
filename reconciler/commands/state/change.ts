import type { Client } from '@deploymgmt/provider/api'
import { nearest } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, type RecordedResource } from '@deploymgmt/provider/engine'
import { loadHead, type Head, type LoadedDeclaration } from '../../config/index.ts'
import { AddressError, ManifestNotFoundError, type UnknownOutcomeError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { openSession, withSession, type OpenIntent, type Session, type Stated } from '../../state/index.ts'
import { canStillHappen, lostWrite } from '../../apply/intent-forms.ts'
import { manifestsOf, sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { loadWithState, withClientToLoad } from '../resolve/load.ts'
import { resolveState } from '../resolve/state.ts'
import { interruptOf } from '../service/interrupt.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { unknownOutcome } from '../run/unknown-outcomes.ts'
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

export const recordAt = (
  records: Readonly<Record<string, RecordedResource>>,
  address: string,
): RecordedResource => {
  // Given by a person: `constructor` is no record, although every object has it.
  const record = Object.hasOwn(records, address) ? records[address] : undefined
  if (record !== undefined) return record
  const known = Object.keys(records)
  // People leave out the section, or mean what an entry has in one project.
  const begin = address.replace(/\]$/, '')
  const close = known.filter(
    (each) => each.startsWith(begin) || address.startsWith(each) || entryOf(each).endsWith(`.${address}`),
  )
  const meant = close.length === 0 ? misspelt(address, known) : undefined
  throw new AddressError(
    `nothing is recorded at ${address}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    { hint: close.length > 0 ? `There is: ${close.slice(0, 5).join(', ')}.` : AddressError.remedy },
  )
}

/** The name of another thing is no misspelling, even if the names are short compared to their section. */
const misspelt = (address: string, known: readonly string[]): string | undefined => {
  // If an entry has several things, their addresses end with keys in brackets, which people leave out.
  const meant = nearest(address, known) ?? nearest(address, known.map(entryOf))
  if (meant === undefined) return undefined
  const [given, name] = [address, meant].map((each) => each.slice(each.indexOf('.') + 1)) as [string, string]
  return given === name || (name.length > 2 && nearest(given, [name]) !== undefined) ? meant : undefined
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

/** The command, and the flags with which others mean the same state. */
type About = { readonly io: Io } & ({ readonly options: CommonOptions } | { readonly sameFlags: string })

/**
 * The outcome of a request is recorded at the request's address. If the record was moved, dropped or accepted before
 * that, the outcome would appear as another thing, or count as known.
 * @throws UnknownOutcomeError
 */
export const refuseWhileUnknown = (
  session: Pick<Session, 'unknown'>,
  about: About,
  addresses: readonly string[],
): void => {
  // An entry means all of its instances.
  const open = session.unknown.filter(
    ({ address }) => addresses.includes(address) || addresses.includes(entryOf(address)),
  )
  if (open.length === 0) return
  throw leftUnknown(open, about)
}

/** Says that these requests have to be settled first. */
export const leftUnknown = (open: readonly OpenIntent[], { io, ...meant }: About): UnknownOutcomeError =>
  unknownOutcome(
    open.map((intent) => ({
      write: lostWrite(intent),
      because: undefined,
      until: canStillHappen(intent, io.now()),
    })),
    'options' in meant ? sameFlagsOf(meant.options) : meant.sameFlags,
  )
