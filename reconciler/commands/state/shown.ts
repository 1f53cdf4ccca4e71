import { asSentence } from '@deploymgmt/provider/core'
import { ManifestNotFoundError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { expectedAt, readSession, type ReadSession } from '../../state/index.ts'
import type { CommonOptions } from '../line/options.ts'
import { noState, resolveState } from '../resolve/state.ts'
import { tell } from '../output/tell.ts'
import { busyWarnings } from '../run/unknown-outcomes.ts'
import { systemOf } from '../service/system.ts'
import { stateToOpen } from './change.ts'

/** To look at a state, its own name is as good as a manifest's; without a manifest nothing else is known. */
const stateShown = async (io: Io, options: CommonOptions) => {
  try {
    return await stateToOpen(io, options)
  } catch (error) {
    if (!(error instanceof ManifestNotFoundError)) throw error
    const { name: _, ...at } = await resolveState(io, options, undefined)
    const expect = await expectedAt(at, systemOf(io))
    if (expect === undefined) throw error
    return { ...at, expect }
  }
}

/** Reads the state, and tells what a person has to know before its records. */
export const readShown = async (io: Io, options: CommonOptions): Promise<ReadSession> => {
  const session = await readSession(await stateShown(io, options), systemOf(io))
  // There may be no records because another place was meant.
  const missing = noState(io, session)
  const notices = [...session.notices, ...busyWarnings(session)]
  for (const notice of missing === undefined ? notices : [...notices, asSentence(missing)])
    await tell(io, notice)
  return session
}
