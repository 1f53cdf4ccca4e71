import { valueInBrackets } from '@deploymgmt/provider/core'
import { entryOf, type Entry } from '@deploymgmt/provider/engine'
import type { Written } from '../../adopt/manifest-text.ts'
import type { LoadedDeclaration } from '../../config/index.ts'
import { few } from '../../text/few.ts'
import { groupBy } from '../../text/group-by.ts'
import { number } from '../../text/number.ts'
import { saysTheSame } from './alike.ts'

/** An existing entry for several projects, and what was written for further projects. */
interface Wider {
  /** The address of the existing entry, without a project. */
  readonly entry: string
  /** The edited list of projects for that entry. */
  readonly projectIds: string
  /** The names of new entries that this edit would replace. */
  readonly instead: readonly string[]
}

/** If the new entries repeat an existing entry for other projects, suggests one edit of that entry. */
export const sayOneEdit = (
  entries: readonly Written[],
  { declaration }: Pick<LoadedDeclaration, 'declaration'>,
): string[] => {
  const wider = widerOf(entries, declaration.entries)
  if (wider.length === 0) return []
  // The entries of two teams can say the same: either of them would do.
  const edits = groupBy(wider, ({ instead }) => JSON.stringify(instead))
  const edit = edits.length === 1 ? 'One edit of an entry that was' : 'One edit each of entries that were'
  const lines = edits.slice(0, MOST).flatMap((group) =>
    group.map(({ entry, projectIds, instead }, index) => {
      const edited = index === 0 ? `${entry}, in place of ${few(instead)}` : `  or ${entry}`
      return `  ${edited}: ${projectIds}`
    }),
  )
  return [
    `${edit} there already would do instead:`,
    ...lines,
    ...(edits.length > MOST ? [`  and ${number(edits.length - MOST)} more such`] : []),
  ]
}

const MOST = 10
/** A longer list is not shown for pasting. */
const LONG = 8

const widerOf = (written: readonly Written[], declared: readonly Entry[]): Wider[] => {
  const several = [...Map.groupBy(declared, ({ address }) => entryOf(address))].filter(([, of]) =>
    of.every(({ among }) => among !== undefined),
  )
  return several.flatMap(([entry, of]) => {
    const [first] = of
    if (first === undefined) return []
    const places = new Set(of.flatMap(({ among }) => among?.place ?? []))
    const alike = written.filter(
      (each) => saysTheSame(first, each) && projectsNamedBy(each).every((place) => !places.has(place)),
    )
    const more = alike.flatMap(projectsNamedBy)
    const projectIds = more.length === 0 ? undefined : editedFor(first, [...places], more)
    const instead = alike.map(({ name }) => name)
    return projectIds === undefined ? [] : [{ entry, projectIds, instead }]
  })
}

/** The projects that an entry names; none if it has one project or is for all. */
const projectsNamedBy = ({ values: { projectId, projectIds } }: Written): string[] => {
  if (typeof projectId === 'string') return [projectId]
  return Array.isArray(projectIds) ? projectIds.filter((each) => typeof each === 'string') : []
}

/** The existing entry's fields for its projects and the new ones, ready to be pasted. */
const editedFor = (
  { among }: Pick<Entry, 'among'>,
  places: readonly string[],
  more: readonly string[],
): string | undefined => {
  if (among === undefined) return undefined
  const { field, except } = among
  const named = more.map(valueInBrackets)
  if (except === undefined) {
    const all = [...places.map(valueInBrackets), ...named]
    return all.length > LONG ? `add ${more.join(', ')} to ${field}` : `${field}: [${all.join(', ')}]`
  }
  const left = except.filter((each) => !named.includes(each))
  // The entry includes these projects already, so the difference lies elsewhere.
  if (left.length === except.length) return undefined
  if (left.length > LONG) return `take ${more.join(', ')} out of the except of ${field}`
  return `${field}: ${left.length === 0 ? 'all' : `{ all: true, except: [${left.join(', ')}] }`}`
}
