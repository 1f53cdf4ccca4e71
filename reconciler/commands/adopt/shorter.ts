import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { entryOf, type Change, type Entry } from '@deploymgmt/provider/engine'
import type { Arranged } from '../../adopt/arrange.ts'
import type { Written } from '../../adopt/manifest-text.ts'
import { few } from '../../text/few.ts'
import { number } from '../../text/number.ts'
import { typed } from '../output/typed.ts'
import { saysTheSame } from './alike.ts'
import { changesNothing, type Proving } from './proof.ts'

interface Before {
  /** Files of earlier adoptions, absolute. */
  readonly earlier: readonly string[]
  /** The plan without the new files. */
  readonly planned: readonly Change[]
}

/** The first line of files that adopt writes starts so. */
export const WRITTEN_BY = 'Written by deploymgmt adopt at'

/**
 * If earlier adoptions were made project by project, says which files stand in the way of fewer, common entries.
 * Says nothing if one of the files contains more than adopt would write again, or is recorded.
 *
 * @param paths the new files, as a person types them
 */
export const sayShorter = async (
  { entries }: Arranged,
  { io, loaded, records, filter }: Pick<Proving, 'io' | 'loaded' | 'records' | 'filter'>,
  { earlier, planned }: Before,
  paths: readonly string[],
): Promise<string[]> => {
  const { declaration } = loaded
  const fileOf = ({ declaredAt }: Entry): string => resolve(io.cwd, declaredAt?.file ?? '')
  const adopted = declaration.entries.filter((each) => earlier.includes(fileOf(each)))
  const common = filter.isWhole ? entries.filter(({ values }) => values['projectIds'] !== undefined) : []
  const alike = common.map((each) => adopted.filter((entry) => isAlike(entry, each)))
  const ids = [...declaration.projectNames.keys()]
  const place = ({ values }: Entry): number => ids.indexOf(String(values['projectId']))
  const own = alike.flat().toSorted((one, other) => place(one) - place(other))
  const files = [...new Set(own.map(fileOf))]
  const theirs = new Set(
    adopted.filter((each) => files.includes(fileOf(each))).map(({ address }) => entryOf(address)),
  )
  const isChanged = planned.some((each) => theirs.has(entryOf(each.address)) && !changesNothing(each))
  const isRecorded = Object.keys(records).some((address) => theirs.has(entryOf(address)))
  if (own.length === 0 || isChanged || isRecorded || !(await areWritten(files))) return []
  const { length: count } = alike.filter(({ length }) => length > 0)
  const places = [...new Set(own.map((each) => declaration.projectNames.get(ids[place(each)] ?? '') ?? ''))]
  const leave = count === 1 ? 'common entry leaves' : 'common entries leave'
  const declare = files.length === 1 ? 'a file of its own declares' : 'files of their own declare'
  const all = [...files.map((path) => typed(io.cwd, path)), ...paths]
  return [
    `${number(count)} ${leave} out ${few(places)}, which ${declare}. Nothing of that is recorded yet: for the short form, delete ${few(all)} and run adopt once more.`,
  ]
}

/** Whether an entry of one project repeats what several other projects have in common. */
const isAlike = (entry: Entry, common: Written): boolean =>
  entry.among === undefined && saysTheSame(entry, common)

const areWritten = async (files: readonly string[]): Promise<boolean> => {
  const texts = await Promise.all(files.map((path) => readFile(path, 'utf8').catch(() => '')))
  return texts.every((text) => text.startsWith(`# ${WRITTEN_BY}`))
}
