import { isDeepStrictEqual } from 'node:util'
import { ListUnstableError } from '../errors/list-unstable-error.ts'
import { MalformedAnswerError } from '../errors/malformed-answer-error.ts'
import { isObject } from '../core/values.ts'
import type { Answer, ListOptions, Page, Query } from './types.ts'

const itemsPerPage = 500
const mostReadings = 3
// Five million items: a larger count is nonsense, and must not make us send a request for each of its pages.
const mostPages = 10_000

/** Reads one page; its failures pass through. */
type ReadPage = (query: Query) => Promise<Answer>

/** Where the list is, for messages. */
interface ListPlace {
  readonly method: string
  readonly url: string
  readonly path: string
}

interface OnePage {
  readonly results: unknown[]
  readonly totalCount: number
  readonly status: number
  /** Whether `links` has a `next`; `undefined` if there are no links. */
  readonly hasNext: boolean | undefined
}

/** The pages of one read of the list, in order, and how they contradict each other. */
interface Reading {
  readonly pages: OnePage[]
  readonly complete: boolean
  readonly contradiction: string | undefined
}

/**
 * Reads a whole list. The first page tells how many items there are, and the other pages are read at once. If pages
 * contradict each other (the list changed meanwhile), the whole list is read again.
 * @throws ListUnstableError after three contradictory reads; MalformedAnswerError for an answer that is not a list
 */
export const readList = async (
  readPage: ReadPage,
  query: Query,
  options: ListOptions,
  place: ListPlace,
): Promise<Page> => {
  let requests = 0
  const read = async (pageNum: number, size: number): Promise<OnePage> => {
    requests++
    const answer = await readPage({ ...query, pageNum, itemsPerPage: size })
    return pageOf(answer, place)
  }
  const contradictory: Reading[] = []
  while (contradictory.length < mostReadings) {
    const reading = await readOnce(read, sizeOf(query), options, place)
    if (reading.contradiction !== undefined) {
      contradictory.push(reading)
      continue
    }
    const shown = reading.pages.flatMap((page) => page.results)
    const results = reading.pages.flatMap(onceEach)
    const totalCount =
      Math.max(reading.pages[0]?.totalCount ?? 0, shown.length) - (shown.length - results.length)
    return { results, totalCount, requests, complete: reading.complete }
  }
  throw unstable(contradictory, place)
}

/** The error for a list that no reading showed whole. One that is the same in each has not changed meanwhile. */
const unstable = (readings: readonly Reading[], place: ListPlace): ListUnstableError => {
  const contradiction = readings.at(-1)?.contradiction ?? ''
  const facts = { ...place, status: 200, outcome: 'refused' } as const
  return readings.every((reading) => isDeepStrictEqual(reading, readings[0]))
    ? new ListUnstableError(
        `the list contradicts itself, in the same way in each of ${mostReadings} readings: ${contradiction}`,
        { ...facts, hint: 'Tell whoever runs the service: what it counts is not what it shows.' },
      )
    : new ListUnstableError(
        `the list changed while it was read, ${mostReadings} times: ${contradiction}`,
        facts,
      )
}

const readOnce = async (
  read: (pageNum: number, size: number) => Promise<OnePage>,
  asked: number,
  options: ListOptions,
  place: ListPlace,
): Promise<Reading> => {
  const first = await read(1, asked)
  const { totalCount } = first
  const length = first.results.length
  const maxPages = Math.max(1, options.maxPages ?? Number.POSITIVE_INFINITY)
  if (length >= totalCount && mayGoOn(first, asked)) {
    return readOnwards(read, first, { asked, maxPages, keyOf: options.keyOf ?? idOf }, place)
  }
  if (length === 0 && totalCount > 0) {
    return {
      pages: [first],
      complete: false,
      contradiction: `${totalCount} items are counted, but none is shown`,
    }
  }
  // A page that is shorter than requested, with more to come: the service has a smaller limit, and its pages are that
  // long.
  const size = Math.max(1, Math.min(asked, length))
  const count = length === totalCount ? 1 : Math.ceil(totalCount / size)
  const wanted = Math.min(count, maxPages)
  if (wanted > mostPages) throw malformed(`it counts ${totalCount} items`, first, place)
  const others = Array.from({ length: wanted - 1 }, async (_, index) => read(index + 2, size))
  const pages = [first, ...(await Promise.all(others))]
  const complete = wanted === count
  return { pages, complete, contradiction: contradictionIn(pages, complete, options.keyOf ?? idOf) }
}

