import { join, resolve } from 'node:path'
import type { Client } from '@deploymgmt/provider/api'
import type { Change, Found } from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { Arranged } from '../../adopt/arrange.ts'
import type { Written } from '../../adopt/manifest-text.ts'
import { DEFAULT_MANIFEST, loadHead } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import { print, type Io } from '../../io.ts'
import { counted } from '../../render/wording/sentences.ts'
import { number } from '../../text/number.ts'
import { readSession } from '../../state/index.ts'
import { shellWord } from '../../text/display.ts'
import { elsewhereOf } from '../run/acquainted.ts'
import { typed } from '../meant/typed.ts'
import { onlyProjects } from '../meant/only-projects.ts'
import { changed, type CommonOptions } from '../line/options.ts'
import { namedStream } from '../output/output.ts'
import { reporter } from '../output/report.ts'
import { outsideOf, stateMeantBy } from '../meant/state-meant.ts'
import { tell } from '../output/tell.ts'
import { dataReader, loadWithState, withClientToLoad } from '../meant/workspace.ts'
import { unreadOf, type Unread } from '../meant/unread.ts'
import { refuseWritten, sayUnread, withRecorded } from './unread.ts'
import { seriesOf, writeProven, type Series } from './files.ts'
import { sayRecorded, unrecordedIn, NONE, type Unrecorded } from './earlier.ts'
import { arrangedOf, isInCommon, type Grouping } from './found.ts'
import { look, nowhereThere, refusedWarnings, warningsOf, type Looking } from './look.ts'
import { nextAfter } from './next.ts'
import { sayOneEdit } from './one-edit.ts'
import { otherwiseIn, sayOtherwise } from './otherwise.ts'
import { changesIn, loadWith, prove, recordAll, type Proving } from './proof.ts'
import { sayShorter } from './shorter.ts'
import { ENOUGH, textsOf } from './texts.ts'
import { readingOnce } from './reading-once.ts'

export interface AdoptOptions extends CommonOptions, Grouping {
  /** Whether what is recorded is written, too, where no manifest declares it any more. */
  readonly again?: boolean
  /** Names or ids of the projects that are meant; all where there is none. */
  readonly project?: readonly string[]
  /** Addresses of what is not to be written, with `*` for anything. */
  readonly except?: readonly string[]
}

const ADOPTED = 'deploymgmt.adopted.yaml'
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

/** Where it is written. */
interface Goal {
  readonly series: Series
  /** What was adopted before, absolute. */
  readonly earlier: readonly string[]
  /** Where it is printed instead. */
  readonly stream: NodeJS.WritableStream | undefined
}

const goalOf = async (io: Io, options: AdoptOptions): Promise<Goal> => {
  const { output, file, var: vars, varFile: varFiles } = options
  const head = await loadHead({ files: file, vars, varFiles, cwd: io.cwd, env: io.env }, kinds)
  if (head.path === undefined)
    throw new UsageError('adopt writes manifests, and a configuration in JSON takes none beside it', {
      hint: 'Name a manifest with the projects: deploymgmt adopt -f deploymgmt.yaml',
    })
  const stream = output === undefined ? undefined : namedStream(io, output)
  const { folder } = await stateMeantBy(io, options, head)
  const usual = await seriesOf(join(folder, ADOPTED))
  const series =
    output === undefined || stream !== undefined ? usual : await seriesOf(resolve(io.cwd, output))
  return { series, earlier: [...new Set([...usual.earlier, ...series.earlier])], stream }
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
    ...forLater(arranged),
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

/** That files of projects were asked for, and none has enough for one. */
const sayInOne = (options: AdoptOptions, isOne: boolean, { entries }: Arranged): string[] =>
  options.split === true && options.policy === true && isOne && entries.some(({ places }) => places === 1)
    ? [
        `No project has ${number(ENOUGH)} entries of its own, so that all stands in one file; --split without --policy gives each project a file with all of it.`,
      ]
    : []

/** What is not to be seen of entries for all projects before one more is named. */
const forLater = ({ entries }: Arranged): string[] => {
  const { length: count } = entries.filter(({ forAll }) => forAll)
  const [its, stand] = count === 1 ? ['Its entry', 'stands'] : [`Its ${number(count)} entries`, 'stand']
  return count === 0
    ? []
    : [
        `${its} for all projects ${stand} for those that are named later, too: look at a plan before the apply then.`,
      ]
}

/** What this API shows to nobody: that it was not found says nothing of whether it is there. */
const UNLISTED = kinds.filter(({ observe: { how } }) => how !== 'everything').map(({ section }) => section)
const UNSEEN = `No list shows ${UNLISTED.join(', ')}: what of them no event names was not found, and is declared by its id.`

const COMMENTS_ALONE = 'It has comments alone: nothing of it is declared, until you take them away.'

const NOTHING_NEW =
  'There is nothing new: all that lists and events show is declared, recorded or mentioned. Nothing was written.'
const RECORDED_LATER = 'Nothing was recorded: what is declared already is recorded by deploymgmt apply.'
const ALL_RECORDED = 'All that was adopted before is recorded.'

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

/** The manifests that are named, and what was adopted before, whether it is named or not. */
const filesWith = (io: Io, { file }: CommonOptions, earlier: readonly string[]): string[] => {
  const named = file.length === 0 ? [DEFAULT_MANIFEST] : file
  return earlier.length === 0 ? [...file] : [...named, ...earlier.map((path) => typed(io.cwd, path))]
}

/** How many entries and things, with the number by which a plan counts them. */
const summaryOf = ({ sections, entries, told }: Arranged, things: number): string[] => {
  const bySection = sections.flatMap((section) => {
    const own = entries.filter((each) => each.section === section)
    return own.length === 0 ? [] : [`${section} ${entriesFor(own, sumOf(own, 'things'))}`]
  })
  const places = sumOf(entries, 'places')
  return [
    `It has ${entriesFor(entries, things)}.`,
    ...(bySection.length > 1 && entries.length !== things ? [`Of that, ${bySection.join('; ')}.`] : []),
    ...(places === entries.length
      ? []
      : [`A plan counts an entry once for each of its projects: as ${number(places)} declared.`]),
    ...commentsOf(told),
  ]
}

const sumOf = (all: readonly Written[], what: 'things' | 'places'): number =>
  all.reduce((sum, each) => sum + each[what], 0)

const entriesFor = ({ length }: readonly Written[], things: number): string =>
  `${number(length)} ${length === 1 ? 'entry' : 'entries'} for ${counted(things, 'thing')}`

const commentsOf = (told: Arranged['told']): string[] => {
  if (told.length === 0) return []
  const sections = Map.groupBy(told, ({ section }) => section)
  const of = [...sections].map(([section, own]) => `${section} ${number(own.length)}`)
  const [are, stand] = told.length === 1 ? ['is', 'stands'] : ['are', 'stand']
  return [
    `${counted(told.length, 'more thing')} ${are} known from events only, and ${stand} there as comments, which declare nothing: ${of.join('; ')}.`,
  ]
}
