import { createHash, randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { stat, writeFile } from 'node:fs/promises'
import { readAtMost } from '@deploymgmt/provider/api'
import { OutputError, PlanDigestError, PlanFileError } from '../errors/index.ts'
import { planFileCheck, type SavedPlan } from './shape.ts'
import { shellWord } from '../text/display.ts'
import { sortedJson, toJson } from '../text/json.ts'
import { readAs } from '../disk/check.ts'
import { inWords, isNoFile, nodeFiles, realTarget } from '../disk/files.ts'
import { parseJson } from '../disk/json.ts'
import { replaceUnlocked, type DiskOutside } from '../disk/replace.ts'

/** No plan is as large: a device without end is not read for ever. */
const LARGEST = 256 * 1024 * 1024

/** A saved plan as the text of its file. */
export const savedPlanText = (plan: SavedPlan): string =>
  `${toJson({ ...plan, contentSha256: contentDigest(plan) }, { indent: 2 })}\n`

/**
 * What tells that a file was edited since, however it is laid out. Whoever edits can make another one: an approval is
 * tied to the digest of the whole file.
 */
const contentDigest = (content: SavedPlan): string => digestOf(sortedJson(content))

/**
 * Writes it in one step and readable by its owner alone: who reads the name finds the old plan or the new. What is
 * no file is written to.
 * @throws OutputError naming the file.
 */
export const savePlan = async (
  path: string,
  plan: SavedPlan,
  given: Partial<DiskOutside> = {},
): Promise<void> => {
  const outside = { files: nodeFiles, uuid: randomUUID, ...given }
  const bytes = Buffer.from(savedPlanText(plan))
  try {
    if (await isNoFile(path)) return await writeFile(path, bytes, { flag: constants.O_WRONLY })
    const file = await replaceUnlocked(outside, await realTarget(outside.files, path), bytes)
    await file.close()
  } catch (error) {
    throw new OutputError(`the plan cannot be saved: ${inWords(error)}`, { where: path, cause: error })
  }
}

/** The sha256 (hex), as `sha256sum` tells it: that of the whole file is what an approval is tied to. */
export const digestOf = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** What a file can be that is no saved plan, and what to give then. */
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
 * @param expected the sha256 (hex) that the file has to have; it is looked at before anything in the file
 * @throws PlanDigestError when the file has another one.
 * @throws PlanFileError when the file is not a plan that this version wrote.
 */
export const readPlanFile = async (path: string, typed = path, expected?: string): Promise<PlanFile> => {
  const refuse = refusing(path, typed)
  const bytes = await bytesOf(path, refuse)
  const sha256 = digestOf(bytes)
  if (expected !== undefined && expected.toLowerCase() !== sha256)
    throw new PlanDigestError(`the plan has the sha256 ${sha256}, but ${expected} was approved`, {
      where: path,
    })
  const plan = wholePlan(valueIn(bytes.toString('utf8'), refuse), refuse)
  const { mode } = await stat(path)
  const loose = process.platform !== 'win32' && (mode & 0o077) !== 0
  return {
    plan,
    sha256,
    ...(loose ? { warning: `${path} can be read by others; chmod 600 keeps it to you` } : {}),
  }
}

const bytesOf = async (path: string, refuse: Refuse): Promise<Buffer> => {
  const bytes = await readAtMost(path, LARGEST).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EISDIR') throw refuse('a folder is not a saved plan', 'manifest')
    throw refuse(
      error.code === 'ENOENT'
        ? 'there is no such plan file'
        : `the plan file cannot be read: ${inWords(error)}`,
    )
  })
  if (bytes === undefined) throw refuse('the file is not a saved plan: it is larger than 256 MB')
  return bytes
}

/** What says of itself that it is a saved plan, of a format that is read. */
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

/** All of it, as it was written. */
const wholePlan = (value: unknown, refuse: Refuse): SavedPlan => {
  const { contentSha256, ...plan } = readAs(planFileCheck, value, (_, words) =>
    refuse(`the file is not a whole saved plan: ${words}`),
  )
  if (contentSha256 === undefined)
    throw refuse(
      'the saved plan has no digest of its content: an earlier version made it, or somebody has edited it',
    )
  if (contentSha256 !== contentDigest(plan))
    throw refuse('the saved plan has been edited or damaged since it was made')
  return plan
}

/** A key of a manifest at the beginning of a line of YAML. */
const MANIFEST = /^(?:version|name|projects|defaults):/m

const isManifest = (value: unknown): boolean =>
  ['version', 'name', 'projects', 'resource', 'terraform'].some((key) => has(value, key))

/** No manifest says where a state comes from. */
const isState = (value: unknown): boolean => ['lineage', 'serial'].every((key) => has(value, key))

const has = (value: unknown, key: string): boolean =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, key)
