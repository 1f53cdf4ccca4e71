import type { Client } from '@deploymgmt/provider/api'
import type { Provisional, Records, Run, RunReads, Settled, Target } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../../config/index.ts'
import type { Io } from '../../io.ts'
import { aboutOf, type About } from '../../render/document/about.ts'
import { readSession, type ReadSession } from '../../state/index.ts'
import { saySettled } from '../../render/wording/words.ts'
import { wordsAbout } from './plan-words.ts'
import { resolveGlobs, refuseEmptyTarget, refuseIdleTarget, targetOf } from '../resolve/target.ts'
import { systemOf } from '../service/system.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { showingReads } from '../output/live-line.ts'
import { tellUnmet } from '../resolve/selector-words.ts'
import { tell } from '../output/tell.ts'
import { loadWithState, withClientToLoad } from '../resolve/load.ts'
import { recordedIn } from '../resolve/recorded.ts'
import { knownThingsOf, knownElsewhere } from './known-things.ts'
import { planRun } from './plan-run.ts'
import { sentBy, expectedUnlessBusy, withSettled, type StillOpen } from './unknown-outcomes.ts'

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

export interface LeavesOpen {
  /** Go on if a person has to decide about some requests: only for a report that says nothing of their things. */
  readonly leavesOpen?: boolean
}

/**
 * Loads, reads the state, finds out about unknown outcomes, reads the service and plans; writes nothing.
 * @param ready checks what was loaded, before the service is asked
 */
export const withRun = <T>(
  io: Io,
  options: CommonOptions,
  { leavesOpen, ...reads }: Pick<RunReads, 'look' | 'withUnmanaged' | 'withRaw'> & LeavesOpen,
  use: (run: ReadRun) => Promise<T>,
  ready: (loaded: LoadedDeclaration, session: ReadSession) => Promise<void> = async () => {},
): Promise<T> =>
  withClientToLoad(io, options, async (client, { baseUrl }) => {
    const { loaded: first, session } = await loadWithState(
      io,
      options,
      { client, baseUrl },
      { open: (stated) => readSession(stated, systemOf(io)) },
    )
    for (const notice of session.notices) await tell(io, notice)
    await ready(first, session)
    const outcomes = await expectedUnlessBusy(session, first, client, {
      sameFlags: sameFlagsOf(options),
      leavesOpen,
      elsewhere: knownElsewhere(io, options, first, session),
      target: targetOf(resolveGlobs(options.target, first.declaration, session.state.resources))?.includes,
    })
    const { expected, settled, toSettle, provisional, stillOpen } = outcomes
    const words = wordsAbout(first)
    for (const each of settled) await tell(io, saySettled(each, words))
    const { resources } = session.state
    const records = expected.length === 0 ? resources : withSettled(resources, expected)
    // Declared values may refer to settled records.
    const loaded = expected.length === 0 ? first : await first.reevaluate(recordedIn(records))
    const { declaration } = loaded
    const globs = resolveGlobs(options.target, declaration, records)
    refuseEmptyTarget(globs, declaration, records)
    const target = targetOf(globs)
    // Things that another command is just creating are in no record yet.
    const compares = reads.look === 'for-plan' && session.busy === undefined
    const knownThings = knownThingsOf(io, options, loaded, session)
    const comparing = compares ? { knownThings } : {}
    const input = {
      loaded,
      records,
      ...reads,
      globs,
      sent: sentBy(session),
      ...comparing,
    }
    const run = await showingReads(io, options, client, async () => planRun(client, input))
    refuseIdleTarget(globs, declaration, records, run.plan)
    await tellUnmet(io, loaded, run)
    const about = aboutOf({ declaration, sources: loaded.sources, baseUrl, publicKey: client.publicKey })
    const { recordedThere } = knownThings
    const found = { about, client, baseUrl, loaded, session, records, target, run, recordedThere }
    return use({ ...found, toSettle, provisional, stillOpen })
  })
