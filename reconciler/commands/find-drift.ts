import { kinds } from '@deploymgmt/provider/kinds'
import { driftsIn, parseInstant, reason, same, type Reason } from '@deploymgmt/provider/engine'
import { loadAccepted, type AcceptedFile, type LoadedDeclaration } from '../config/index.ts'
import { exists } from '../disk/files.ts'
import { StateMissingError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { AcceptFacts } from '../render/acceptances.ts'
import { driftDocument, type DriftDocument } from '../render/document.ts'
import { commandWords } from '../render/words.ts'
import type { StateFile } from '../state/index.ts'
import { withRun, type ReadRun } from './read-run.ts'
import { acceptedPath } from './accepted-path.ts'
import { noState, shownState } from './state-meant.ts'
import { busyWarnings } from './unknown-outcomes.ts'
import { looksForUnmanaged, lookForUnmanaged, type UnmanagedOptions } from './unmanaged.ts'

const A_DAY = 86_400_000

export interface AcceptedOptions {
  /** Milliseconds. */
  readonly pendingFor?: number
  /** The file of accepted drift; beside the first manifest where left out. */
  readonly accepted?: string
}

/** What has drifted, before anything of it is accepted. */
export interface FoundDrift {
  readonly read: ReadRun
  readonly document: Omit<DriftDocument, 'exitCode'>
  readonly accepted: AcceptedPlace
}

/** Where accepted drift is written, and what is there. */
export interface AcceptedPlace {
  /** As a person calls it in the current folder. */
  readonly file: string
  readonly path: string
  readonly content: AcceptedFile | undefined
}

/**
 * Compares live with what was last applied. Sends reads alone and writes nothing.
 * @throws StateMissingError, AcceptedError, UsageError before the service is asked
 */
export const findDrift = <T>(
  io: Io,
  options: AcceptedOptions & UnmanagedOptions,
  use: (found: FoundDrift) => Promise<T>,
): Promise<T> => {
  let accepted: AcceptedPlace | undefined
  const started = io.now()
  return withRun(
    io,
    options,
    { look: 'at-all', widely: looksForUnmanaged(options) },
    async (read) => {
      const { about, client, loaded, session, records, target, run } = read
      const { unmanaged, warnings } = await lookForUnmanaged(io, options, read, started)
      const said = driftDocument(
        {
          about,
          drifts: driftsIn({
            run,
            definitions: kinds,
            records,
            target: target?.target,
            lateness: latenessIn(session.state, run.now, options.pendingFor),
          }),
          checkedAt: run.now,
          target: options.target,
          toSettle: read.toSettle,
          warnings: [...run.plan.warnings, ...warnings],
          requestsSent: client.requestsSent,
          ...(unmanaged === undefined ? {} : { unmanaged }),
          isStrange: options.unmanaged === 'fail',
        },
        commandWords(loaded.declaration.projectNames),
      )
      const document = { ...said, warnings: [...busyWarnings(session), ...said.warnings] }
      return use({ read, document, accepted: accepted ?? (await acceptedAt(io, options, loaded)) })
    },
    async (loaded, session) => {
      refuseWithoutState(noState(io, session))
      accepted = await acceptedAt(io, options, loaded)
    },
  )
}

/** Why what is pending should have been applied by now: what no apply has met may be as old as the last one. */
const latenessIn = (
  { pending, resources }: Pick<StateFile, 'pending' | 'resources'>,
  now: Date,
  pendingFor = A_DAY,
): ((address: string) => Reason | undefined) => {
  // States of an earlier version tell of their writes alone.
  const writes = Object.values(resources).flatMap(({ lastWrite }) => lastWrite?.to ?? [])
  const reached = pending?.since ?? writes.toSorted((a, b) => parseInstant(a) - parseInstant(b)).at(-1)
  const isLate = (since: string): boolean => now.getTime() - parseInstant(since) > pendingFor
  return (address) => {
    const left = pending?.left?.[address]
    if (left !== undefined) return isLate(left) ? reason('left-undone-since', { since: left }) : undefined
    return reached !== undefined && isLate(reached)
      ? reason('nothing-applied-since', { since: reached })
      : undefined
  }
}

/** Nothing recorded could have drifted, and a lost state would look like peace every night. */
const refuseWithoutState = (missing: string | undefined): void => {
  if (missing === undefined) return
  throw new StateMissingError(`${missing}: nothing is recorded that could have drifted`, {
    hint: 'Name the place where the state is, or restore it. If there has never been one: deploymgmt state init, then deploymgmt apply.',
  })
}

const acceptedAt = async (
  io: Io,
  { accepted: named }: AcceptedOptions,
  { head }: LoadedDeclaration,
): Promise<AcceptedPlace> => {
  const path = await acceptedPath(io, named, head)
  const file = named ?? shownState(io, path)
  if (!(await exists(path))) return { file, path, content: undefined }
  return { file, path, content: await loadAccepted(file, io) }
}

/** A file that is named has to be there, where it is only read. @throws UsageError */
export const refuseUnlessThere = ({ file, content }: AcceptedPlace, { accepted }: AcceptedOptions): void => {
  if (accepted === undefined || content !== undefined) return
  throw new UsageError(`there is no file ${file}`, {
    hint: 'deploymgmt drift accept writes it; without --accepted it is the one beside the manifest.',
  })
}

/** What is accepted, for a report. */
export const acceptFacts = ({ read, accepted }: FoundDrift): AcceptFacts => ({
  accepted: (accepted.content?.items ?? []).map(({ entry }) => entry),
  now: read.run.now,
  looksAt: (address) => read.target?.target(address) ?? true,
  areSame: (kind, name, one, other) => {
    const field = kinds.find((each) => each.kind === kind)?.fields[name]
    return field !== undefined && same(field, one, other)
  },
})
