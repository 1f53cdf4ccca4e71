import { indented, pad, span, type Line } from '../../text/lines.ts'
import type { Tone } from '../../text/style.ts'
import type { ReportStyle } from '../document/reports.ts'
import { projectBeside } from '../wording/beside-address.ts'

/** The column in which the contents of a drift report start. */
export const COLUMN = 18

export const row = (label: string, tone: Tone | undefined, content: Line): Line => [
  span(pad(`  ${label}`, COLUMN), tone),
  ...content,
]
export const below = (lines: readonly Line[]): Line[] => indented(COLUMN, lines)

/** The project, if there are several. */
export const projectOf = (
  { identity = {} }: { readonly identity?: Readonly<Record<string, string>> },
  { names }: ReportStyle,
): string | undefined => projectBeside(identity['projectId'], names)
