import { readFile, stat } from 'node:fs/promises'
import type { PlanDocument } from '../render/document.ts'
import { OutputError, PlanFileError } from '../errors/index.ts'
import { savedPlanFault } from './shape.ts'
import { shellWord, toJson } from '../render/index.ts'
import { inWords } from '../state/failures.ts'
import { parseJson } from '../state/json.ts'
import { resolveTarget } from '../state/paths.ts'
import { replaceUnlocked } from '../state/replace.ts'
import { surroundings, type Surroundings } from '../state/surroundings.ts'

/** A saved plan: what was shown, and all that it was made from. Holds no secret: manifests hold references alone. */
export interface SavedPlan {
  readonly formatVersion: 1
  readonly savedPlan: true
  readonly baseUrl: string
  /** Service time as of which it was made: what time alone changes since is nobody's change. */
  readonly now: string
  /** What the service said of itself. */
  readonly serviceVersion?: string
  /** The state file that it was made with, where that is not the usual one. */
  readonly stateFile?: string
  readonly files: readonly string[]
  readonly vars: readonly string[]
  readonly target: readonly string[]
  readonly sources: readonly { readonly file: string; readonly sha256: string }[]
  readonly state: { readonly lineage: string; readonly serial: number; readonly exists: boolean }
  readonly document: PlanDocument
}

/**
 * Writes it in one step and readable by its owner alone: who reads the name finds the old plan or the new.
 * @throws OutputError naming the file.
 */
export const savePlan = async (
  path: string,
  plan: SavedPlan,
  given: Partial<Surroundings> = {},
): Promise<void> => {
  const outside = surroundings(given)
  const bytes = Buffer.from(`${toJson(plan, { indent: 2 })}\n`)
  try {
    const file = await replaceUnlocked(outside, await resolveTarget(outside.files, path), bytes)
    await file.close()
  } catch (error) {
    throw new OutputError(`the plan cannot be saved: ${inWords(error)}`, {
      where: path,
      hint: OutputError.remedy,
      cause: error,
    })
  }
}

/**
 * @param typed the path as it was given
 * @throws PlanFileError when the file is not a plan that this version wrote.
 */
export const readPlanFile = async (
  path: string,
  typed = path,
): Promise<{ plan: SavedPlan; warning?: string }> => {
  const refuse = (what: string, isManifest = /\.(?:ya?ml|tf\.json)$/i.test(path)): PlanFileError =>
    new PlanFileError(what, {
      where: path,
      hint: isManifest ? `A manifest is named with a flag: -f ${shellWord(typed)}` : PlanFileError.remedy,
    })
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') throw refuse('a folder is not a saved plan', true)
    throw refuse(
      error.code === 'ENOENT'
        ? 'there is no such plan file'
        : `the plan file cannot be read: ${inWords(error)}`,
    )
  })
  const parsed = parseJson(text)
  if ('fault' in parsed) {
    const { message, line, column } = parsed.fault
    if (MANIFEST.test(text)) throw refuse('the file is a manifest and not a saved plan', true)
    throw refuse(`the file is not a saved plan: ${message} (line ${line}, column ${column})`)
  }
  const { value } = parsed
  const { savedPlan, formatVersion } = (value ?? {}) as { savedPlan?: unknown; formatVersion?: unknown }
  if (savedPlan !== true) {
    if (isManifest(value)) throw refuse('the file is a manifest and not a saved plan', true)
    throw refuse('the file is not a saved plan')
  }
  if (formatVersion !== 1)
    throw refuse(`the saved plan has format ${toJson(formatVersion)}, which this version does not read`)
  const fault = await savedPlanFault(value)
  if (fault !== undefined) throw refuse(`the file is not a whole saved plan: ${fault}`)
  const { mode } = await stat(path)
  const loose = process.platform !== 'win32' && (mode & 0o077) !== 0
  return {
    plan: value as SavedPlan,
    ...(loose ? { warning: `${path} can be read by others; chmod 600 keeps it to you` } : {}),
  }
}

/** A key of a manifest at the beginning of a line of YAML. */
const MANIFEST = /^(?:version|name|projects|defaults):/m

const isManifest = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  ['version', 'name', 'projects', 'resource', 'terraform'].some((key) => Object.hasOwn(value, key))
