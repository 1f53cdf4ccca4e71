import { argumentWords } from '../../config/evaluation/wording.ts'
import type { Client } from '@deploymgmt/provider/api'
import type { Problem } from '@deploymgmt/provider/core/check'
import { nearest, type Identity, type Values } from '@deploymgmt/provider/core'
import { didYouMean } from '@deploymgmt/provider/core/text'
import { dataSources } from '@deploymgmt/provider/data-sources'
import {
  canList,
  takeInventory,
  type Declaration,
  type TakenItem,
  type Taken,
} from '@deploymgmt/provider/engine'
import { ArgumentError, type ArgumentWords } from '@deploymgmt/provider/errors'
import { kinds } from '@deploymgmt/provider/kinds'
import { loadDeclaration } from '../../config/index.ts'
import { UsageError } from '../../errors/index.ts'
import type { Io } from '../../io.ts'
import { number } from '../../text/number.ts'
import type { InventoryTable, Reports } from '../../render/document/reports.ts'
import { unreadable } from '../../render/wording/sentences.ts'
import { onlyProjects } from '../resolve/only-projects.ts'
import { manifestsOf, type CommonOptions } from '../line/options.ts'
import { nowhereToLook } from '../resolve/project.ts'
import { reporter } from '../output/report.ts'
import { tell } from '../output/tell.ts'
import { watch } from './watch.ts'
import { withClient } from '../service/with-client.ts'

interface InventoryOptions extends CommonOptions {
  readonly only: readonly string[]
  /** Names or ids; all if there are none. */
  readonly project: readonly string[]
  readonly watch?: boolean
  /** Milliseconds. */
  readonly every: number
}

type Report = Reports['inventory']
type Source = (typeof LISTS)[number]

/** Reads every list of all named projects and their organizations, each once. */
export const inventory = async (io: Io, options: InventoryOptions): Promise<number> => {
  const shown = sourcesMeant(options)
  if (options.every < 1000) throw new UsageError('--every has to be at least one second')
  const loaded = await loadDeclaration({ ...manifestsOf(io, options), offline: true }, kinds)
  const { isWhole, declarationOf } = onlyProjects(options.project, loaded.declaration)
  const declaration = declarationOf(loaded.declaration)
  const places = placesNamed(declaration)
  const look = async (client: Client): Promise<Report> => {
    const before = client.requestsSent
    const taken = await takeInventory(client, withTellers(shown), { places, words: WORDS })
    if (options.watch !== true) refuseUnread(taken)
    const requestsSent = client.requestsSent - before
    return reportOf(taken, { shown, declaration, isWhole, at: new Date(client.serviceNow()), requestsSent })
  }
  if (options.watch === true) return watch(io, options, look)
  const report = await reporter(io, options, 'inventory')
  return withClient(io, options, async (client) => {
    const looked = await look(client)
    await report(looked, { names: declaration.projectNames })
    // A table has no room for them.
    if (options.format === 'csv') for (const each of unreadable(looked.document.refused)) await tell(io, each)
    return 0
  })
}

/** @throws RequestError if everything was refused: then nothing can be said to be absent */
const refuseUnread = ({ answered, refused: [first] }: Taken): void => {
  if (answered === 0 && first !== undefined) throw first.error
}

const LISTS = dataSources.filter(canList)

const WORDS: ArgumentWords<Problem> = {
  says: (problem) => {
    const [source] = LISTS
    return source === undefined ? '' : argumentWords(problem, source, { how: 'derived', nearest })
  },
  hint: ArgumentError.remedy,
}

/** @throws UsageError for an unknown name */
const sourcesMeant = ({ only, watch: isWatched }: InventoryOptions): readonly Source[] => {
  const lists = isWatched === true ? LISTS.filter(({ inventory: { watched } }) => watched === true) : LISTS
  const names = lists.map(({ name }) => name)
  const wanted = new Set(only.map((each) => each.replaceAll('-', '_')))
  for (const name of wanted)
    if (!names.includes(name))
      throw new UsageError(
        `--only: there is no ${JSON.stringify(name)} to be listed${didYouMean(nearest(name, names))}`,
        { hint: `The names are: ${names.join(', ')}.` },
      )
  return wanted.size === 0 ? lists : lists.filter(({ name }) => wanted.has(name))
}

/** Adds the sources that provide the ids by which others are read. */
const withTellers = (shown: readonly Source[]): readonly Source[] => {
  const meant = new Set(shown.flatMap((source) => [source, ...tellersOf(source)]))
  return LISTS.filter((source) => meant.has(source))
}

const tellersOf = ({ inventory: { told } }: Source): readonly Source[] =>
  told === undefined
    ? []
    : LISTS.filter((each) => each.inventory.told === undefined && Object.hasOwn(each.result, told.by))

/** @throws UsageError if nothing is named */
const placesNamed = ({ projectNames, organizations, orgIds }: Declaration): Identity[] => {
  const projects = [...projectNames.keys()].map((projectId): Identity => ({ projectId }))
  const orgs = [...new Set([...organizations.values(), ...orgIds])].map((orgId): Identity => ({ orgId }))
  if (projects.length + orgs.length > 0) return [...projects, ...orgs]
  throw nowhereToLook()
}

interface About {
  readonly shown: readonly Source[]
  readonly declaration: Declaration
  /** Whether it covers all projects that the manifest names. */
  readonly isWhole: boolean
  readonly at: Date
  readonly requestsSent: number
}

