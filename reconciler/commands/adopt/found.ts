import { kinds } from '@deploymgmt/provider/kinds'
import { pickBy } from '@deploymgmt/provider/core'
import {
  entryOf,
  sectionOf,
  type Declaration,
  type Found,
  type Met,
  type Records,
} from '@deploymgmt/provider/engine'
import { arrange, type Arranged } from '../../adopt/arrange.ts'
import type { Written } from '../../adopt/manifest-text.ts'
import { counted } from '../../render/wording/sentences.ts'
import { number } from '../../text/number.ts'
import { few } from '../../text/few.ts'
import { sameFlagsOf, type SameFlags } from '../line/options.ts'
import { matches } from '../resolve/target.ts'
import type { Unread } from '../../config/index.ts'
import { commandWith, sayReleased } from '../resolve/unread.ts'
import type { Proving } from './proof.ts'

/** How entries are grouped. */
export interface Grouping {
  /** Whether one entry covers what projects have in common. */
  readonly policy?: boolean
  /** Whether projects have files of their own. */
  readonly split?: boolean
}

/** One entry covers what projects have in common, unless each project has a complete file. */
export const isInCommon = ({ policy, split = false }: Grouping): boolean => policy ?? !split

interface Arranging extends Pick<Proving, 'io' | 'client' | 'loaded' | 'records' | 'filter'> {
  readonly options: Grouping & SameFlags & { readonly again?: boolean; readonly except?: readonly string[] }
}

/** The entries to write, the patterns of `--except` that match nothing, and what there is to say about them. */
export const arrangedOf = (
  seen: Found,
  /** `kept`: what was read by the last apply. */
  { unread, kept }: { readonly unread: Unread; readonly kept: Unread },
  { io, client, loaded, records, filter, options }: Arranging,
) => {
  const { except = [], again = false } = options
  const lost = new Set(again ? seen.undeclared : [])
  const all = arrange({
    kinds,
    ...seen,
    projects: loaded.declaration.projectNames,
    taken: takenIn(
      loaded.declaration,
      pickBy(records, (_, address) => !lost.has(address)),
      [...unread.values(), ...kept.values()].flat(),
    ),
    policy: isInCommon(options),
    isWhole: filter.isWhole,
    ownKey: client.publicKey,
  })
  const { arranged, unmet } = without(all, except)
  const remarks = [
    ...leftAlone(seen, all.entries.length - arranged.entries.length),
    ...(again ? [] : undeclaredWords(seen.undeclared, { io, options, unread })),
  ]
  return { arranged, unmet, remarks }
}

type Addressed = Pick<Written, 'section' | 'name'>
const addressOf = ({ section, name }: Addressed): string => `${section}.${name}`

/** The found things without those that `--except` matches, and the patterns that match nothing. */
const without = (
  all: Arranged,
  globs: readonly string[],
): { readonly arranged: Arranged; readonly unmet: readonly string[] } => {
  const isKept = (each: Addressed): boolean => !globs.some((glob) => matches(glob, addressOf(each)))
  const addresses = [...all.entries, ...all.told].map(addressOf)
  return {
    arranged: { ...all, entries: all.entries.filter(isKept), told: all.told.filter(isKept) },
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
  ...hadElsewhere(elsewhere),
  ...(excepted === 0
    ? []
    : [`--except left out ${excepted === 1 ? '1 entry' : `${number(excepted)} entries`}.`]),
]

/** What a plan would release, and how to get the entries back if that is not intended. */
const undeclaredWords = (
  all: readonly string[],
  { io, options, unread }: Pick<Arranging, 'io' | 'options'> & { readonly unread: Unread },
): string[] => {
  const there = new Set([...unread.values()].flat())
  const said = sayReleased(io, unread, {
    released: all.map(entryOf),
    reading: (paths) => ` ${commandWith('adopt', options, paths)}`,
  })
  const addresses = all.filter((each) => !there.has(entryOf(each)))
  if (addresses.length === 0) return said
  const entries = [...new Set(addresses.map(entryOf))].toSorted()
  const [are, them] = addresses.length === 1 ? ['is', 'it'] : ['are', 'them']
  return [
    ...said,
    `${counted(addresses.length, 'thing')} ${are} recorded, and no manifest that was read declares ${them}, so an apply takes ${them} as removed: ${few(entries)}.`,
    `If that is not what you want because a file was lost, deploymgmt adopt --again${sameFlagsOf(options)} writes ${them} again.`,
  ]
}

/** Which other state has each thing. */
const hadElsewhere = (elsewhere: readonly Met[]): string[] =>
  [...Map.groupBy(elsewhere, ({ by, state }) => `${by} ${state ?? ''}`).values()].flatMap((of) => {
    const [first] = of
    const addresses = [...new Set(of.flatMap(({ address }) => address ?? []))].toSorted()
    const [are, them] = of.length === 1 ? ['was', 'it'] : ['were', 'them']
    const left = `${counted(of.length, 'thing')} ${are} left alone, because`
    if (first?.by === 'lost-request')
      return [`${left} a request whose answer was lost may have made ${them}.`]
    if (first?.by === 'not-allowed')
      return [`${left} an entry that ${first.state} records does not allow ${them}: ${few(addresses)}.`]
    return first?.state === undefined
      ? [`${left} deploymgmt silence has opened ${them}.`]
      : [`${left} ${first.state} records ${them}: ${few(addresses)}.`]
  })

/**
 * Whether a name is taken, also by recorded things that are not declared any more, and by files that are not read.
 */
const takenIn =
  ({ entries }: Declaration, records: Records, unread: readonly string[]) =>
  (section: string): ReadonlySet<string> =>
    new Set(
      [...entries.map(({ address }) => address), ...Object.keys(records), ...unread]
        .filter((address) => sectionOf(address) === section)
        .map((address) => entryOf(address).slice(section.length + 1)),
    )
