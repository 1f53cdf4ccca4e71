import { dirname } from 'node:path'
import type { Acquainted, Made } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../config/index.ts'
import type { Io } from '../io.ts'
import { addressFrom, knownAt, type ReadSession } from '../state/index.ts'
import type { CommonOptions } from './options.ts'
import { outsideOf, shownState, type StateMeant } from './state-meant.ts'
import { tell } from './tell.ts'

/** What a state knows beside its records, and what those of other manifests know that the manifest names. */
export const acquaintedWith = (
  io: Io,
  { local, allowHttp = false }: Pick<CommonOptions, 'local' | 'allowHttp'>,
  { otherStates, head }: Pick<LoadedDeclaration, 'otherStates' | 'head'>,
  { state }: Pick<ReadSession, 'state'>,
): Acquainted => {
  const { known = [], compared: upTo = {} } = state
  // Others are of another service than the one of a rehearsal.
  const others = local === true ? [] : otherStates
  let read: Promise<readonly Made[]> | undefined
  const elsewhere = async (): Promise<readonly Made[]> =>
    (await Promise.all(others.map((named) => knownThere(io, named, { name: head.name, allowHttp })))).flat()
  return { upTo, known: async () => [...known, ...(await (read ??= elsewhere()))] }
}

const knownThere = async (
  io: Io,
  { text, path }: LoadedDeclaration['otherStates'][number],
  more: Pick<StateMeant, 'name' | 'allowHttp'>,
): Promise<readonly Made[]> => {
  const folder = dirname(path)
  const statePath = addressFrom(text, folder)
  const known = await knownAt({ statePath, folder, ...more }, outsideOf(io))
  if (known === undefined)
    await tell(io, `There is no state at ${shownState(io, statePath)}, which is named under otherStates.`)
  return known ?? []
}
