import type { Made, RecordedResource } from '@deploymgmt/provider/engine'
import type { System } from './machine/system.ts'
import type { OpenIntent } from './contents/journal-model.ts'
import type { Expectation } from './contents/expectation.ts'
import { checkedJournal } from './stores/journal-reader.ts'
import { readStored } from './open.ts'
import { checkedState } from './stores/state-file.ts'
import { readSession } from './read-session.ts'
import { knownOf } from './contents/known.ts'
import type { StateFile } from './contents/model.ts'
import type { Where } from './stores/address.ts'

/** The things that a state knows of kinds that only events can show: recorded ones, and `known`. */
const knownIn = ({ resources, known = [] }: StateFile): Made[] => [
  ...Object.values(resources).flatMap((record) => knownOf(record) ?? []),
  ...known,
]

/** A record with its address. */
interface Addressed extends RecordedResource {
  readonly address: string
}

export interface KnownThere {
  /** Where the state is: a path, or an address without credentials. */
  readonly place: string
  readonly known: readonly Made[]
  /** Those of them that are not recorded there. */
  readonly forgotten: readonly Made[]
  /** By organization: up to when what the key made was compared with what is known; service time, ISO 8601. */
  readonly compared: Readonly<Record<string, string>>
  readonly records: readonly Addressed[]
  /** Writes that were sent from there, with an unknown outcome. */
  readonly unknown: readonly OpenIntent[]
  /** Whether a write is under way there, or has an unknown outcome. */
  readonly isWriting: boolean
}

/**
 * What the state of another manifest knows, including what only its journal has.
 *
 * @returns undefined if there is no state
 * @throws what `readSession` throws
 */
export const knownAt = async (where: Where, system: System): Promise<KnownThere | undefined> => {
  const expect = await expectedThere(where, system)
  if (expect === undefined) return undefined
  const { state, place, unknown, busy } = await readSession({ ...where, expect }, system)
  const isWriting = busy !== undefined || unknown.length > 0
  const records = Object.entries(state.resources).map(([address, record]) => ({ ...record, address }))
  const { known: forgotten = [], compared = {} } = state
  return { place, known: knownIn(state), forgotten, compared, records, unknown, isWriting }
}

/** Before the first save, only the journal names the owner. */
const expectedThere = async (where: Where, system: System): Promise<Expectation | undefined> => {
  const { state, journal } = await readStored(where, system)
  return state === undefined ? journal && checkedJournal(journal).header : checkedState(state, undefined)
}
