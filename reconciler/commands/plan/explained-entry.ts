import { nearest } from '@deploymgmt/provider/core'
import {
  entryOf,
  parseAddress,
  whatPlanned,
  type Change,
  type Declaration,
  type Run,
} from '@deploymgmt/provider/engine'
import { kinds } from '@deploymgmt/provider/kinds'
import type { LoadedDeclaration } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import type { ReportedExplained } from '../../render/document/explained.ts'
import { quoted } from '../../text/display.ts'
import { ownProjects, withoutOwnProject } from '../resolve/address.ts'
import { instanceMeant, projectsOfEntry } from './explained-instance.ts'

interface Context {
  readonly loaded: LoadedDeclaration
  readonly run: Run
}

/**
 * Explains where the values of an entry, or of one of its instances, come from.
 *
 * @throws UsageError if there is no such entry, or if it has no such instance
 */
export const explainedAt = (given: string, context: Context): ReportedExplained => {
  const { loaded } = context
  const { declaration, explain } = loaded
  const asked = withoutOwnProject(given, declaration.projectNames, ownProjects(declaration, {}))
  const entry = entryOf(asked)
  const explained = explain(entry)
  if (explained === undefined) throw noEntry(asked, declaration)
  const except = leftOutBy(explained)
  if (asked === entry) return { ...explained, ...ofEntry(entry, except, context), ...ranksOf(entry, context) }
  const address = instanceMeant(asked, { declaration, run: context.run, except })
  const projectId = projectOf(address, context)
  return {
    ...(explain(entry, parseAddress(address).keys.length === 0 ? undefined : projectId) ?? explained),
    address,
    ...whatOf(address, context),
    ...(projectId === undefined ? {} : { project: declaration.projectNames.get(projectId) ?? projectId }),
    ...ranksOf(address, context),
  }
}

const noEntry = (asked: string, { entries }: Declaration): UsageError => {
  const meant = nearest(
    entryOf(asked),
    entries.map(({ address }) => entryOf(address)),
  )
  return new UsageError(`--explain: no entry is declared at ${quoted(asked)}`, {
    hint: meant === undefined ? 'An address is SECTION.NAME.' : `Did you mean ${meant}?`,
  })
}

type Explained = Pick<ReportedExplained, 'values'>

/** The names of the projects that an entry for all projects excludes. */
const leftOutBy = ({ values }: Explained): string[] =>
  values
    .flatMap(({ from }) => from)
    .flatMap(({ excluded, name = '' }) =>
      excluded === true ? [name.replace(/^projects\.(.*)\.id$/s, '$1')] : [],
    )

const ofEntry = (
  entry: string,
  except: readonly string[],
  { loaded: { declaration } }: Context,
): Pick<ReportedExplained, 'projects' | 'except'> => {
  const projects = projectsOfEntry(entry, declaration)
  return {
    ...(projects.length === 0 ? {} : { projects }),
    ...(except.length === 0 ? {} : { except }),
  }
}

const changeAt = (address: string, { run }: Context): Change | undefined =>
  run.plan.planned.find(({ change }) => change.address === address)?.change

const projectOf = (address: string, context: Context): string | undefined => {
  const own = context.loaded.declaration.entries.find((each) => each.address === address)?.values
  const values = own ?? changeAt(address, context)?.after
  const projectId = values?.['projectId']
  return typeof projectId === 'string' ? projectId : undefined
}

const whatOf = (address: string, context: Context): Pick<ReportedExplained, 'what'> => {
  const change = changeAt(address, context)
  const what = change === undefined ? '' : whatPlanned(change, kinds, context.run.observed)
  return what === '' ? {} : { what }
}

/** Which entries lose a thing to an id, from either side: for an entry, or for one of its instances. */
const ranksOf = (address: string, { run }: Context): Pick<ReportedExplained, 'takesFrom' | 'leavesTo'> => {
  const { entry, keys } = parseAddress(address)
  const pairs = run.plan.planned.flatMap(({ change }) =>
    change.takenFrom === undefined ? [] : [{ change, by: entryOf(change.address), from: change.takenFrom }],
  )
  const takesFrom = pairs.flatMap(({ change, by, from }) =>
    by === entry && (keys.length === 0 || change.address === address) ? from : [],
  )
  const leavesTo = pairs.flatMap(({ change, by, from }) =>
    from === entry && isWithin(change, address, run) ? by : [],
  )
  return {
    ...(takesFrom.length === 0 ? {} : { takesFrom: [...new Set(takesFrom)] }),
    ...(leavesTo.length === 0 ? {} : { leavesTo: [...new Set(leavesTo)] }),
  }
}

/** Whether a thing is an instance of an entry; the address of an instance means only that instance. */
const isWithin = ({ after }: Change, address: string, { declaration }: Run): boolean => {
  if (address === entryOf(address)) return true
  const place = declaration.entries.find((each) => each.address === address)?.values['projectId']
  return place !== undefined && after?.['projectId'] === place
}
