import { BLANK, dotted, hanging, headLines, line, printedLines, span, type Line } from '../../text/lines.ts'
import { showTime } from '../../text/instants.ts'
import { proseRoom, roomOf } from '../../text/style.ts'
import { tableLines } from '../../text/table.ts'
import type { InventoryTable, Reports, ReportStyle } from '../document/reports.ts'
import { counted, unreadable } from '../wording/sentences.ts'
import { number } from '../../text/number.ts'

/** What people look for first is at the end, where the eye rests; refused readings can hide more of it. */
const summaryOf = (tables: readonly InventoryTable[], refused: number): Line[] => [
  ...tables.flatMap(({ asked = [], isUnread = false }) =>
    asked
      .filter(({ count }) => count > 0 || !isUnread)
      .map(({ count, says }) => line(span(says, count > 0 ? 'warn' : undefined))),
  ),
  ...(refused === 0 ? [] : [line(span(counted(refused, 'reading') + ' refused', 'warn'))]),
]

/** A table for each source, as a person reads it. */
export const renderInventory = ({ document, tables }: Reports['inventory'], style: ReportStyle): string => {
  const { at, projects, refused, requestsSent } = document
  const room = roomOf(style)
  const figures = [
    line(span('inventory', 'strong')),
    line(counted(projects.length, 'project')),
    line(showTime(new Date(at))),
    line(counted(requestsSent, 'request')),
  ]
  const filled = tables.filter(({ rows, isCut = false }) => rows.length > 0 || isCut)
  const none = tables.flatMap(({ title, rows, empty, isUnread = false, isCut = false }) => {
    if (empty !== undefined) return `${title} (${empty.join(', ')})`
    return rows.length === 0 && !isUnread && !isCut ? title : []
  })
  const lines: Line[] = [
    ...headLines(figures, room),
    ...filled.flatMap(({ title, rows, isCut = false }) => [
      BLANK,
      line(span(title, 'strong'), ` · ${number(rows.length)}${isCut ? ' · older ones were not read' : ''}`),
      ...tableLines(rows, room, { ranked: true }),
    ]),
    ...(none.length === 0 ? [] : [BLANK, ...hanging(`none: ${none.join(', ')}`, proseRoom(style))]),
    ...(refused.length === 0
      ? []
      : [BLANK, ...unreadable(refused).flatMap((each) => hanging(each, proseRoom(style), 'warn'))]),
  ]
  const last = summaryOf(tables, refused.length)
  return printedLines([...lines, ...(last.length === 0 ? [] : [BLANK, ...dotted(last, room)])], style)
}
