import { acceptedFor, loadAccepted, type Head } from '../../config/index.ts'
import { exists } from '../../disk/files.ts'
import { AcceptedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { fileAndLine } from '../../render/document/places.ts'
import { acceptedPath } from '../run/accepted-place.ts'
import { shownState } from '../resolve/state.ts'
import type { Meant } from './meant.ts'

interface Went {
  readonly records: readonly Meant[]
  /** The manifest that has them now, in words. */
  readonly second: string
}

/** A person keeps the file of accepted drift, so nothing takes its entries along. */
export const acceptancesLeft = async (
  io: Io,
  head: Head | undefined,
  { records, second }: Went,
): Promise<string[]> => {
  const path = await acceptedPath(io, undefined, head)
  if (head === undefined || !(await exists(path))) return []
  const file = shownState(io, path)
  try {
    const went = new Set(records.map(({ address }) => address))
    const left = acceptedFor(head.name, await loadAccepted(file, io)).filter(({ address }) =>
      went.has(address),
    )
    return left.map(
      ({ address, at }) =>
        `Drift of ${address} is accepted at ${fileAndLine(at) ?? at}: move that item to the file beside ${second}, or drift fails there.`,
    )
  } catch (error) {
    if (!(error instanceof AcceptedError)) throw error
    return [`Which drift was accepted is not known, and stays behind: ${error.message}.`]
  }
}
