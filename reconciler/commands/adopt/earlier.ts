import { resolve } from 'node:path'
import { entryOf, parseAddress, type Change, type Entry } from '@deploymgmt/provider/engine'
import { counted } from '../../render/wording/sentences.ts'
import { few } from '../../text/few.ts'
import { sameFlagsOf, type SameFlags } from '../line/options.ts'
import { amongIn, differingIn } from './differing-entries.ts'
import { changesNothing, type Proving } from './proof.ts'

/** What earlier adopted files declare and the state does not record. */
export interface Unrecorded {
  /** Addresses to record without writing: that of an entry, if all of its instances qualify. */
  readonly targets: readonly string[]
  /** The number of these things. */
  readonly things: number
  /** Entries that were recorded before and have more instances now, with the new projects. */
  readonly grown: readonly string[]
  /** The number of things that cannot be adopted without a change, because a person has edited their entries. */
  readonly left: number
  /** The number of things that cannot be adopted at all. */
  readonly blocked: number
  /** Projects that this run leaves out and that have unrecorded things. */
  readonly unasked: readonly string[]
}

export const NONE: Unrecorded = { targets: [], things: 0, grown: [], left: 0, blocked: 0, unasked: [] }

/** @param earlier absolute paths */
export const unrecordedIn = (
  proving: Pick<Proving, 'io' | 'loaded' | 'records' | 'filter'>,
  earlier: readonly string[],
  changes: readonly Change[],
): Unrecorded => {
  const { io, loaded, records } = proving
  const paths = new Set(earlier)
  const adopted = loaded.declaration.entries.filter(
    ({ declaredAt }) => declaredAt !== undefined && paths.has(resolve(io.cwd, declaredAt.file)),
  )
  const own = new Set(adopted.map(({ address }) => entryOf(address)))
  const isNew = ({ address }: Change): boolean => own.has(entryOf(address)) && records[address] === undefined
  // Changes by entries of several projects are reported separately.
  const differing = new Set(differingIn(changes, proving, []))
  const proven = changes.filter((each) => isNew(each) && changesNothing(each))
  const others = changes.filter((each) => isNew(each) && !changesNothing(each) && !differing.has(each))
  const unproven = new Set(
    changes.filter((each) => !changesNothing(each)).map(({ address }) => entryOf(address)),
  )
  const targets = proven.map(({ address }) => {
    const entry = entryOf(address)
    return unproven.has(entry) ? address : entry
  })
  const recorded = new Set(Object.keys(records).map(entryOf))
  const among = amongIn({ loaded })
  const grown = proven.flatMap(({ address }) =>
    recorded.has(entryOf(address)) ? (among(address)?.place ?? []) : [],
  )
  const blocked = others.filter(({ action }) => action === 'blocked').length
  return {
    targets: [...new Set(targets)],
    things: proven.length,
    grown,
    left: others.length - blocked,
    blocked,
    unasked: unaskedOf(adopted, proving),
  }
}

const unaskedOf = (
  adopted: readonly Entry[],
  { loaded: { declaration }, records, filter }: Pick<Proving, 'loaded' | 'records' | 'filter'>,
): string[] => {
  const within = new Set(filter.declarationOf(declaration).entries)
  const recorded = new Set(
    Object.keys(records).flatMap((address) => {
      const { entry, keys } = parseAddress(address)
      return [address, entry, `${entry}[${keys[0] ?? ''}]`]
    }),
  )
  const left = adopted.filter((each) => !within.has(each) && !recorded.has(each.address))
  return [
    ...new Set(
      left.flatMap(({ values: { projectId: id } }) =>
        typeof id === 'string' ? (declaration.projectNames.get(id) ?? id) : [],
      ),
    ),
  ]
}

/** The result, in sentences. */
export const sayRecorded = (
  { things: all, grown, left, blocked, unasked }: Unrecorded,
  options: SameFlags,
): string[] => {
  const because = `because an apply would change ${left === 1 ? 'it' : 'them'}: deploymgmt apply${sameFlagsOf(options)}`
  const isNot = left === 1 ? 'is not' : 'are not'
  const things = all - grown.length
  const [was, it] = grown.length === 1 ? ['was', 'it'] : ['were', 'them']
  return [
    ...(things === 0 ? [] : [`${adoptedBefore(things)} ${things === 1 ? 'was' : 'were'} recorded.`]),
    ...(grown.length === 0
      ? []
      : [
          `${counted(grown.length, 'thing')} in ${few([...new Set(grown)])} ${was} recorded, too, because existing entries cover ${it}.`,
        ]),
    ...(left === 0
      ? []
      : [
          things === 0
            ? `${adoptedBefore(left)} ${isNot} recorded, ${because}`
            : `${left} more ${isNot}, ${because}`,
        ]),
    ...(blocked === 0
      ? []
      : [`${adoptedBefore(blocked)} cannot be recorded: deploymgmt plan${sameFlagsOf(options)} says why.`]),
    ...(unasked.length === 0
      ? []
      : [
          `What was adopted before in ${few(unasked)} is not recorded: --project leaves it out. Without that, adopt records it, or an apply.`,
        ]),
  ]
}

const adoptedBefore = (count: number): string =>
  `${counted(count, 'thing')} that ${count === 1 ? 'was' : 'were'} adopted before`
