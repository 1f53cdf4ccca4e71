import { dirname } from 'node:path'
import {
  excusing,
  type KnownThings,
  type Elsewhere,
  type Made,
  type MayBeKnown,
  type UnmanagedInput,
} from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { lostWrite } from '../../apply/intent-forms.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { StateAddressError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { knownAt, whereSilencesAre, type KnownThere, type ReadSession } from '../../state/index.ts'
import type { CommonOptions } from '../line/options.ts'
import { addressNamed, shownState, resolveState, type ResolvedState } from '../resolve/state.ts'
import { systemOf } from '../service/system.ts'
import { tell } from '../output/tell.ts'

type Options = Pick<CommonOptions, 'state' | 'local' | 'allowHttp'>
type Loaded = Pick<LoadedDeclaration, 'otherStates' | 'head'>

/** A record of the state of another manifest. */
export interface RecordedThere {
  readonly record: KnownThere['records'][number]
  /** The name of that state, for a person. */
  readonly state: string
}

/** What a state knows besides its records, and what the states of other manifests know that this manifest names. */
export const knownThingsOf = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { state, place }: Pick<ReadSession, 'state' | 'place'>,
): KnownThings &
  Pick<UnmanagedInput, 'elsewhere'> & {
    readonly lost: () => Promise<KnownThere['unknown']>
    /** What the states of other manifests record; silences are not among it. */
    readonly recordedThere: () => Promise<readonly RecordedThere[]>
  } => {
  const { known = [], compared: upTo = {} } = state
  const there = readElsewhere(io, options, loaded, { place })
  const lost = async () => (await there()).flatMap(({ unknown }) => unknown)
  return {
    upTo,
    lost,
    known: async () => [...known, ...(await there()).flatMap((each) => each.known)],
    mayBeKnown: async () => mayBeOf(await lost()),
    recordedThere: async () =>
      (await there()).flatMap(({ records, state: name }) =>
        name === undefined ? [] : records.map((record) => ({ record, state: name })),
      ),
    elsewhere: async () => ({
      records: (await there()).flatMap(({ records }) => records),
      isWriting: (await there()).some(({ isWriting }) => isWriting),
    }),
  }
}

/** A creation that was sent from another state is settled there. */
export const mayBeOf = (unknown: KnownThere['unknown']): MayBeKnown => excusing(kinds, unknown.map(lostWrite))

/** What other states know. */
export const knownElsewhere = (
  ...given: Parameters<typeof readElsewhere>
): (() => Promise<readonly Made[]>) => {
  const there = readElsewhere(...given)
  return async () => (await there()).flatMap(({ known }) => known)
}

/** What other states know and record, and what creations with an unknown outcome may have made, in any state. */
export const elsewhereOf = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { place, unknown }: Pick<ReadSession, 'place' | 'unknown'>,
): (() => Promise<Elsewhere>) => {
  const readAll = readElsewhere(io, options, loaded, { place })
  return async () => {
    const there = await readAll()
    const lost = [...unknown, ...there.flatMap((each) => each.unknown)]
    return {
      known: there.flatMap(({ known }) => known),
      records: there.flatMap(({ records, state }) =>
        records.map((record) => (state === undefined ? record : { ...record, state })),
      ),
      mayBeKnown: mayBeOf(lost.filter(({ method }) => method === 'POST')),
    }
  }
}

/** The states of other manifests; they belong to another service than the one of a rehearsal. */
export const othersOf = (
  { local }: Pick<Options, 'local'>,
  { otherStates }: Pick<Loaded, 'otherStates'>,
): Loaded['otherStates'] => (local === true ? [] : otherStates)

/** Reads other states once: those that the manifest names, and the states of the silences of each manifest. */
const readElsewhere = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { place }: Pick<ReadSession, 'place'>,
): (() => Promise<readonly Known[]>) => {
  const { allowHttp = false } = options
  const { head } = loaded
  const others = othersOf(options, loaded)
  let read: Promise<readonly Known[]> | undefined
  const readAll = async (): Promise<readonly Known[]> =>
    Promise.all([
      silenced(io, await resolveState(io, options, head)),
      ...others.flatMap(({ mayBeMissing = false, ...named }) => {
        const where = otherAt(named, { name: head.name, allowHttp })
        const under = underEntry(named)
        return [knownThere(io, where, { mayBeMissing, own: place, under }), silenced(io, where)]
      }),
    ])
  return () => (read ??= readAll())
}

/** Silences that cannot be read stop nothing, because each ends by itself. */
const silenced = async (io: Io, meant: OtherState): Promise<Known> => {
  const where = whereSilencesAre(meant)
  try {
    return (await knownAt(where, systemOf(io))) ?? NOTHING
  } catch (error) {
    if (!(error instanceof DeploymgmtError)) throw error
    await tell(io, `Warning: what deploymgmt silence has opened is not known: ${error.message}`)
    return NOTHING
  }
}

/** What a state knows, and what it records. */
interface Known extends Omit<KnownThere, 'place' | 'compared'> {
  /** The name for a person; a state of silences has none. */
  readonly state?: string
}
const NOTHING: Known = { known: [], records: [], unknown: [], isWriting: false }

/** Where the state of another manifest is. */
type OtherState = Pick<ResolvedState, 'statePath' | 'folder' | 'name' | 'allowHttp'>

const otherAt = (
  named: LoadedDeclaration['otherStates'][number],
  more: Pick<ResolvedState, 'name' | 'allowHttp'>,
): OtherState => ({ statePath: addressNamed(named), folder: dirname(named.path), ...more })

/** Where a person finds the entry. */
const underEntry = ({ at }: Pick<LoadedDeclaration['otherStates'][number], 'at'>): string =>
  at === undefined ? 'under otherStates' : `under otherStates at ${at}`

interface Naming {
  readonly own: string
  readonly mayBeMissing: boolean
  readonly under: string
}

const knownThere = async (
  io: Io,
  where: OtherState,
  { own, mayBeMissing, under }: Naming,
): Promise<Known> => {
  const { statePath } = where
  const there = await knownAt(where, systemOf(io)).catch((error: unknown) => {
    // The error names the state as if it were the manifest's own.
    if (error instanceof DeploymgmtError && !mayBeMissing)
      Object.assign(error, { hint: `It is named ${under}. ${error.hint}` })
    throw error
  })
  if (there?.place === own)
    throw new StateAddressError(`the state named ${under} is this manifest’s own state`, {
      where: shownState(io, own),
      hint: 'Name the other state: in git by its branch and in Postgres by its name, as in `postgres://HOST/DATABASE#NAME`.',
    })
  if (there === undefined && !mayBeMissing)
    await tell(io, `There is no state at ${shownState(io, statePath)}, which is named ${under}.`)
  return there === undefined ? NOTHING : { ...there, state: shownState(io, statePath) }
}
