import type { DataSourceDefinition, Inventory } from '../../core/data-source.ts'
import type { Problem } from '../../core/check/index.ts'
import type { Identity, Values } from '../../core/values.ts'
import {
  AuthRejectedError,
  ForbiddenError,
  MalformedAnswerError,
  NotFoundError,
  type ArgumentWords,
  type RequestError,
} from '../../errors/index.ts'
import { readDataSource, type Reader } from './data-source.ts'

/** One thing that a source listed, with its place. */
export interface TakenItem {
  readonly source: string
  readonly place: Identity
  readonly item: Values
}

interface RefusedReading {
  readonly source: string
  readonly place: Identity
  readonly error: RequestError
}

export interface Taken {
  readonly listed: readonly TakenItem[]
  /** What other sources told of, and has nothing in its own list; each item has only its id. */
  readonly empty: readonly TakenItem[]
  readonly refused: readonly RefusedReading[]
  /** How many readings were answered. */
  readonly answered: number
  /** The sources of which a reading asked only for the first items, and of which there are more. */
  readonly cut: readonly string[]
}

type Taker = DataSourceDefinition & { readonly inventory: Inventory }

interface Reading {
  readonly source: Taker
  readonly place: Identity
  readonly given: Values
}

/** Whether a source can be read as a whole: it needs no more than a place, or other sources tell the rest. */
export const canList = (source: DataSourceDefinition): source is Taker => source.inventory !== undefined

/**
 * Reads everything that can be listed in the places, each list once. Sources that need ids from others are read
 * after them. Refused reads are reported, and cause no failure if another read succeeded.
 * @throws AuthRejectedError if the credentials are refused and nothing was answered
 */
export const takeInventory = async (
  client: Reader,
  sources: readonly Taker[],
  { places, words }: { readonly places: readonly Identity[]; readonly words: ArgumentWords<Problem> },
): Promise<Taken> => {
  const read = (readings: readonly Reading[]) =>
    Promise.all(readings.map((reading) => readOne(client, reading, words)))
  const first = joined(await read(readingsIn(sources, places, [])))
  const readings = readingsIn(sources, places, first.listed).filter(({ source }) => isSecond(source))
  const second = joined(withoutElsewhere(readings, await read(readings)))
  const taken = joined([first, second])
  const wrong = taken.refused.find(({ error }) => error instanceof AuthRejectedError)
  if (wrong !== undefined && first.answered === 0) throw wrong.error
  return taken
}

const joined = (parts: readonly Taken[]): Taken => ({
  listed: parts.flatMap(({ listed }) => listed),
  empty: parts.flatMap(({ empty }) => empty),
  refused: parts.flatMap(({ refused }) => refused),
  answered: parts.reduce((sum, { answered }) => sum + answered, 0),
  cut: parts.flatMap(({ cut }) => cut),
})

/** Events of several organizations can name the same key: the one that does not know it has nothing to show. */
const withoutElsewhere = (readings: readonly Reading[], taken: readonly Taken[]): Taken[] => {
  const idOf = ({ source, given }: Reading): string =>
    `${source.name} ${String(given[source.inventory.told?.argument ?? ''])}`
  const found = new Set(readings.filter((_, index) => (taken[index]?.answered ?? 0) > 0).map(idOf))
  return taken.map((each, index) => {
    const reading = readings[index]
    const isElsewhere =
      reading !== undefined &&
      found.has(idOf(reading)) &&
      each.refused.every(({ error }) => error instanceof NotFoundError)
    return isElsewhere ? { ...each, refused: [] } : each
  })
}

const isSecond = ({ inventory }: Taker): boolean => inventory.told !== undefined

const readingsIn = (
  sources: readonly Taker[],
  places: readonly Identity[],
  listed: readonly TakenItem[],
): Reading[] =>
  sources.flatMap((source) =>
    places
      .filter((place) => Object.keys(place).every((name) => Object.hasOwn(source.arguments, name)))
      .flatMap((place) =>
        source.inventory.readings.flatMap((more) =>
          toldIn(source, place, listed).map((told): Reading => ({
            source,
            place,
            given: { ...place, ...more, ...told },
          })),
        ),
      ),
  )

/** The arguments that other sources told, one reading each. A source that needs none is read once. */
const toldIn = ({ inventory: { told } }: Taker, place: Identity, listed: readonly TakenItem[]): Values[] => {
  if (told === undefined) return [{}]
  const own = listed.filter((each) => isWithin(each, place))
  const ids = new Set(
    own.map(({ item }) => item[told.by]).filter((id) => typeof id === 'string' && id !== ''),
  )
  return [...ids].map((id) => ({ [told.argument]: id }))
}

/** Whether an item is of a place: it was listed there, or it says that it belongs there. */
const isWithin = ({ place, item }: TakenItem, wanted: Identity): boolean =>
  Object.entries(wanted).every(([name, value]) => place[name] === value || item[name] === value)

const readOne = async (
  client: Reader,
  { source, place, given }: Reading,
  words: ArgumentWords<Problem>,
): Promise<Taken> => {
  try {
    const answer: Values = { ...(await readDataSource(client, source, given, words)) }
    const rows = source.inventory.rows ?? itemsOf
    const taken = (item: Values): TakenItem => ({
      source: source.name,
      place,
      item: { ...told(source, given), ...item },
    })
    const listed = rows(answer).map(taken)
    const empty = isSecond(source) && listed.length === 0 ? [taken({})] : []
    return { listed, empty, refused: [], answered: 1, cut: isCut(answer, given) ? [source.name] : [] }
  } catch (error) {
    if (
      error instanceof ForbiddenError ||
      error instanceof NotFoundError ||
      error instanceof AuthRejectedError ||
      (error instanceof MalformedAnswerError && error.isRefusal)
    )
      return { listed: [], empty: [], refused: [{ source: source.name, place, error }], answered: 0, cut: [] }
    throw error
  }
}

const isCut = (answer: Values, { limit }: Values): boolean =>
  limit !== undefined && Number(answer['totalCount'] ?? 0) > itemsOf(answer).length

/** The id by which a thing was found, because the answer does not repeat it. */
const told = ({ inventory }: Taker, given: Values): Values =>
  inventory.told === undefined ? {} : { [inventory.told.argument]: given[inventory.told.argument] }

const itemsOf = (answer: Values): readonly Values[] =>
  Array.isArray(answer['results']) ? (answer['results'] as Values[]) : [answer]
