import type { Listing } from '@deploymgmt/provider/engine'
import { keyValueLines } from '../../text/key-values.ts'
import { BLANK, printedLines, span, type Line } from '../../text/lines.ts'
import type { Reports } from '../document/reports.ts'
import { number } from '../../text/number.ts'
import { roomOf, type Style } from '../../text/style.ts'
import { tableLines } from '../../text/table.ts'
import type { Item } from '../../text/columns.ts'

/** The result of a data source: a list as a table, one thing as its fields. */
export const renderRead = (report: Reports['reading'], style: Style): string => {
  const { name, document: result, fields } = report
  const lines = isListing(result)
    ? listLines(report, result, style)
    : [[span(name, 'strong')], BLANK, ...keyValueLines(result, roomOf(style), fields)]
  return printedLines(lines, style)
}

const listLines = (
  { name, fields, columns }: Reports['reading'],
  { results, totalCount }: Listing,
  style: Style,
): Line[] => {
  const count =
    results.length < totalCount
      ? `${number(results.length)} of ${number(totalCount)}`
      : number(results.length)
  const head: Line = [span(name, 'strong'), span(` · ${results.length + totalCount === 0 ? 'none' : count}`)]
  if (results.length === 0) return [head]
  const rows = columns === undefined ? results : results.map(columns)
  return [head, BLANK, ...tableLines(rows, roomOf(style), { fields, ranked: columns !== undefined })]
}

const isListing = (result: Item | Listing): result is Listing =>
  Array.isArray(result['results']) && typeof result['totalCount'] === 'number'
