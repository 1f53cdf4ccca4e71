import { isReadable } from '@deploymgmt/provider/core'
import { join } from 'node:path'
import type { Change } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { manifestFiles } from '../../config/index.ts'
import { FOLD } from '../../render/terminal/folded.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { sameFlagsOf, type SameFlags } from '../line/options.ts'
import { typed } from '../output/typed.ts'
import type { Adopting, FoundHere } from './adopting.ts'
import { sayRecorded, type Unrecorded } from './earlier.ts'
import type { Goal } from './goal.ts'
import { nextAfter } from './next.ts'
import { sayOneEdit } from './one-edit.ts'
import { sayDiffering } from './differing-entries.ts'
import { recordAll, type prove } from './proof.ts'
import { sayShorter } from './shorter.ts'
import { sayForAll, sayInOne, adoptSummary } from './summary.ts'
import type { textsOf } from './texts.ts'
import { sayUnread, withRecorded } from './unread.ts'

/** What is recorded already, and how manifests differ from what exists. */
interface KnownBefore {
  readonly before: Unrecorded
  readonly differing: readonly Change[]
  /** Whether the entries are recorded in a state right away. */
  readonly records: boolean
}

/** What was written and proven. */
interface WrittenHere extends FoundHere, KnownBefore, Awaited<ReturnType<typeof prove>> {
  readonly texts: ReturnType<typeof textsOf>
  readonly things: number
  readonly planned: readonly Change[]
}

/** Records what was written, if requested, and returns the final messages. */
export const recordWritten = async (
  adopting: Adopting,
  goal: Goal,
  written: WrittenHere,
): Promise<string[]> => {
  const { io, options } = adopting
  const { texts, targets, before, records } = written
  const paths = [...texts.keys()].map((name) => typed(io.cwd, join(goal.series.folder, name)))
  const file = [...manifestFiles(options.file), ...paths]
  const recorded = records ? [...targets, ...before.targets] : []
  await recordAll(adopting, file, recorded)
  return sayWritten(adopting, goal, { ...written, paths, file, hasRecorded: recorded.length > 0 })
}

interface RecordedHere extends WrittenHere {
  /** The written files, as a person would type them. */
  readonly paths: readonly string[]
  /** Including the files that were read. */
  readonly file: readonly string[]
  readonly hasRecorded: boolean
}

const sayWritten = async (
  adopting: Adopting,
  { series, earlier }: Goal,
  { arranged, remarks, unread, texts, things, planned, before, differing, records, ...written }: RecordedHere,
): Promise<string[]> => {
  const { io, options, loaded, filter } = adopting
  const { paths } = written
  // A project that got a file now had enough entries for one.
  const { projectNames } = filter.declarationOf(loaded.declaration)
  const hasFile = [...projectNames.values()].some((name) => series.has(name))
  const isInOne = texts.has(series.next('')) && texts.size === 1 && !hasFile
  const later = { ...options, file: [...written.file, ...withRecorded(adopting, unread)] }
  return [
    ...sayPaths(paths),
    ...adoptSummary(arranged, { things, files: paths.length }),
    ...sayRecorded(before, later),
    ...remarks,
    UNSEEN,
    ...sayUnread(io, unread),
    ...sayDiffering(differing, adopting),
    ...sayOneEdit(arranged.entries, loaded),
    ...(isInOne ? sayInOne(options, arranged) : []),
    ...sayForAll(arranged),
    // Earlier adoptions are recorded by now.
    ...(records ? [] : await sayShorter(arranged, adopting, { earlier, planned }, paths)),
    ...(things === 0
      ? [sayCommentsAlone(paths.length)]
      : [
          'A plan finds no difference in what it declares, and writes nothing for it.',
          await nextAfter(io, later, {
            isRecorded: written.isRecorded || (written.targets.length > 0 && written.hasRecorded),
            isWhole: differing.length + before.unasked.length === 0,
            adopted: [...earlier, ...paths],
          }),
        ]),
  ]
}

/** Each file in a line, or a few of very many. */
const sayPaths = (paths: readonly string[]): string[] =>
  paths.length >= FOLD.shown
    ? [`${number(paths.length)} files were written: ${few(paths)}.`]
    : paths.map((path) => `${path} was written.`)

/** Records earlier adoptions if nothing is new, and returns the final messages. */
export const recordEarlier = async (
  adopting: Adopting,
  { earlier }: Goal,
  { remarks, before, differing, records }: KnownBefore & Pick<FoundHere, 'remarks'>,
): Promise<string[]> => {
  const { options } = adopting
  await recordAll(adopting, options.file, before.targets)
  const recorded = records ? sayRecorded(before, options) : []
  const isTold = !records || recorded.length > 0 || differing.length > 0
  const others = isTold ? recorded : [earlier.length === 0 ? sayLater(options) : ALL_RECORDED]
  // Entries that cannot be applied as they are come first.
  return [...sayDiffering(differing, adopting), NOTHING_NEW, UNSEEN, ...others, ...remarks]
}

/** Kinds that no endpoint lists: finding none does not mean that there are none. */
const UNLISTED = kinds.filter((kind) => !isReadable(kind)).map(({ section }) => section)
const UNSEEN = `No list shows ${new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(UNLISTED)}: those that no event names were not found. Declare them by their ids.`

const sayCommentsAlone = (files: number): string =>
  `${files === 1 ? 'It contains only comments: it declares' : 'They contain only comments: they declare'} nothing until you uncomment them.`

const NOTHING_NEW =
  'There is nothing new: everything that lists and events show is already declared, recorded or mentioned. Nothing was written.'
const sayLater = (options: SameFlags): string =>
  `Nothing was recorded: deploymgmt apply${sameFlagsOf(options)} records what is already declared.`
const ALL_RECORDED = 'Everything that was adopted before is recorded.'
