import { resolve } from 'node:path'
import { entryOf } from '@deploymgmt/provider/engine'
import { counted } from '../render/sentences.ts'
import { changesIn, changesNothing, type Proving } from './adopt-proof.ts'
import { sameFlagsOf } from './options.ts'

/** What files that were adopted before declare, and the state does not have. */
export interface Unrecorded {
  /** Entries of which every thing is recorded with nothing to write. */
  readonly entries: readonly string[]
  /** How many things that is. */
  readonly things: number
  /** How many others are not taken over without a change: a person has edited what declares them. */
  readonly left: number
}

export const NONE: Unrecorded = { entries: [], things: 0, left: 0 }

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
  const found = [...Map.groupBy(changes, ({ address }) => entryOf(address))].map(([entry, of]) => ({
    entry,
    things: own.has(entry) ? of.filter(({ address }) => records[address] === undefined).length : 0,
    isProven: of.every(changesNothing),
  }))
  const [proven, others] = [true, false].map((is) => found.filter((each) => each.isProven === is))
  const sum = (some: typeof found = []): number => some.reduce((total, { things }) => total + things, 0)
  return {
    entries: (proven ?? []).flatMap(({ entry, things }) => (things > 0 ? [entry] : [])),
    things: sum(proven),
    left: sum(others),
  }
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
