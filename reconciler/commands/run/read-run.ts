import type { Client } from '@deploymgmt/provider/api'
import type { Provisional, Records, Run, RunReads, Settled, Target } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { aboutOf, type About } from '../../render/document/about.ts'
import type { ReadSession } from '../../state/index.ts'
import { saySettled } from '../../render/wording/words.ts'
import { wordsAbout } from './plan-words.ts'
import { resolveGlobs, refuseEmptyTarget, refuseIdleTarget, targetOf } from '../resolve/target.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { showingReads } from '../output/live-line.ts'
import { tellUnmet } from '../resolve/selector-words.ts'
import { tell } from '../output/tell.ts'
import { loadToRead, withClientToLoad } from '../resolve/load.ts'
import { recordedIn } from '../resolve/recorded.ts'
import { knownThingsOf, knownElsewhere } from './known-things.ts'
import { planRun } from './plan-run.ts'
import { sentBy, expectedOutcomes, withSettled, type StillOpen } from './unknown-outcomes.ts'

/** What a reading command starts from. */
export interface ReadRun {
  readonly about: About
  readonly client: Client
  readonly baseUrl: string
  readonly loaded: LoadedDeclaration
  readonly session: ReadSession
  /** The records, with the changes that evidence has settled. */
  readonly records: Records
  readonly target: Target | undefined
  readonly run: Run
  /** What other states record, if the manifest names any; read when it is first asked for. */
  readonly recordedThere: ReturnType<typeof knownThingsOf>['recordedThere']
  /** Requests whose outcome is unknown until an apply has settled it, for the report. */
  readonly toSettle: readonly (Settled | Provisional)[]
  /** Those of them for which an apply sends a request ahead of the plan. */
  readonly provisional: readonly Provisional[]
  /** Those that a person has to decide about, if the command goes on without them. */
  readonly stillOpen: StillOpen | undefined
}

/** How a reading command reads. */
export interface Reading extends Pick<RunReads, 'look' | 'withUnmanaged' | 'withRaw'> {
  /** Go on if a person has to decide about some requests: only for a report that says nothing of their things. */
  readonly leavesOpen?: boolean | undefined
  /** Checks what was loaded, before the service is asked. */
  readonly ready?: (loaded: LoadedDeclaration, session: ReadSession) => Promise<void>
}

/** Loads, reads the state, finds out about unknown outcomes, reads the service and plans; writes nothing. */
export const withRun = <T>(
  io: Io,
  options: CommonOptions,
  { leavesOpen, ready, ...reads }: Reading,
  use: (run: ReadRun) => Promise<T>,
): Promise<T> =>
  withClientToLoad(io, options, async (client, { baseUrl }) => {
    const { loaded: first, session } = await loadToRead(io, options, { client, baseUrl })
    for (const notice of session.notices) await tell(io, notice)
    await ready?.(first, session)
    const outcomes = await findOutcomes(io, options, { client, loaded: first, session, leavesOpen })
    const { loaded, records } = outcomes
    const { declaration } = loaded
    const globs = resolveGlobs(options.target, declaration, records)
    refuseEmptyTarget(globs, declaration, records)
    const knownThings = knownThingsOf(io, options, loaded, session)
    // Things that another command is just creating are in no record yet.
    const compares = reads.look === 'for-plan' && session.busy === undefined
    const comparing = compares ? { knownThings } : {}
    const input = { loaded, records, ...reads, globs, sent: sentBy(session), ...comparing }
    const run = await showingReads(io, options, client, async () => planRun(client, input))
    refuseIdleTarget(globs, declaration, records, run.plan)
    await tellUnmet(io, loaded, run)
    const about = aboutOf({ declaration, sources: loaded.sources, baseUrl, publicKey: client.publicKey })
    const { recordedThere } = knownThings
    return use({ about, client, baseUrl, session, ...outcomes, target: targetOf(globs), run, recordedThere })
  })

interface Loaded extends Pick<Reading, 'leavesOpen'> {
  readonly client: Client
  readonly loaded: LoadedDeclaration
  readonly session: ReadSession
}

/** Finds out about unknown outcomes, says what is settled, and reevaluates what may refer to it. */
const findOutcomes = async (
  io: Io,
  options: CommonOptions,
  { client, loaded, session, leavesOpen }: Loaded,
): Promise<Pick<ReadRun, 'loaded' | 'records' | 'toSettle' | 'provisional' | 'stillOpen'>> => {
  const { resources } = session.state
  const globs = resolveGlobs(options.target, loaded.declaration, resources)
  const { expected, settled, ...outcomes } = await expectedOutcomes(session, loaded, client, {
    sameFlags: sameFlagsOf(options),
    leavesOpen,
    elsewhere: knownElsewhere(io, options, loaded, session),
    target: targetOf(globs)?.includes,
  })
  const words = wordsAbout(loaded)
  for (const each of settled) await tell(io, saySettled(each, words))
  if (expected.length === 0) return { loaded, records: resources, ...outcomes }
  const records = withSettled(resources, expected)
  return { loaded: await loaded.reevaluate(recordedIn(records)), records, ...outcomes }
}
