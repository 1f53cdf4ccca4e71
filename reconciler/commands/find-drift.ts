import { resolve } from 'node:path'
import { isNone } from '@deploymgmt/provider/core'
import { kinds } from '@deploymgmt/provider/kinds'
import { driftsIn, parseInstant, reason, same, type Reason } from '@deploymgmt/provider/engine'
import { loadAccepted, type AcceptedFile, type LoadedDeclaration } from '../config/index.ts'
import { exists, nodeFiles, realTarget } from '../disk/files.ts'
import { AcceptedError, StateMissingError, UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import type { AcceptFacts } from '../render/acceptances.ts'
import { driftDocument, type DriftDocument, type PlanDocument } from '../render/document.ts'
import { withEndedAcceptances } from '../render/ended-acceptances.ts'
import { commandWords } from '../render/words.ts'
import type { StateFile } from '../state/index.ts'
import { withRun, type ReadRun } from './read-run.ts'
import { acceptedPath } from './accepted-path.ts'
import { noState, shownState } from './state-meant.ts'
import { busyWarnings } from './unknown-outcomes.ts'
import { looksForUnmanaged, lookForUnmanaged, type Found, type UnmanagedOptions } from './unmanaged.ts'

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
      const found = await lookForUnmanaged(io, options, read, started)
      const document = documentOf(read, found, options)
      return use({ read, document, accepted: accepted ?? (await acceptedAt(io, options, read.loaded)) })
    },
    async (loaded, session) => {
      refuseWithoutState(noState(io, session))
      accepted = await acceptedAt(io, options, loaded)
    },
  )
}

const documentOf = (
  read: ReadRun,
  { unmanaged, warnings }: Found,
  { pendingFor, target: asked, unmanaged: judged }: AcceptedOptions & UnmanagedOptions,
): FoundDrift['document'] => {
  const { about, client, loaded, session, records, target, run, toSettle } = read
  const drifts = driftsIn({
    run,
    definitions: kinds,
    records,
    target: target?.target,
    lateness: latenessIn(session.state, run.now, pendingFor),
  })
  const said = driftDocument(
    {
      about,
      drifts,
      checkedAt: run.now,
      target: asked,
      toSettle,
      warnings: [...run.plan.warnings, ...warnings],
      requestsSent: client.requestsSent,
      ...(unmanaged === undefined ? {} : { unmanaged }),
      isStrange: judged === 'fail',
    },
    commandWords(loaded.declaration.projectNames),
  )
  const { resources, unmanaged: others } = said
  return {
    ...said,
    resources: resources.map((each) => (each.verdict === 'drifted' ? withSilences(each) : each)),
    ...(others === undefined ? {} : { unmanaged: others.map(withSilences) }),
    warnings: [...busyWarnings(session), ...said.warnings],
  }
}

const SILENCING: ReadonlySet<string> = new Set(
  kinds.filter(({ silences }) => !isNone(silences)).map(({ kind }) => kind),
)

const withSilences = <T extends { readonly kind: string }>(thing: T): T & { readonly silences?: true } =>
  SILENCING.has(thing.kind) ? { ...thing, silences: true } : thing

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
  { head, sources }: LoadedDeclaration,
): Promise<AcceptedPlace> => {
  const path = await acceptedPath(io, named, head)
  const file = named ?? shownState(io, path)
  const manifests = await Promise.all(sources.map((source) => realOf(resolve(io.cwd, source.file))))
  if (manifests.includes(await realOf(path)))
    throw new UsageError(`${file} is a file of the manifest, and accepted drift has one of its own`, {
      hint: 'Without --accepted it is deploymgmt.accepted.yaml beside the manifest.',
    })
  if (!(await exists(path))) return { file, path, content: undefined }
  return { file, path, content: await loadAccepted(file, io) }
}

const realOf = (path: string): Promise<string> => realTarget(nodeFiles, path).catch(() => path)

/** A file that is named has to be there, where it is only read. @throws UsageError */
export const refuseUnlessThere = ({ file, content }: AcceptedPlace, { accepted }: AcceptedOptions): void => {
  if (accepted === undefined || content !== undefined) return
  throw new UsageError(`there is no file ${file}`, {
    hint: 'deploymgmt drift accept writes it; without --accepted it is the one beside the manifest.',
  })
}

/** What is accepted, for a report. */
export const acceptFacts = ({ read, accepted }: FoundDrift): AcceptFacts => ({
  ...factsOf(accepted, read.run.now),
  looksAt: (address) => read.target?.target(address) ?? true,
})

/** A plan with what of it was accepted as it is: a file that cannot be read ends no plan, and drift says all of it. */
export const notingAccepted = async (
  io: Io,
  loaded: LoadedDeclaration,
  now: Date,
  document: PlanDocument,
): Promise<PlanDocument> => {
  try {
    return withEndedAcceptances(document, factsOf(await acceptedAt(io, {}, loaded), now))
  } catch (error) {
    if (!(error instanceof AcceptedError || error instanceof UsageError)) throw error
    const warning = `what is accepted is not shown: ${error.message}`
    return { ...document, warnings: [...document.warnings, warning] }
  }
}

const factsOf = ({ content }: AcceptedPlace, now: Date): Omit<AcceptFacts, 'looksAt'> => ({
  accepted: (content?.items ?? []).map(({ entry }) => entry),
  now,
  areSame: (kind, name, one, other) => {
    const field = kinds.find((each) => each.kind === kind)?.fields[name]
    return field !== undefined && same(field, one, other)
  },
})
