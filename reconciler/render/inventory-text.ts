import { BLANK, hanging, headLines, line, print, span, type Line } from '../text/lines.ts'
import { formatInstant } from '../text/instants.ts'
import { proseRoom, roomOf } from '../text/style.ts'
import { tableLines } from '../text/table.ts'
import type { Reports, ReportStyle } from './reports.ts'
import { counted, number } from './sentences.ts'

/** What is there, a table for each source: what counts of it for a person. */
export const renderInventory = ({ document, tables }: Reports['inventory'], style: ReportStyle): string => {
  const { at, projects, refused, requestsSent } = document
  const room = roomOf(style)
  const figures = [
    line(span('inventory', 'strong')),
    line(counted(projects.length, 'project')),
    line(formatInstant(new Date(at))),
    line(counted(requestsSent, 'request')),
  ]
  const filled = tables.filter(({ rows }) => rows.length > 0)
  const none = tables.filter(({ rows }) => rows.length === 0).map(({ title }) => title)
  const lines: Line[] = [
    ...headLines(figures, room),
    ...filled.flatMap(({ title, rows }) => [
      BLANK,
      line(span(title, 'strong'), ` · ${number(rows.length)}`),
      ...tableLines(rows, room),
    ]),
    ...(none.length === 0 ? [] : [BLANK, ...hanging(`none: ${none.join(', ')}`, proseRoom(style))]),
    ...(refused.length === 0
      ? []
      : [
          BLANK,
          ...refused.flatMap(({ source, of, message }) =>
            hanging(`not readable: ${source} of ${of}: ${message}`, proseRoom(style), 'warn'),
          ),
        ]),
  ]
  return print(lines, style)
}