const reportOf = ({ listed, empty, refused, cut }: Taken, about: About): Report => {
  const { shown, declaration, isWhole } = about
  const { projectNames } = declaration
  // An organization also lists its other projects.
  const isMeant = ({ item: { projectId } }: TakenItem): boolean =>
    isWhole || typeof projectId !== 'string' || projectNames.has(projectId)
  const of = (source: Source, taken: readonly TakenItem[]): readonly TakenItem[] =>
    taken.filter((each) => each.source === source.name && isMeant(each))
  const items = shown.map((source): ItemsOf => [source, of(source, listed)])
  const without = shown.map((source): ItemsOf => [source, of(source, empty)])
  const nameOf: NameOf = (place, item = {}) =>
    projectNames.get(String(place['projectId'] ?? item['projectId']))
  const hasSeveral = new Set([...declaration.organizations.values(), ...declaration.orgIds]).size > 1
  const isUnread = (source: Source): boolean =>
    [source, ...tellersOf(source)].some(({ name }) => refused.some((each) => each.source === name))
  return {
    document: documentOf({ items, without, refused }, nameOf, about),
    tables: items.map(([source, own], index) => ({
      ...tableOf(source, own, { nameOf, hasSeveral }),
      ...emptyOf(source, without[index]?.[1] ?? []),
      ...(isUnread(source) ? { isUnread: true } : {}),
      ...(cut.includes(source.name) ? { isCut: true } : {}),
    })),
  }
}

type ItemsOf = readonly [source: Source, items: readonly TakenItem[]]
interface Naming {
  readonly nameOf: NameOf
  /** Whether there are several organizations. */
  readonly hasSeveral: boolean
}
type NameOf = (place: Identity, item?: Values) => string | undefined

/** The ids of what was asked and has nothing. */
const emptyOf = ({ inventory: { told } }: Source, empty: readonly TakenItem[]) =>
  told === undefined || empty.length === 0
    ? {}
    : { empty: empty.map(({ item }) => String(item[told.argument])) }

interface Found {
  readonly items: readonly ItemsOf[]
  readonly without: readonly ItemsOf[]
  readonly refused: Taken['refused']
}

const documentOf = (
  { items, without, refused }: Found,
  nameOf: NameOf,
  { declaration: { projectNames, organizations }, at, requestsSent }: About,
): Report['document'] => ({
  formatVersion: 1,
  at: at.toISOString(),
  projects: [...projectNames].map(([id, name]) => {
    const orgId = organizations.get(id)
    return { name, id, ...(orgId === undefined ? {} : { orgId }) }
  }),
  sources: Object.fromEntries(
    items.map(([{ name }, own]) => [name, own.map((each) => withPlace(each, nameOf))]),
  ),
  empty: without.flatMap(([{ name: source }, own]) =>
    own.map((each) => ({ source, ...withPlace(each, nameOf) })),
  ),
  refused: refused.map(({ source, place, error }) => ({
    source,
    of: nameOf(place) ?? placeWords(place),
    ...place,
    code: error.code,
    message: error.message,
  })),
  requestsSent,
})

const withPlace = ({ place, item }: TakenItem, nameOf: NameOf): Values => {
  const project = nameOf(place, item)
  return { ...(project === undefined ? {} : { project }), ...place, ...item }
}

const placeWords = ({ orgId, ...place }: Identity): string =>
  [...(orgId === undefined ? [] : [`organization ${orgId}`]), ...Object.values(place)].join(' ')

const tableOf = (
  source: Source,
  items: readonly TakenItem[],
  { nameOf, hasSeveral }: Naming,
): InventoryTable => {
  const isOfProjects = items.some(({ place, item }) => nameOf(place, item) !== undefined)
  /** A single organization goes without saying. */
  const whereIs = ({ place, item }: TakenItem): Values => {
    const project = nameOf(place, item)
    if (project !== undefined) return { project }
    const { orgId } = place
    if (orgId === undefined || !hasSeveral) return {}
    return isOfProjects ? { project: `organization ${orgId}` } : { organization: orgId }
  }
  return {
    name: source.name,
    title: source.title,
    asked: askedOf(source, items),
    rows: toldApart(
      items.map((each) => ({
        row: { ...whereIs(each), ...source.inventory.counts(each.item) },
        id: each.item['id'],
      })),
    ),
  }
}

/** The items from which the rows are made. */
const askedOf = (
  { inventory: { asked = [] } }: Source,
  items: readonly TakenItem[],
): NonNullable<InventoryTable['asked']> =>
  asked.map(({ of, per, one, many }) => {
    const found = items.filter(({ item }) => of(item))
    const count =
      per === 'place' ? new Set(found.map(({ place }) => JSON.stringify(place))).size : found.length
    return { count, says: count === 0 ? `no ${many}` : `${number(count)} ${count === 1 ? one : many}` }
  })

/** Adds ids to rows that are otherwise equal, if they have any: first, because nothing else tells these rows apart. */
const toldApart = (rows: readonly { readonly row: Values; readonly id: unknown }[]): Values[] => {
  const alike = Map.groupBy(rows, ({ row }) => JSON.stringify(row))
  const isAlike = ({ row }: { readonly row: Values }): boolean =>
    (alike.get(JSON.stringify(row)) ?? []).length > 1
  if (!rows.some((each) => each.id !== undefined && isAlike(each))) return rows.map(({ row }) => row)
  return rows.map((each) => ({ id: isAlike(each) ? each.id : undefined, ...each.row }))
}
