import type { Link } from '../model/common.ts'
import type { Settings } from '../settings/settings.ts'
import { type RawQuery, badParameter, single } from './query.ts'

export const defaultItemsPerPage = 100
export const maximumItemsPerPage = 500

/** The requested page. `shift` is not 0 if a fault moves the result set between pages. */
export interface Paging {
  readonly pageNum: number
  readonly itemsPerPage: number
  readonly offset: number
  readonly limit: number
  readonly shift: number
}

// Beyond any possible list, and within SQLite's integers.
const lastPage = 2 ** 40

/** Parses pageNum and itemsPerPage as in the Limits section of the API description, and open.itemsPerPageOverMax. */
export const parsePaging = (raw: RawQuery, settings: Settings): Paging => {
  const pageNum = Math.min(wholeNumber(raw, 'pageNum', 1), lastPage)
  const wanted = wholeNumber(raw, 'itemsPerPage', defaultItemsPerPage)
  if (wanted > maximumItemsPerPage && settings.get('open.itemsPerPageOverMax') === 'reject') {
    throw badParameter('itemsPerPage', `may be at most ${maximumItemsPerPage}`)
  }
  const itemsPerPage = Math.min(wanted, maximumItemsPerPage)
  return { pageNum, itemsPerPage, offset: (pageNum - 1) * itemsPerPage, limit: itemsPerPage, shift: 0 }
}

/** The same page of a result set to which `shift` items were added in front (or removed) since the first page. */
export const shiftPaging = (paging: Paging, shift: number): Paging => ({
  ...paging,
  offset: Math.max(0, paging.offset - shift),
  shift,
})

const wholeNumber = (raw: RawQuery, name: string, otherwise: number): number => {
  const value = single(raw, name)
  if (value === undefined) return otherwise
  if (!/^\d+$/.test(value) || Number(value) < 1)
    throw badParameter(name, 'must be a whole number of at least 1')
  return Number(value)
}

/** A list as its client asked for it; one without pages has no paging. */
interface ListRequest {
  readonly url: string
  readonly query: RawQuery
  readonly paging: Paging | undefined
}

/** The links of a list: always self, previous except on the first page, next except on the last (open.listLinks). */
export const listLinks = ({ url, query, paging }: ListRequest, total: number, settings: Settings): Link[] => {
  if (settings.get('open.listLinks') === 'empty') return []
  if (!paging) return [{ href: urlWith(url, query), rel: 'self' }]
  const { pageNum, itemsPerPage } = paging
  const pageUrl = (page: number) =>
    urlWith(url, { ...query, pageNum: String(page), itemsPerPage: String(itemsPerPage) })
  const links = [{ href: pageUrl(pageNum), rel: 'self' }]
  if (pageNum > 1) links.push({ href: pageUrl(pageNum - 1), rel: 'previous' })
  if (pageNum * itemsPerPage < total) links.push({ href: pageUrl(pageNum + 1), rel: 'next' })
  return links
}

const urlWith = (url: string, query: RawQuery): string => {
  const asked = new URLSearchParams()
  for (const [name, value = []] of Object.entries(query))
    for (const part of [value].flat()) asked.append(name, part)
  return asked.size === 0 ? url : `${url}?${asked.toString()}`
}
