import { join } from 'node:path'
import type { Client } from '@deploymgmt/provider/api'
import type { Change, Found } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import { DEFAULT_MANIFEST } from '../../config/index.ts'
import { print, type Io } from '../../io.ts'
import { readSession } from '../../state/index.ts'
import { shellWord } from '../../text/display.ts'
import { elsewhereOf } from '../run/acquainted.ts'
import { typed } from '../meant/typed.ts'
import { onlyProjects } from '../meant/only-projects.ts'
import { changed, type CommonOptions } from '../line/options.ts'
import { reporter } from '../output/report.ts'
import { outsideOf } from '../meant/state-meant.ts'
import { tell } from '../output/tell.ts'
import { dataReader, loadWithState, withClientToLoad } from '../meant/workspace.ts'
import { unreadOf, type Unread } from '../meant/unread.ts'
import { refuseWritten, sayUnread, withRecorded } from './unread.ts'
import { writeProven } from './files.ts'
import { sayRecorded, unrecordedIn, NONE, type Unrecorded } from './earlier.ts'
import { arrangedOf, isInCommon, type Grouping } from './found.ts'
import { filesWith, goalOf, type Goal } from './goal.ts'
import { look, nowhereThere, refusedWarnings, warningsOf, type Looking } from './look.ts'
import { nextAfter } from './next.ts'
import { sayOneEdit } from './one-edit.ts'
import { otherwiseIn, sayOtherwise } from './otherwise.ts'
import { changesIn, loadWith, prove, recordAll, type Proving } from './proof.ts'
import { sayShorter } from './shorter.ts'
import { sayForAll, sayInOne, summaryOf } from './summary.ts'
import { textsOf } from './texts.ts'
import { readingOnce } from './reading-once.ts'

export interface AdoptOptions extends CommonOptions, Grouping {
  /** Whether what is recorded is written, too, where no manifest declares it any more. */
  readonly again?: boolean
  /** Names or ids of the projects that are meant; all where there is none. */
  readonly project?: readonly string[]
  /** Addresses of what is not to be written, with `*` for anything. */
  readonly except?: readonly string[]
}

const STDOUT_NAME = '/dev/stdout'

/** Writes manifests from what is there and nobody declares, and proves that they change nothing. Only reads. */
export const adopt = async (io: Io, options: AdoptOptions): Promise<number> => {
  const end = new AbortController()
  const stopListening = io.onInterrupt(() => end.abort())
  try {
    return await adoptUntil(io, options, end.signal)
  } catch (error) {
    // What was under way was to end, and what is not proven is gone.
    if (end.signal.aborted) return 130
    throw error
  } finally {
    stopListening()
  }
}

const adoptUntil = async (io: Io, options: AdoptOptions, signal: AbortSignal): Promise<number> => {
  // What --output names is the manifest.
  const report = await reporter(io, changed(options, { output: STDOUT_NAME }), 'done')
  const goal = await goalOf(io, options)
  const adopting = async (live: Client, { baseUrl, fence }: Pick<Proving, 'baseUrl' | 'fence'>) => {
    const client = readingOnce(live)
    const given = changed(options, { file: filesWith(io, options, goal.earlier) })
    const { loaded, session } = await loadWithState(io, given, dataReader(client), ({ name, ...at }) =>
      readSession({ ...at, expect: { name, baseUrl } }, outsideOf(io)),
    )
    for (const notice of session.notices) await tell(io, notice)
    const records = session.state.resources
    const part = onlyProjects(options.project ?? [], loaded.declaration)
    const about = { io, client, loaded, records, part, baseUrl, fence, signal, options: given }
    const elsewhere = elsewhereOf(io, options, loaded, session)
    const done = await adoptInto({ ...about, elsewhere }, goal)
    if (done !== undefined) await report({ document: { formatVersion: 1, done } })
    return 0
  }
  return withClientToLoad(io, options, adopting, signal)
}

