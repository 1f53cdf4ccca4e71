import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Head, StateNamed } from '../../config/index.ts'
import { exists, isNoFile } from '../../disk/files.ts'
import { StateAddressError, StateMovedError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { addressFrom, loadState, type Stated } from '../../state/index.ts'
import { shellWord } from '../../text/display.ts'
import { LOCAL_STATE } from '../service/local.ts'
import { sameFlagsOf, type CommonOptions } from '../line/options.ts'
import { typed } from '../output/typed.ts'

const DEFAULT_STATE = 'deploymgmt.state.json'

/** The place of a state, and its names. */
export interface ResolvedState {
  readonly name: string
  /** An absolute path, or an address without credentials. */
  readonly statePath: string
  /** The folder of the manifest. */
  readonly folder: string
  /** Whether plain http to another machine is accepted. */
  readonly allowHttp: boolean
  /** Flags with which a command selects this state, each after a space. */
  readonly sameFlags: string
  /** Files with a state of this manifest at default places, other than the selected one. */
  readonly elsewhere: NonNullable<Stated['elsewhere']>
}

type Meaning = Pick<CommonOptions, 'state' | 'local' | 'allowHttp'> & Partial<Manifests>
type Manifests = Pick<CommonOptions, 'file' | 'var' | 'varFile'>

/**
 * The state of the given manifests: from `--state`, else from DEPLOYMGMT_STATE, else from the manifests, else a file
 * beside the first manifest. A path is relative to the file that names it, and paths of the command line to the
 * current folder.
 *
 * @param head undefined if there is no manifest
 * @throws StateAddressError
 */
export const resolveState = async (
  { cwd, env }: Pick<Io, 'cwd' | 'env'>,
  options: Meaning,
  head: Head | undefined,
): Promise<ResolvedState> => {
  const { file = [], var: vars = [], varFile = [], state, local = false, allowHttp = false } = options
  const folder = await folderOf(head, cwd)
  const sameFlags = sameFlagsOf({ file, var: vars, varFile, state, local, allowHttp })
  const meant = { name: head?.name ?? '', folder, allowHttp, sameFlags, elsewhere: [] }
  if (state !== undefined) return { ...meant, statePath: addressFrom(state, cwd) }
  if (local) return { ...meant, statePath: resolve(cwd, LOCAL_STATE) }
  const said = env['DEPLOYMGMT_STATE'] || undefined
  const declared = head?.state && addressNamed(head.state)
  const standing = join(folder, DEFAULT_STATE)
  const statePath = said === undefined ? (declared ?? standing) : addressFrom(said, cwd)
  const others = [...new Set([standing, join(cwd, DEFAULT_STATE)])].filter((path) => path !== statePath)
  const found = await ofSameName(others, meant.name)
  return {
    ...meant,
    statePath,
    elsewhere: found.map((path) => ({ path, moves: move(path, statePath, options) })),
  }
}

/** The address of a state that a manifest names. @throws StateAddressError, with its place in the manifest */
export const addressNamed = ({ text, path, at: where }: StateNamed): string => {
  try {
    return addressFrom(text, dirname(path))
  } catch (error) {
    if (!(error instanceof StateAddressError)) throw error
    throw new StateAddressError(error.message, { where, hint: error.hint, cause: error })
  }
}

/** The command that moves a state, for the same manifests. */
const move = (
  from: string,
  to: string,
  { file = [], var: vars = [], varFile = [], allowHttp = false }: Omit<Meaning, 'state' | 'local'>,
): string =>
  `deploymgmt state copy --from ${shellWord(from)} --to ${shellWord(to)}${sameFlagsOf({ file, var: vars, varFile, allowHttp })}`

/** The place as a person in the current folder would type it. */
export const shownState = ({ cwd }: Pick<Io, 'cwd'>, place: string): string =>
  isAbsolute(place) ? typed(cwd, place) : place

/** Says that there is no state at the place, which can be misspelt; undefined if there is one. */
export const noState = (
  io: Pick<Io, 'cwd'>,
  { exists: hasState, place }: { readonly exists: boolean; readonly place: string },
): string | undefined => (hasState ? undefined : `there is no state at ${shownState(io, place)} yet`)

/** A synthesized manifest, or one from a pipe, has no folder of its own. */
export const folderOf = async (head: Pick<Head, 'path'> | undefined, cwd: string): Promise<string> =>
  head?.path === undefined || (await isNoFile(head.path)) ? cwd : dirname(head.path)

/** The folder of what this manifest alone consists of; that of a base may belong to others, too. */
export const ownFolderOf = ({ ownPath: path }: Head, cwd: string): Promise<string> => folderOf({ path }, cwd)

/** The paths whose state has this name, or a name that cannot be read. */
const ofSameName = async (paths: readonly string[], name: string): Promise<string[]> => {
  const found: string[] = []
  for (const path of paths) if ((await exists(path)) && (await mayBeOf(path, name))) found.push(path)
  return found
}

const mayBeOf = async (path: string, name: string): Promise<boolean> => {
  try {
    return (await loadState(path))?.state.name === name
  } catch (error) {
    // The marker of a moved state is not counted, because every command refuses it with an explanation.
    return !(error instanceof StateMovedError)
  }
}
