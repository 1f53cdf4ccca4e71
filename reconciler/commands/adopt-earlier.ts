import { resolve } from 'node:path'
import { entryOf, type Change } from '@deploymgmt/provider/engine'
import { counted } from '../render/sentences.ts'
import { changesIn, changesNothing, type Proving } from './adopt-proof.ts'
import { sameFlagsOf } from './options.ts'

/** What files that were adopted before declare, and the state does not have. */
export interface Unrecorded {
  /** Addresses of what is recorded with nothing to write: of an entry, where that holds for all that it stands for. */
  readonly targets: readonly string[]
  /** How many things that is. */
  readonly things: number
  /** How many others are not taken over without a change: a person has edited what declares them. */
  readonly left: number
}

export const NONE: Unrecorded = { targets: [], things: 0, left: 0 }

/** @param earlier files, absolute */
export const unrecordedIn = async (proving: Proving, earlier: readonly string[]): Promise<Unrecorded> => {
  const { io, loaded, records } = proving
  const paths = new Set(earlier)
  const own = new Set(
    loaded.declaration.entries.flatMap(({ address, declaredAt }) =>
      declaredAt !== undefined && paths.has(resolve(io.cwd, declaredAt.file)) ? [entryOf(address)] : [],
    ),
  )
  const changes = own.size === 0 ? [] : await changesIn(proving, loaded)
  const isNew = ({ address }: Change): boolean => own.has(entryOf(address)) && records[address] === undefined
  const [proven, others] = [true, false].map((is) =>
    changes.filter((each) => isNew(each) && changesNothing(each) === is),
  )
  const unproven = new Set(
    changes.filter((each) => !changesNothing(each)).map(({ address }) => entryOf(address)),
  )
  const targets = (proven ?? []).map(({ address }) => {
    const entry = entryOf(address)
    return unproven.has(entry) ? address : entry
  })
  return { targets: [...new Set(targets)], things: proven?.length ?? 0, left: others?.length ?? 0 }
}

/** What became of it, in sentences. */
export const sayRecorded = (
  { things, left }: Unrecorded,
  options: Parameters<typeof sameFlagsOf>[0],
): string[] => {
  const because = `since an apply would change ${left === 1 ? 'it' : 'them'}: deploymgmt apply${sameFlagsOf(options)}`
  const isNot = left === 1 ? 'is not' : 'are not'
  if (things === 0) return left === 0 ? [] : [`${adoptedBefore(left)} ${isNot} recorded, ${because}`]
  return [
    `${adoptedBefore(things)} ${things === 1 ? 'was' : 'were'} recorded.`,
    ...(left === 0 ? [] : [`${left} more ${isNot}, ${because}`]),
  ]
}

const adoptedBefore = (count: number): string =>
  `${counted(count, 'thing')} that ${count === 1 ? 'was' : 'were'} adopted before`
