import type { Io } from '../../io.ts'
import { safeJson } from '../../text/json.ts'
import { nothingAt, readStored } from '../../state/index.ts'
import { writeOutput } from '../output/output.ts'
import type { CommonOptions } from '../line/options.ts'
import { resolveState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'
import { headIfAny } from './change.ts'

/** Prints the state byte for byte, for a backup or to look at. */
export const statePull = async (io: Io, options: CommonOptions): Promise<number> => {
  const where = await resolveState(io, options, await headIfAny(io, options))
  const { state, journal } = await readStored(where, systemOf(io))
  if (state === undefined) throw nothingAt(where.statePath, where.sameFlags)
  const count = journal?.records.length ?? 0
  if (count > 0)
    await tell(
      io,
      `The journal of this state has ${count} more ${count === 1 ? 'record, which is' : 'records, which are'} not included.`,
    )
  await writeOutput(io, options.output, safeJson(state.bytes.toString()))
  return 0
}
