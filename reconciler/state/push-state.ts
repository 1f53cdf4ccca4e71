import { refuseMismatch } from './contents/expectation.ts'
import type { StateFile } from './contents/model.ts'
import type { System } from './machine/system.ts'
import { putState, withHold } from './put-state.ts'
import type { Where } from './stores/address.ts'
import { storeAt } from './stores/index.ts'
import type { Patience } from './wait-for-lock.ts'

const COMMAND = 'state push'

/** A whole state, and the file from which it was read. */
interface WholeState {
  readonly state: StateFile
  readonly path: string
}

/**
 * Writes a whole state, such as one that was pulled, if there is none.
 *
 * @param name of the manifest, if there is one
 * @throws StateMismatchError if the state belongs to another manifest; StateConflictError if there is another state
 */
export const pushState = async (
  {
    lockTimeout,
    signal,
    name,
    ...where
  }: Omit<Where, 'name'> & Patience & { readonly name: string | undefined },
  { state, path }: WholeState,
  system: System,
): Promise<{ readonly place: string; readonly isNew: boolean }> => {
  if (name !== undefined) refuseMismatch(path, state, { ...state, name })
  const store = await storeAt({ ...where, name: state.name }, system)
  await store.prepare?.()
  const isNew = await withHold(
    COMMAND,
    { lockTimeout, signal },
    system,
  )(store, (hold) =>
    putState(
      { store, hold, state },
      {
        failed: 'the state was not pushed',
        other: (there) => otherwise(state, there),
        hint: 'A whole state can only be pushed where there is none; what is there was left as it is. To go back to the file, first move away what is there: the file, the branch, the document or the row.',
        left: 'The file was left as it is.',
      },
      system,
    ),
  )
  return { place: store.place, isNew }
}

/** Serials show which of two states is the later one only if both have the same lineage. */
const otherwise = (state: StateFile, there: StateFile | undefined): string => {
  if (there === undefined) return 'there is already a journal'
  if (there.lineage !== state.lineage)
    return `there is already another one, of another history (lineage ${there.lineage}, and that of the file is ${state.lineage})`
  const serials = `serial ${there.serial}, but the file has ${state.serial}`
  return `there is already one with the same history (${serials})`
}
