import { dirname } from 'node:path'
import type { Acquainted, Made } from '@deploymgmt/provider/engine'
import type { LoadedDeclaration } from '../config/index.ts'
import { StateAddressError } from '../errors/index.ts'
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
  { state, place }: Pick<ReadSession, 'state' | 'place'>,
): Acquainted => {
  const { known = [], compared: upTo = {} } = state
  // Others are of another service than the one of a rehearsal.
  const others = local === true ? [] : otherStates
  let read: Promise<readonly Made[]> | undefined
  const elsewhere = async (): Promise<readonly Made[]> =>
    (
      await Promise.all(
        others.map((named) => knownThere(io, named, { name: head.name, allowHttp, own: place })),
      )
    ).flat()
  return { upTo, known: async () => [...known, ...(await (read ??= elsewhere()))] }
}

const knownThere = async (
  io: Io,
  { text, path }: LoadedDeclaration['otherStates'][number],
  { own, ...more }: Pick<StateMeant, 'name' | 'allowHttp'> & { readonly own: string },
): Promise<readonly Made[]> => {
  const folder = dirname(path)
  const statePath = addressFrom(text, folder)
  const there = await knownAt({ statePath, folder, ...more }, outsideOf(io))
  if (there?.place === own)
    throw new StateAddressError(
      'the state that is named under otherStates is the one of this manifest itself',
      {
        where: shownState(io, own),
        hint: 'Name the other one: in git by its branch and in Postgres by its name, as in `postgres://HOST/DATABASE#NAME`.',
      },
    )
  if (there === undefined)
    await tell(io, `There is no state at ${shownState(io, statePath)}, which is named under otherStates.`)
  return there?.known ?? []
}
