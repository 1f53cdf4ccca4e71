import { isDeepStrictEqual } from 'node:util'
import { Writable } from 'node:stream'
import type { Client } from '@deploymgmt/provider/api'
import { kinds } from '@deploymgmt/provider/kinds'
import { entryOf, type Change, type Records } from '@deploymgmt/provider/engine'
import { manifestFiles, loadDeclaration, type LoadedDeclaration } from '../../config/index.ts'
import { InternalError, NotConfirmedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { runApply } from '../run/apply-run.ts'
import type { Fence } from '../service/connection.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import type { ProjectFilter } from '../resolve/only-projects.ts'
import { planRun } from '../run/plan-run.ts'
import { recordedIn } from '../resolve/recorded.ts'

/** The inputs of a proof. */
export interface Proving {
  readonly io: Io
  readonly options: CommonOptions
  /** Reads nothing twice, so that a plan costs no request. */
  readonly client: Client
  /** Without the new files. */
  readonly loaded: LoadedDeclaration
  readonly records: Records
  readonly baseUrl: string
  readonly fence: Fence
  /** The part of the declaration that is read and planned. */
  readonly filter: ProjectFilter
  readonly signal: AbortSignal
}

/** The scope of the new files. */
interface Proposed {
  /** The number of things that they declare. */
  readonly things: number
  /** The plan without the new files. */
  readonly before: readonly Change[]
  /** Addresses of recorded things that were not declared: they may get another name. */
  readonly again: ReadonlySet<string>
}

/** The result of a proof. */
interface Proven {
  /** Whether everything is recorded already, as declared. */
  readonly isRecorded: boolean
  /** Addresses of the new entries. */
  readonly targets: readonly string[]
}

/** The declaration with additional files. @throws ManifestError */
export const loadWith = async (
  { io, options, records }: Pick<Proving, 'io' | 'options' | 'records'>,
  paths: readonly string[],
): Promise<LoadedDeclaration> =>
  loadDeclaration(
    {
      ...manifestsOf(io, options),
      files: [...manifestFiles(options.file), ...paths],
      rehearsal: options.local === true,
      recordedIn: async () => recordedIn(records),
    },
    kinds,
  )

/**
 * Plans with the written files themselves: new entries must be adopted without a write, and earlier entries must be
 * planned as before.
 * @throws InternalError otherwise
 */
export const prove = async (
  proving: Proving,
  paths: readonly string[],
  { things, before, again }: Proposed,
): Promise<Proven> => {
  const { loaded } = proving
  const withNew = await loadWith(proving, paths)
  const after = await changesIn(proving, withNew)
  const old = new Set(loaded.declaration.entries.map(({ address }) => address))
  const added = withNew.declaration.entries.map(({ address }) => address).filter((each) => !old.has(each))
  const isNew = isOf(added)
  const own = after.filter(({ address }) => isNew(address))
  const isOther = ({ address }: Change): boolean => !isNew(address) && !again.has(address)
  const [others, were] = [after.filter(isOther), before.filter(isOther)]
  const wrong = [
    ...own
      .filter((change) => !changesNothing(change) && !isWrittenAgain(change, again))
      .map(({ address }) => address),
    ...(isDeepStrictEqual(others.map(essence), were.map(essence)) ? [] : ['what was declared before']),
    ...(own.length === things ? [] : [`${things} things were found, and ${own.length} planned`]),
  ]
  if (wrong.length > 0)
    throw new InternalError(new Error(`the plan with what was found is not empty: ${wrong.join(', ')}`))
  const isRecorded = own.every(({ action }) => action === 'unchanged')
  return { isRecorded, targets: [...new Set(added.map(entryOf))] }
}

export const changesIn = async (
  { client, records, filter }: Proving,
  loaded: LoadedDeclaration,
): Promise<Change[]> => {
  const within = { loaded: filter.loadedOf(loaded), records: filter.recordsOf(records) }
  const { plan } = await planRun(client, { ...within, look: 'for-plan', globs: [], byLists: true })
  return plan.planned.map(({ change }) => change)
}

/** Compared without places and notes, which may differ. */
const essence = ({ address, action, fields, requests }: Change) => ({ address, action, fields, requests })

/** The address of an entry stands for each of its instances. */
const isOf = (entries: readonly string[]): ((address: string) => boolean) => {
  const known = new Set(entries.map(entryOf))
  return (address) => known.has(entryOf(address))
}

/** What is written again can get another name. It gets the usual settings, because no manifest has its own any more. */
const isWrittenAgain = (change: Change, again: ReadonlySet<string>): boolean => {
  const { action, address, from = address, fields } = change
  const changed = fields.filter(({ path }) => !isSetting(path))
  return ['moved', 'update'].includes(action) && again.has(from) && isEmpty({ ...change, fields: changed })
}

const isSetting = (path: string): boolean => path === 'onRemove' || path === 'protect'

const isEmpty = ({ requests, fields, needs = [] }: Change): boolean =>
  requests.length + fields.length + needs.length === 0

export const changesNothing = (change: Change): boolean =>
  ['adopt', 'unchanged'].includes(change.action) && isEmpty(change)

/** Records what was proven, and nothing else that is declared, from what the proof has read. */
export const recordAll = async (
  { io, options, client, baseUrl, fence, signal }: Proving,
  file: readonly string[],
  target: readonly string[],
): Promise<void> => {
  if (target.length === 0) return
  const quiet = { ...io, stdout: new Writable({ write: (_chunk, _encoding, done) => done() }) }
  const apply = { ...options, file, target, autoApprove: true, format: 'text', quiet: true }
  const code = await runApply({ io: quiet, options: apply, client, baseUrl, fence, signal }, undefined)
  if (code !== 0 && signal.aborted)
    throw new NotConfirmedError('interrupted before everything was recorded; the files are written', {
      interrupted: true,
    })
  if (code !== 0) throw new InternalError(new Error(`what was found could not be recorded (${code})`))
}
