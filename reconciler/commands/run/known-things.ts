import { dirname } from 'node:path'
import {
  excusing,
  type KnownThings,
  type Elsewhere,
  type Made,
  type MayBeKnown,
  type RecordedThere,
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

/** What a state knows besides its records, and what other states know. */
export const knownThingsOf = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { state, place }: Pick<ReadSession, 'state' | 'place'>,
): KnownThings &
  Pick<UnmanagedInput, 'elsewhere'> & {
    readonly lost: () => Promise<Known['unknown']>
    /** What other states record, if the manifest names any. */
    readonly recordedThere: () => Promise<readonly RecordedThere[]>
  } => {
  const { known = [], compared: upTo = {} } = state
  const there = readElsewhere(io, options, loaded, { place })
  return {
    upTo,
    forgotten: known,
    others: there,
    lost: async () => (await there()).unknown,
    known: async () => [...known, ...(await there()).known],
    mayBeKnown: async () => mayBeOf((await there()).unknown),
    recordedThere: async () => (othersOf(options, loaded).length === 0 ? [] : (await there()).records),
    elsewhere: there,
  }
}

/** A creation that was sent from another state is settled there. */
export const mayBeOf = (unknown: Known['unknown']): MayBeKnown => excusing(kinds, unknown.map(lostWrite))

/** What other states know. */
export const knownElsewhere = (
  ...given: Parameters<typeof readElsewhere>
): (() => Promise<readonly Made[]>) => {
  const there = readElsewhere(...given)
  return async () => (await there()).known
}

/** What other states know and record, and what creations with an unknown outcome may have made, in any state. */
export const elsewhereOf = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { place, unknown }: Pick<ReadSession, 'place' | 'unknown'>,
): (() => Promise<Elsewhere>) => {
  const there = readElsewhere(io, options, loaded, { place })
  return async () => {
    const { known, records, unknown: sentThere } = await there()
    const lost = [...unknown, ...sentThere].filter(({ method }) => method === 'POST')
    return { known, records, mayBeKnown: mayBeOf(lost) }
  }
}

/** The states of other manifests; they belong to another service than the one of a rehearsal. */
const othersOf = (
  { local }: Pick<Options, 'local'>,
  { otherStates }: Pick<Loaded, 'otherStates'>,
): Loaded['otherStates'] => (local === true ? [] : otherStates)

/** Reads other states once: those that the manifest names, and the states of the silences of each manifest. */
const readElsewhere = (
  io: Io,
  options: Options,
  loaded: Loaded,
  { place }: Pick<ReadSession, 'place'>,
): (() => Promise<Known>) => {
  const { allowHttp = false } = options
  const { head } = loaded
  let read: Promise<Known> | undefined
  const readAll = async (): Promise<Known> => {
    const all = await Promise.all([
      silenced(io, await resolveState(io, options, head)),
      ...othersOf(options, loaded).flatMap(({ mayBeMissing = false, ...named }) => {
        const where = otherAt(named, { name: head.name, allowHttp })
        const under = underEntry(named)
        return [knownThere(io, where, { mayBeMissing, own: place, under }), silenced(io, where)]
      }),
    ])
    return {
      known: all.flatMap(({ known }) => known),
      forgotten: all.flatMap(({ forgotten }) => forgotten),
      records: all.flatMap(({ records }) => records),
      unknown: all.flatMap(({ unknown }) => unknown),
      isWriting: all.some(({ isWriting }) => isWriting),
    }
  }
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

/** What other states know, and what they record. */
interface Known extends Pick<KnownThere, 'known' | 'forgotten' | 'unknown' | 'isWriting'> {
  readonly records: readonly RecordedThere[]
}
const NOTHING: Known = { known: [], forgotten: [], records: [], unknown: [], isWriting: false }

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
    throw error instanceof DeploymgmtError && !mayBeMissing
      ? error.hintingFirst(`It is named ${under}.`)
      : error
  })
  if (there?.place === own)
    throw new StateAddressError(`the state named ${under} is this manifest’s own state`, {
      where: shownState(io, own),
      hint: 'Name the other state: in git by its branch and in Postgres by its name, as in `postgres://HOST/DATABASE#NAME`.',
    })
  const state = shownState(io, statePath)
  if (there !== undefined) return { ...there, records: there.records.map((record) => ({ ...record, state })) }
  if (!mayBeMissing) await tell(io, `There is no state at ${state}, which is named ${under}.`)
  return NOTHING
}