// A full page that claims to be complete may come from a service that counts the page and not the list.
const mayGoOn = (page: OnePage, asked: number): boolean =>
  page.hasNext === true || (page.hasNext === undefined && page.results.length >= asked)

/** Reads page after page until one says that it is the last, for a service whose count is not reliable. */
const readOnwards = async (
  read: (pageNum: number, size: number) => Promise<OnePage>,
  first: OnePage,
  options: { asked: number; maxPages: number; keyOf: (item: unknown) => string | undefined },
  place: ListPlace,
): Promise<Reading> => {
  const pages = [first]
  let last = first
  while (mayGoOn(last, options.asked) && pages.length < options.maxPages) {
    if (pages.length >= mostPages) throw malformed('it has no last page', last, place)
    last = await read(pages.length + 1, options.asked)
    pages.push(last)
    if (last.results.length === 0) break
  }
  const complete = last.results.length === 0 || !mayGoOn(last, options.asked)
  const countsItself = pages.every((page) => page.totalCount === page.results.length)
  const contradiction = countsItself ? undefined : differenceIn(pages)
  return { pages, complete, contradiction: contradiction ?? repetitionIn(pages, options.keyOf) }
}

const contradictionIn = (
  pages: readonly OnePage[],
  complete: boolean,
  keyOf: (item: unknown) => string | undefined,
): string | undefined => {
  const total = pages[0]?.totalCount ?? 0
  const sum = pages.reduce((count, page) => count + page.results.length, 0)
  const off = complete && sum !== total ? `${total} items are counted, but ${sum} shown` : undefined
  return differenceIn(pages) ?? off ?? repetitionIn(pages, keyOf)
}

const differenceIn = (pages: readonly OnePage[]): string | undefined => {
  const total = pages[0]?.totalCount
  const other = pages.find((page) => page.totalCount !== total)
  return other === undefined ? undefined : `one page counts ${total} items, another ${other.totalCount}`
}

const repetitionIn = (
  pages: readonly OnePage[],
  keyOf: (item: unknown) => string | undefined,
): string | undefined => {
  const keys = pages.flatMap((page) => onceEach(page).flatMap((item) => keyOf(item) ?? []))
  return new Set(keys).size === keys.length ? undefined : 'an item appears in it twice'
}

/**
 * The items of a page, without those that it repeats alike under one id. A page is one look at the list, so that is
 * one thing told twice, and no shift.
 */
const onceEach = ({ results }: OnePage): unknown[] => {
  const seen = new Map<string, unknown>()
  return results.filter((item) => {
    const id = idOf(item)
    if (id === undefined) return true
    if (seen.has(id)) return !isDeepStrictEqual(item, seen.get(id))
    seen.set(id, item)
    return true
  })
}

const pageOf = (answer: Answer, place: ListPlace): OnePage => {
  const { results, totalCount, links } = isObject(answer.body) ? answer.body : {}
  if (!Array.isArray(results)) throw malformed('it has no results array', answer, place)
  if (typeof totalCount !== 'number' || !Number.isSafeInteger(totalCount) || totalCount < 0) {
    throw malformed('its totalCount is not a whole number', answer, place)
  }
  const told = Array.isArray(links) && links.length > 0
  const hasNext = told ? links.some((link) => isObject(link) && link['rel'] === 'next') : undefined
  return { results, totalCount, hasNext, status: answer.status }
}

const malformed = (
  what: string,
  { status }: Pick<Answer, 'status'>,
  place: ListPlace,
): MalformedAnswerError =>
  new MalformedAnswerError(`the answer is not a list: ${what}`, {
    ...place,
    status,
    outcome: 'refused',
  })

const sizeOf = (query: Query): number => {
  const wanted = Number(query['itemsPerPage'] ?? itemsPerPage)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, itemsPerPage) : itemsPerPage
}

const idOf = (item: unknown): string | undefined => {
  const id = isObject(item) ? item['id'] : undefined
  return typeof id === 'string' ? id : undefined
}