type Adopting = Looking & Proving & { readonly options: AdoptOptions }

/** What was done, in sentences; nothing where the manifest itself was printed. */
const adoptInto = async (given: Adopting, goal: Goal): Promise<string | string[] | undefined> => {
  const found = await foundBy(given)
  const { adopting, arranged, remarks } = found
  const { io, options, loaded } = adopting
  const { series, stream, earlier } = goal
  const texts = textsOf(arranged, { io, loaded, series, split: options.split === true, ...found.how })
  // What is printed is no file that a state could be of.
  const records = options.state !== undefined && stream === undefined
  const planned = await changesIn(adopting, loaded)
  const before = records ? unrecordedIn(adopting, earlier, planned) : NONE
  // Of what is recorded now, it is said by itself what is not, and why.
  const otherwise = otherwiseIn(planned, adopting, records ? [] : earlier)
  if (texts.size === 0) {
    await recordAll(adopting, options.file, before.targets)
    const said = [...(records ? saidOf(before, options, { earlier, otherwise }) : []), ...remarks]
    // What cannot be applied as it stands is what a person has to know first.
    return [...sayOtherwise(otherwise, adopting), NOTHING_NEW, UNSEEN, ...said]
  }
  const things = arranged.entries.reduce((sum, each) => sum + each.things, 0)
  const again = new Set(options.again === true ? found.undeclared : [])
  const proven = await writeProven(series.folder, texts, {
    keep: stream === undefined,
    prove: (paths) => prove(adopting, paths, { things, before: planned, again }),
  })
  if (stream === undefined)
    return sayWritten(adopting, goal, {
      ...found,
      ...proven,
      texts,
      things,
      planned,
      before,
      otherwise,
      records,
    })
  await print(stream, [...texts.values()].join('---\n'))
  return undefined
}

/** What is there and is to be written, with what there is to say of it. */
interface FoundHere extends Pick<ReturnType<typeof arrangedOf>, 'arranged' | 'remarks'> {
  /** What it is about: projects that may not be read are left out. */
  readonly adopting: Adopting
  readonly how: { readonly inCommon: boolean; readonly again: boolean }
  /** Manifests of the same name that are not read. */
  readonly unread: Unread
  /** Addresses of what is recorded and no manifest declares. */
  readonly undeclared: Found['undeclared']
}

const foundBy = async (adopting: Adopting): Promise<FoundHere> => {
  const { io, options, client, loaded, part } = adopting
  const { project = [] } = options
  const how = { inCommon: isInCommon(options), again: options.again === true }
  const seen = await look(client, { ...adopting, ...how })
  const declaration = part.declarationOf(loaded.declaration)
  if (seen.refused.length > 0) return foundBy(await withoutRefused(adopting, seen.refused))
  for (const warning of warningsOf(seen, declaration)) await tell(io, warning)
  if (seen.absent.length === declaration.projectNames.size) throw nowhereThere()
  const unread = await unreadOf(io, loaded)
  await refuseWritten(adopting, seen, unread, async (paths) => {
    const more = await loadWith(adopting, paths)
    return look(client, { ...adopting, ...how, loaded: more, part: onlyProjects(project, more.declaration) })
  })
  const { arranged, unmet, remarks } = arrangedOf(seen, unread, adopting)
  for (const glob of unmet)
    await tell(io, `Warning: --except ${shellWord(glob)} matches nothing that was found.`)
  return { adopting, how, unread, arranged, remarks, undeclared: seen.undeclared }
}

/** The same without projects that may not be read. @throws ForbiddenError where none is left */
const withoutRefused = async (adopting: Adopting, refused: Found['refused']): Promise<Adopting> => {
  const { io, options, loaded, part } = adopting
  const { projectNames } = part.declarationOf(loaded.declaration)
  for (const warning of refusedWarnings(refused, projectNames)) await tell(io, warning)
  const unread = new Set(refused.map(({ place: { projectId } }) => projectId))
  const project = [...projectNames.keys()].filter((id) => !unread.has(id))
  if (refused[0] !== undefined && project.length === 0) throw refused[0].error
  return {
    ...adopting,
    options: changed(options, { project }),
    part: onlyProjects(project, loaded.declaration),
  }
}

