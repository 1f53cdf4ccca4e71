import { visible } from '../../text/display.ts'
import { toJson } from '../../text/json.ts'
import type { Reports } from '../document/reports.ts'

/**
 * One table of everything that was read (RFC 4180): the source and place of each row, then every field of any row.
 * Nested values are JSON. What has nothing is a row with its id alone.
 */
export const renderInventoryCsv = ({ document: { sources, empty } }: Reports['inventory']): string => {
  const rows = Object.entries(sources).flatMap(([source, items]) => [
    ...items.map((item) => ({ source, ...item })),
    ...empty.filter((each) => each.source === source),
  ])
  const names = [...new Set([...FIRST, ...rows.flatMap((row) => Object.keys(row))])]
  const cells = rows.map((row) =>
    names.map((name) => cellOf((row as Readonly<Record<string, unknown>>)[name])),
  )
  return [names.map((name) => cellOf(name)), ...cells].map((row) => row.join(',')).join('\r\n')
}

const FIRST = ['source', 'project', 'projectId', 'orgId']

const cellOf = (value: unknown): string => {
  if (value === undefined || value === null) return ''
  return quoted(typeof value === 'string' ? harmless(visible(value)) : visible(toJson(value)))
}

/** A spreadsheet treats text with these beginnings as a formula, also in the wide forms of East Asian keyboards. */
const harmless = (text: string): string => (/^[=+\-@\s＝＋－＠]/.test(text) ? `'${text}` : text)

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
