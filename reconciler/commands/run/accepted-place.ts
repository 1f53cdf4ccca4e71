import { join, resolve } from 'node:path'
import { definitionOf } from '@deploymgmt/provider/core'
import { same } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import {
  acceptedFor,
  loadAccepted,
  type AcceptedFile,
  type Head,
  type LoadedDeclaration,
} from '../../config/index.ts'
import { exists, nodeFiles, realTarget } from '../../disk/files.ts'
import { AcceptedError, UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import type { AcceptFacts } from '../../render/document/acceptances.ts'
import type { PlanDocument } from '../../render/document/plan-model.ts'
import { withEndedAcceptances } from '../../render/document/ended-acceptances.ts'
import { folderOf, shownState } from '../resolve/state.ts'
import type { ReadRun } from './read-run.ts'

const ACCEPTED_FILE = 'deploymgmt.accepted.yaml'

/**
 * The absolute path of the file of accepted drift: from `--accepted`, or beside the first manifest.
 *
 * @param head undefined if there is no manifest
 */
export const acceptedPath = async (
  { cwd }: Pick<Io, 'cwd'>,
  named: string | undefined,
  head: Head | undefined,
): Promise<string> =>
  named === undefined ? join(await folderOf(head, cwd), ACCEPTED_FILE) : resolve(cwd, named)

/** Where accepted drift is written, and its present content. */
export interface AcceptedPlace {
  /** As a person in the current folder would type it. */
  readonly file: string
  readonly path: string
  readonly content: AcceptedFile | undefined
  /** The name of the manifest for which it is read. */
  readonly name: string
}

/** @throws AcceptedError, UsageError */
export const acceptedAt = async (
  io: Io,
  named: string | undefined,
  { head, sources }: LoadedDeclaration,
): Promise<AcceptedPlace> => {
  const path = await acceptedPath(io, named, head)
  const file = named ?? shownState(io, path)
  const manifests = await Promise.all(sources.map((source) => realOf(resolve(io.cwd, source.file))))
  if (manifests.includes(await realOf(path)))
    throw new UsageError(`${file} is a file of the manifest, but accepted drift needs a file of its own`, {
      hint: 'Without --accepted it is deploymgmt.accepted.yaml beside the manifest.',
    })
  const place = { file, path, name: head.name }
  if (!(await exists(path))) return { ...place, content: undefined }
  return { ...place, content: await loadAccepted(file, io) }
}

const realOf = (path: string): Promise<string> => realTarget(nodeFiles, path).catch(() => path)

/** A named file that is only read must exist. @throws UsageError */
export const refuseUnlessThere = (
  { file, content }: AcceptedPlace,
  { accepted: named }: { readonly accepted?: string },
): void => {
  if (named === undefined || content !== undefined) return
  throw new UsageError(`there is no file ${file}`, {
    hint: 'deploymgmt drift accept writes it; without --accepted it is the file beside the manifest.',
  })
}

interface Judging {
  readonly read: Pick<ReadRun, 'run' | 'target'>
  readonly accepted: AcceptedPlace
}

/** Facts about acceptances, for a report. */
export const acceptFacts = ({ read, accepted }: Judging): AcceptFacts => ({
  ...factsOf(accepted, read.run.now),
  looksAt: (address) => read.target?.includes(address) ?? true,
})

/** Marks what was accepted in a plan. A file that cannot be read does not fail a plan; `drift` reports it. */
export const notingAccepted = async (
  io: Io,
  loaded: LoadedDeclaration,
  now: Date,
  document: PlanDocument,
): Promise<PlanDocument> => {
  try {
    return withEndedAcceptances(document, factsOf(await acceptedAt(io, undefined, loaded), now))
  } catch (error) {
    if (!(error instanceof AcceptedError || error instanceof UsageError)) throw error
    const warning = `what is accepted is not shown: ${error.message}`
    return { ...document, warnings: [...document.warnings, warning] }
  }
}

const factsOf = ({ content, name }: AcceptedPlace, now: Date): Omit<AcceptFacts, 'looksAt'> => ({
  accepted: content === undefined ? [] : acceptedFor(name, content),
  now,
  areSame: (kind, fieldName, one, other) => {
    const field = definitionOf(kinds, kind)?.fields[fieldName]
    return field !== undefined && same(field, one, other)
  },
})
