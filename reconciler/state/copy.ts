import { dirname, relative, sep } from 'node:path'
import { StateAddressError, StateConflictError, StateMissingError, StateMovedError } from '../errors/index.ts'
import type { Expectation } from './contents/expectation.ts'
import { type System, systemWith, withFlagsOf } from './machine/system.ts'
import type { OpenIntent } from './contents/journal-model.ts'
import type { StateFile } from './contents/model.ts'
import { openSession } from './open.ts'
import { waitForFormerOwner } from './former-owner.ts'
import { headerOf } from './contents/serialize.ts'
import { checkoutOf } from './stores/state-file.ts'
import { isThere, putState, type PutWords, withHold } from './put-state.ts'
import { isWithin, schemeOf } from './machine/paths.ts'
import type { Where } from './stores/address.ts'
import { storeAt } from './stores/index.ts'
import type { Hold, Store } from './stores/store.ts'
import { viewOf } from './view.ts'
import type { Patience } from './wait-for-lock.ts'
import { withSession } from './with-session.ts'

const COMMAND = 'state copy'

/** Source and target of a copy, and the owner of the state. */
export interface Copying extends Patience {
  readonly from: Where
  readonly to: Where
  readonly expect: Expectation
  /** Moves what is beside it, once nothing is in the way of the state itself. */
  readonly first?: () => Promise<void>
}

/** The result of a copy. */
type Copied =
  | { readonly is: 'done'; readonly from: string; readonly to: string; readonly serial: number }
  /** Nothing was copied: these intents must be settled at the place from which they were sent. */
  | { readonly is: 'unsettled'; readonly unknown: OpenIntent[] }

/**
 * Moves a state to another store, with its lineage and serial, and leaves a marker at the old place that every
 * version refuses to work with. If this is interrupted, the next call continues.
 *
 * @throws StateMissingError, StateConflictError, StateAddressError; what the two stores throw
 */
export const copyState = async (
  { from, to, expect, first = async () => {}, ...patience }: Copying,
  given: Partial<System> = {},
): Promise<Copied> => {
  const system = systemWith(given)
  const [source, target] = [await storeAt(from, system), await storeAt(to, system)]
  if (source.place === target.place)
    throw new StateAddressError('a state cannot be copied to itself', {
      where: target.place,
      hint: 'Name another place with --to.',
    })
  const unknown = await broughtUpToDate(source, { ...from, ...patience, expect, command: COMMAND }, system)
  if (unknown.length > 0) return { is: 'unsettled', unknown }
  const held = withHold(COMMAND, patience, system)
  await target.prepare?.()
  return held(source, (old) =>
    held(target, async (hold) => {
      const read = await old.read()
      // The new place knows nothing of the command whose lock was removed.
      await waitForFormerOwner(read, { signal: patience.signal, undone: 'nothing was copied' }, system)
      const state = settledIn(source.place, read, expect, withFlagsOf(from, system))
      const putting = { store: target, hold, state }
      await isThere(putting, WORDS).catch(refuseMarker(target))
      await first()
      await putState(putting, WORDS, system)
      const at = system.now().toISOString()
      const { name, baseUrl, lineage, serial } = state
      const movedTo = await nameFor(from, target.place, system)
      const marker = { version: 2, name, baseUrl, lineage, serial, movedTo, resources: {} } as const
      await old.save({ state: marker, header: headerOf(state, at), kept: [] })
      return { is: 'done', from: source.place, to: target.place, serial }
    }),
  )
}

/** Brings the state up to date with its journal. @returns the requests whose outcome is unknown */
const broughtUpToDate = async (
  source: Store,
  options: Parameters<typeof openSession>[0],
  system: System,
): Promise<OpenIntent[]> => {
  if ((await source.read()).journal === undefined) return []
  return withSession(await openSession(options, system), async (session) => {
    await session.commit()
    return session.unknown
  })
}

const settledIn = (
  place: string,
  snapshot: Awaited<ReturnType<Hold['read']>>,
  expect: Expectation,
  system: System,
): StateFile => {
  const { state, fingerprint, journal } = viewOf(snapshot, expect, system)
  if (fingerprint === undefined) throw nothingAt(place, system.sameFlags)
  if (journal === undefined) return state
  throw new StateConflictError('the state was not copied: another command has written to its journal', {
    where: place,
    hint: 'Run the command again.',
  })
}

const WORDS: PutWords = {
  failed: 'the state was not copied',
  other: () => 'there is already another one',
  hint: 'Name an empty place; what is there was left as it is.',
  left: 'The original was left as it is.',
}

/** If a state was moved away from the target, refuses: an old checkout must not continue there. */
const refuseMarker =
  ({ place }: Pick<Store, 'place'>) =>
  (error: unknown): never => {
    if (!(error instanceof StateMovedError)) throw error
    throw new StateConflictError(
      `${WORDS.failed}: there is the marker of an earlier move (${error.message})`,
      {
        where: place,
        hint: `To move a state back, delete the marker first: ${markerIn(place)}. Then run the command again.`,
        cause: error,
      },
    )
  }

const markerIn = (place: string): string => {
  const scheme = schemeOf(place)
  if (scheme === undefined) return 'that file'
  if (scheme.startsWith('git')) return 'that branch'
  return scheme === 'postgres' ? 'that row of `states`' : 'the document at that address'
}

/**
 * The name of the new place in the marker. For a file beside the marker: the path from the marker, so that every
 * checkout finds it. For a file in the checkout of the manifest, if the marker is elsewhere: the path from the
 * manifest.
 */
const nameFor = async (
  { statePath, folder }: Where,
  place: string,
  { cwd, files }: Pick<System, 'cwd' | 'files'>,
): Promise<string> => {
  if (schemeOf(place) !== undefined) return place
  if (schemeOf(statePath) === undefined) return withSlashes(relative(dirname(statePath), place))
  const base = folder ?? cwd
  const top = (await checkoutOf(files, base)) ?? base
  return isWithin(top, place) ? withSlashes(relative(base, place)) : place
}

const withSlashes = (path: string): string => path.replaceAll(sep, '/')

/**
 * @param place for people
 * @param flags `System.sameFlags` of that place
 */
export const nothingAt = (place: string, flags: string): StateMissingError =>
  new StateMissingError('there is no state', {
    where: place,
    hint: `Name the place where it is, or create one: deploymgmt state init${flags}`,
  })
