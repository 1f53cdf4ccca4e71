import type { Client } from '@deploymgmt/provider/api'
import { CancelledError, DeploymgmtError, INTERRUPTED } from '@deploymgmt/provider/errors'
import { print, type Io } from '../../io.ts'
import { onlyProjects } from '../resolve/only-projects.ts'
import { loadToRead, withClientToLoad } from '../resolve/load.ts'
import { reporter } from '../output/report.ts'
import { tell } from '../output/tell.ts'
import { elsewhereOf } from '../run/known-things.ts'
import { foundBy, type Adopting, type AdoptOptions } from './adopting.ts'
import { unrecordedIn, NONE } from './earlier.ts'
import { writeProven } from './files.ts'
import { filesWith, goalOf, type Goal } from './goal.ts'
import { recordEarlier, recordWritten } from './record-adopted.ts'
import { differingIn } from './differing-entries.ts'
import { changesIn, prove, type Proving } from './proof.ts'
import { readingOnce } from './reading-once.ts'
import { textsOf } from './texts.ts'

/**
 * Writes manifests for things that exist and that nobody declares, and proves that they change nothing. Only reads.
 */
export const adopt = async (io: Io, options: AdoptOptions): Promise<number> => {
  const end = new AbortController()
  const stopListening = io.onInterrupt(() => end.abort())
  try {
    return await adoptUntil(io, options, end.signal)
  } catch (error) {
    if (!end.signal.aborted || !(error instanceof DeploymgmtError)) throw error
    // If requests were aborted, the unproven files are gone, and there is nothing to say.
    if (!(error instanceof CancelledError)) await tell(io, error.describe())
    return INTERRUPTED
  } finally {
    stopListening()
  }
}

const adoptUntil = async (io: Io, options: AdoptOptions, signal: AbortSignal): Promise<number> => {
  // It names the manifest, not the report.
  const { output: _, ...others } = options
  const report = await reporter(io, others, 'done')
  const goal = await goalOf(io, options)
  const adopting = async (live: Client, { baseUrl, fence }: Pick<Proving, 'baseUrl' | 'fence'>) => {
    const client = readingOnce(live)
    const given = { ...options, file: filesWith(io, options, goal.earlier) }
    const { loaded, session } = await loadToRead(io, given, { client, baseUrl })
    for (const notice of session.notices) await tell(io, notice)
    const records = session.state.resources
    const filter = onlyProjects(options.project ?? [], loaded.declaration)
    const { files } = session.state
    const about = { io, client, loaded, records, filter, baseUrl, fence, signal, options: given }
    const elsewhere = elsewhereOf(io, options, loaded, session)
    const done = await adoptInto({ ...about, elsewhere, files }, goal)
    if (done !== undefined) await report({ document: { formatVersion: 1, done } })
    return 0
  }
  return withClientToLoad(io, options, adopting, { signal })
}

/** Returns sentences that say what was done; none if the manifest itself was printed. */
const adoptInto = async (given: Adopting, goal: Goal): Promise<string | string[] | undefined> => {
  const found = await foundBy(given)
  const { adopting, arranged, remarks } = found
  const { io, options, loaded } = adopting
  const { series, stream, earlier } = goal
  const texts = textsOf(arranged, { io, loaded, series, split: options.split === true, ...found.how })
  // No state can belong to a manifest that is only printed.
  const records = options.state !== undefined && stream === undefined
  const planned = await changesIn(adopting, loaded)
  const before = records ? unrecordedIn(adopting, earlier, planned) : NONE
  // Recorded entries that do not match are reported separately, with the reason.
  const differing = differingIn(planned, adopting, records ? [] : earlier)
  if (texts.size === 0) return recordEarlier(adopting, goal, { remarks, before, differing, records })
  const things = arranged.entries.reduce((sum, each) => sum + each.things, 0)
  const again = new Set(options.again === true ? found.undeclared : [])
  const proven = await writeProven(series.folder, texts, {
    keep: stream === undefined,
    prove: (paths) => prove(adopting, paths, { things, before: planned, again }),
  })
  if (stream === undefined) {
    const done = { texts, things, planned, before, differing, records }
    return recordWritten(adopting, goal, { ...found, ...proven, ...done })
  }
  await print(stream, [...texts.values()].join('---\n'))
  return undefined
}
