import { hanging, indented, line, printedLines, type Line } from '../../text/lines.ts'
import { proseRoom } from '../../text/style.ts'
import { errorLines, findingLines } from '../document/failure.ts'
import type { Reports, ReportStyle } from '../document/reports.ts'

/** A command that failed, in place of its report: what, where, and what to do. */
export const renderFailureText = (
  { document: { error } }: Reports['failure'],
  style: ReportStyle,
): string => {
  const [what, ...more] = errorLines(error)
  const said = (texts: readonly string[]): Line[] =>
    texts.flatMap((text) => indented(2, hanging(text, proseRoom(style) - 2)))
  return printedLines([line(`Error ${what}`), ...said(more), ...said(findingLines(error))], style)
}
