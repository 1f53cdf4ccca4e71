import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { kinds } from '@deploymgmt/provider/kinds'
import { manifestFiles, filesReadBy, loadDeclaration, loadHead, type LoadOptions } from '../config/index.ts'
import { isNoFile, nodeFiles, realTarget } from '../disk/files.ts'
import { UsageError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { readPlanFile } from '../plan-file/file.ts'
import type { SavedPlan } from '../plan-file/shape.ts'
import { journalPath, lockPath, schemeOf, whereSilencesAre } from '../state/index.ts'
import { acceptedPath } from './run/accepted-place.ts'
import type { AcceptedOptions } from './drift/find.ts'
import { LOCAL_DATA, LOCAL_FIXTURE } from './service/local.ts'
import type { CommonOptions } from './line/options.ts'
import { addressNamed, resolveState } from './resolve/state.ts'

type Given = Partial<
  Pick<CommonOptions, 'output' | 'files' | 'state' | 'file' | 'var' | 'varFile' | 'local'>
> &
  Pick<AcceptedOptions, 'accepted'> & {
    readonly out?: string
    /** A list of decisions, or the source of a copied state. */
    readonly from?: string
    readonly to?: string
  }

/** A file regardless of its name: symbolic and hard links lead to the same one. */
interface FileIdentity {
  readonly path: string
  /** Undefined if there is no file yet. */
  readonly inode: string | undefined
  /** Writing to a pipe or a device destroys nothing. */
  readonly isFile: boolean
}

/**
 * Refuses to overwrite what the command reads.
 * @param given the file that is the first argument, such as a saved plan
 * @throws UsageError
 */
export const refuseOverInputs = async (io: Io, options: Given, given: string | undefined): Promise<void> => {
  const read = await Promise.all((await inputsOf(io, options, given)).map(fileIdentityOf))
  const traced = io.env['DEPLOYMGMT_TRACE'] || undefined
  const written = [
    { by: `--output ${options.output}`, file: options.output },
    { by: `--out ${options.out}`, file: options.out },
    ...(options.files ?? []).map(({ file, typed }) => ({ by: `--format ${typed}`, file })),
    { by: `DEPLOYMGMT_TRACE=${traced}`, file: traced },
  ]
  const earlier: (FileIdentity & { readonly by: string })[] = []
  for (const { by, file } of written) {
    if (file === undefined) continue
    const identity = await fileIdentityOf(resolve(io.cwd, file))
    if (read.some((each) => areSame(each, identity)))
      throw new UsageError(`${by} would replace a file that the command itself reads`, {
        hint: 'Name another file.',
      })
    const other = earlier.find((each) => areSame(each, identity))
    if (other !== undefined)
      throw new UsageError(`${other.by} and ${by} name the same file`, {
        hint: 'Name two files.',
      })
    earlier.push({ ...identity, by })
  }
}

const areSame = (one: FileIdentity, other: FileIdentity): boolean =>
  one.isFile &&
  other.isFile &&
  (one.path === other.path || (one.inode !== undefined && one.inode === other.inode))

const fileIdentityOf = async (path: string): Promise<FileIdentity> => {
  const found = await stat(path, { bigint: true }).catch(() => undefined)
  const real = await realTarget(nodeFiles, path).catch(() => path)
  return {
    path: real,
    inode: found === undefined ? undefined : `${found.dev}:${found.ino}`,
    isFile: found?.isFile() ?? true,
  }
}

const inputsOf = async (io: Io, options: Given, given: string | undefined): Promise<string[]> => {
  const at = (path: string): string => resolve(io.cwd, path)
  const { local = false, file = [], var: vars = [], varFile: varFiles = [] } = options
  const saved = given === undefined ? undefined : await savedPlanAt(at(given))
  const { state, accepted } = options
  const own = { files: file, vars, varFiles, state, local }
  const runs = saved === undefined ? [own] : [own, { ...saved, state: state ?? saved.stateFile, local }]
  const keys = ['DEPLOYMGMT_PRIVATE_KEY_FILE', 'DEPLOYMGMT_CA_FILE'].map((name) => io.env[name] ?? '')
  return [
    ...(given === undefined ? [] : [at(given)]),
    ...(await fromAndTo(io, options)),
    ...(await Promise.all(runs.map((each) => filesBeside(io, each, accepted)))).flat(),
    ...(local ? [LOCAL_DATA, LOCAL_FIXTURE].map(at) : []),
    ...keys.filter((path) => path !== '').map(at),
    ...(await manifests(io, own)),
    ...(saved === undefined ? [] : await manifests(io, saved)),
  ]
}

interface Run
  extends Pick<SavedPlan, 'files' | 'vars' | 'varFiles'>, Pick<CommonOptions, 'state' | 'local'> {}

/** Files that a run finds without a flag: its state, its silences, other states, and accepted drift. */
const filesBeside = async (
  io: Io,
  { files, vars, varFiles = [], ...options }: Run,
  accepted: string | undefined,
): Promise<string[]> => {
  const { cwd, env } = io
  const load = { files, vars, varFiles, cwd, env, offline: true }
  const isPiped = (
    await Promise.all([...files, ...varFiles].map((file) => isNoFile(resolve(cwd, file))))
  ).includes(true)
  const head = isPiped ? undefined : await loadHead(load, kinds).catch(() => undefined)
  const others = isPiped ? [] : await otherStates(load)
  const meant = await resolveState(io, options, head).catch(() => undefined)
  const own = meant === undefined ? [] : [meant.statePath, whereSilencesAre(meant).statePath]
  return [
    ...(await Promise.all([...own, ...others].map(stateFiles))).flat(),
    await acceptedPath(io, accepted, head),
  ]
}

/** The files of `--from` and `--to`; the command itself reports a wrong address. */
const fromAndTo = async ({ cwd }: Io, { from, to }: Given): Promise<string[]> => {
  const paths = [from, to].flatMap((each) =>
    each === undefined || schemeOf(each) !== undefined ? [] : [resolve(cwd, each)],
  )
  return (await Promise.all(paths.map(stateFiles))).flat()
}

/** Empty if the manifest or an address in it is wrong: the command itself reports that. */
const otherStates = (load: LoadOptions): Promise<string[]> =>
  loadDeclaration(load, kinds).then(
    ({ otherStates: named }) => named.map(addressNamed),
    () => [],
  )

/** Empty if the state is not in a file. */
const stateFiles = async (path: string): Promise<string[]> => {
  if (schemeOf(path) !== undefined) return []
  const real = await realTarget(nodeFiles, path).catch(() => path)
  return [real, journalPath(real), lockPath(real)]
}

/**
 * Undefined if the file is no saved plan: the command itself reports that. A pipe can be read only once, and is left
 * to the command.
 */
const savedPlanAt = async (path: string): Promise<SavedPlan | undefined> => {
  if (await isNoFile(path)) return undefined
  return readPlanFile(path).then(
    ({ plan }) => plan,
    () => undefined,
  )
}

/** Manifests and all files that they refer to; the command itself reports those that cannot be read. */
const manifests = async (
  { cwd, env }: Io,
  { files: named, vars, varFiles = [] }: Pick<SavedPlan, 'files' | 'vars' | 'varFiles'>,
): Promise<string[]> => {
  const readable = async (files: readonly string[]): Promise<string[]> => {
    const paths = files.map((file) => resolve(cwd, file))
    const isNone = await Promise.all(paths.map(isNoFile))
    return paths.filter((_, index) => isNone[index] !== true)
  }
  const files = await readable(manifestFiles(named))
  const variables = await readable(varFiles)
  if (files.length === 0) return variables
  const load = { files, vars, varFiles: variables, cwd, env }
  const read = await filesReadBy(load, kinds).catch(() => [])
  return [...files, ...variables, ...read]
}
