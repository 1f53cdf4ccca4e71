import { kinds } from '@deploymgmt/provider/kinds'
import type { Declaration, Found, Records } from '@deploymgmt/provider/engine'
import { arrange, type Arranged } from '../adopt/arrange.ts'
import type { Written } from '../adopt/manifest-text.ts'
import { counted, number } from '../render/sentences.ts'
import type { Proving } from './adopt-proof.ts'
import { matches } from './target.ts'

/** How entries are grouped. */
export interface Grouping {
  /** Whether what projects have in common is one entry; it is, unless that is false. */
  readonly policy?: boolean
}

export interface Arranging extends Pick<Proving, 'client' | 'loaded' | 'records' | 'part'> {
  readonly options: Grouping & { readonly except?: readonly string[] }
}

/** What is to be written, the words of `--except` that mean nothing of it, and what there is to say of it. */
export const arrangedOf = (seen: Found, { client, loaded, records, part, options }: Arranging) => {
  const { policy = true, except = [] } = options
  const all = arrange({
    kinds,
    ...seen,
    projects: loaded.declaration.projectNames,
    taken: takenIn(loaded.declaration, records),
    policy,
    isWhole: part.isWhole,
    ownKey: client.publicKey,
  })
  const { arranged, unmet } = without(all, except)
  return { arranged, unmet, remarks: leftAlone(seen, all.entries.length - arranged.entries.length) }
}

type Addressed = Pick<Written, 'section' | 'name'>
const addressOf = ({ section, name }: Addressed): string => `${section}.${name}`

/** What was found, without what `--except` means, and the words that mean nothing of it. */
const without = (
  all: Arranged,
  globs: readonly string[],
): { readonly arranged: Arranged; readonly unmet: readonly string[] } => {
  const isLeft = (each: Addressed): boolean => !globs.some((glob) => matches(glob, addressOf(each)))
  const addresses = [...all.entries, ...all.told].map(addressOf)
  return {
    arranged: { ...all, entries: all.entries.filter(isLeft), told: all.told.filter(isLeft) },
    unmet: globs.filter((glob) => !addresses.some((address) => matches(glob, address))),
  }
}

const leftAlone = (
  { ignored, elsewhere }: Pick<Found, 'ignored' | 'elsewhere'>,
  excepted: number,
): string[] => [
  ...(ignored === 0
    ? []
    : [`${counted(ignored, 'thing')} under unmanaged.ignore ${ignored === 1 ? 'was' : 'were'} left alone.`]),
  ...(elsewhere === 0
    ? []
    : [
        `${counted(elsewhere, 'thing')} ${elsewhere === 1 ? 'was' : 'were'} left alone: a silence, what a state under otherStates records, or what a lost request may have made.`,
      ]),
  ...(excepted === 0
    ? []
    : [`--except left out ${excepted === 1 ? '1 entry' : `${number(excepted)} entries`}.`]),
]

/** Names that are given already, also those of what is recorded and no longer declared. */
const takenIn =
  ({ entries }: Declaration, records: Records) =>
  (section: string): ReadonlySet<string> =>
    new Set(
      [...entries.map(({ address }) => address), ...Object.keys(records)]
        .filter((address) => address.startsWith(`${section}.`))
        .map((address) => address.slice(section.length + 1).replace(/\[.*$/, '')),
    )
