import { chmod, readFile, stat } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import type { Change, PlanDocument } from '@deploymgmt/provider/engine'
import { PlanFileError, PlanStaleError } from './errors/index.ts'
import { writeTextFile } from './output.ts'
import { toJson } from './render/index.ts'

/** A saved plan: what was shown, and all that it was made from. Holds no secret: manifests hold references alone. */
export interface SavedPlan {
  readonly formatVersion: 1
  readonly savedPlan: true
  readonly baseUrl: string
  readonly files: readonly string[]
  readonly vars: readonly string[]
  readonly target: readonly string[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  readonly state: { readonly lineage: string; readonly serial: number; readonly exists: boolean }
  readonly document: PlanDocument
}

export const savePlan = async (path: string, plan: SavedPlan): Promise<void> => {
  await writeTextFile(path, `${toJson(plan, { indent: 2 })}\n`, 0o600)
  await chmod(path, 0o600)
}

/** @throws PlanFileError when the file is not a plan that this version wrote. */
export const readPlanFile = async (path: string): Promise<{ plan: SavedPlan; warning?: string }> => {
  const refuse = (what: string): PlanFileError =>
    new PlanFileError(what, { where: path, hint: PlanFileError.remedy })
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw refuse(
      error.code === 'ENOENT'
        ? 'there is no such plan file'
        : `the plan file cannot be read (${error.code ?? ''})`,
    )
  })
  const plan = parse(text)
  if (plan?.savedPlan !== true) throw refuse('the file is not a saved plan')
  if (plan.formatVersion !== 1)
    throw refuse(`the saved plan has format ${String(plan.formatVersion)}, which this version does not read`)
  const { mode } = await stat(path)
  const loose = process.platform !== 'win32' && (mode & 0o077) !== 0
  return {
    plan: plan as SavedPlan,
    ...(loose ? { warning: `${path} can be read by others; chmod 600 keeps it to you` } : {}),
  }
}

const parse = (text: string): (Partial<SavedPlan> & { formatVersion?: unknown }) | undefined => {
  try {
    return JSON.parse(text) as Partial<SavedPlan>
  } catch {
    return undefined
  }
}

const stale = (what: string): PlanStaleError => new PlanStaleError(what, { hint: PlanStaleError.remedy })

/** @throws PlanStaleError when what the plan was made from is no longer what there is. */
export const refuseStale = (
  saved: SavedPlan,
  now: { baseUrl: string; sources: SavedPlan['sources']; state: SavedPlan['state'] },
): void => {
  if (saved.baseUrl !== now.baseUrl)
    throw stale(`the plan is for ${saved.baseUrl}, and DEPLOYMGMT_BASE_URL is ${now.baseUrl}`)
  const edited = now.sources.filter(
    ({ file, sha256 }) => saved.sources.find((each) => each.file === file)?.sha256 !== sha256,
  )
  if (edited.length > 0 || saved.sources.length !== now.sources.length)
    throw stale(
      `the manifests have changed since the plan was made${edited.length > 0 ? `: ${edited.map(({ file }) => file).join(', ')}` : ''}`,
    )
  if (!isDeepStrictEqual(saved.state, now.state))
    throw stale(
      `the state has changed since the plan was made (serial ${saved.state.serial} then, ${now.state.serial} now)`,
    )
}

const essence = ({ action, fields, requests, needs }: Change): string =>
  JSON.stringify([action, fields, requests, needs ?? []])

/** What will be done, by address; a moved address can also be changed. */
const doings = (changes: readonly Change[]): ReadonlyMap<string, string> => {
  const acting = changes.filter(({ action }) => action !== 'unchanged' && action !== 'expired')
  return new Map(
    acting.map((change) => [
      `${change.address} ${change.action === 'moved' ? 'moved' : ''}`,
      essence(change),
    ]),
  )
}

/** Addresses whose change is not the one that was shown. What was read, and when, may differ; what is done may not. */
export const changedSince = (shown: readonly Change[], fresh: readonly Change[]): string[] => {
  const before = doings(shown)
  const after = doings(fresh)
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => key.trim())
}
