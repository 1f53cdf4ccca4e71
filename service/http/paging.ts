import type { Link } from '../model/common.ts'
import type { Settings } from '../settings/settings.ts'
import { type RawQuery, badParameter, single } from './query.ts'

const defaultItemsPerPage = 100
const maximumItemsPerPage = 500

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

/** The links of a list without pages (endpoint 13). */
export const selfLinks = (url: string, settings: Settings): Link[] =>
  settings.get('open.listLinks') === 'empty' ? [] : [{ href: url, rel: 'self' }]

/** The links of a page: always self, previous except on the first page, next except on the last (open.listLinks). */
export const pageLinks = (
  url: string,
  raw: RawQuery,
  paging: Paging,
  total: number,
  settings: Settings,
): Link[] => {
  if (settings.get('open.listLinks') === 'empty') return []
  const { pageNum, itemsPerPage } = paging
  const pageUrl = (page: number) => {
    const query = new URLSearchParams()
    for (const [name, value] of Object.entries(raw)) {
      if (name === 'pageNum' || name === 'itemsPerPage' || value === undefined) continue
      for (const part of Array.isArray(value) ? value : [value]) query.append(name, part)
    }
    query.set('pageNum', String(page))
    query.set('itemsPerPage', String(itemsPerPage))
    return `${url}?${query.toString()}`
  }
  const links = [{ href: pageUrl(pageNum), rel: 'self' }]
  if (pageNum > 1) links.push({ href: pageUrl(pageNum - 1), rel: 'previous' })
  if (pageNum * itemsPerPage < total) links.push({ href: pageUrl(pageNum + 1), rel: 'next' })
  return links
}