/** What was written and proven. */
interface WrittenHere extends FoundHere, Awaited<ReturnType<typeof prove>> {
  readonly texts: ReturnType<typeof textsOf>
  readonly things: number
  readonly planned: readonly Change[]
  readonly before: Unrecorded
  readonly otherwise: ReturnType<typeof otherwiseIn>
  /** Whether a state is to have it at once. */
  readonly records: boolean
}

/** Records what was written, where that is asked for, and answers the last words. */
const sayWritten = async (
  adopting: Adopting,
  { series, earlier }: Goal,
  { arranged, remarks, unread, texts, things, planned, before, otherwise, records, ...proven }: WrittenHere,
): Promise<string[]> => {
  const { io, options, loaded, part } = adopting
  const paths = [...texts.keys()].map((name) => typed(io.cwd, join(series.folder, name)))
  const file = [...(options.file.length === 0 ? [DEFAULT_MANIFEST] : options.file), ...paths]
  // A project that has a file by now had enough for it.
  const { projectNames } = part.declarationOf(loaded.declaration)
  const hasFile = [...projectNames.values()].some((name) => series.has(name))
  const isInOne = texts.has(series.next('')) && texts.size === 1 && !hasFile
  const recorded = records ? [...proven.targets, ...before.targets] : []
  await recordAll(adopting, file, recorded)
  const later = changed(options, { file: [...file, ...withRecorded(adopting, unread)] })
  return [
    ...paths.map((path) => `${path} was written.`),
    ...summaryOf(arranged, things),
    ...sayRecorded(before, later),
    ...remarks,
    UNSEEN,
    ...sayUnread(io, unread),
    ...sayOtherwise(otherwise, adopting),
    ...sayOneEdit(arranged.entries, loaded),
    ...sayInOne(options, isInOne, arranged),
    ...sayForAll(arranged),
    // What was adopted before is recorded by now.
    ...(records ? [] : await sayShorter(arranged, adopting, { earlier, planned }, paths)),
    ...(things === 0
      ? [COMMENTS_ALONE]
      : [
          'A plan finds no difference in what it declares, and writes nothing for it.',
          await nextAfter(io, later, {
            isRecorded: proven.isRecorded || (proven.targets.length > 0 && recorded.length > 0),
            isWhole: otherwise.length + before.unasked.length === 0,
            adopted: [...earlier, ...paths],
          }),
        ]),
  ]
}

/** What this API shows to nobody: that it was not found says nothing of whether it is there. */
const UNLISTED = kinds.filter(({ observe: { how } }) => how !== 'everything').map(({ section }) => section)
const UNSEEN = `No list shows ${UNLISTED.join(', ')}: what of them no event names was not found, and is declared by its id.`

const COMMENTS_ALONE = 'It contains only comments: it declares nothing until you uncomment them.'

const NOTHING_NEW =
  'There is nothing new: everything that lists and events show is already declared, recorded or mentioned. Nothing was written.'
const RECORDED_LATER = 'Nothing was recorded: deploymgmt apply records what is already declared.'
const ALL_RECORDED = 'Everything that was adopted before is recorded.'

/** What was recorded where nothing is new. */
const saidOf = (
  before: Unrecorded,
  options: AdoptOptions,
  { earlier, otherwise }: { readonly earlier: readonly string[]; readonly otherwise: readonly unknown[] },
): string[] => {
  const said = sayRecorded(before, options)
  if (said.length > 0 || otherwise.length > 0) return said
  return [earlier.length === 0 ? RECORDED_LATER : ALL_RECORDED]
}
