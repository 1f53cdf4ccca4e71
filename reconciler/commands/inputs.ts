import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { DEFAULT_MANIFEST, filesReadBy, loadHead } from '../config/index.ts'
import { isNoFile, nodeFiles, realTarget } from '../disk/files.ts'
import { UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { readPlanFile } from '../plan-file/file.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { journalPath, lockPath, schemeOf } from '../state/index.ts'
import { LOCAL_DATA, LOCAL_FIXTURE } from './local.ts'
import type { CommonOptions } from './options.ts'
import { stateMeantBy } from './state-meant.ts'

type Given = Partial<Pick<CommonOptions, 'output' | 'files' | 'state' | 'file' | 'var' | 'local'>> & {
  readonly out?: string
}

/** A file by all of its names: links of both kinds lead to the same one. */
interface Place {
  readonly path: string
  /** Nothing where there is no file yet. */
  readonly inode: string | undefined
  /** A pipe or a device loses nothing by being written to. */
  readonly isFile: boolean
}

/**
 * What a command reads, it must not replace by what it writes.
 * @param word what stands behind the command: a saved plan, for those that take one
 * @throws UsageError
 */
export const refuseOverInputs = async (io: Io, options: Given, word: string | undefined): Promise<void> => {
  const read = await Promise.all((await inputsOf(io, options, word)).map(placeOf))
  const written = [
    { flag: '--output', file: options.output, typed: options.output },
    { flag: '--out', file: options.out, typed: options.out },
    ...(options.files ?? []).map(({ file, typed }) => ({ flag: '--format', file, typed })),
  ]
  const places: (Place & { readonly by: string })[] = []
  for (const { flag, file, typed } of written) {
    if (file === undefined) continue
    const place = await placeOf(resolve(io.cwd, file))
    if (read.some((each) => areSame(each, place)))
      throw new UsageError(`${flag} ${typed} would replace a file that the command itself reads`, {
        hint: 'Name another file.',
      })
    const other = places.find((each) => areSame(each, place))
    if (other !== undefined)
      throw new UsageError(`${other.by} and ${flag} ${typed} name the same file`, {
        hint: 'Name two files.',
      })
    places.push({ ...place, by: `${flag} ${typed}` })
  }
}

const areSame = (one: Place, other: Place): boolean =>
  one.isFile &&
  other.isFile &&
  (one.path === other.path || (one.inode !== undefined && one.inode === other.inode))

const placeOf = async (path: string): Promise<Place> => {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  const real = await realTarget(nodeFiles, path).catch(() => path)
  return {
    path: real,
    inode: found === undefined ? undefined : `${found.dev}:${found.ino}`,
    isFile: found?.isFile() ?? true,
  }
}

const inputsOf = async (io: Io, options: Given, word: string | undefined): Promise<string[]> => {
  const at = (path: string): string => resolve(io.cwd, path)
  const { local = false, file = [], var: vars = [] } = options
  const saved = word === undefined ? undefined : await savedPlanAt(at(word))
  const own = { files: file, vars, state: options.state, local }
  const states =
    saved === undefined ? [own] : [own, { ...saved, state: options.state ?? saved.stateFile, local }]
  const keys = ['DEPLOYMGMT_PRIVATE_KEY_FILE', 'DEPLOYMGMT_CA_FILE'].map((name) => io.env[name] ?? '')
  return [
    ...(word === undefined ? [] : [at(word)]),
    ...(await Promise.all(states.map((each) => stateFiles(io, each)))).flat(),
    ...(local ? [LOCAL_DATA, LOCAL_FIXTURE].map(at) : []),
    ...keys.filter((path) => path !== '').map(at),
    ...(await manifests(io, file, vars)),
    ...(saved === undefined ? [] : await manifests(io, saved.files, saved.vars)),
  ]
}

interface Stated extends Pick<SavedPlan, 'files' | 'vars'>, Pick<CommonOptions, 'state' | 'local'> {}

const stateFiles = async (io: Io, { files, vars, ...options }: Stated): Promise<string[]> => {
  const { cwd, env } = io
  const readable = await Promise.all(files.map((file) => isNoFile(resolve(cwd, file))))
  const head = readable.includes(true)
    ? undefined
    : await loadHead({ files, vars, cwd, env }, kinds).catch(() => undefined)
  const meant = await stateMeantBy(io, options, head).catch(() => undefined)
  if (meant === undefined || schemeOf(meant.statePath) !== undefined) return []
  const path = meant.statePath
  const real = await realTarget(nodeFiles, path).catch(() => path)
  return [real, journalPath(real), lockPath(real)]
}

/** Nothing where it is none: the command itself says so. A pipe can be read once, and is left to the command. */
const savedPlanAt = async (path: string): Promise<SavedPlan | undefined> => {
  if (await isNoFile(path)) return undefined
  return readPlanFile(path).then(
    ({ plan }) => plan,
    () => undefined,
  )
}

/** Manifests with all that they refer to; those that cannot be read are told of by the command itself. */
const manifests = async (
  { cwd, env }: Io,
  named: readonly string[],
  vars: readonly string[],
): Promise<string[]> => {
  const files = named.length === 0 ? [DEFAULT_MANIFEST] : named
  const readable: string[] = []
  for (const path of files.map((file) => resolve(cwd, file))) if (!(await isNoFile(path))) readable.push(path)
  if (readable.length === 0) return []
  const read = await filesReadBy({ files: readable, vars, cwd, env }, kinds).catch(() => [])
  return [...readable, ...read]
}
