import { kinds } from '@deploymgmt/provider/kinds'
import { loadHead, type Head } from '../config/index.ts'
import { ManifestNotFoundError } from '../errors/index.ts'
import type { Io } from '../io.ts'
import { safeJson } from '../text/json.ts'
import { addressFrom, copyState, expectedAt, nothingAt, readStored, schemeOf } from '../state/index.ts'
import { writeOutput } from './output.ts'
import type { CommonOptions } from './options.ts'
import { leftUnknown, told } from './state-change.ts'
import { outsideOf, shownState, stateMeantBy } from './state-meant.ts'
import { tell } from './tell.ts'

interface CopyOptions extends CommonOptions {
  readonly from: string
  readonly to: string
}

/** The top of the manifests; nothing where there are none. */
export const headIfAny = async (
  io: Io,
  { file: files, var: vars, varFile: varFiles }: CommonOptions,
): Promise<Head | undefined> => {
  try {
    return await loadHead({ files, vars, varFiles, cwd: io.cwd, env: io.env }, kinds)
  } catch (error) {
    if (error instanceof ManifestNotFoundError) return undefined
    throw error
  }
}

/** Moves a state to another store. Whose it is it says itself; a manifest that is there has to have its name. */
export const stateCopy = async (io: Io, options: CopyOptions): Promise<number> => {
  const head = await headIfAny(io, options)
  const { allowHttp = false, from: state } = options
  const { folder } = await stateMeantBy(io, { state, allowHttp }, head)
  const at = (address: string, name = head?.name ?? '') => ({
    statePath: addressFrom(address, io.cwd),
    folder,
    allowHttp,
    name,
  })
  const from = at(options.from)
  const found = await expectedAt(from, outsideOf(io))
  if (found === undefined) throw nothingAt(from.statePath)
  const expect = { name: head?.name ?? found.name, baseUrl: found.baseUrl }
  const { lockTimeout } = options
  const copied = await copyState(
    { from, to: at(options.to, expect.name), expect, lockTimeout },
    outsideOf(io),
  )
  if (copied.is === 'unsettled')
    throw leftUnknown(copied.unknown, { io, options: { ...options, state: options.from } })
  // Whoever has the file in a clone goes on with it until they see the marker.
  const others =
    schemeOf(from.statePath) === undefined
      ? ' Where others have clones of it, commit and push both now: the manifest and the marker.'
      : ''
  await told(io, options, [
    `The state is now at ${shownState(io, copied.to)}, serial ${copied.serial}. What was left at ${shownState(io, copied.from)} says so, and no command goes on with it.`,
    `Next: say \`state: ${options.to}\` on top of the manifest.${others}`,
  ])
  return 0
}

/** Prints the state byte for byte, to be kept or looked at. */
export const statePull = async (io: Io, options: CommonOptions): Promise<number> => {
  const where = await stateMeantBy(io, options, await headIfAny(io, options))
  const { state, journal } = await readStored(where, outsideOf(io))
  if (state === undefined) throw nothingAt(where.statePath)
  const count = journal?.records.length ?? 0
  if (count > 0)
    await tell(
      io,
      `The journal of this state has ${count} more ${count === 1 ? 'record' : 'records'}, which are not in it.`,
    )
  await writeOutput(io, options.output, safeJson(state.bytes.toString()))
  return 0
}
