import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { readOpened } from '@deploymgmt/provider/api'
import { OutputError, PlanDigestError, PlanFileError } from '../errors/index.ts'
import { planFileCheck, type SavedPlan } from './shape.ts'
import { shellWord } from '../text/display.ts'
import { sortedJson, toJson } from '../text/json.ts'
import { readAs } from '../disk/check.ts'
import { inWords, isNoFile, nodeFiles, realTarget } from '../disk/files.ts'
import { parseJson } from '../disk/json.ts'
import { replaceUnlocked, type DiskSystem } from '../disk/replace.ts'

/** Larger than any plan, so that an endless device is not read for ever. */
const LARGEST = 256 * 1024 * 1024

/** A saved plan as the text of its file. */
export const savedPlanText = (plan: SavedPlan): string =>
  `${toJson({ ...plan, contentSha256: contentDigest(plan) }, { indent: 2 })}\n`

/**
 * A digest that detects later edits, regardless of layout. It is no protection against forgery, since an editor can
 * compute a new one: approvals are tied to the digest of the whole file.
 */
const contentDigest = (content: SavedPlan): string => digestOf(sortedJson(content))

/**
 * Writes the file in one step, readable by its owner only: a reader finds the old plan or the new one. A path that
 * is not a regular file is written to.
 * @throws OutputError naming the file
 */
export const savePlan = async (
  path: string,
  plan: SavedPlan,
  given: Partial<DiskSystem> = {},
): Promise<void> => {
  const system = { files: nodeFiles, uuid: randomUUID, ...given }
  const bytes = Buffer.from(savedPlanText(plan))
  try {
    if (await isNoFile(path)) return await writeFile(path, bytes, { flag: constants.O_WRONLY })
    const file = await replaceUnlocked(system, await realTarget(system.files, path), bytes)
    await file.close()
  } catch (error) {
    throw new OutputError(`the plan cannot be saved: ${inWords(error)}`, { where: path, cause: error })
  }
}

/** The sha256 (hex), as `sha256sum` prints it; approvals are tied to that of the whole file. */
export const digestOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** What a file that is not a saved plan may be, which decides the hint. */
type OtherFile = 'manifest' | 'state' | 'other'
const INSTEAD: Readonly<Record<OtherFile, (file: string) => string>> = {
  manifest: (file) => `A manifest is named with a flag: -f ${file}`,
  state: (file) =>
    `A state is named with a flag: --state ${file}; without a saved plan, what is declared is planned against it.`,
  other: () => PlanFileError.remedy,
}

const looksLikeManifest = (path: string): boolean => /\.(?:ya?ml|tf\.json)$/i.test(path)

type Refuse = (what: string, is?: OtherFile) => PlanFileError

const refusing =
  (path: string, typed: string): Refuse =>
  (what, is = looksLikeManifest(path) ? 'manifest' : 'other') =>
    new PlanFileError(what, { where: path, hint: INSTEAD[is](shellWord(typed)) })

interface PlanFile {
  readonly plan: SavedPlan
  readonly sha256: string
  readonly warning?: string
}

/**
 * @param typed the path as it was given
 * @param expected the required sha256 (hex) of the file, checked before its content
 * @throws PlanDigestError if the file has another digest
 * @throws PlanFileError if the file is not a plan that this version wrote
 */
export const readPlanFile = async (path: string, typed = path, expected?: string): Promise<PlanFile> => {
  const refuse = refusing(path, typed)
  const { bytes, mode } = await contentOf(path, refuse)
  const sha256 = digestOf(bytes)
  if (expected !== undefined && expected.toLowerCase() !== sha256)
    throw new PlanDigestError(`the plan has the sha256 ${sha256}, but ${expected} was approved`, {
      where: path,
    })
  const plan = wholePlan(valueIn(bytes.toString('utf8'), refuse), refuse)
  const loose = process.platform !== 'win32' && (mode & 0o077) !== 0
  return {
    plan,
    sha256,
    ...(loose ? { warning: `${path} can be read by others; chmod 600 keeps it to you` } : {}),
  }
}

interface Content {
  readonly bytes: Buffer
  readonly mode: number
}

/** From one open file: another may get its name meanwhile. */
const contentOf = async (path: string, refuse: Refuse): Promise<Content> => {
  const { bytes, mode } = await readOnce(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') throw refuse('a folder is not a saved plan', 'manifest')
    throw refuse(
      error.code === 'ENOENT'
        ? 'there is no such plan file'
        : `the plan file cannot be read: ${inWords(error)}`,
    )
  })
  if (bytes === undefined) throw refuse('the file is not a saved plan: it is larger than 256 MB')
  return { bytes, mode }
}

const readOnce = async (path: string): Promise<{ bytes: Buffer | undefined; mode: number }> => {
  const file = await open(path)
  try {
    const { mode } = await file.stat()
    return { bytes: await readOpened(file, LARGEST), mode }
  } finally {
    await file.close()
  }
}

/** The value in the text, if it declares itself a saved plan in a supported format. */
const valueIn = (text: string, refuse: Refuse): unknown => {
  const parsed = parseJson(text)
  if ('fault' in parsed) {
    const { message, line, column } = parsed.fault
    if (MANIFEST.test(text)) throw refuse('the file is a manifest, not a saved plan', 'manifest')
    throw refuse(`the file is not a saved plan: ${message} (line ${line}, column ${column})`)
  }
  const { value } = parsed
  const { savedPlan, formatVersion } = (value ?? {}) as { savedPlan?: unknown; formatVersion?: unknown }
  if (savedPlan !== true) {
    if (isState(value)) throw refuse('the file is a state, not a saved plan', 'state')
    if (isManifest(value)) throw refuse('the file is a manifest, not a saved plan', 'manifest')
    throw refuse('the file is not a saved plan')
  }
  if (formatVersion !== 1)
    throw refuse(`the saved plan has format ${toJson(formatVersion)}, which this version does not read`)
  return value
}

/** The complete plan, as it was written. */
const wholePlan = (value: unknown, refuse: Refuse): SavedPlan => {
  const { contentSha256, ...plan } = readAs(planFileCheck, value, (_, words) =>
    refuse(`the file is not a whole saved plan: ${words}`),
  )
  if (contentSha256 !== contentDigest(plan))
    throw refuse('the saved plan has been edited or damaged since it was made')
  return plan
}

/** A manifest key at the start of a line of YAML. */
const MANIFEST = /^(?:version|name|projects|defaults):/m

const isManifest = (value: unknown): boolean =>
  ['version', 'name', 'projects', 'resource', 'terraform'].some((key) => has(value, key))

/** Manifests have no such keys. */
const isState = (value: unknown): boolean => ['lineage', 'serial'].every((key) => has(value, key))

const has = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
