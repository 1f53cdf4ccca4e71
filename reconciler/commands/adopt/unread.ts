import { entryOf, sectionOf, type Found } from '@deploymgmt/provider/engine'
import { DeploymgmtError } from '@deploymgmt/provider/errors'
import type { Unread } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { counted } from '../../render/wording/sentences.ts'
import { number } from '../../text/number.ts'
import { shellWord } from '../../text/display.ts'
import { few } from '../../text/few.ts'
import { typed } from '../output/typed.ts'
import type { SameFlags } from '../line/options.ts'
import { commandWith, declaringAny } from '../resolve/unread.ts'
import type { Proving } from './proof.ts'

/**
 * Looks again as if each of these manifests were read: things that one of them declares or mentions would be
 * declared twice.
 *
 * @throws UsageError with the flags that read them
 */
export const refuseWritten = async (
  { io, options }: Pick<Proving, 'io' | 'options'>,
  seen: Found,
  unread: Unread,
  lookWith: (paths: readonly string[]) => Promise<Found>,
): Promise<void> => {
  const all = namesIn(seen)
  if (unread.size === 0 || all.size === 0) return
  const hadBy = async (paths: readonly string[]): Promise<readonly string[] | undefined> => {
    const left = await lookWith(paths).then(namesIn, unreadable)
    return left === undefined ? undefined : [...all].filter((each) => !left.has(each))
  }
  const together = await hadBy([...unread.keys()])
  if (together?.length === 0) return
  const had = new Set(together)
  const having: string[] = []
  const unsure: string[] = []
  for (const [path, entries] of unread) {
    const own = unread.size === 1 ? together : await hadBy([path])
    for (const each of own ?? []) had.add(each)
    const has = own === undefined ? declaresAny(entries, seen) : own.length > 0
    if (has) (own === undefined ? unsure : having).push(typed(io.cwd, path))
  }
  // Manifests that can only be read with others are read with them.
  const meant = together === undefined ? having : [...having, ...unsure]
  const isApart = meant.length > 1 && together === undefined
  if (meant.length > 0) throw refuseHaving(options, meant, { had: had.size, all: all.size, isApart })
  if (unsure.length > 0) throw refuseUnread(options, unsure)
}

/** Words about one manifest, or about several. */
const wordsFor = ({ length }: readonly string[]) =>
  length === 1
    ? { are: 'is', have: 'has', were: 'was', they: 'it', them: 'it', manifests: 'a manifest' }
    : { are: 'are', have: 'have', were: 'were', they: 'they', them: 'them', manifests: 'manifests' }

/** @param isApart whether they cannot be read together */
const refuseHaving = (
  options: SameFlags,
  paths: readonly string[],
  { had, all, isApart }: { readonly had: number; readonly all: number; readonly isApart: boolean },
): UsageError => {
  const { are, have, they, them } = wordsFor(paths)
  const reading = (some: readonly string[]): string => commandWith('adopt', options, some)
  return new UsageError(
    `${few(paths)} ${are} not read, and ${have} ${number(had)} of the ${counted(all, 'thing')} that would be written`,
    {
      hint: isApart
        ? `They cannot be read together. To read one of them as well: ${reading(paths.slice(0, 1))}; move the others out of the folder.`
        : `To read ${them} as well: ${reading(paths)}; if ${they} ${are} not part of this, move ${them} out of the folder.`,
    },
  )
}

/** Refuses manifests whose content is unknown: what they may declare must not be written again. */
const refuseUnread = (options: SameFlags, paths: readonly string[]): UsageError => {
  const { are, they, them } = wordsFor(paths)
  return new UsageError(
    `${few(paths)} ${are} not read, and may have what would be written: together with the other manifests ${they} cannot be read`,
    {
      hint: `${commandWith('validate', options, paths)} says why; if ${they} ${are} not part of this, move ${them} out of the folder.`,
    },
  )
}

/** Whether any of the entries has the kind of a found thing that nobody declares. */
const declaresAny = (entries: readonly string[], { proposals, told }: Found): boolean => {
  const sections = new Set([...proposals, ...told].map(({ definition: { section } }) => section))
  return entries.some((each) => sections.has(sectionOf(each)))
}

/** A manifest that cannot be read with the others says nothing about existing things. */
const unreadable = (error: unknown): undefined => {
  if (!(error instanceof DeploymgmtError)) throw error
}

/** The found things that nobody declares, each once. */
const namesIn = ({ proposals, told }: Found): ReadonlySet<string> =>
  new Set([
    ...proposals.flatMap(({ definition: { kind }, place, keys }) =>
      keys.map((key) => JSON.stringify([kind, place, key])),
    ),
    ...told.map(({ definition: { kind }, value }) => JSON.stringify([kind, value])),
  ])

/**
 * The manifests that declare recorded things, as a person would type them: a plan without them would release these
 * things.
 */
export const withRecorded = ({ io, records }: Pick<Proving, 'io' | 'records'>, unread: Unread): string[] =>
  [...declaringAny(unread, new Set(Object.keys(records).map(entryOf))).keys()].map((path) =>
    typed(io.cwd, path),
  )

/** Says that there are unread manifests. */
export const sayUnread = ({ cwd }: Pick<Io, 'cwd'>, unread: Unread): string[] => {
  const paths = [...unread.keys()].map((path) => typed(cwd, path))
  if (paths.length === 0) return []
  const flags = paths.length > FEW ? '-f for each' : paths.map((path) => `-f ${shellWord(path)}`).join(' ')
  const { are, were, them, manifests } = wordsFor(paths)
  return [
    `${few(paths)} ${are} ${manifests} of the same name that ${were} not read: to plan with ${them}, you need ${flags}, too.`,
  ]
}

const FEW = 3
